"""Reads an access token from the Authorization header or a form (RFC 6750 §2.1, §2.2).

A token in the query is refused: logs would keep it (§2.3).
"""

from credence.oauth.endpoints.bearer import Credentials
from credence.refusals import BEARER_MALFORMED, Refused
from credence.request_context import RequestContext
from credence.screening.limits import Limits
from credence.web.dialects.form import parse_form
from credence.web.dialects.media import Form, body_form
from credence.web.dialects.reader import screened_form
from credence.web.messages.authorization import BEARER_OR_DPOP, credentials_of

NAME = "access_token"


def credentials_of_request(request: RequestContext, limits: Limits) -> Credentials | None:
    """Return the access token, from wherever it is; None without one.

    Refused when it is in two places, also if one of them is the query, and when the form cannot be read (RFC 6750 §2, §3.1).
    A body of another media type is not read (§2.2).
    """
    in_form = _token_of_form(request, limits)
    places = ("authorization" in request.headers, in_form is not None, NAME in request.parameters)
    if sum(places) > 1:
        raise Refused(BEARER_MALFORMED, "bearer.multiple_tokens")
    if in_form is None:
        return credentials_of(request.headers, BEARER_OR_DPOP)
    return Credentials("bearer", in_form) if in_form and " " not in in_form else None


def _token_of_form(request: RequestContext, limits: Limits) -> str | None:
    if not request.body or body_form(request.headers) is not Form.FORM:
        return None
    try:
        token = screened_form(parse_form(request.body), limits).get(NAME)
    except Refused as threat:
        raise Refused(BEARER_MALFORMED, threat.reason) from None
    return token if isinstance(token, str) else None
