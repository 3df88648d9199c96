"""Draws the screens: one template, one style sheet, no script (threats E4)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from jinja2 import Template

from credence import paths
from credence.identity.console_roles import may
from credence.service import Service
from credence.store.records import Account, ConsoleRole, Session
from credence.templates import Style, load_style, load_template
from credence.web.console.blocks import Form, Page, visible
from credence.web.console.screen import Done, Screen, Wrong
from credence.web.console.session import form_token
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.security_headers import page_headers

_COLOURS = ("#1f5f5b", "#7cc4bb")
"""The accent in light and dark, as the style sheet has them; settings replace them."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A refused act: its name, the error, and the values of the form, which the page shows again."""

    act: str
    wrong: Wrong
    typed: Mapping[str, str]


def draw(
    service: Service,
    operator: Account | None,
    session: Session | None,
    navigation: Sequence[Screen],
    screen: Screen | None,
    page: Page,
    *,
    status: int = 200,
    headers: Headers = (),
    done: Done | None = None,
    problem: Problem | None = None,
    onward: tuple[str, str] | None = None,
) -> Answer:
    """Return a screen for an operator, with the acts that their role allows; without one, a page of the sign-in.

    `onward` is a text and an address that the page leads to next.
    """
    settings = service.settings
    look = _look(settings.accent_colour, settings.accent_colour_dark)
    role: ConsoleRole = operator.console_role if operator is not None else "none"
    allowed = {each.name for each in screen.acts if may(role, each.role)} if screen is not None else set()
    blocks = [block for block in page.blocks if not isinstance(block, Form) or block.act in allowed]
    body = look.template.render(
        visible=visible,
        operator=visible(operator.username) if operator is not None else "",
        role=role,
        owner=settings.operator_name,
        environment=settings.environment.value,
        navigation=[each for each in navigation if each.listed and may(role, each.role)],
        here=screen.path if screen is not None else "",
        page=page,
        blocks=blocks,
        done=done,
        problem=problem,
        onward=onward,
        allowed=allowed,
        token=form_token(service, session) if session is not None else "",
        home=paths.CONSOLE,
        sign_out=paths.CONSOLE_SIGN_OUT,
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
    style = load_style("credence.web.console", "console.css", dict(zip(_COLOURS, accents, strict=True)))
    headers = page_headers(style.policy.replace("form-action 'none'", "form-action 'self'"))
    return _Look(style, load_template("credence.web.console", "console.html.jinja", style=style), headers)
