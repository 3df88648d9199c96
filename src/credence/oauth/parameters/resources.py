"""For which resource an access token is: its audience (RFC 8707, RFC 9068 §3)."""

import re
from collections.abc import Sequence

from credence.errors import InvalidInput
from credence.refusals import INVALID_TARGET, Refused
from credence.store.records import Application

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:[!$%&'()*+,./0-9:;=?@A-Z\[\]_a-z~-]+").fullmatch
"""An absolute URI as far as its characters go (RFC 3986 §4.3): a scheme, then no fragment and nothing to be encoded."""


def audience(asked: Sequence[str], application: Application, own: str) -> str:
    """Return the audience of the token to be issued: `own`, the service's, unless the request names another.

    Refused with `invalid_target` for one that the application is not registered for, and for more than one: a token that
    is good in two places can be taken from one to the other (RFC 8707 §3).
    """
    if not asked:
        return own
    if len(asked) > 1:
        raise Refused(INVALID_TARGET, "resource.multiple")
    (resource,) = asked
    if resource != own and resource not in application.audiences:
        raise Refused(INVALID_TARGET, "resource.not_allowed")
    return resource


def check_resource(uri: str) -> str:
    """Return a resource to be registered; ValueError unless it is an absolute URI without fragment (RFC 8707 §2)."""
    if not _ABSOLUTE(uri):
        raise InvalidInput(f"{uri!r} is no resource: an absolute URI without fragment is (RFC 8707).")
    return uri
