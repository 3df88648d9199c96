"""Entity tags of versions, and the changes that need one (RFC 9110 §13.1, RFC 6585 §3)."""

from credence.refusals import PRECONDITION_FAILED, PRECONDITION_REQUIRED, Refused
from credence.request_context import RequestContext
from credence.web.messages.caching import entity_tag

Headers = tuple[tuple[str, str], ...]


def tag_of(representation: bytes) -> str:
    """Return the entity tag of a representation."""
    return entity_tag(representation)


def require_match(request: RequestContext, tag: str) -> None:
    """Refuse a change without If-Match with 428, and one of another version with 412.

    The tags are compared strongly (RFC 9110 §13.1.1), so a weak one never matches. `*` matches what exists.
    """
    given = request.headers.get("if-match")
    if given is None:
        raise Refused(PRECONDITION_REQUIRED, "if_match.missing")
    if given.strip() != "*" and tag not in (each.strip() for each in given.split(",")):
        raise Refused(PRECONDITION_FAILED, "if_match.other_version")


def require_absent(request: RequestContext) -> None:
    """Refuse with 412 a creation whose caller has seen a version: what it names with If-Match does not exist."""
    if "if-match" in request.headers:
        raise Refused(PRECONDITION_FAILED, "if_match.absent")
