"""Registers and checks passkeys of accounts (WebAuthn Level 3). No other code does.

A passkey proves the person and the device at once, and works only for this service's address, so it cannot be guessed or
phished. Its challenge is used once, over all nodes.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.crypto.passkeys import ALGORITHMS, InvalidPasskey, RelyingParty, asserted, registered
from credence.refusals.credentials import WRONG_USER
from credence.refusals.refusal import Refused
from credence.store.contract import Store
from credence.store.people import Factor
from credence.store.records import Account
from credence.telemetry.log import warning

MAX_PASSKEYS = 20
"""Maximum number of passkeys of one account."""

MAX_NAME_CHARACTERS = 60

CHALLENGE_BYTES = 32

Options = Mapping[str, object]
"""The options of a WebAuthn call in the browser, with binary values in base64url (§5.1.8)."""


class Passkeys:
    """Registers and checks passkeys."""

    def __init__(self, store: Store, digest_key: bytes, issuer: str) -> None:
        self._store = store
        self._digest_key = digest_key
        self._party = RelyingParty.of(issuer)

    def creation(self, account: Account, existing: Iterable[Factor], challenge: bytes, operator: str) -> Options:
        """Return the options for a new passkey that is usable without a login name (discoverable) (§5.4)."""
        return {
            "rp": {"id": self._party.id, "name": operator},
            "user": {
                "id": base64url.encode(self._handle(account.username)),
                "name": account.username,
                "displayName": account.username,
            },
            "challenge": base64url.encode(challenge),
            "pubKeyCredParams": [{"type": "public-key", "alg": number} for number in ALGORITHMS],
            "excludeCredentials": [_descriptor(each) for each in existing],
            "authenticatorSelection": {"residentKey": "required", "userVerification": "required"},
            "attestation": "none",
        }

    def request(self, challenge: bytes) -> Options:
        """Return the options for a sign-in with any passkey of this service (§5.5)."""
        return {
            "rpId": self._party.id,
            "challenge": base64url.encode(challenge),
            "allowCredentials": [],
            "userVerification": "required",
        }

    async def register(
        self, account: Account, found: Sequence[Factor], challenge: bytes, text: str, name: str, now: Milliseconds
    ) -> str:
        """Store the passkey in a browser's response and return its authentication methods (RFC 8176).

        `found` are all factors of the account, with which it was decided that the person may do this. Raises Refused for an
        invalid response or more than `MAX_PASSKEYS`, Conflict if the account or its factors changed, or the passkey exists.
        """
        if sum(each.kind == "passkey" for each in found) >= MAX_PASSKEYS:
            raise Refused(WRONG_USER, "passkey.too_many", account=account.username)
        try:
            made = registered(self._party, challenge, _response(text))
        except InvalidPasskey:
            raise Refused(WRONG_USER, "passkey.invalid", account=account.username) from None
        label = "".join(each for each in name if each.isprintable()).strip()[:MAX_NAME_CHARACTERS]
        factor = Factor(made.id, account.username, "passkey", label or "Passkey", now, 0, made.counter, made.public)
        await self._store.change_factors(account, found, [factor])
        return _methods(synced=made.synced)

    async def verify(self, challenge: bytes, until: Milliseconds, text: str, now: Milliseconds) -> tuple[str, str]:
        """Return the login name whose passkey signed the challenge, and the methods (RFC 8176); raises Refused otherwise.

        `until` is when the last page with this challenge expires. A counter that does not grow indicates a copied passkey
        (§6.1.1).
        """
        response = _response(text)
        identity = _bytes(response.get("rawId"))
        factor = await self._store.factor(identity) if identity else None
        if factor is None or factor.kind != "passkey":
            raise Refused(WRONG_USER, "passkey.unknown")
        inner = response.get("response")
        handle = _bytes(inner.get("userHandle")) if isinstance(inner, dict) else b""
        if not constant_time_equal(handle, self._handle(factor.username)):
            raise Refused(WRONG_USER, "passkey.other_account", account=factor.username)
        try:
            said = asserted(self._party, challenge, factor.secret, response)
        except InvalidPasskey:
            raise Refused(WRONG_USER, "passkey.invalid", account=factor.username) from None
        if not await self._store.consume_once(keyed_digest(self._digest_key, "passkey", challenge), until):
            raise Refused(WRONG_USER, "passkey.replayed", account=factor.username)
        if not await self._store.use_factor(factor.id, said.counter, now):
            warning("passkey_counter_went_back", account=factor.username)
            raise Refused(WRONG_USER, "passkey.counter", account=factor.username)
        return factor.username, _methods(synced=said.synced)

    def _handle(self, username: str) -> bytes:
        """Return the user handle, which identifies the account without personal data (§14.6.1)."""
        return keyed_digest(self._digest_key, "passkey handle", username.encode())


def _methods(*, synced: bool) -> str:
    """Return the `amr` of a passkey: a key that may leave its device counts as a software key."""
    return f"{'swk' if synced else 'hwk'} user mfa"


def _response(text: str) -> dict[str, Any]:
    """Return the members of a response; none for any other text."""
    try:
        found = msgspec.json.decode(text.encode())
    except (msgspec.DecodeError, UnicodeEncodeError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _bytes(text: object) -> bytes:
    try:
        return base64url.decode(text) if isinstance(text, str) else b""
    except ValueError:
        return b""


def _descriptor(factor: Factor) -> dict[str, str]:
    return {"type": "public-key", "id": base64url.encode(factor.id)}
