"""How fast is Credence beside other token services on the same machine?

All get the same requests: forms with HTTP Basic over plain HTTP on one core. Every answer is looked at, and a run with one
wrong answer does not count. What each keeps differs, and its line says so: Credence commits each rotation to the disk and
detects reuse; node-oidc-provider as it comes keeps everything in memory.
"""

from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlencode

import httpx

from bench.deployment import Client, credence
from bench.load import Load, press
from bench.loads import TOKENS, rotation_by_form
from bench.measurement import Figure, Measurement, Target
from bench.peers.installed import CLIENT, DJANGO, NODE, RENEW, SECRET, Peer, install, run
from bench.process import Server
from bench.rounds import Plan, take_turns
from credence import paths

TARGETS = {
    ("refresh, ES256", NODE): Target(2.5, "ratio"),
    ("refresh, RS256", NODE): Target(1.3, "ratio"),
    ("client credentials", NODE): Target(2.5, "ratio"),
    ("introspection", NODE): Target(3.0, "ratio"),
}

WARM_SECONDS = 4
"""Of a peer before it counts: node compiles what it runs often."""

HAS_TOKEN = '"access_token":%s*"[^"]+"'
IS_ACTIVE = '"active":%s*true'
"""Patterns of Lua that every answer matches."""


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield answers per second of Credence and of each peer, in turn."""
    for peer in (NODE, DJANGO):
        install(peer)
    with TemporaryDirectory(dir=plan.deployment.folder) as folder:
        for what in ("refresh, ES256", "refresh, RS256", "client credentials", "introspection"):
            for peer in (NODE, DJANGO):
                if what != "refresh, RS256" or peer is NODE:  # the tokens of Django OAuth Toolkit are not signed
                    yield _beside(plan, what, peer, Path(folder))


def _beside(plan: Plan, what: str, peer: Peer, folder: Path) -> Measurement:
    algorithm = "RS256" if what.endswith("RS256") else "ES256"

    with (
        credence(plan.deployment.folder, **plan.deployment.variables) as ours,
        run(peer, algorithm, folder) as theirs,
    ):

        def press_theirs(seconds: float) -> Figure:
            httpx.get(theirs.address + RENEW, timeout=60, trust_env=False).raise_for_status()
            return press(theirs, _load_of_peer(peer, what, folder), seconds)

        press_theirs(WARM_SECONDS)
        figures, beside = take_turns(
            plan, lambda seconds: press(ours, _load(plan, what, algorithm, ours), seconds), press_theirs
        )
    target = TARGETS.get((what, peer))
    return Measurement(f"{what}, beside {peer.name}", "per second", figures, beside, peer.keeps, target)


def _load(plan: Plan, what: str, algorithm: str, server: Server) -> Load:
    deployment = plan.deployment
    client = deployment.clients["alone" if what == "client credentials" else algorithm]
    if what == "client credentials":
        return _posts(paths.TOKEN, client, str(_body(deployment.folder)), HAS_TOKEN)
    if what == "introspection":
        obtained = deployment.tokens(server, client, TOKENS)
        bodies = deployment.lines("introspections", [urlencode({"token": each["access_token"]}) for each in obtained])
        return _posts(paths.INTROSPECTION, client, bodies, IS_ACTIVE)
    return rotation_by_form(deployment, client, server)


def _load_of_peer(peer: Peer, what: str, folder: Path) -> Load:
    if what == "client credentials":
        return _posts(peer.token, Client(peer.alone, SECRET), str(_body(folder)), HAS_TOKEN)
    client = Client(CLIENT, SECRET)
    if what == "introspection":
        bodies = folder / "bodies"
        tokens = (folder / "access-tokens").read_text().split()
        bodies.write_text("".join(f"{urlencode({'token': token})}\n" for token in tokens))
        return _posts(peer.introspection, client, str(bodies), IS_ACTIVE)
    return Load(peer.token, client.of_a_form, "refresh_form", [str(folder / "refresh-tokens")])


def _body(folder: Path) -> Path:
    file = folder / "client-credentials"
    file.write_text(f"{urlencode({'grant_type': 'client_credentials'})}\n")
    return file


def _posts(path: str, client: Client, bodies: str, pattern: str) -> Load:
    return Load(path, client.of_a_form, "checked_posts", [bodies, pattern])
