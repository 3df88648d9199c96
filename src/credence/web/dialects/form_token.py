"""Where else a bearer token may stand: in a form (RFC 6750 §2.2). In an address it may not: logs would keep it (§2.3)."""

from msgspec.structs import replace

from credence.refusals import BEARER_MALFORMED, Refused
from credence.screening.limits import Limits
from credence.web.dialects.media import Form, body_form
from credence.web.dialects.reader import read_screened_form
from credence.web.messages.request import Request

NAME = "access_token"


def with_one_token(request: Request, limits: Limits) -> Request:
    """Return the request with its token in the header, wherever it stood, so that one place decides whose it is.

    Refused when it stands in two places, also if one of them is the address, and when the form cannot be read (RFC 6750
    §2, §3.1). A body of another kind is not looked at (§2.2).
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
        token = read_screened_form(request.body, limits).get(NAME)
    except Refused as threat:
        raise Refused(BEARER_MALFORMED, threat.reason) from None
    return token if isinstance(token, str) else None
