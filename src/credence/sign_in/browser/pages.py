"""Renders the pages for people.

They load nothing but the operator's logo, may not be framed (RFC 9700 §4.16, threats E4), and run scripts for passkeys and
for showing a typed password only.
"""

import base64
import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

from jinja2 import Template
from markupsafe import Markup, escape

from credence import paths
from credence.refusals.credentials import AUTHENTICATION_FAILED, INVALID_TOKEN
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL, METHOD_NOT_ALLOWED, NOT_FOUND, SPIKE_ARREST, STORE_DAMAGED, THREAT
from credence.refusals.sign_in import AUTHORIZATION_REQUEST, STEP_LOST
from credence.settings import Environment, Settings
from credence.sign_in.browser import issuer_texts, texts
from credence.sign_in.browser.logo import logo_address
from credence.sign_in.browser.steps import FailedAtIssuer, RedirectUnknown, StepExpired
from credence.templates import BRAND, Script, load_script, load_style, load_template
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.security_headers import sign_in_headers

_SUBMIT = "document.forms[0].submit()"
"""The script that submits the form of `response_mode=form_post`; without scripts the person presses its button."""

_SUBMIT_HASH = base64.b64encode(hashlib.sha256(_SUBMIT.encode()).digest()).decode()


def passkey_script() -> Script:
    """Return the script for signing in with a passkey."""
    return load_script("credence.sign_in.browser", "passkey.js")


def sign_in_script() -> Script:
    """Return the script of a page with a password and a passkey."""
    return load_script("credence.sign_in.browser", "show_password.js", "passkey.js")


def password_script() -> Script:
    """Return the script of the buttons that show a typed password."""
    return load_script("credence.sign_in.browser", "show_password.js")


_MAX_URI_CHARACTERS = 400

_EXCLUDED = frozenset({"access.network_of_account", "access.hours_of_account"})

_COLOURS = ("#1f5f5b", "#7cc4bb")
"""The accent colours in light and dark, as in the style sheet; settings replace them."""


def page(
    settings: Settings,
    kind: str,
    title: str,
    *,
    status: int = 200,
    headers: Headers = (),
    events: tuple[str, ...] = (),
    **values: Any,
) -> Answer:
    """Return a page. `kind` names its part of `page.html.jinja`; `values` fill that part."""
    look = _look_of(settings)
    body = _rendered(look, settings.operator_name, settings.support_email, kind, title, values)
    return Answer(status, HTML, body.encode(), (NO_STORE, *look.headers, *headers), events)


def first_page(
    settings: Settings, title: str, script: Script, *, headers: Headers, lead: str | None, cancel: str, **values: str
) -> Answer:
    """Return the first page of the sign-in.

    All but `lead`, `cancel` and `values` is rendered once and cached, because any caller may request this page.
    """
    fixed = (settings.operator_name, settings.support_email, title, script, settings.issuer)
    pieces, fields = _first_page(_look_of(settings), *fixed, leads=lead is not None)
    shown = {name: escape(value).encode() for name, value in {**values, "lead": lead or "", "cancel": cancel}.items()}
    body = b"".join([piece if isinstance(piece, bytes) else shown[piece] for piece in pieces])
    return Answer(200, HTML, body, (*fields, *headers))


def page_with_script(
    settings: Settings, kind: str, title: str, script: Script, *, headers: Headers = (), **values: Any
) -> Answer:
    """Return a page with one script; the content security policy forbids any other script."""
    answer = page(settings, kind, title, script=script.text, **values)
    return Answer(200, HTML, answer.body, (*_fields_with_script(_look_of(settings), script), *headers))


def address(settings: Settings, path: str) -> str:
    """Return the path of one of our pages, with the path of the issuer before it."""
    return urlsplit(settings.issuer).path + path


def refusal(settings: Settings, refused: Refused, request_id: str) -> Answer:
    """Return the page of a refusal. It shows the request id, by which the operator finds the reason (`credence why`)."""
    if isinstance(refused, FailedAtIssuer):
        return _failed_at_issuer(settings, refused, request_id)
    return _other_refusal(settings, refused, request_id)


