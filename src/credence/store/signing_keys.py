"""Signing keys and sealed secrets in a store (D13)."""

import msgspec

from credence.clock import Milliseconds
from credence.store.change_log import CHANGE_NOTICE_MS
from credence.store.errors import Conflict
from credence.store.statements import Act, Log, Pair, Statements, columns, do


class SigningKeyRow(msgspec.Struct, frozen=True):
    """The public half of a signing key and its schedule (D13).

    The private half is the sealed secret named `private_key_name(kid)`, until the key is deleted or revoked.
    """

    kid: str
    algorithm: str
    public: bytes
    published_at: Milliseconds
    signs_from: Milliseconds
    revoked_at: Milliseconds | None = None


def private_key_name(kid: str) -> str:
    """Return the name of the sealed secret that is the private half of a signing key."""
    return f"signing-key:{kid}"


_COLUMNS, _PLACES = columns(SigningKeyRow)
_SECRET = "SELECT sealed FROM sealed_secrets WHERE name = :name"  # noqa: S105 - a statement, as the others are
_ADD_SECRET = "INSERT INTO sealed_secrets (name, sealed) VALUES (:name, :sealed)"  # noqa: S105 - a statement
_FORGET = "DELETE FROM sealed_secrets WHERE name = :name RETURNING 1"
_LOCK_SECRETS = "SELECT 1 FROM sealed_secrets WHERE name = ANY(:names::text[]) ORDER BY name FOR UPDATE"
_RESEAL = "UPDATE sealed_secrets SET sealed = :new WHERE name = :name AND sealed = :old RETURNING 1"
_LOCK_KEYS = Pair("SELECT 1", "LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE")
_KEYS = f"SELECT {_COLUMNS} FROM signing_keys ORDER BY signs_from, kid"  # noqa: S608 - constants, here and below
_NEWEST = "SELECT kid FROM signing_keys WHERE algorithm = :algorithm ORDER BY signs_from DESC, kid DESC LIMIT 1"
_ADD = f"INSERT INTO signing_keys ({_COLUMNS}) VALUES ({_PLACES})"  # noqa: S608 - constants
_ADVANCE = (
    "UPDATE signing_keys SET signs_from = :signs_from "
    "WHERE kid = :kid AND revoked_at IS NULL AND signs_from > :signs_from RETURNING 1"
)
_REVOKE = "UPDATE signing_keys SET revoked_at = :at WHERE kid = :kid AND revoked_at IS NULL RETURNING 1"
_DELETE = "DELETE FROM signing_keys WHERE kid = :kid RETURNING 1"


class SigningKeys(Statements):
    """The part of a store for signing keys and sealed secrets; the guarantees of `Store` apply."""

    async def sealed_secret(self, name: str, proposal: bytes) -> bytes:
        """Return the sealed secret with this name; if none exists, store `proposal` for all processes and return that."""
        found = await self._rows(_SECRET, name=name)
        if not found:
            await self._write(f"{_ADD_SECRET} ON CONFLICT DO NOTHING RETURNING 1", name=name, sealed=proposal)
            found = await self._rows(_SECRET, name=name)
        if not found:
            raise Conflict("sealed secrets")
        return bytes(found[0][0])

    async def sealed_secrets(self) -> dict[str, bytes]:
        """Return all sealed secrets by name."""
        return {name: bytes(sealed) for name, sealed in await self._rows("SELECT name, sealed FROM sealed_secrets")}

    async def reseal(self, secrets: dict[str, tuple[bytes, bytes]], at: Milliseconds) -> None:
        """Replace sealed secrets, given by name as old and new value, all or none, and add the change to the log.

        Raises Conflict if a stored value differs from its old value.
        """

        def resealing() -> Act[None]:
            yield do(_LOCK_SECRETS, names=list(secrets))
            for name, (old, new) in secrets.items():
                if not (yield do(_RESEAL, name=name, old=old, new=new)):
                    raise Conflict("sealed secrets")
            yield _notice("", at)

        await self._transact(resealing)

    async def delete_sealed_secret(self, name: str) -> None:
        """Delete a sealed secret. Does nothing if it does not exist."""
        await self._write(_FORGET, name=name)

    async def signing_keys(self) -> list[SigningKeyRow]:
        """Return all signing keys, ordered by `signs_from`, then `kid`."""
        return [SigningKeyRow(*row) for row in await self._rows(_KEYS)]

    async def add_signing_key(self, key: SigningKeyRow, sealed: bytes, after: str | None, at: Milliseconds) -> None:
        """Store a key and its sealed private half if the newest key of its algorithm is still `after`, and log it.

        Of several processes that find a key due at the same time exactly one adds it (threats K4). The others do nothing.
        """

        def adding() -> Act[None]:
            yield do(_LOCK_KEYS)
            newest = yield do(_NEWEST, algorithm=key.algorithm)
            if (newest[0][0] if newest else None) != after:
                return
            yield do(_ADD, **msgspec.structs.asdict(key))
            yield do(_ADD_SECRET, name=private_key_name(key.kid), sealed=sealed)
            yield _notice(key.kid, at)

        await self._transact(adding)

    async def advance_signing_key(self, kid: str, signs_from: Milliseconds, at: Milliseconds) -> bool:
        """Let a key that is not revoked sign from an earlier instant and log it. Returns whether this changed the key."""

        def advancing() -> Act[bool]:
            if not (yield do(_ADVANCE, kid=kid, signs_from=signs_from)):
                return False
            yield _notice(kid, at)
            return True

        return await self._transact(advancing)

    async def revoke_signing_key(self, kid: str, at: Milliseconds) -> bool:
        """Revoke a key, delete its private half and log it. Returns whether this call revoked it."""

        def revoking() -> Act[bool]:
            if not (yield do(_REVOKE, kid=kid, at=at)):
                return False
            yield do(_FORGET, name=private_key_name(kid))
            yield _notice(kid, at)
            return True

        return await self._transact(revoking)

    async def delete_signing_key(self, kid: str, at: Milliseconds) -> None:
        """Delete a key that no valid token depends on, and log it."""

        def deleting() -> Act[None]:
            if (yield do(_DELETE, kid=kid)):
                yield do(_FORGET, name=private_key_name(kid))
                yield _notice(kid, at)

        await self._transact(deleting)


def _notice(kid: str, at: Milliseconds) -> Log:
    return Log("key", [(kid, at + CHANGE_NOTICE_MS)])
