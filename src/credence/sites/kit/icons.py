"""Icons of the navigation, by the title of the screen: paths in a square of 24, drawn as lines in the colour of the text."""

from markupsafe import Markup

_PATHS = {
    "Overview": "M4 4h7v7H4zM13 4h7v4h-7zM13 11h7v9h-7zM4 14h7v6H4z",
    "Log": "M4 6h16M4 12h16M4 18h10",
    "Applications": "M4 5h16v14H4zM4 9h16M7 7h.01",
    "Registrations": "M12 5v14M5 12h14",
    "Accounts": "M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4 21a8 8 0 0 1 16 0",
    "Issuers": "M12 3l8 3v6c0 4-3 7-8 9-5-2-8-5-8-9V6zM9 12l2 2 4-4",
    "Tokens and logins": "M4 8h16v3a2 2 0 0 0 0 4v3H4v-3a2 2 0 0 0 0-4zM14 8v10",
    "Keys": "M15 9a5 5 0 1 1-4-4.9M14.5 9.5 20 4M17 7l2 2",
    "Limits": "M4 18a8 8 0 1 1 16 0M12 18l4-6",
    "Data": "M4 6c0-3 16-3 16 0s-16 3-16 0v12c0 3 16 3 16 0V6M4 12c0 3 16 3 16 0",
    "Webhooks": "M12 6a3 3 0 1 1 2.5 4.5L18 16M9.5 10.5 6 16m0 0a2 2 0 1 0 2 2h8a2 2 0 1 0 2-2",
    "Audit": "M6 3h12v18H6zM9 8h6M9 12h6M9 16h3",
    "Health": "M3 12h4l2-6 4 12 2-6h6",
    "Settings": "M4 7h10M18 7h2M4 17h2M10 17h10M16 5v4M8 15v4",
    "Today": "M3 18h18M7 18a5 5 0 0 1 10 0M12 5v4M4.5 9.5l2 2M19.5 9.5l-2 2",
    "Book": "M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM5 17a3 3 0 0 1 3-3h11M9 8h6",
    "Companies": "M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3",
    "Compare": "M12 4v16M5 8h4v9H5zM15 6h4v11h-4z",
    "Decisions": "M5 12l5 5L20 6",
    "Lists": "M9 6h11M9 12h11M9 18h11M4 6h.01M4 12h.01M4 18h.01",
    "Alerts": "M6 17V11a6 6 0 0 1 12 0v6l2 1H4zM10 21h4",
    "Digest": "M5 5h14v15H5zM5 10h14M9 3v4M15 3v4",
    "Try it": "M7 5l11 7-11 7z",
    "Sandbox": "M4 9l8-5 8 5v7l-8 5-8-5zM4 9l8 5 8-5M12 14v7",
}


def icon_of(title: str) -> Markup:
    """Return the icon of a screen; a dot for a screen without one. It says nothing that the title does not."""
    path = _PATHS.get(title, "M12 12h.01")
    return Markup(f'<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="{path}"/></svg>')  # noqa: S704 - constants
