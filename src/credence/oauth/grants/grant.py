"""The shape of a grant: what it needs, whom it identifies, what it issues."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from credence.clock import Milliseconds
from credence.identity.hashing_queue import Disconnected
from credence.oauth.authority import Authority
from credence.oauth.bearer import Bearer
from credence.oauth.issue import Asked, Issued
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.tokens.refresh_token import Presented
from credence.refusals import Refusal
from credence.store.records import Account, Application


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks: an application that has proved itself, from an address prefix (A4), on a connection that may end."""

    application: Application
    network: str
    gone: Disconnected


@dataclass(frozen=True, slots=True)
class Named:
    """Whose account a request speaks of, in normal form, before any of it is verified; None when of nobody's.

    Of a refresh also what its token says, whoever wrote it.
    """

    username: str | None
    presented: Presented | None = None


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a token exchange was shown, and what it is to call its answer (RFC 8693 §2.2.1)."""

    subject: Bearer
    issued_token_type: str


@dataclass(frozen=True, slots=True)
class Login:
    """Whom a grant identified: nobody but the application itself when `account` is None.

    A refresh also knows what its token says, an exchange what it was shown.
    """

    account: Account | None
    presented: Presented | None = None
    exchange: Exchange | None = None

    @property
    def of_account(self) -> Account:
        """The account, for grants that always identify one."""
        if self.account is None:
            raise LookupError("this grant identifies an account")
        return self.account


@dataclass(frozen=True, slots=True)
class Grant:
    """One way to a token. `web/endpoints/token.py` runs every grant through the same checks in the same order."""

    name: str
    needs: tuple[str, ...]
    """Attributes of the request that must not be missing or blank."""
    missing: Refusal | None
    """What is said when one of them is; None for a grant that needs none."""
    names: Callable[[Attributes, str], Named]
    """Given the request and the prefix of credentials: what spike arrest counts (D16, threats A6)."""
    identify: Callable[[Authority, Caller, Attributes, Named, Milliseconds], Awaitable[Login]]
    confirm: Callable[[Authority, Login, Milliseconds], Awaitable[None]]
    """Refuses what `identify` let pass without a look at the store; asked only when something else is wrong."""
    issue: Callable[[Authority, Application, Login, Asked, Milliseconds], Awaitable[Issued]]
    """Refuses a scope or a resource that the application may not have (RFC 6749 §3.3, RFC 8707 §2)."""
    open_to_public: bool = False
    """Whether an application that proves nothing may use it: the request then proves more than a client_id."""

    @property
    def word(self) -> str:
        """Its name in reason codes: the last part of a URN."""
        return self.name.rpartition(":")[2].replace("-", "_")


def names_nobody(_attributes: Attributes, _prefix: str) -> Named:
    """For a request that speaks of no account, or of one that is known only once it is verified."""
    return Named(None)


async def nothing_to_confirm(_authority: Authority, _login: Login, _now: Milliseconds) -> None:
    """For a grant whose `identify` has looked at everything."""
