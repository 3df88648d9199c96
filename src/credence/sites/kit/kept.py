"""What a browser keeps for the next page of a site, in a sealed cookie that is read once.

After an act the browser is sent to an address that can be loaded again, and the words of the act go with it. A form for
which the person has to sign in again is kept until then. Both are shown only to the account from whose session they came.
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
from credence.web.messages.answer import Headers

WORDS_SECONDS = 60
FORM_SECONDS = 15 * 60
"""Seconds for which words and a form are kept."""

_NOT_DONE = "You had to sign in again, so nothing was changed."

MAX_BYTES = 2_500
"""The most bytes that are kept: a cookie has at most 4,096 characters (RFC 6265 §6.1)."""


class Kept(Struct, omit_defaults=True):
    """What is kept for a path and an account: words, and the values of a form with the name of its act."""

    path: str
    username: str
    text: str
    until: int
    act: str = ""
    typed: dict[str, str] = {}


def keep_words(
    site: Site, service: Service, request: RequestContext, username: str, path: str, text: str
) -> Headers | None:
    """Return the cookie that keeps the words of an act for the screen at a path; None if they are too long."""
    return _keep(site, service, Kept(path, username, text, request.now + WORDS_SECONDS * 1000), WORDS_SECONDS)


def keep_form(
    site: Site, service: Service, request: RequestContext, username: str, act: str, typed: Mapping[str, str]
) -> Headers:
    """Return the cookie that keeps a form of this screen until the person has signed in; without its values if too long."""
    until = request.now + FORM_SECONDS * 1000
    short = Kept(request.path, username, f"{_NOT_DONE} Submit the form again.", until)
    text = f"{_NOT_DONE} Your entries are below: submit them again." if typed else short.text
    whole = msgspec.structs.replace(short, text=text, act=act, typed=dict(typed))
    return _keep(site, service, whole, FORM_SECONDS) or _keep(site, service, short, FORM_SECONDS) or ()


def take(site: Site, service: Service, request: RequestContext, username: str) -> tuple[Kept, Headers] | None:
    """Return what is kept for this request, with the header field that deletes it; None if there is nothing."""
    cookie = read_cookie(request.headers, _cookie(site))
    if cookie is None:
        return None
    try:
        kept = msgspec.json.decode(unseal(_keys(service), _cookie(site), base64url.decode(cookie)), type=Kept)
    except (Unsealable, ValueError, msgspec.DecodeError):
        return None
    if (kept.path, kept.username) != (request.path, username) or request.now >= kept.until:
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
