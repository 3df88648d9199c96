"""What a browser keeps for the next page of a site, in a sealed cookie that is read once.

After an act the browser is sent to an address that can be loaded again, and the words of the act go with it. A form that
comes after the session has ended is kept until the person has signed in again.
"""

from collections.abc import Mapping

import msgspec
from msgspec import Struct

from credence.crypto import base64url
from credence.crypto.digest import keyed_digest
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, seal, unseal
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser.cookies import SITE, delete_cookie, read_cookie, set_kept_cookie
from credence.sites.kit.screen import Site
from credence.store.sign_ins import Session
from credence.web.messages.answer import Headers

WORDS_SECONDS = 60
FORM_SECONDS = 15 * 60
"""Seconds for which words and a form are kept."""

MAX_BYTES = 2_500
"""The most bytes that are kept: a cookie has at most 4,096 characters (RFC 6265 §6.1)."""


class Kept(Struct, omit_defaults=True):
    """What is kept for a path. Words are of one session, which `session` names; a form is of none."""

    path: str
    text: str
    until: int
    typed: dict[str, str] = {}
    session: bytes = b""


def keep_words(
    site: Site, service: Service, request: RequestContext, session: Session, path: str, text: str
) -> Headers | None:
    """Return the cookie that keeps the words of an act for the screen at a path; None if they are too long."""
    until = request.now + WORDS_SECONDS * 1000
    return _keep(site, service, Kept(path, text, until, session=_name(service, session)), WORDS_SECONDS)


def keep_form(site: Site, service: Service, request: RequestContext, typed: Mapping[str, str]) -> Headers:
    """Return the cookie that keeps what a person has typed on this screen until they have signed in; none if it is long."""
    text = (
        "You have been signed out in the meantime, so nothing was changed. Your entries are below: submit them again."
    )
    kept = Kept(request.path, text, request.now + FORM_SECONDS * 1000, dict(typed))
    return _keep(site, service, kept, FORM_SECONDS) or ()


def take(site: Site, service: Service, request: RequestContext, session: Session) -> tuple[Kept, Headers] | None:
    """Return what is kept for this request, with the header field that deletes it; None if there is nothing."""
    cookie = read_cookie(request.headers, _cookie(site))
    if cookie is None:
        return None
    try:
        kept = msgspec.json.decode(unseal(_keys(service), _cookie(site), base64url.decode(cookie)), type=Kept)
    except (Unsealable, ValueError, msgspec.DecodeError):
        return None
    if kept.path != request.path or request.now >= kept.until or kept.session not in (b"", _name(service, session)):
        return None
    return kept, (delete_cookie(_cookie(site)),)


def _keep(site: Site, service: Service, kept: Kept, seconds: int) -> Headers | None:
    encoded = msgspec.json.encode(kept)
    if len(encoded) > MAX_BYTES:
        return None
    sealed = seal(_keys(service), _cookie(site), encoded)
    return (set_kept_cookie(_cookie(site), base64url.encode(sealed), seconds),)


def _cookie(site: Site) -> str:
    return f"{SITE}{site.name}-kept"


def _keys(service: Service) -> KeyEncryptionKeys:
    return KeyEncryptionKeys((keyed_digest(service.authority.secrets.refresh, "site kept"),))


def _name(service: Service, session: Session) -> bytes:
    return keyed_digest(service.authority.secrets.refresh, "site kept for", session.key)[:16]
