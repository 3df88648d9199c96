"""`python -m tests.year_of_rolls`: a year of key rolls in minutes, under load, seen by a verifier that caches.

The clock is moved an hour at a time. In each hour the chores run, clients of every algorithm log in at once through the
whole pipeline, and a verifier elsewhere (joserfc, holding the key set exactly as long as `max-age` says) checks every
token that is still alive, as does the API. Prints what was refused that should not have been, and what was signed by a key
the verifier could not know; both must be nothing.
"""

import asyncio
import json
import sys
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from joserfc import jws
from joserfc.errors import JoseError
from joserfc.jwk import KeySet

from credence.crypto import base64url
from credence.crypto.jws import OFFERED
from credence.oauth.keys.rotation import rotate_keys
from credence.telemetry import log
from tests.deployment import KEKS, NOW, Deployment, deployed

HOUR = 3_600_000
HOURS = 365 * 24
CLIENTS = 4
LIFETIME = 10_800
"""Seconds an access token lives: the default (D4)."""

JOSERFC = [algorithm for algorithm in OFFERED if algorithm != "EdDSA"]
"""EdDSA is left out of the verifier's checks: joserfc warns of the name at each use. The API checks it all the same."""


@dataclass
class Tally:
    """What the year brought."""

    issued: int = 0
    checked: int = 0
    refused: int = 0
    unknown_key: int = 0
    fetches: int = 0
    signers: set[str] = field(default_factory=set)


@dataclass
class Verifier:
    """A resource server elsewhere, which keeps the key set as long as it may and no longer."""

    keys: KeySet | None = None
    good_until: int = 0

    async def look(self, deployment: Deployment, tally: Tally) -> None:
        """Fetch the key set if the held one has run out."""
        if self.keys is not None and deployment.now < self.good_until:
            return
        reply = await deployment.send("GET", "/oauth2/v1/keys")
        published = [key for key in reply.json["keys"] if key["alg"] in JOSERFC]
        self.keys = KeySet.import_key_set({"keys": published})
        self.good_until = deployment.now + int(reply.headers["cache-control"].rpartition("=")[2]) * 1000
        tally.fetches += 1

    def accepts(self, token: str) -> bool:
        """Tell whether one of the held keys signed the token."""
        try:
            jws.deserialize_compact(token, self.keys, algorithms=JOSERFC)
        except (JoseError, ValueError):
            return False
        return True


async def live_through(tally: Tally) -> None:
    """Live through a year in a fresh deployment."""
    with TemporaryDirectory() as folder:
        async with deployed(Path(folder), access_token_lifetime_seconds=LIFETIME) as deployment:
            await year(deployment, tally)


async def year(deployment: Deployment, tally: Tally) -> None:
    """Live through a year."""
    verifier = Verifier()
    live: list[tuple[int, str, str]] = []
    for hour in range(HOURS):
        deployment.now = NOW + hour * HOUR
        await rotate_keys(deployment.store, KEKS, deployment.service.settings, OFFERED, deployment.now)
        await verifier.look(deployment, tally)
        algorithm = OFFERED[hour % len(OFFERED)]
        await deployment.change_application(algorithm=algorithm)
        for tokens in await asyncio.gather(*(deployment.tokens() for _ in range(CLIENTS))):
            expires = int(tokens["issued_at"]) + int(tokens["expires_in"]) * 1000
            live.append((expires, algorithm, tokens["access_token"]))
            tally.issued += 1
        live = [each for each in live if each[0] > deployment.now]
        for _, signed_with, token in live:
            tally.signers.add(_kid(token))
            tally.checked += 1
            tally.unknown_key += signed_with in JOSERFC and not verifier.accepts(token)
            tally.refused += (await deployment.report(token)).status != 200


def _kid(token: str) -> Any:
    head = token.partition(".")[0]
    return json.loads(base64url.decode(head))["kid"]


if __name__ == "__main__":
    log.configure(readable=False)
    found = Tally()
    asyncio.run(live_through(found))
    print(
        f"{HOURS:,} hours, {found.issued:,} tokens by {len(found.signers)} keys, {found.checked:,} checks, "
        f"{found.fetches:,} key sets fetched: {found.refused} good tokens refused, "
        f"{found.unknown_key} not verifiable by a caching verifier"
    )
    sys.exit(1 if found.refused or found.unknown_key else 0)
