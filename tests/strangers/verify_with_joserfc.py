"""A resource server elsewhere that verifies access tokens with joserfc; `docs/verifying.md` shows it."""

import re
import ssl
import time
from typing import Any

import httpx
from joserfc import jwt
from joserfc.errors import InvalidClaimError, InvalidKeyIdError
from joserfc.jwk import KeySet

ALGORITHMS = ["RS256", "ES256", "PS256", "EdDSA"]


class Verifier:
    """Knows the issuer's address and what the tokens are for, and finds everything else out."""

    def __init__(self, issuer: str, audience: str, trust: ssl.SSLContext, cooldown: float = 30) -> None:
        self.trust, self.cooldown = trust, cooldown
        configuration = httpx.get(f"{issuer}/.well-known/openid-configuration", verify=trust).json()
        self.jwks_uri = configuration["jwks_uri"]
        self.expected = jwt.JWTClaimsRegistry(
            iss={"essential": True, "value": issuer},
            aud={"essential": True, "value": audience},
            exp={"essential": True},
        )
        self.fetch()

    def fetch(self) -> None:
        answer = httpx.get(self.jwks_uri, verify=self.trust).raise_for_status()
        max_age = re.search(r"max-age=(\d+)", answer.headers["cache-control"])
        self.keys = KeySet.import_key_set(answer.json())
        self.fetched_at = time.monotonic()
        self.good_for = int(max_age[1]) if max_age else 0

    def claims(self, token: str) -> dict[str, Any]:
        if time.monotonic() > self.fetched_at + self.good_for:
            self.fetch()
        try:
            read = jwt.decode(token, self.keys, algorithms=ALGORITHMS)
        except InvalidKeyIdError:
            if time.monotonic() < self.fetched_at + self.cooldown:
                raise
            self.fetch()
            read = jwt.decode(token, self.keys, algorithms=ALGORITHMS)
        self.expected.validate(read.claims)
        if read.header.get("typ") != "at+jwt":
            raise InvalidClaimError("typ")
        return read.claims
