"""Steps: the state that our own forms carry from page to page, with proof that this browser got the form from us.

A step holds the authorization request as it was sent, and its time of arrival. It is authenticated together with the
visitor cookie, so it also prevents forged requests: another site cannot make a form that this browser may send (threats
E5). Nothing is stored, so any node can serve the next page.
"""

from typing import Literal
from urllib.parse import urlencode

import msgspec

from credence import paths
from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.crypto.randomness import random_bytes
from credence.identity.sessions import SiteName
from credence.refusals.refusal import Refused
from credence.refusals.sign_in import AUTHORIZATION_REQUEST, STEP_LOST
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser.cookies import VISITOR, read_cookie, set_cookie
from credence.sign_in.browser.forms import parameters_of, require_same_origin
from credence.store.records import Application
from credence.web.messages.answer import Headers

LIFETIME_MS = 3_600_000
"""Milliseconds for which the form of a page can be submitted."""

PROOF_LIFETIME_MS = 600_000
"""Milliseconds for which a correct password is accepted while the person looks for the code."""

_TAG_BYTES = 16

Target = (
    Literal[
        "authorization",
        "account",
        "sign-out",
        "password",
        "change-password",
        "forgotten-password",
        "mail-address",
        "device",
        "device-consent",
        "sign-up",
    ]
    | SiteName
)


class StepExpired(Refused):
    """A step of this browser that is too old.

    `restart` is the path at which the person can begin again, or empty.
    """

    def __init__(self, restart: str) -> None:
        super().__init__(STEP_LOST, "step.expired")
        self.restart = restart


class FailedAtIssuer(Refused):
    """A sign-in at a trusted issuer that did not succeed; `restart` is the path at which the person can begin again."""

    def __init__(self, restart: str, reason: str) -> None:
        super().__init__(AUTHORIZATION_REQUEST, reason)
        self.restart = restart


class RedirectUnknown(Refused):
    """A redirect URI that is not registered for the application; the page of a sandbox names both."""

    def __init__(self, application: Application, redirect_uri: str) -> None:
        super().__init__(AUTHORIZATION_REQUEST, "authorization.redirect_uri_unknown")
        self.name = application.name
        self.redirect_uri = redirect_uri
        self.registered = application.redirect_uris


class Step(msgspec.Struct, frozen=True, array_like=True):
    """The purpose of the pages, their request and its time."""

    target: Target
    query: str = ""
    """The query of an authorization or sign-out request, form-encoded; or the token of a mailed link; or a user code;
    or the mail address that codes are to prove."""
    arrived_at: Milliseconds = 0
    username: str = ""
    """The person of the login under way, or the one who sets up an authenticator app or a passkey."""
    password_version: int = 0
    proved_at: Milliseconds = 0
    """The time at which the person proved who they are, with `methods`; 0 without a login under way.

    The login has no session yet, because the account needs more (`identity/gate.py`).
    """
    key: bytes = b""
    """The key of the authenticator app that is being set up. The page shows it; it is stored after the first right code."""
    challenge: bytes = b""
    """The challenge that a passkey must sign."""
    methods: str = ""
    """What the person has proved so far: values of `amr`."""
    signed_in_at: Milliseconds = 0
    """When the person signed in, if that was before `proved_at`; 0 otherwise."""
    issuer: str = ""
    """The short name of the trusted issuer from which the browser is to come back."""
    fresh: bool = False
    """Whether the person must prove there again who they are."""
    begun: bytes = b""
    """The key under which it is noted where a login under way began, if that was at a trusted issuer."""


_decode = msgspec.json.Decoder(Step).decode


def write_step(service: Service, request: RequestContext, step: Step) -> tuple[str, Headers]:
    """Return a step as text for a hidden field, and the header fields that bind it to this browser."""
    visitor = read_cookie(request.headers, VISITOR)
    fields: Headers = ()
    if visitor is None:
        visitor = base64url.encode(random_bytes(16))
        fields = (set_cookie(VISITOR, visitor),)
    content = msgspec.json.encode(step)
    return base64url.encode(_tag(service, visitor, content) + content), fields


def read_step(service: Service, request: RequestContext, text: str | None, *, from_elsewhere: bool = False) -> Step:
    """Return the step of a form that this browser got from us. Raises Refused for any other, StepExpired for an old one.

    Also refused if the browser says that another origin sends it, unless `from_elsewhere` is set: the `state` of an
    authorization response legitimately comes from one.
    """
    if not from_elsewhere:
        require_same_origin(request)
    visitor = read_cookie(request.headers, VISITOR)
    try:
        data = base64url.decode(text or "")
    except ValueError:
        raise Refused(STEP_LOST, "step.unknown") from None
    tag, content = data[:_TAG_BYTES], data[_TAG_BYTES:]
    if visitor is None or not constant_time_equal(tag, _tag(service, visitor, content)):
        raise Refused(STEP_LOST, "step.unknown")
    step = _decode(content)
    if request.now - step.arrived_at > LIFETIME_MS:
        pushed = step.target == "authorization" and "request_uri" in dict(parameters_of(step.query))
        raise StepExpired("" if pushed else path_of(step))  # a pushed request expires before its pages
    return step


def visitor_digest(service: Service, request: RequestContext) -> bytes:
    """Return a digest of this browser, to which a link can be bound; empty for a browser without our cookie."""
    visitor = read_cookie(request.headers, VISITOR)
    key = service.authority.secrets.refresh
    return b"" if visitor is None else keyed_digest(key, "browser of link", visitor.encode())[:_TAG_BYTES]


def beginning(step: Step) -> Step:
    """Return the step without what its later pages have added."""
    target = "device" if step.target == "device-consent" else step.target
    return Step(target, step.query, step.arrived_at)


def path_of(step: Step) -> str:
    """Return the path and query of the page with which a step begins; empty for one without such a page."""
    match step.target:
        case "authorization":
            return f"{paths.AUTHORIZATION}?{step.query}"
        case "sign-out":
            return f"{paths.SIGN_OUT}?{step.query}"
        case "device" | "device-consent":
            return f"{paths.DEVICE}?{urlencode({'user_code': step.query})}" if step.query else paths.DEVICE
        case "account":
            return paths.ACCOUNT
        case "change-password":
            return paths.CHANGE_PASSWORD
        case "forgotten-password":
            return paths.FORGOTTEN_PASSWORD
        case "mail-address":
            return paths.MAIL_ADDRESS
        case "sign-up":
            return f"{paths.SIGN_UP}?link={step.query}" if step.query else paths.SIGN_UP
    return ""


def _tag(service: Service, visitor: str, content: bytes) -> bytes:
    return keyed_digest(service.authority.secrets.refresh, "step", visitor.encode(), content)[:_TAG_BYTES]