def refusal_of_api(settings: Settings, refused: Refused, methods: Sequence[str], request_id: str) -> Answer:
    """Return the page for a person who opened an address of the API, where the documented refusal is for programs.

    `methods` are those of the address. What is missing or broken is no matter of programs: a page of the documentation that
    does not exist gets here too.
    """
    refusal = refused.refusal
    if refusal is NOT_FOUND or refusal.status >= 500:
        return _other_refusal(settings, refused, request_id)
    title, lead = texts.API_TITLE, texts.API_REFUSED.format(status=refusal.status)
    if refusal is SPIKE_ARREST:
        title, lead = texts.ERROR_TITLE, texts.API_BUSY
    elif refusal is METHOD_NOT_ALLOWED:
        lead = texts.API_METHODS.format(methods=" and ".join(methods))
    elif refusal in (INVALID_TOKEN, AUTHENTICATION_FAILED):
        lead = texts.API_UNAUTHORIZED
    return page(
        settings,
        "message",
        title,
        status=refusal.status,
        lead=lead,
        restart=address(settings, paths.DOCS),
        label=texts.NOT_FOUND_REFERENCE,
        reference=request_id,
    )


def _other_refusal(settings: Settings, refused: Refused, request_id: str) -> Answer:
    support = texts.support(settings.support_email)
    lead, status = texts.ERROR_REFUSED.format(support=support), refused.refusal.status
    headers: Headers = ()
    restart, label, title = None, texts.START_AGAIN, texts.ERROR_TITLE
    if isinstance(refused, StepExpired):
        lead = texts.ERROR_STEP_EXPIRED
        restart = address(settings, refused.restart) if refused.restart else None
    elif isinstance(refused, RedirectUnknown) and settings.environment is Environment.SANDBOX:
        registered = ", ".join(refused.registered) or texts.NONE_REGISTERED
        uri = refused.redirect_uri[:_MAX_URI_CHARACTERS]
        lead = texts.ERROR_REDIRECT_URI.format(application=refused.name, uri=uri, registered=registered)
    elif refused.refusal is NOT_FOUND:
        title, lead = texts.NOT_FOUND_TITLE, texts.NOT_FOUND
        restart, label = address(settings, paths.DOCS), texts.NOT_FOUND_REFERENCE
    elif refused.refusal is STEP_LOST:
        lead = texts.ERROR_STEP_LOST
    elif refused.refusal is METHOD_NOT_ALLOWED:
        lead = texts.ERROR_FORM_ADDRESS
    elif refused.refusal is AUTHORIZATION_REQUEST:
        lead = texts.ERROR_OF_REQUEST.get(refused.reason, texts.ERROR_UNTRUSTED)
        if refused.reason.startswith("sign_out."):
            restart, label = address(settings, paths.SIGN_OUT), texts.SIGN_OUT
    elif refused.reason in _EXCLUDED:
        lead = texts.ERROR_EXCLUDED.format(support=support)
    elif refused.refusal in (INTERNAL, STORE_DAMAGED):
        lead = texts.ERROR_INTERNAL
    elif refused.refusal is SPIKE_ARREST:
        lead, status, headers = texts.BUSY, 429, (("retry-after", str(refused.retry_after or 1)),)
    elif refused.refusal is THREAT:
        status = 400
    return page(
        settings,
        "message",
        title,
        status=status,
        headers=headers,
        lead=lead,
        restart=restart,
        label=label,
        reference=request_id,
    )


def _failed_at_issuer(settings: Settings, refused: FailedAtIssuer, request_id: str) -> Answer:
    lead = issuer_texts.FAILURES.get(refused.reason, issuer_texts.FAILED)
    signed_in = refused.restart == paths.SIGN_OUT
    return page(
        settings,
        "message",
        issuer_texts.OTHER_SIGN_IN_TITLE if signed_in else issuer_texts.FAILED_TITLE,
        status=refused.refusal.status,
        lead=lead.format(support=texts.support(settings.support_email)),
        restart=address(settings, refused.restart) if refused.restart else None,
        label=texts.SIGN_OUT if signed_in else texts.START_AGAIN,
        reference=request_id,
    )


def back(
    settings: Settings, application: str, host: str, url: str, *, headers: Headers = (), events: tuple[str, ...] = ()
) -> Answer:
    """Return the page that links back to an application and follows the link by itself."""
    return page(
        settings,
        "back",
        texts.BACK_TITLE.format(application=application),
        headers=(("refresh", f"0; url={url}"), *headers),
        events=events,
        lead=texts.BACK.format(application=application, host=host),
        url=url,
    )


