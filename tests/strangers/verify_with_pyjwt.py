"""A resource server elsewhere that verifies access tokens with PyJWT; `docs/verifying.md` shows it."""

import ssl
from typing import Any

import httpx
import jwt


class Verifier:
    """Knows the issuer's address and what the tokens are for, and finds everything else out."""

    def __init__(self, issuer: str, audience: str, trust: ssl.SSLContext, cooldown: float = 30) -> None:
        self.issuer, self.audience = issuer, audience
        configuration = httpx.get(f"{issuer}/.well-known/openid-configuration", verify=trust).json()
        self.keys = jwt.PyJWKClient(configuration["jwks_uri"], ssl_context=trust, cooldown_duration=cooldown)

    def claims(self, token: str) -> dict[str, Any]:
        key = self.keys.get_signing_key_from_jwt(token)
        read = jwt.decode_complete(
            token,
            key,
            algorithms=[key.algorithm_name],  # the key's, never the token's
            issuer=self.issuer,
            audience=self.audience,
            options={"require": ["iss", "aud", "exp"]},
        )
        if read["header"].get("typ") != "at+jwt":
            raise jwt.InvalidTokenError("This is not an access token.")
        claims: dict[str, Any] = read["payload"]
        return claims
