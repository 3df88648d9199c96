"""Signing keys and sealed secrets: record and store (D13)."""

from typing import Protocol

import msgspec

from credence.clock import Milliseconds


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


class SigningKeyStore(Protocol):
    """Signing keys and sealed secrets in a store; the guarantees of `Store` apply."""

    async def sealed_secret(self, name: str, proposal: bytes) -> bytes:
        """Return the sealed secret with this name; if none exists, store `proposal` for all processes and return that."""

    async def sealed_secrets(self) -> dict[str, bytes]:
        """Return all sealed secrets by name."""

    async def reseal(self, secrets: dict[str, tuple[bytes, bytes]], at: Milliseconds) -> None:
        """Replace sealed secrets, given by name as old and new value, all or none, and add the change to the log.

        Raises Conflict if a stored value differs from its old value.
        """

    async def delete_sealed_secret(self, name: str) -> None:
        """Delete a sealed secret. Does nothing if it does not exist."""

    async def signing_keys(self) -> list[SigningKeyRow]:
        """Return all signing keys, ordered by `signs_from`, then `kid`."""

    async def add_signing_key(self, key: SigningKeyRow, sealed: bytes, after: str | None, at: Milliseconds) -> None:
        """Store a key and its sealed private half if the newest key of its algorithm is still `after`, and log it.

        Of several processes that find a key due at the same time exactly one adds it (threats K4). The others do nothing.
        """

    async def advance_signing_key(self, kid: str, signs_from: Milliseconds, at: Milliseconds) -> bool:
        """Let a key that is not revoked sign from an earlier instant and log it. Returns whether this changed the key."""

    async def revoke_signing_key(self, kid: str, at: Milliseconds) -> bool:
        """Revoke a key, delete its private half and log it. Returns whether this call revoked it."""

    async def delete_signing_key(self, kid: str, at: Milliseconds) -> None:
        """Delete a key that no valid token depends on, and log it."""
