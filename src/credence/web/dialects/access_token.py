"""Reads the access token of a request from the Authorization header or a form (RFC 6750 §2.1, §2.2, RFC 9449 §7.1).

A token in the query is refused, because logs would record it (RFC 6750 §2.3).
"""

from collections.abc import Collection, Mapping

from credence.oauth.endpoints.bearer import Credentials
from credence.refusals.credentials import BEARER_MALFORMED
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.screening.limits import Limits
from credence.web.dialects.form import parse_form
from credence.web.dialects.reader import screened_form
from credence.web.messages.request import MediaType, body_media_type

BEARER = frozenset({"bearer"})
BEARER_OR_DPOP = frozenset({"bearer", "dpop"})

PARAMETER = "access_token"


def credentials_of(headers: Mapping[str, str], schemes: Collection[str]) -> Credentials | None:
    """Return the scheme and the token of the Authorization header; None if it has no token in one of `schemes`.

    One or more spaces separate the two (RFC 9110 §11.4).
    """
    scheme, _, token = headers.get("authorization", "").partition(" ")
    scheme, token = scheme.lower(), token.lstrip(" ")
    if scheme not in schemes or not token or " " in token:
        return None
    return Credentials(scheme, token)


def credentials_of_request(request: RequestContext, limits: Limits) -> Credentials | None:
    """Return the access token of the header or of a form body; None if it is missing.

    Raises Refused for two tokens, even if one is in the query, and for a malformed form (RFC 6750 §2, §3.1). A body of
    another media type is not read (§2.2).
    """
    in_form = _token_of_form(request, limits)
    present = ("authorization" in request.headers, in_form is not None, PARAMETER in request.parameters)
    if sum(present) > 1:
        raise Refused(BEARER_MALFORMED, "bearer.multiple_tokens")
    if in_form is None:
        return credentials_of(request.headers, BEARER_OR_DPOP)
    return Credentials("bearer", in_form) if in_form and " " not in in_form else None


def _token_of_form(request: RequestContext, limits: Limits) -> str | None:
    if not request.body or body_media_type(request.headers) is not MediaType.FORM:
        return None
    try:
        token = screened_form(parse_form(request.body), limits).get(PARAMETER)
    except Refused as threat:
        raise Refused(BEARER_MALFORMED, threat.reason) from None
    return token if isinstance(token, str) else None
