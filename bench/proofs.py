"""Reports asked for with a token that is bound to a key, each with a proof of its own (RFC 9449), made before the run."""

import hashlib
import json
from collections.abc import Iterator

import httpx

from bench.deployment import Client, Deployment
from bench.load import Load
from bench.loads import REPORTS
from bench.process import Server
from credence import paths
from credence.clock import system_clock
from credence.crypto import base64url
from credence.crypto.jws import ALGORITHMS, public_members
from credence.crypto.randomness import random_bytes

PER_SECOND = 12_000
"""More proofs than are asked for in a second, so that none comes twice: a second time it would be refused."""


def bound_report(deployment: Deployment, client: Client, seconds: float, server: Server) -> Load:
    """Return the load that reads one company's report with one bound token for so many seconds."""
    prover, path = Prover(server), REPORTS + deployment.company_number
    token = prover.token(deployment, client, server)
    proofs = deployment.lines("proofs", prover.proofs("GET", path, int(seconds * PER_SECOND), token))
    return Load(path, {"Authorization": f"DPoP {token}"}, "proofs", [proofs])


class Prover:
    """A client with a P-256 key."""

    def __init__(self, server: Server) -> None:
        known = ALGORITHMS["ES256"]
        private = known.generate()
        self._sign = known.signer(private)
        self._jwk = public_members(private.public_key())
        self._issuer = httpx.get(server.address + paths.CONFIGURATION, trust_env=False).json()["issuer"]
        self._nonce: str | None = None

    def token(self, deployment: Deployment, client: Client, server: Server) -> str:
        """Return a token bound to the key, and learn the nonce on the way (§8)."""
        form = {"grant_type": "password", **deployment.login}
        with httpx.Client(base_url=server.address, headers=client.of_a_form, trust_env=False) as http:
            for _ in range(2):
                (proof,) = self.proofs("POST", paths.TOKEN, 1)
                reply = http.post(paths.TOKEN, data=form, headers={"DPoP": proof})
                self._nonce = reply.headers.get("dpop-nonce", self._nonce)
        token: str = reply.raise_for_status().json()["access_token"]
        return token

    def proofs(self, method: str, path: str, count: int, token: str | None = None) -> Iterator[str]:
        """Yield that many proofs, each good for one request."""
        header = _part({"typ": "dpop+jwt", "alg": "ES256", "jwk": self._jwk})
        said: dict[str, object] = {"htm": method, "htu": self._issuer + path, "iat": system_clock() // 1000}
        if self._nonce is not None:
            said["nonce"] = self._nonce
        if token is not None:
            said["ath"] = base64url.encode(hashlib.sha256(token.encode()).digest())
        beginning = random_bytes(8).hex()
        for number in range(count):
            text = f"{header}.{_part(said | {'jti': f'{beginning}-{number}'})}"
            yield f"{text}.{base64url.encode(self._sign(text.encode()))}"


def _part(value: object) -> str:
    return base64url.encode(json.dumps(value).encode())
