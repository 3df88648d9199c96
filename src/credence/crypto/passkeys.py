"""Verifies the signatures of authenticators (WebAuthn Level 3 §7.1, §7.2), with the library fido2.

The library is imported on first use, because most processes never verify a passkey.
"""

import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

ALGORITHMS = (-7, -8, -257)
"""COSE algorithm numbers of ES256, EdDSA and RS256, in order of preference."""

MAX_ID_BYTES = 1_023
"""Maximum length of a credential id (§4)."""

_FAULTS = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    IndexError,
    AssertionError,
    NotImplementedError,
    OverflowError,
    RecursionError,
    struct.error,
)
"""The exceptions that the library raises for malformed responses."""


class InvalidPasskey(Exception):
    """The response is invalid for this service, challenge or key."""


@dataclass(frozen=True, slots=True)
class RelyingParty:
    """The WebAuthn relying party: this service."""

    origin: str
    id: str
    """The host name, to which passkeys are bound."""

    @classmethod
    def of(cls, issuer: str) -> "RelyingParty":
        """Return the relying party of an issuer."""
        parts = urlsplit(issuer)
        return cls(f"{parts.scheme}://{parts.netloc}", parts.hostname or "")


@dataclass(frozen=True, slots=True)
class Registered:
    """A new passkey."""

    id: bytes
    public: bytes
    """Attested credential data: the id and the public key (§6.5.1)."""
    counter: int
    synced: bool
    """Whether the passkey may be copied to other devices (backup eligibility, §6.1.3)."""


@dataclass(frozen=True, slots=True)
class Asserted:
    """The content of a valid assertion."""

    counter: int
    synced: bool


def registered(party: RelyingParty, challenge: bytes, response: Mapping[str, Any]) -> Registered:
    """Return the passkey of a registration response; InvalidPasskey unless it is for this service and challenge.

    The person must have been verified by the authenticator. Attestation is not requested, because every authenticator is
    accepted.
    """
    try:
        made = _server(party).register_complete(_state(challenge), response)
        credential = made.credential_data
        if credential is None or credential.public_key.ALGORITHM not in ALGORITHMS:
            raise InvalidPasskey("algorithm")
        found = Registered(
            bytes(credential.credential_id), bytes(credential), int(made.counter), bool(made.is_backup_eligible())
        )
    except _FAULTS as error:
        raise InvalidPasskey(type(error).__name__) from error
    if not 16 <= len(found.id) <= MAX_ID_BYTES:
        raise InvalidPasskey("id")
    return found


def asserted(party: RelyingParty, challenge: bytes, public: bytes, response: Mapping[str, Any]) -> Asserted:
    """Return the content of an assertion by this passkey; InvalidPasskey unless it is for this service and challenge."""
    from fido2.webauthn import AttestedCredentialData, AuthenticationResponse

    try:
        _server(party).authenticate_complete(_state(challenge), [AttestedCredentialData(public)], response)
        said = AuthenticationResponse.from_dict(response).response.authenticator_data
        return Asserted(int(said.counter), bool(said.is_backup_eligible()))
    except _FAULTS as error:
        raise InvalidPasskey(type(error).__name__) from error


def _server(party: RelyingParty) -> Any:
    from fido2.server import Fido2Server
    from fido2.webauthn import PublicKeyCredentialRpEntity

    return Fido2Server(
        PublicKeyCredentialRpEntity(id=party.id, name=party.id), verify_origin=lambda origin: origin == party.origin
    )


def _state(challenge: bytes) -> dict[str, str]:
    from fido2.utils import websafe_encode

    return {"challenge": websafe_encode(challenge), "user_verification": "required"}
