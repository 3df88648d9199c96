"""The shape of a grant: what is different from one grant to another. `oauth/endpoints/token.py` has what they share."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any, Generic, Protocol, TypeVar

from credence.clock import Milliseconds
from credence.oauth.authority import Authority
from credence.oauth.issue import Issued, TokenOptions
from credence.oauth.parameters.attributes import Attributes
from credence.refusals import Refusal
from credence.request_context import RequestContext
from credence.store.records import Account, Application


class ClaimedIdentity(Protocol):
    """The account that a request claims to be about, before anything is verified."""

    @property
    def username(self) -> str:
        """The login name in normal form."""


OPENED_BY_PEOPLE = frozenset({"authorization_code", "urn:ietf:params:oauth:grant-type:device_code"})
"""The grants whose families people open in a browser (`SignIn`)."""


@dataclass(frozen=True, slots=True)
class Login:
    """What a grant has authenticated. A grant that needs more for `issue` has a type of its own."""

    account: Account | None
    """None when the application gets a token for itself."""

    presented_by: Application | None = field(default=None, kw_only=True)
    """An application whose access rules apply besides those of the client."""


C = TypeVar("C", bound=ClaimedIdentity)
L = TypeVar("L", bound=Login)


@dataclass(frozen=True, slots=True)
class Grant(Generic[C, L]):
    """One way to obtain tokens. `C` is what its request claims, `L` what it authenticates."""

    name: str
    """The value of `grant_type`."""

    needs: tuple[str, ...]
    """The attributes that must be present and not blank (phase 1 of the token endpoint)."""

    missing: Refusal | None
    """The refusal when one of them is not; None for a grant that needs none."""

    claimed_identity: Callable[[Authority, Attributes], C | None]
    """Returns whom the request claims to be about. The rate limit of that account is checked before the client is
    authenticated (phase 2, D16, threats A6)."""

    authenticate: Callable[[Authority, Application, RequestContext, Attributes, C | None], Awaitable[L]]
    """Verifies the password or token that the grant exchanges, and returns the account (phase 5). Raises Refused."""

    issue: Callable[[Authority, Application, L, TokenOptions, Milliseconds], Awaitable[Issued]]
    """Issues the tokens (phase 8). Raises Refused for a scope or resource that the application may not have (RFC 6749
    §3.3, RFC 8707 §2)."""

    check_token_state: Callable[[Authority, L, Milliseconds], Awaitable[None]] | None = None
    """Raises Refused for a genuine token that is no longer valid. Called in phase 7, and only when the request is refused
    for another reason: otherwise `issue` finds out, and saves one read of the store."""

    open_to_public: bool = False
    """Whether a public client may use it, because the request proves more than a client_id (phase 3)."""

    public_proves_key: bool = True
    """Whether a public client must prove a key for it. It need not where the code verifier or the rotation of refresh
    tokens distinguishes the client from a thief (RFC 9700 §2.2.2)."""

    has_audience: bool = False
    """Whether `audience` is a parameter of its request, with the meaning of `resource` (RFC 8693 §2.1). In the request of
    any other grant it is an unknown parameter and is ignored (RFC 6749 §3.2)."""

    @property
    def word(self) -> str:
        """Its name in reason codes: the last part of a URN."""
        return self.name.rpartition(":")[2].replace("-", "_")


AnyGrant = Grant[Any, Any]


def no_claimed_identity(_authority: Authority, _attributes: Attributes) -> ClaimedIdentity | None:
    """Return None, for a request that claims no account, or one that is known only once its token is verified."""
    return None
