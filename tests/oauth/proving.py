"""A DPoP client (RFC 9449). Its proofs are written by hand, so that each can be wrong in one way."""

import hashlib
import itertools
import json
from collections.abc import Mapping
from typing import Any

from credence.crypto import base64url
from credence.crypto.jwk import thumbprint
from credence.crypto.jws import ALGORITHMS, public_members
from tests.deployment import PASSWORD, REPORT_PATH, TOKEN_PATH, Deployment, Header, Reply
from tests.oauth.standard import ask

ISSUER = "https://localhost:8443"
REPORT = f"{REPORT_PATH}/99999999"

_serial = itertools.count()


def encoded(value: Any) -> str:
    return base64url.encode(value if isinstance(value, bytes) else json.dumps(value).encode())


def ath(token: str) -> str:
    """RFC 9449 §4.2."""
    return encoded(hashlib.sha256(token.encode()).digest())


class Key:
    """A key pair that a client has made for itself."""

    def __init__(self, algorithm: str = "ES256", private: Any = None) -> None:
        known = ALGORITHMS[algorithm]
        self.algorithm = algorithm
        self.private = private or known.generate()
        self.jwk: dict[str, Any] = dict(public_members(self.private.public_key()))
        self.thumbprint = thumbprint(self.jwk)
        self._sign = known.signer(self.private)

    def signed(self, header: Any, claims: Any) -> str:
        signing_input = f"{encoded(header)}.{encoded(claims)}"
        return f"{signing_input}.{encoded(self._sign(signing_input.encode()))}"


class Prover:
    """An application with a key, which keeps the newest nonce that it received."""

    def __init__(self, deployment: Deployment, key: Key | None = None) -> None:
        self.deployment = deployment
        self.key = key or Key()
        self.nonce: str | None = None

    def header(self) -> dict[str, Any]:
        return {"typ": "dpop+jwt", "alg": self.key.algorithm, "jwk": self.key.jwk}

    def claims(self, method: str = "GET", path: str = REPORT, token: str | None = None) -> dict[str, Any]:
        said = {
            "jti": f"proof-{next(_serial)}",
            "htm": method,
            "htu": ISSUER + path,
            "iat": self.deployment.now // 1000,
            "nonce": self.nonce,
            "ath": token and ath(token),
        }
        return {name: value for name, value in said.items() if value is not None}

    def proof(self, method: str = "GET", path: str = REPORT, token: str | None = None, **changed: Any) -> str:
        """Return a proof that is valid except for the changed claims; None leaves a claim out."""
        said = self.claims(method, path, token) | changed
        return self.key.signed(self.header(), {name: value for name, value in said.items() if value is not None})

    async def ask(self, fields: Mapping[str, str], proof: str | None = None) -> Reply:
        """Send a token request, again with a nonce if one is required, and keep the nonce."""
        if proof is not None:
            return self._noted(await self._ask(fields, proof))
        reply = self._noted(await self._ask(fields, self.proof("POST", TOKEN_PATH)))
        if reply.status == 400 and reply.json["error"] == "use_dpop_nonce":
            reply = self._noted(await self._ask(fields, self.proof("POST", TOKEN_PATH)))
        return reply

    async def log_in(self, proof: str | None = None, **more: str) -> Reply:
        return await self.ask({"grant_type": "password", "username": "ada", "password": PASSWORD, **more}, proof)

    async def refresh(self, refresh_token: str) -> Reply:
        return await self.ask({"grant_type": "refresh_token", "refresh_token": refresh_token})

    async def token(self) -> str:
        """Return a bound access token; the client then has a nonce."""
        reply = await self.log_in()
        assert reply.status == 200, reply
        token: str = reply.json["access_token"]
        return token

    async def report(self, token: str, proof: str | None = None, scheme: str = "DPoP") -> Reply:
        headers = [("Authorization", f"{scheme} {token}"), ("DPoP", proof or self.proof(token=token))]
        return self._noted(await self.deployment.send("GET", REPORT, headers))

    async def _ask(self, fields: Mapping[str, str], proof: str) -> Reply:
        return await ask(self.deployment, dict(fields), [self.deployment.basic, ("DPoP", proof)])

    def _noted(self, reply: Reply) -> Reply:
        self.nonce = reply.headers.get("dpop-nonce", self.nonce)
        return reply


def without_proof(token: str, scheme: str) -> list[Header]:
    return [("Authorization", f"{scheme} {token}")]
