"""Rules for redirect URIs, at registration and in a request (RFC 6749 §3.1.2, RFC 8252, RFC 9700 §2.1)."""

import re
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import SplitResult, parse_qsl, urlsplit

from credence.errors import InvalidInput
from credence.store.records import Application, ApplicationType

MAX_CHARACTERS = 512

MAX_URIS = 20
"""The maximum number of redirect URIs of one application."""

LOOPBACK_HOSTS = frozenset({"127.0.0.1", "::1", "localhost"})

_CHARACTERS = re.compile(r"[!$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]+").fullmatch
"""The characters of an absolute URI without fragment (RFC 3986 §4.3)."""

_PRIVATE_SCHEME = re.compile(r"[a-z][a-z0-9-]*(\.[a-z0-9-]+)*").fullmatch
"""A private-use scheme: a reversed domain name (RFC 8252 §7.1), or a single word such as `cursor`."""

_SCHEMES_OF_BROWSERS = frozenset(
    {
        *("about", "blob", "cid", "content", "data", "file", "filesystem", "ftp", "http", "https", "intent", "jar"),
        *("javascript", "mailto", "mid", "ms-appx", "resource", "sms", "ssh", "tel", "urn", "vbscript", "view-source"),
        *("ws", "wss", "xmpp"),
    }
)
"""Schemes that an application cannot register, because browsers or operating systems handle them."""

_PARAMETERS_OF_ANSWERS = frozenset({"code", "state", "iss", "error", "error_description", "response"})


def check_redirect_uri(uri: str, application_type: ApplicationType) -> str:
    """Return a redirect URI to be registered; InvalidInput with the reason if it cannot be.

    A web application has an https address, or http on the loopback interface while it is developed. A native one has http
    on the loopback interface, a scheme of its own, or an https address that the system hands to it (RFC 8252 §7). A URI
    whose scheme is a single word must also have a host: RFC 8252 §7.1 advises against such schemes, but programs in use
    have them.
    """
    parts = _split(uri)
    if parts is None or not parts.scheme or len(uri) > MAX_CHARACTERS:
        raise InvalidInput(
            f"{uri!r} is no redirect URI: an absolute URI without fragment and of at most {MAX_CHARACTERS} characters is."
        )
    names = {name for name, _ in parse_qsl(parts.query, keep_blank_values=True)}
    if names & _PARAMETERS_OF_ANSWERS:
        raise InvalidInput(
            f"{uri!r}: the query of a redirect URI has no parameter of an answer, such as code or state."
        )
    if parts.username is not None or parts.password is not None:
        raise InvalidInput(f"{uri!r}: a redirect URI has no user name.")
    if ".." in parts.path.split("/") or "%2e" in parts.path.lower():
        raise InvalidInput(f"{uri!r}: the path of a redirect URI has no dot segments.")
    if parts.scheme == "https" and parts.hostname:
        return uri
    if parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS:
        return uri
    if application_type == "native" and _is_private(parts):
        return uri
    if application_type == "native":
        raise InvalidInput(
            f"{uri!r}: a native application has http on 127.0.0.1, [::1] or localhost, https, or a scheme of its own, "
            "such as com.example.app:/signed-in or example://signed-in (RFC 8252)."
        )
    raise InvalidInput(f"{uri!r}: a web application has https, or http on localhost while it is developed.")


def application_type_of(uris: Iterable[str]) -> ApplicationType:
    """Return the type of an application that does not state it: native if every redirect stays on the person's machine."""
    return "native" if any(map(_stays_on_machine, uris)) else "web"


def is_registered(application: Application, uri: str) -> bool:
    """Return whether a request may name this redirect URI.

    The comparison is by simple strings, except that a native application on the loopback interface may use any port
    (RFC 8252 §7.3).
    """
    if uri in application.redirect_uris:
        return True
    if application.application_type != "native":
        return False
    asked = _loopback_without_port(uri)
    return asked is not None and asked in map(_loopback_without_port, application.redirect_uris)


def is_local(uri: str) -> bool:
    """Return whether another program on the person's machine could receive the redirect (RFC 8252 §8.6)."""
    parts = urlsplit(uri)
    return parts.scheme != "https" or parts.hostname in LOOPBACK_HOSTS


@lru_cache(maxsize=256)
def host_of(uri: str) -> str:
    """Return where a redirect goes, as text for a person: the host, or the scheme of an application on the machine."""
    parts = urlsplit(uri)
    if parts.hostname in LOOPBACK_HOSTS:
        return "this computer"
    return parts.hostname if parts.scheme in ("https", "http") and parts.hostname else f"{parts.scheme}:"


def place_of(uri: str) -> str:
    """Return where a local redirect goes, as text for a person: the host, or the scheme with its host (MCP)."""
    parts = urlsplit(uri)
    if parts.scheme in ("https", "http"):
        return parts.hostname or ""
    return f"{parts.scheme}://{parts.netloc}" if parts.netloc else f"{parts.scheme}:"


def check_page(uri: str) -> str:
    """Return the URL of a page about an application; InvalidInput if it is not https."""
    parts = _split(uri)
    if (
        parts is None
        or parts.scheme != "https"
        or not parts.hostname
        or "@" in parts.netloc
        or len(uri) > MAX_CHARACTERS
    ):
        raise InvalidInput(
            f"{uri!r}: the address of a policy or of terms is https and has at most {MAX_CHARACTERS} characters."
        )
    return uri


def with_checked_redirects(application: Application) -> Application:
    """Return the application; InvalidInput when one of its addresses cannot be registered, or a redirect URI is missing."""
    for uris in (application.redirect_uris, application.post_logout_redirect_uris):
        if len(uris) > MAX_URIS:
            raise InvalidInput(f"An application has at most {MAX_URIS} redirect URIs.")
        for uri in uris:
            check_redirect_uri(uri, application.application_type)
    for page in (application.policy_uri, application.terms_uri):
        if page is not None:
            check_page(page)
    if "authorization_code" in application.grants and not application.redirect_uris:
        raise InvalidInput("The grant authorization_code needs a redirect URI.")
    return application


def _split(uri: str) -> SplitResult | None:
    if not _CHARACTERS(uri):
        return None
    try:
        parts = urlsplit(uri)
        parts.port  # noqa: B018 - raises for a port that is not a number
    except ValueError:
        return None
    return parts


def _is_private(parts: SplitResult) -> bool:
    word = _PRIVATE_SCHEME(parts.scheme) is not None and parts.scheme not in _SCHEMES_OF_BROWSERS
    return word and ("." in parts.scheme or bool(parts.netloc))


def _stays_on_machine(uri: str) -> bool:
    parts = _split(uri)
    return parts is not None and (_is_private(parts) or (parts.scheme == "http" and parts.hostname in LOOPBACK_HOSTS))


def _loopback_without_port(uri: str) -> tuple[str, ...] | None:
    parts = _split(uri)
    if parts is None or parts.scheme != "http" or parts.hostname not in LOOPBACK_HOSTS or "@" in parts.netloc:
        return None
    return str(parts.hostname), parts.path, parts.query
