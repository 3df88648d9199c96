"""Days as the publishers' JSON and CSV write them."""

import datetime as dt


def read_day(text: str | None) -> dt.date | None:
    """Return the day with which a text begins, `2026-11-01` or a moment of it; None for any other text."""
    try:
        return dt.date.fromisoformat(text[:10]) if text else None
    except ValueError:
        return None
