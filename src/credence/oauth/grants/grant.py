"""The interface of a grant: the parts in which grants differ. `oauth/endpoints/token.py` has the parts that they share."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from credence.clock import Milliseconds
from credence.oauth.authority import Authority
from credence.oauth.issue import Issued, TokenOptions
from credence.oauth.parameters.attributes import Attributes
from credence.refusals.refusal import Refusal
from credence.request_context import RequestContext
from credence.store.records import Account, Application


class ClaimedIdentity(Protocol):
    """The account that a request names, before anything is verified."""

    @property
    def username(self) -> str:
        """The login name in normal form."""


OPENED_BY_PEOPLE = frozenset({"authorization_code", "urn:ietf:params:oauth:grant-type:device_code"})
"""The grants whose token families are opened by a person in a browser (`SignIn`)."""


class Login(msgspec.Struct, frozen=True, kw_only=True):
    """What a grant has authenticated. A grant whose `issue` needs more has a subclass."""

    account: Account | None
    """None when the application gets a token for itself."""

    presented_by: Application | None = None
    """A second application whose access rules apply in addition to those of the client."""


C = TypeVar("C", bound=ClaimedIdentity)
L = TypeVar("L", bound=Login)


@dataclass(frozen=True, slots=True)
class Grant(Generic[C, L]):
    """One way to obtain tokens. `C` is the type of the claimed identity, `L` that of the authenticated login."""

    name: str
    """The value of `grant_type`."""

    needs: tuple[str, ...]
    """The required attributes, which must not be blank (phase 1 of the token endpoint)."""

    missing: Refusal | None
    """The refusal of a request without one of them; None for a grant that needs none."""

    claimed_identity: Callable[[Authority, Attributes], C | None]
    """Returns the account that the request names.

    Its rate limit is checked before the client is authenticated (phase 2, D16, threats A6).
    """

    authenticate: Callable[[Authority, Application, RequestContext, Attributes, C | None], Awaitable[L]]
    """Verifies the password or token that the grant exchanges, and returns the account (phase 5). Raises Refused."""

    issue: Callable[[Authority, Application, L, TokenOptions, Milliseconds], Awaitable[Issued]]
    """Issues the tokens (phase 8). Raises Refused for a scope or resource that the application may not have (RFC 6749
    §3.3, RFC 8707 §2)."""

    check_token_state: Callable[[Authority, L, Milliseconds], Awaitable[None]] | None = None
    """Raises Refused for a genuine token that is no longer valid.

    Called in phase 7, and only if the request is refused for another reason: otherwise `issue` finds out, which saves one
    read of the store.
    """

    open_to_public: bool = False
    """Whether a public client may use the grant, because the request proves more than a client_id (phase 3)."""

    public_proves_key: bool = True
    """Whether a public client must prove a key.

    It need not where the code verifier or the rotation of refresh tokens distinguishes the client from a thief (RFC 9700
    §2.2.2).
    """

    has_audience: bool = False
    """Whether `audience` is a parameter of its request, with the meaning of `resource` (RFC 8693 §2.1).

    For other grants it is an unknown parameter and is ignored (RFC 6749 §3.2).
    """

    takes_details: bool = False
    """Whether the request may have `authorization_details` (RFC 9396 §6); other grants refuse it, for ignoring it would
    grant more than was requested."""

    @property
    def word(self) -> str:
        """The grant's name in reason codes: `name`, or the last part of a URN."""
        return self.name.rpartition(":")[2].replace("-", "_")


AnyGrant = Grant[Any, Any]


def no_claimed_identity(_authority: Authority, _attributes: Attributes) -> ClaimedIdentity | None:
    """Return None, for a request that names no account, or names it only by a token that is not verified yet."""
    return None
