"""The key that seals what the service keeps for trusted issuers: client secrets, refresh tokens and ID tokens."""

from credence.crypto.digest import keyed_digest
from credence.crypto.sealing import KeyEncryptionKeys


def sealing(digest_key: bytes) -> KeyEncryptionKeys:
    """Return the key that seals them."""
    return KeyEncryptionKeys((keyed_digest(digest_key, "trusted issuers"),))


def secret_name(issuer: str) -> str:
    """Return the name under which the client secret for an issuer is sealed."""
    return f"issuer-secret:{issuer}"


def hint_name(issuer: str) -> str:
    """Return the name under which ID tokens of an issuer are sealed."""
    return f"issuer-id-token:{issuer}"


def refresh_token_name(link: str) -> str:
    """Return the name under which the refresh token of a link is sealed."""
    return f"issuer-refresh-token:{link}"
