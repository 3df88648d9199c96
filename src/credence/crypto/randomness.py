"""The only source of randomness, and the shapes of what is made from it (D6, D18, threats T16).

A credential reads `crd_<environment>_<kind>_<random><checksum>`: the prefix lets a secret scanner find a leaked one, the
checksum lets it be sure, and the environment keeps a sandbox secret out of production. Letters and digits only, so a
double click selects the whole of it.
"""

import base64
import secrets
import zlib

IDENTIFIER_BYTES = 16
SECRET_BYTES = 32


def random_bytes(count: int) -> bytes:
    """Return `count` bytes from the system's random source."""
    return secrets.token_bytes(count)


def new_client_id(environment: str) -> str:
    """Return a fresh public identifier with 128 random bits."""
    return f"{credential_prefix(environment, 'app')}{_letters(random_bytes(IDENTIFIER_BYTES))}"


def new_client_secret(environment: str) -> str:
    """Return a fresh secret with 256 random bits and its checksum."""
    body = f"{credential_prefix(environment, 'sec')}{_letters(random_bytes(SECRET_BYTES))}"
    return body + checksum(body)


def new_registration_token(environment: str) -> str:
    """Return a fresh registration access token with 256 random bits and its checksum (RFC 7592 §3)."""
    body = f"{credential_prefix(environment, 'reg')}{_letters(random_bytes(SECRET_BYTES))}"
    return body + checksum(body)


def new_password() -> str:
    """Return a fresh password with 128 random bits, for the accounts of a sandbox."""
    return _letters(random_bytes(IDENTIFIER_BYTES))


def credential_prefix(environment: str, kind: str) -> str:
    """Return what every credential of this kind begins with: `app`, `sec`, `ref`, `inv` or `reg` (D6, D18)."""
    return f"crd_{environment}_{kind}_"


def checksum(body: str) -> str:
    """Return the seven letters that end a credential: CRC-32 of what stands before them."""
    return _letters(zlib.crc32(body.encode()).to_bytes(4, "big"))


def _letters(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=").lower()
