"""Installs the peers from their lock files, each into a folder of its own, and runs them on the server's core."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench.process import Server, free_port, served

_SOURCES = Path(__file__).parent
_INSTALLED = Path(sys.prefix).resolve() / "bench-peers"
"""Beside the packages of the benchmarks, so that nothing of others lies in the source tree."""

_NODE = _INSTALLED / "node"
_NODE_LOCK = _SOURCES.parent / "node"
"""What `bench.beside_node` installs is locked there, too: one version for both."""
_PROVIDER = _SOURCES / "node" / "provider.mjs"
_DJANGO = _SOURCES / "django"
_PYTHON = _INSTALLED / "django" / "bin" / "python"

CLIENT = "bench"
SECRET = "a-secret-of-the-benchmark"
"""The application of every peer; Django OAuth Toolkit has another one, `alone`, for client credentials."""


RENEW = "/renew"
"""Of every peer: opens families anew, because a run ends with tokens whose answers were cut off."""


class NotInstalled(Exception):
    """A peer could not be installed; the message says what is missing."""


@dataclass(frozen=True, slots=True)
class Peer:
    """One peer: what it keeps, and where it answers."""

    name: str
    keeps: str
    """What is durable when it answers."""
    token: str
    introspection: str
    alone: str
    """The client_id for client credentials."""
    ready: str
    """What answers with 200 as soon as it serves."""


NODE = Peer("node-oidc-provider", "in memory, nothing durable", "/token", "/token/introspection", CLIENT, "/jwks")
DJANGO = Peer(
    "Django OAuth Toolkit", "rows of SQLite, each request durable", "/token/", "/introspect/", "alone", "/ready"
)


def install(peer: Peer) -> None:
    """Install the peer unless it is; NotInstalled if that fails."""
    if peer is NODE:
        missing = [program for program in ("node", "npm") if shutil.which(program) is None]
        if missing:
            raise NotInstalled(f"{peer.name} needs {' and '.join(missing)}")
        _NODE.mkdir(parents=True, exist_ok=True)
        for file in (*(_NODE_LOCK / name for name in ("package.json", "package-lock.json")), _PROVIDER):
            shutil.copyfile(file, _NODE / file.name)
        if not (_NODE / "node_modules" / "oidc-provider").is_dir():
            _run("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", str(_NODE))
    elif not _PYTHON.exists():
        _run(sys.executable, "-m", "venv", str(_PYTHON.parents[1]))
        requirements = str(_DJANGO / "requirements.txt")
        _run(str(_PYTHON), "-m", "pip", "install", "--quiet", "--require-hashes", "--requirement", requirements)


@contextmanager
def run(peer: Peer, algorithm: str, folder: Path) -> Iterator[Server]:
    """Run a fresh peer. GET `RENEW` writes new tokens to `refresh-tokens` and `access-tokens` of this folder."""
    port = free_port()
    if peer is NODE:
        command = ["node", str(_NODE / "provider.mjs"), str(port), algorithm, str(folder)]
        variables: Mapping[str, str] = {}
    else:
        (folder / "peer.sqlite").unlink(missing_ok=True)
        variables = {"PEER_FOLDER": str(folder)}
        _run(str(_PYTHON), "-c", "import provider", cwd=_DJANGO, PEER_PREPARE="1", **variables)
        command = [str(_PYTHON), "-m", "gunicorn", "--chdir", str(_DJANGO), "--no-control-socket", "--workers", "1"]
        command += ["--bind", f"127.0.0.1:{port}", "provider:application"]
    with served(command, port, peer.ready, folder / "peer.log", **variables) as server:
        yield server


def _run(*command: str, cwd: Path | None = None, **variables: str) -> None:
    finished = subprocess.run(
        command, cwd=cwd, env={**os.environ, **variables}, capture_output=True, text=True, check=False
    )
    if finished.returncode != 0:
        raise NotInstalled(f"{command[0]} failed: {finished.stderr.strip()[-500:]}")
