"""What people sign in with besides passwords, in a store."""

from collections.abc import Sequence
from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.store.errors import Conflict
from credence.store.families import STANDING, standing
from credence.store.records import Account
from credence.store.statements import Act, Statements, columns, do

FactorKind = Literal["totp", "recovery", "passkey"]


class Factor(msgspec.Struct, frozen=True):
    """Something a person proves who they are with: an authenticator app, a recovery code, a passkey."""

    id: bytes
    """Random for an app, the keyed digest of a recovery code, the credential id of a passkey."""
    username: str
    kind: FactorKind
    name: str
    """The name by which the person recognises the factor."""
    created_at: Milliseconds
    last_used_at: Milliseconds = 0
    """0 before the first use."""
    counter: int = 0
    """It only grows: the last accepted time step (RFC 6238 §5.2), or a passkey's signature counter (WebAuthn §6.1.1)."""
    secret: bytes = b""
    """The sealed key of an app, the public key of a passkey; empty for a recovery code."""


_COLUMNS, _PLACES = columns(Factor)
_OF = f"SELECT {_COLUMNS} FROM factors WHERE username = :username ORDER BY created_at, id"  # noqa: S608 - constants, here and below
_ONE = f"SELECT {_COLUMNS} FROM factors WHERE id = :id"  # noqa: S608 - constants
_ADD = f"INSERT INTO factors ({_COLUMNS}) VALUES ({_PLACES}) ON CONFLICT DO NOTHING RETURNING 1"  # noqa: S608 - constants
_USE = (
    "UPDATE factors SET counter = :counter, last_used_at = :at WHERE id = :id "
    "AND (counter < :counter OR (counter = 0 AND :counter = 0)) RETURNING 1"
)
_REMOVE = "DELETE FROM factors WHERE username = :username AND id = ANY(:ids::bytea[]) RETURNING 1"

# One change at a time: the next one waits for the lock of the account, and finds what this one has changed.
_STANDS = STANDING.replace("FOR SHARE", "FOR NO KEY UPDATE")


class Factors(Statements):
    """The part of a store that is about factors."""

    async def change_factors(
        self, account: Account, found: Sequence[Factor], add: Sequence[Factor] = (), remove: Sequence[bytes] = ()
    ) -> None:
        """Store new factors of an account and delete those with the ids `remove`, all or none.

        Raises Conflict unless the condition of `open_family` holds and the account has exactly the factors `found`: of two
        changes at once the second was decided on what the first has changed. Also for an id that exists.
        """

        def changing() -> Act[None]:
            stands = yield do(_STANDS, **standing(account))
            ids = yield do("SELECT id FROM factors WHERE username = :username FOR UPDATE", username=account.username)
            if not stands or {row[0] for row in ids} != {each.id for each in found}:
                raise Conflict("factor")
            yield do(_REMOVE, username=account.username, ids=list(remove))
            for factor in add:
                if not (yield do(_ADD, **msgspec.structs.asdict(factor))):
                    raise Conflict("factor")

        await self._transact(changing)

    async def factors_of(self, username: str) -> list[Factor]:
        """Return the factors of an account, ordered by creation, then id."""
        return [Factor(*row) for row in await self._rows(_OF, username=username)]

    async def factor(self, identity: bytes) -> Factor | None:
        """Return the factor with this id."""
        rows = await self._rows(_ONE, id=identity)
        return Factor(*rows[0]) if rows else None

    async def use_factor(self, identity: bytes, counter: int, at: Milliseconds) -> bool:
        """Store the use of a factor, and this counter, if the stored counter is below it, or both are 0.

        Of any number of concurrent calls with one counter above 0 exactly one returns True (RFC 6238 §5.2).
        """
        return bool(await self._write(_USE, id=identity, counter=counter, at=at))

    async def remove_factors(self, username: str, ids: Sequence[bytes]) -> int:
        """Delete the factors of an account with these ids and return how many this call deleted."""
        return len(await self._write(_REMOVE, username=username, ids=list(ids)))
