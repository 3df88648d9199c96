"""For which resource an access token is: its audience (RFC 8707, RFC 9068 §3)."""

from collections.abc import Sequence

from credence.refusals import INVALID_TARGET, Refused
from credence.store.records import Application


def audience(asked: Sequence[str], application: Application, own: str) -> str:
    """Return the audience of the token to be issued: `own`, the service's, unless the request names another.

    Refused with `invalid_target` for one that the application is not registered for, and for more than one: a token that
    is good in two places can be taken from one to the other (RFC 8707 §3).
    """
    if not asked:
        return own
    if len(asked) > 1:
        raise Refused(INVALID_TARGET, "resource.several")
    (resource,) = asked
    if resource != own and resource not in application.audiences:
        raise Refused(INVALID_TARGET, "resource.not_allowed")
    return resource
