"""Draws the screens: one template, one style sheet, no script (threats E4)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Template

from credence import paths
from credence.service import Service
from credence.store.records import Account, Session
from credence.templates import Style, load_style, load_template
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.security_headers import page_headers
from credence.web.screens.blocks import Form, Page, visible
from credence.web.screens.screen import Done, Screen, Site, Wrong
from credence.web.screens.session import form_token

_COLOURS = ("#1f5f5b", "#7cc4bb")
"""The accent in light and dark, as the style sheet has them; settings replace them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A refused act: its name, the error, and the values of the form, which the page shows again."""

    act: str
    wrong: Wrong
    typed: Mapping[str, str]


def draw(
    site: Site,
    service: Service,
    account: Account | None,
    session: Session | None,
    screen: Screen | None,
    page: Page,
    *,
    status: int = 200,
    headers: Headers = (),
    done: Done | None = None,
    problem: Problem | None = None,
    onward: tuple[str, str] | None = None,
) -> Answer:
    """Return a screen for a person, with the acts that their role allows; without one, a page of the sign-in.

    `onward` is a text and an address that the page leads to next.
    """
    settings = service.settings
    look = _look(settings.accent_colour, settings.accent_colour_dark)
    role = site.role_of(settings, account) if account is not None else site.roles[0]
    allowed = {each.name for each in screen.acts if site.may(role, each.role)} if screen is not None else set()
    blocks = [block for block in page.blocks if not isinstance(block, Form) or block.act in allowed]
    body = look.template.render(
        visible=visible,
        person=visible(account.username) if account is not None else "",
        role=role,
        site=site.title,
        owner=settings.operator_name,
        environment=settings.environment.value,
        navigation=[each for each in site.screens if each.listed and site.may(role, each.role)],
        here=screen.path if screen is not None else "",
        page=page,
        blocks=blocks,
        done=done,
        problem=problem,
        onward=onward,
        allowed=allowed,
        token=form_token(site, service, session) if session is not None else "",
        home=site.home,
        sign_out=site.sign_out_path,
        account=f"{settings.issuer}{paths.ACCOUNT}",
        support=settings.support_email,
    )
    if page.reload_seconds:
        headers = (*headers, ("refresh", str(page.reload_seconds)))
    return Answer(status, HTML, body.encode(), (NO_STORE, *look.headers, *headers))


@dataclass(frozen=True, slots=True)
class _Look:
    style: Style
    template: Template
    headers: Headers


@lru_cache(maxsize=2)
def _look(*accents: str) -> _Look:
    style = load_style("credence.web.screens", "screens.css", dict(zip(_COLOURS, accents, strict=True)))
    headers = page_headers(style.policy.replace("form-action 'none'", "form-action 'self'"))
    return _Look(style, load_template("credence.web.screens", "screens.html.jinja", style=style), headers)
