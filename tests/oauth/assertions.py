"""Client assertions as a client makes them, with joserfc, and applications that are registered for them (RFC 7523)."""

import json
from dataclasses import dataclass
from typing import Any

from joserfc import jws
from joserfc.jwk import ECKey, Key, OctKey, OKPKey, RSAKey

from credence.crypto import base64url
from credence.identity.client_keys import read_key_set
from tests.deployment import NOW, Deployment, Reply
from tests.oauth.standard import ask

ISSUER = "https://localhost:8443"
TOKEN_ENDPOINT = f"{ISSUER}/oauth2/v1/token"
TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
SECONDS = NOW // 1000

RSA, OTHER_RSA = RSAKey.generate_key(2048), RSAKey.generate_key(2048)
EC, OTHER_EC = ECKey.generate_key("P-256"), ECKey.generate_key("P-256")
OKP = OKPKey.generate_key("Ed25519")
KEYS: dict[str, Key] = {"RS256": RSA, "PS256": RSA, "ES256": EC, "Ed25519": OKP}


def key_set(*keys: dict[str, Any]) -> str:
    return json.dumps({"keys": list(keys)})


def public(key: Key, **more: str) -> dict[str, Any]:
    return {**key.as_dict(private=False), **more}


def signed(key: Key, header: dict[str, Any], claims: Any) -> str:
    """A compact JWS by joserfc, with any header members next to `alg`."""
    registry = jws.JWSRegistry(algorithms=[header["alg"]], strict_check_header=False)
    payload = claims if isinstance(claims, bytes) else json.dumps(claims).encode()
    return jws.serialize_compact(header, payload, key, registry=registry)


@dataclass
class Client:
    """An application that proves itself with a key, and how often it has."""

    deployment: Deployment
    key: Key
    algorithm: str = "ES256"
    serial: int = 0

    @property
    def client_id(self) -> str:
        return self.deployment.application.client_id

    def claims(self, **changes: Any) -> dict[str, Any]:
        """The claims of RFC 7523 §3, with changes; None leaves one out."""
        self.serial += 1
        usual = {
            "iss": self.client_id,
            "sub": self.client_id,
            "aud": ISSUER,
            "exp": SECONDS + 60,
            "iat": SECONDS,
            "jti": f"id-{self.serial}",
        }
        return {name: value for name, value in (usual | changes).items() if value is not None}

    def assertion(self, header: dict[str, Any] | None = None, **changes: Any) -> str:
        return signed(self.key, {"alg": self.algorithm, **(header or {})}, self.claims(**changes))

    async def show(self, assertion: str, **fields: str) -> Reply:
        """Request a token of the application's own with this assertion and nothing else."""
        form = {"grant_type": "client_credentials", "client_assertion_type": TYPE, "client_assertion": assertion}
        return await ask(self.deployment, form | fields, headers=[])


async def registered(deployment: Deployment, algorithm: str = "ES256", **changes: Any) -> Client:
    """The deployment's application, which from now on proves itself by a key of this algorithm."""
    key = KEYS[algorithm]
    await deployment.change_application(
        **{
            "authentication": "private_key_jwt",
            "keys": read_key_set(key_set(public(key, alg=algorithm))),
            "grants": ("client_credentials", "password", "refresh_token"),
            **changes,
        }
    )
    return Client(deployment, key, algorithm)


def oct_key(secret: bytes) -> OctKey:
    """A shared secret that joserfc does not check: it would detect a public key."""
    return OctKey(secret, {"kty": "oct", "k": base64url.encode(secret)})
