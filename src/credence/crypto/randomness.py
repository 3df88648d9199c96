"""The only source of randomness, and the format of generated credentials (D6, D18, threats T16).

A credential has the form `crd_<environment>_<kind>_<random><checksum>`. A secret scanner finds leaked ones by the prefix and
confirms them by the checksum; the environment prevents the use of a sandbox secret in production. It contains only letters,
digits and underscores, so a double click selects all of it.
"""

import base64
import secrets
import zlib

IDENTIFIER_BYTES = 16
SECRET_BYTES = 32


def random_bytes(count: int) -> bytes:
    """Return `count` bytes from the operating system's random source."""
    return secrets.token_bytes(count)


def new_client_id(environment: str) -> str:
    """Return a new client_id with 128 random bits."""
    return f"{credential_prefix(environment, 'app')}{_letters(random_bytes(IDENTIFIER_BYTES))}"


def new_client_secret(environment: str) -> str:
    """Return a new client secret with 256 random bits and a checksum."""
    body = f"{credential_prefix(environment, 'sec')}{_letters(random_bytes(SECRET_BYTES))}"
    return body + checksum(body)


def new_registration_token(environment: str) -> str:
    """Return a new registration access token with 256 random bits and a checksum (RFC 7592 §3)."""
    body = f"{credential_prefix(environment, 'reg')}{_letters(random_bytes(SECRET_BYTES))}"
    return body + checksum(body)


def new_portfolio_id() -> str:
    """Return a new id of a portfolio with 80 random bits."""
    return f"pf_{_letters(random_bytes(10))}"


def new_upload_id(now_ms: int) -> str:
    """Return a new id of an uploaded file with 80 random bits; ids sort by the time."""
    return f"up_{now_ms:013d}_{_letters(random_bytes(10))}"


def new_webhook_id() -> str:
    """Return a new id of a webhook with 80 random bits."""
    return f"wh_{_letters(random_bytes(10))}"


def new_stream_id() -> str:
    """Return a new id of a stream of signals with 80 random bits."""
    return f"st_{_letters(random_bytes(10))}"


def new_password() -> str:
    """Return a new password with 128 random bits, for the accounts of a sandbox."""
    return _letters(random_bytes(IDENTIFIER_BYTES))


def recovery_code() -> str:
    """Return ten characters with 50 random bits, in two groups, to be written down by a person."""
    letters = _letters(random_bytes(7))[:10]
    return f"{letters[:5]}-{letters[5:]}"


USER_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ"
"""The letters of user codes: without vowels, so that no code is a word (RFC 8628 §6.1)."""

USER_CODE_LENGTH = 8


def user_code() -> str:
    """Return eight letters with 34.5 random bits, to be typed by a person (RFC 8628 §6.1)."""
    return "".join(secrets.choice(USER_CODE_LETTERS) for _ in range(USER_CODE_LENGTH))


def credential_prefix(environment: str, kind: str) -> str:
    """Return the prefix of the credentials of a kind: such as `app`, `sec` or `ref` (D6, D18)."""
    return f"crd_{environment}_{kind}_"


def checksum(body: str) -> str:
    """Return the seven characters that end a credential: the CRC-32 of those before them."""
    return _letters(zlib.crc32(body.encode()).to_bytes(4, "big"))


def _letters(data: bytes) -> str:
    return base64.b32encode(data).decode().rstrip("=").lower()
