"""Runs a recipe of `deploy/` by its real program, on free ports and in a folder of its own."""

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.deploy.recipes import Ports, Recipe

DEPLOY = Path(__file__).parents[2] / "deploy"
STARTED_WITHIN = 20.0


@contextmanager
def proxy(
    recipe: Recipe,
    folder: Path,
    ports: Ports,
    *,
    without: str = "",
    also: Mapping[str, str] | None = None,
    nodes_ca: Path | None = None,
) -> Iterator[Path]:
    """Run the recipe, perhaps without one of its lines or with more changes, and yield the certificate to trust.

    `nodes_ca` is the authority that must vouch for the nodes, where the recipe speaks TLS to them.
    """
    tls = folder / "tls"
    chain, key = ensure_certificates(tls, "127.0.0.1")
    (tls / "chain-and-key.pem").write_bytes(chain.read_bytes() + key.read_bytes())
    if nodes_ca is not None:
        (tls / "nodes-ca.pem").write_bytes(nodes_ca.read_bytes())
    files = filled_in(recipe, folder, {**(also or {}), **recipe.changes(tls, ports)}, without)
    log = folder / "output.txt"
    environment = os.environ | {"XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "HOME": str(folder)}
    with log.open("ab") as stream:
        process = subprocess.Popen(
            recipe.command(files), env=environment, stdin=subprocess.DEVNULL, stdout=stream, stderr=stream
        )
    try:
        _wait(process, ports.public, log)
        yield authority_file(tls)
    finally:
        process.terminate()
        try:
            process.wait(timeout=60)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def missing(recipe: Recipe) -> str | None:
    """Return why the recipe cannot be run here, or None."""
    lacking = shutil.which(recipe.program) is None
    return f"{recipe.program} is missing: python -m tests.provision" if lacking else None


def filled_in(recipe: Recipe, folder: Path, changes: dict[str, str], without: str = "") -> list[Path]:
    """Write the recipe's files with the examples replaced; every change and the line left out must be in one of them."""
    texts = {Path(file).name: (DEPLOY / file).read_text(encoding="utf-8") for file in recipe.files}
    replaced = ({without: ""} if without else {}) | changes
    for example, own in replaced.items():
        assert any(example in text for text in texts.values()), example
        texts = {name: text.replace(example, own) for name, text in texts.items()}
    for name, text in texts.items():
        (folder / name).write_text(text)
    return [folder / name for name in texts]


def _wait(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    deadline = time.monotonic() + STARTED_WITHIN
    while process.poll() is None and time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError(f"The proxy did not start:\n{log.read_text()}")
