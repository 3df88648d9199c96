"""Answers an authorization request at the redirect URI (RFC 6749 §4.1.2, RFC 9207, OAuth 2.0 Form Post Response Mode)."""

import re
from functools import lru_cache
from urllib.parse import quote_plus

from credence.clock import Milliseconds
from credence.oauth.authorization.redirect_uris import host_of, is_local, place_of
from credence.oauth.authorization.request import Declined, ReturnAddress
from credence.oauth.authorization.response import response_parameters
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.application_of_step import name_in_heading, name_in_text
from credence.store.records import Application
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
    fields = _error_fields(service, application, declined, now)
    return _answer(service, application, declined.to, fields, after_form=after_form, headers=headers, events=())


def untrusted_answer(
    service: Service,
    request: RequestContext,
    application: Application,
    declined: Declined,
    *,
    headers: Headers = (),
) -> Answer:
    """Return the page in place of an error that goes to an unverified client which the person has not allowed.

    It names the host, and leads there by a button alone (RFC 9700 §4.11.2).
    """
    to, settings, denied = declined.to, service.settings, declined.error == "access_denied"
    fields = _error_fields(service, application, declined, request.now)
    lead = (texts.UNTRUSTED_DENIED if denied else texts.UNTRUSTED).format(
        application=name_in_text(application), operator=settings.operator_name, place=_place(to.redirect_uri)
    )
    return pages.untrusted(
        settings,
        texts.DENIED_TITLE if denied else texts.ERROR_TITLE,
        lead,
        texts.UNTRUSTED_CONTINUE.format(place=_place(to.redirect_uri)),
        to.redirect_uri if to.by_form else _with_parameters(to.redirect_uri, fields),
        fields if to.by_form else None,
        reference=request.request_id,
        status=200 if denied else 400,
        headers=headers,
    )


def _place(uri: str) -> str:
    """Return where a redirect URI leads, as text for a person."""
    return texts.ON_THIS_COMPUTER.format(place=place_of(uri)) if is_local(uri) else host_of(uri)


def _error_fields(
    service: Service, application: Application, declined: Declined, now: Milliseconds
) -> list[tuple[str, str]]:
    said = [("error", declined.error), ("error_description", declined.description)]
    return response_parameters(service.authority, application, declined.to, said, now)


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
    settings, name = service.settings, name_in_heading(application)
    if to.by_form:
        uri = to.redirect_uri
        return pages.post(settings, name, host_of(uri), uri, fields, headers=headers, events=events)
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
