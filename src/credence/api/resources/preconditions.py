"""Entity tags and conditional requests (RFC 9110 §13.1, RFC 6585 §3)."""

from credence.refusals.refusal import Refused
from credence.refusals.resources import PRECONDITION_FAILED, PRECONDITION_REQUIRED
from credence.request_context import RequestContext
from credence.web.messages.caching import entity_tag

Headers = tuple[tuple[str, str], ...]


def tag_of(representation: bytes) -> str:
    """Return the entity tag of a representation."""
    return entity_tag(representation)


def require_match(request: RequestContext, tag: str) -> None:
    """Raise Refused with 428 if If-Match is missing, with 412 if it names another version.

    The tags are compared strongly (RFC 9110 §13.1.1), so a weak one never matches. `*` matches any existing version.
    """
    given = request.headers.get("if-match")
    if given is None:
        raise Refused(PRECONDITION_REQUIRED, "if_match.missing")
    if given.strip() != "*" and tag not in (each.strip() for each in given.split(",")):
        raise Refused(PRECONDITION_FAILED, "if_match.other_version")


def require_absent(request: RequestContext) -> None:
    """Raise Refused with 412 for the creation of a resource with If-Match, because no version of it exists."""
    if "if-match" in request.headers:
        raise Refused(PRECONDITION_FAILED, "if_match.absent")
