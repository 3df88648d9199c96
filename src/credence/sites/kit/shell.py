"""Renders the screens: one template, with one script, named by its hash (threats E4). Every page works without it."""

import datetime as dt
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from jinja2 import Template
from markupsafe import Markup

from credence import paths
from credence.blocks import CODE_SCRIPT, CODE_STYLE, STYLE, blocks_template
from credence.blocks.forms import Form
from credence.blocks.highlight import highlighted
from credence.blocks.text import relative, visible, visible_lines
from credence.clock import Milliseconds, rfc3339
from credence.service import Service
from credence.sites.kit.screen import ActResult, InvalidForm, Page, Screen, Site, Visit
from credence.sites.kit.session import form_token, here, sign_in_address
from credence.templates import BRAND, Style, load_scripts, load_style, load_template
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.security_headers import page_headers

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


Sheets = tuple[tuple[str, str], ...]
"""Pairs of package and name of style sheets, or of scripts."""

_COLOURS = ("#1f5f5b", "#7cc4bb")
"""The accent colours in light and dark, as in the style sheet; settings replace them."""


_SCRIPTS = (CODE_SCRIPT, ("credence.sites.kit", "screens.js"))

SOON_MS = 20 * 60_000
"""Milliseconds before the end of a session from which the page offers a new sign-in."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A refused act: its name, the error, and the typed values, which the form shows again."""

    act: str
    wrong: InvalidForm
    typed: Mapping[str, str]


def draw(
    site: Site,
    service: Service,
    visit: Visit | None,
    screen: Screen | None,
    page: Page,
    *,
    status: int = 200,
    headers: Headers = (),
    done: ActResult | None = None,
    problem: Problem | None = None,
    next_link: tuple[str, str] | None = None,
) -> Answer:
    """Return a screen with the acts that the person may do; without a visit, a page of the sign-in.

    `next_link` is the text and the address of a link to the next page.
    """
    settings = service.settings
    # A form of a lost session leads to the sign-in, which a site of its own address has elsewhere.
    elsewhere = "{0.scheme}://{0.netloc}".format(urlsplit(settings.issuer)) if site.application.apart else ""
    look = _look(site.over, site.scripts, elsewhere, settings.accent_colour, settings.accent_colour_dark)
    acts = screen.acts if screen is not None and visit is not None else ()
    allowed = {each.name for each in acts if visit is not None and visit.has(each.needs)}
    shown = [block for block in page.blocks if not isinstance(block, Form) or block.act in allowed]
    body = look.template.render(
        clean=visible,
        visible_lines=visible_lines,
        highlighted=highlighted,
        relative=relative,
        rfc3339=rfc3339,
        now=visit.request.now if visit is not None else 0,
        icon_of=icon_of,
        brand=BRAND,
        person=visible(visit.account.username) if visit is not None else "",
        label=visible(visit.admitted.label) if visit is not None else "",
        site=site.title,
        owner=settings.operator_name,
        environment=settings.environment.value,
        navigation=[each for each in site.screens if each.listed and visit is not None and visit.has(each.needs)],
        here=screen.path if screen is not None else "",
        page=page,
        shown=shown,
        done=done,
        problem=problem,
        next_link=next_link,
        allowed=allowed,
        token=form_token(site, service, visit.session) if visit is not None else "",
        home=site.home,
        sign_out=site.sign_out_path,
        account=f"{settings.issuer}{paths.ACCOUNT}",
        support=settings.support_email,
        **_end_of_session(site, visit),
    )
    if page.reload_seconds:
        headers = (*headers, ("refresh", str(page.reload_seconds)))
    return Answer(status, HTML, body.encode(), (NO_STORE, *look.headers, *headers))


def _end_of_session(site: Site, visit: Visit | None) -> dict[str, object]:
    """Return when the session ends if it is not used, when it ends at the latest, and the address of a new sign-in.

    The address is empty until `SOON_MS` before the latest end (WCAG 2.2.1).
    """
    if visit is None:
        return {"unused_until": "", "until": "", "renew": ""}
    session, now = visit.session, visit.request.now
    idle_ms = visit.service.settings.session_idle_minutes * 60_000
    soon = session.expires_at - now < SOON_MS
    return {
        "unused_until": _clock_time(min(session.last_seen_at + idle_ms, session.expires_at), now),
        "until": _clock_time(session.expires_at, now),
        "renew": sign_in_address(site, here(visit.request), again=True) if soon else "",
    }


def _clock_time(at: Milliseconds, now: Milliseconds) -> str:
    """Return an instant to the minute, with its day unless that is the present one."""
    end, present = (dt.datetime.fromtimestamp(each / 1000, dt.UTC) for each in (at, now))
    return f"{end:%H:%M} UTC{'' if end.date() == present.date() else f' on {end:%-d %B %Y}'}"


@dataclass(frozen=True, slots=True)
class _Look:
    style: Style
    template: Template
    headers: Headers


@lru_cache(maxsize=6)
def _look(over: Sheets, scripts: Sheets, sign_in: str, *accents: str) -> _Look:
    colours = dict(zip(_COLOURS, accents, strict=True))
    sheets = (STYLE, CODE_STYLE, ("credence.sites.kit", "screens.css"), *over)
    style = load_style(*sheets[-1], colours, sheets[:-1])
    policy = style.policy.replace("form-action 'none'", f"form-action 'self' {sign_in}".rstrip())
    text, digest = load_scripts(*_SCRIPTS, *scripts)
    policy += f"; script-src '{digest}'; connect-src 'self'; require-trusted-types-for 'script'"
    template = load_template(
        "credence.sites.kit", "screens.html.jinja", style=style, script=text, blocks=blocks_template()
    )
    return _Look(style, template, page_headers(policy))
