"""A bearer token in a form (RFC 6750 §2.2). One in the URL is refused, since logs would contain it (§2.3)."""

from msgspec.structs import replace

from credence.refusals import BEARER_MALFORMED, Refused
from credence.screening.limits import Limits
from credence.web.dialects.form import parse_form
from credence.web.dialects.media import Form, body_form
from credence.web.dialects.reader import screened_form
from credence.web.messages.request import Request

NAME = "access_token"


def with_one_token(request: Request, limits: Limits) -> Request:
    """Return the request with a token of the form moved to the Authorization header, where bearer tokens are read.

    Refused when there are two tokens, counting one in the URL, and when the form is malformed (RFC 6750 §2, §3.1). A
    body of another media type is ignored (§2.2).
    """
    in_form = _token_of_form(request, limits)
    places = ("authorization" in request.headers, in_form is not None, NAME in request.parameters)
    if sum(places) > 1:
        raise Refused(BEARER_MALFORMED, "bearer.multiple_tokens")
    if in_form is None:
        return request
    return replace(request, headers={**request.headers, "authorization": f"Bearer {in_form}"})


def _token_of_form(request: Request, limits: Limits) -> str | None:
    if not request.body or body_form(request.headers) is not Form.FORM:
        return None
    try:
        token = screened_form(parse_form(request.body), limits).get(NAME)
    except Refused as threat:
        raise Refused(BEARER_MALFORMED, threat.reason) from None
    return token if isinstance(token, str) else None
