"""Fetch Metadata: the browser says which site a request comes from (threats E5)."""

from credence.refusals.refusal import Refused
from credence.refusals.sign_in import STEP_LOST
from credence.request_context import RequestContext

_OWN = frozenset({"same-origin", "none"})
"""A page of this origin, or the person, who typed the address or chose a bookmark (Fetch Metadata §2.2)."""


def require_same_origin(request: RequestContext) -> None:
    """Raise Refused if `Sec-Fetch-Site` names another origin; a browser that does not send the field is not refused."""
    if request.headers.get("sec-fetch-site", "same-origin") not in _OWN:
        raise Refused(STEP_LOST, "step.cross_site")
