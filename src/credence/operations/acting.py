"""Who acts on a deployment, and within which limits; the same for every way in (D30, D41, threats E1, E13)."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar

from credence.clock import Milliseconds
from credence.crypto.sealing import KeyEncryptionKeys
from credence.identity.console_roles import role_reaches
from credence.identity.sessions import RECENT_SIGN_IN_MS
from credence.management import protected
from credence.management.service_schema import ServiceHealth
from credence.oauth.authority import Authority
from credence.oauth.parameters.scopes import MANAGE_READ, MANAGE_SCOPES, MONITOR
from credence.refusals.credentials import INSUFFICIENT_AUTHENTICATION, INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Account, Application, ConsoleRole

T = TypeVar("T", Account, Application)

Record = Callable[[Mapping[str, object]], Awaitable[None]]
"""Writes a line of the audit trail to the disk; raises an error if it cannot, and then nothing may be done."""


@dataclass(frozen=True, slots=True)
class Means:
    """The parts of a deployment with which operations act."""

    settings: Settings
    opened: Store | None
    """The store; None for a command on what is in files."""
    read_keks: Callable[[], KeyEncryptionKeys]
    read_digest_key: Callable[[], Awaitable[bytes]]
    """Returns the key of the digests of client secrets and links; Unsealable under the wrong key-encryption key."""
    authority: Callable[[], Awaitable[Authority]] | None = None
    """Returns the parts of the service that check tokens; None for a command on what is in files."""
    read_health: Callable[[], Awaitable[ServiceHealth]] | None = None
    """Returns the state of the running server; None for a command."""

    @property
    def store(self) -> Store:
        """The store."""
        if self.opened is None:
            raise LookupError("this act was opened without the store")
        return self.opened

    async def read_authority(self) -> Authority:
        """Return the parts of the service that check tokens."""
        if self.authority is None:
            raise LookupError("this act was opened without the store")
        return await self.authority()


@dataclass(frozen=True, slots=True)
class Acting:
    """An operator, developer or application that acts. Each limit is None for a caller without it.

    The command line of the machine has no limit: who runs it can read the keys.
    """

    means: Means
    clock: Callable[[], Milliseconds]
    operator: str
    """The name in the audit trail."""
    record: Record
    scopes: frozenset[str] | None = None
    """Of an access token, its scopes."""
    role: ConsoleRole | None = None
    """Of a person, the role in the operator console."""
    owns: str | None = None
    """Of a developer in the portal the login name, of an application its client_id: only what this owner has exists for
    them."""
    signed_in_at: Milliseconds | None = None
    """Of a person, when they signed in."""
    now: Milliseconds = 0
    """The time of the act, which `perform` reads after it has found the object."""

    @property
    def is_owner(self) -> bool:
        """Whether the caller may do what only an owner may: so may the command line, which can give that role."""
        return self.role == "owner" or (self.role is None and self.scopes is None and self.owns is None)


@dataclass(frozen=True, slots=True)
class Access:
    """Who may do an operation."""

    scope: str
    """The scope that an access token needs."""
    role: ConsoleRole
    """The console role that a person needs, also with an access token; the console shows the act to no other person."""
    owner: bool = False
    """Whether developers in the portal and applications may do it, with what is their own."""
    recent: bool = False
    """Whether a person must have signed in within the last ten minutes, because it cannot be undone or gives rights."""

    def require(self, by: Acting) -> None:
        """Raise Refused if the caller may not do this: 403 for a scope or role, 401 for a sign-in that is too old."""
        if by.scopes is not None and self.scope not in by.scopes:
            raise Refused(INSUFFICIENT_SCOPE, "scope.insufficient")
        if by.owns is not None:
            if not self.owner:
                raise Refused(INSUFFICIENT_SCOPE, "console.role")
        elif by.role is not None and not role_reaches(by.role, self.role):
            raise Refused(INSUFFICIENT_SCOPE, "manage.role")
        if self.recent and by.signed_in_at is not None and by.now - by.signed_in_at >= RECENT_SIGN_IN_MS:
            raise Refused(INSUFFICIENT_AUTHENTICATION, "step_up.max_age")


READ: Final = Access(MANAGE_READ, "operator")
"""Who may read what a deployment has."""

OWNERS: Final = Access(MONITOR, "operator", owner=True)
"""Applications and their developers with what is their own, and operators."""

_OWNERS = because(INSUFFICIENT_SCOPE, "This application may manage the service: only an owner changes it.")
_STRONGER = because(INSUFFICIENT_SCOPE, "The account has a stronger role in the console than yours.")


def require_scopes(by: Acting, scopes: frozenset[str]) -> None:
    """Raise Refused with 403 unless the caller may touch an application with these scopes, or give it them.

    A caller who can make a secret for an application, or change its redirect URIs, gets the rights of its tokens.
    """
    managing = scopes.intersection(MANAGE_SCOPES)
    if managing and by.role is not None and not role_reaches(by.role, "owner"):
        raise Refused(_OWNERS, "manage.role")
    if by.scopes is not None and not by.scopes.issuperset(managing):
        raise Refused(INSUFFICIENT_SCOPE, "manage.reach")


def require_changeable(by: Acting, found: T, changed: T | None) -> None:
    """Raise Refused if the caller may not change what is protected: 403, or 409 for what no caller may change (D40)."""
    try:
        protected.require_changeable(found, changed, by.means.settings, by_owner=by.is_owner)
    except protected.Protected as error:
        raise Refused(because(RESOURCE_CHANGED, str(error)), "manage.protected") from None
    except protected.OwnerNeeded as error:
        raise Refused(because(INSUFFICIENT_SCOPE, str(error)), "manage.owner") from None


def require_role(by: Acting, role: ConsoleRole) -> None:
    """Raise Refused with 403 if this role is stronger than that of the caller, who would get it through the account."""
    if by.role is not None and not role_reaches(by.role, role):
        raise Refused(_STRONGER, "manage.role")