def post(
    settings: Settings,
    application: str,
    host: str,
    url: str,
    fields: list[tuple[str, str]],
    *,
    headers: Headers = (),
    events: tuple[str, ...] = (),
) -> Answer:
    """Return the page that posts an answer to an application (OAuth 2.0 Form Post Response Mode §2)."""
    script = f"; script-src 'sha256-{_SUBMIT_HASH}'"
    policy = _look_of(settings).policy.replace("form-action 'none'", f"form-action {_origin_of(url)}{script}")
    answer = page(
        settings,
        "post",
        texts.BACK_TITLE.format(application=application),
        events=events,
        lead=texts.BACK.format(application=application, host=host),
        url=url,
        fields=fields,
        script=Markup(_SUBMIT),  # noqa: S704 - a constant
    )
    return Answer(200, HTML, answer.body, (NO_STORE, *sign_in_headers(policy), *headers), events)


def untrusted(
    settings: Settings,
    title: str,
    lead: str,
    label: str,
    url: str,
    fields: list[tuple[str, str]] | None,
    *,
    reference: str,
    status: int,
    headers: Headers = (),
) -> Answer:
    """Return a page with a button that leads to an application: to `url`, with a form of `fields` if there are any."""
    policy = _look_of(settings).policy
    if fields is not None:
        policy = policy.replace("form-action 'none'", f"form-action {_origin_of(url)}")
    shown: dict[str, Any] = {"lead": lead, "label": label, "url": url, "fields": fields, "reference": reference}
    answer = page(settings, "untrusted", title, **shown)
    return Answer(status, HTML, answer.body, (NO_STORE, *sign_in_headers(policy), *headers))


def _origin_of(url: str) -> str:
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"


@dataclass(frozen=True, slots=True, eq=False)
class _Look:
    """The template of the pages with the operator's colours and logo.

    Forms may be sent to this service only. Browsers would block a redirect after a form, so the last step is a page of
    its own.
    """

    policy: str
    template: Template
    headers: Headers


def _rendered(look: _Look, operator: str, support: str, kind: str, title: str, values: Mapping[str, Any]) -> str:
    return look.template.render(
        {
            "kind": kind,
            "title": title,
            "operator": operator,
            "support": support,
            "t": texts,
            "wide": kind == "account",
            "problem": None,
            "done": None,
            "reference": None,
            "restart": None,
            "warning": None,
            **values,
        }
    )


@lru_cache(maxsize=8)
def _first_page(
    look: _Look, operator: str, support: str, title: str, script: Script, issuer: str, *, leads: bool
) -> tuple[Sequence[bytes | str], Headers]:
    """Return the encoded pieces of the page, with the names of its values between them, and its header fields."""
    values = {name: f"\0{name}\0" for name in ("username", "step", "options", "cancel")}
    lead = "\0lead\0" if leads else None
    action, passkey = (urlsplit(issuer).path + path for path in (paths.SIGN_IN, paths.PASSKEY))
    fixed = {"script": script.text, "action": action, "passkey": passkey, "lead": lead, "issuers": ()}
    body = _rendered(look, operator, support, "sign-in-name", title, {**fixed, **values})
    pieces = [piece if number % 2 else piece.encode() for number, piece in enumerate(body.split("\0"))]
    return pieces, _fields_with_script(look, script)


def _fields_with_script(look: _Look, script: Script) -> Headers:
    policy = look.policy.replace("form-action 'none'", f"form-action 'self'; script-src '{script.digest}'")
    return (NO_STORE, *sign_in_headers(policy))


def _look_of(settings: Settings) -> _Look:
    logo, logo_dark = settings.logo_file, settings.logo_file_dark
    return _look(
        settings.accent_colour,
        settings.accent_colour_dark,
        address(settings, logo_address(logo)) if logo else None,
        address(settings, logo_address(logo_dark)) if logo_dark else None,
    )


@lru_cache(maxsize=2)
def _look(accent: str, accent_dark: str, logo: str | None, logo_dark: str | None) -> _Look:
    package = "credence.sign_in.browser"
    style = load_style(package, "page.css", dict(zip(_COLOURS, (accent, accent_dark), strict=True)))
    policy = style.policy if logo is None else f"{style.policy}; img-src 'self'"
    headers = sign_in_headers(policy.replace("form-action 'none'", "form-action 'self'"))
    template = load_template(package, "page.html.jinja", style=style, logo=logo, logo_dark=logo_dark, brand=BRAND)
    return _Look(policy, template, headers)
