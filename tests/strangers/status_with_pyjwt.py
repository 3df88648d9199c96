"""A resource server elsewhere that learns of revocations from status lists; `docs/verifying.md` shows it."""

import base64
import ssl
import time
import zlib
from typing import Any

import httpx
import jwt


class StatusLists:
    """Tells of a token that was verified whether it has been revoked. Keeps each list as long as the list says."""

    def __init__(self, issuer: str, keys: jwt.PyJWKClient, trust: ssl.SSLContext) -> None:
        self.issuer, self.keys, self.trust = issuer, keys, trust
        self.held: dict[str, tuple[float, bytes]] = {}

    def is_revoked(self, claims: dict[str, Any]) -> bool:
        place = claims["status"]["status_list"]
        until, octets = self.held.get(place["uri"], (0.0, b""))
        if time.monotonic() >= until:
            until, octets = self.held[place["uri"]] = self.fetch(place["uri"])
        return bool(octets[place["idx"] // 8] >> place["idx"] % 8 & 1)

    def fetch(self, uri: str) -> tuple[float, bytes]:
        accept = {"accept": "application/statuslist+jwt"}
        token = httpx.get(uri, headers=accept, verify=self.trust).raise_for_status().text
        key = self.keys.get_signing_key_from_jwt(token)
        read = jwt.decode_complete(
            token,
            key,
            algorithms=[key.algorithm_name],  # the key's, never the list's
            issuer=self.issuer,
            subject=uri,
            options={"require": ["iss", "sub", "exp", "ttl", "status_list"]},
        )
        if read["header"].get("typ") != "statuslist+jwt":
            raise jwt.InvalidTokenError("This is not a status list.")
        packed = read["payload"]["status_list"]["lst"]
        octets = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
        return time.monotonic() + read["payload"]["ttl"], octets
