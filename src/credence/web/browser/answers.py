"""Answers an authorization request at the redirect URI (RFC 6749 §4.1.2, RFC 9207, OAuth 2.0 Form Post Response Mode)."""

import re
from functools import lru_cache
from urllib.parse import quote_plus, urlsplit

from credence.clock import Milliseconds
from credence.oauth.authorization.redirect_uris import host_of
from credence.oauth.authorization.request import Declined, ReturnAddress
from credence.oauth.authorization.response import response_parameters
from credence.service import Service
from credence.store.records import Application
from credence.web.browser import pages
from credence.web.messages.answer import HTML, Answer, Headers
from credence.web.messages.caching import NO_STORE
from credence.web.messages.security_headers import NO_REFERRER

_UNRESERVED = re.compile(r"[A-Za-z0-9_.~-]*").fullmatch
"""Matches text that percent-encoding does not change (RFC 3986 §2.3), such as a code and most values of `state`."""

_encoded = lru_cache(maxsize=64)(quote_plus)
"""Encodes a value for a query. The results are cached, because every answer contains the issuer."""

SEE_OTHER = 303
"""The status of redirects after a form. 307 would send the form, with a password, to the application (RFC 9700 §4.12)."""


def code_answer(
    service: Service,
    application: Application,
    to: ReturnAddress,
    code: str,
    now: Milliseconds,
    *,
    after_form: bool,
    headers: Headers = (),
) -> Answer:
    """Return the answer with a code. `after_form` is set if the person has just submitted one of our own forms."""
    fields = response_parameters(service.authority, application, to, [("code", code)], now)
    return _answer(service, application, to, fields, after_form=after_form, headers=headers, events=("authorized",))


def error_answer(
    service: Service,
    application: Application,
    declined: Declined,
    now: Milliseconds,
    *,
    after_form: bool = False,
    headers: Headers = (),
) -> Answer:
    """Return the answer with an error (RFC 6749 §4.1.2.1)."""
    said = [("error", declined.error), ("error_description", declined.description)]
    fields = response_parameters(service.authority, application, declined.to, said, now)
    return _answer(service, application, declined.to, fields, after_form=after_form, headers=headers, events=())


def _answer(
    service: Service,
    application: Application,
    to: ReturnAddress,
    fields: list[tuple[str, str]],
    *,
    after_form: bool,
    headers: Headers,
    events: tuple[str, ...],
) -> Answer:
    settings, name = service.settings, application.name
    if to.by_form:
        parts = urlsplit(to.redirect_uri)
        origin = f"{parts.scheme}://{parts.netloc}"
        uri = to.redirect_uri
        return pages.post(settings, name, host_of(uri), uri, fields, origin=origin, headers=headers, events=events)
    url = _with_parameters(to.redirect_uri, fields)
    if after_form:
        return pages.back(settings, name, host_of(to.redirect_uri), url, headers=headers, events=events)
    return Answer(SEE_OTHER, HTML, b"", (("location", url), NO_STORE, NO_REFERRER, *headers), events)


def _with_parameters(uri: str, fields: list[tuple[str, str]]) -> str:
    """Return the URI with further parameters; its own query is kept (RFC 6749 §3.1.2)."""
    written = [
        f"{name}={value if _UNRESERVED(value) else _encoded(value)}"  # standard names need no encoding
        for name, value in fields
    ]
    return f"{uri}{'&' if '?' in uri else '?'}{'&'.join(written)}"
