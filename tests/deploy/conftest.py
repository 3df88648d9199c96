"""Each recipe before a Credence of its own: `site` is what a caller sees."""

import json
import ssl
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.architecture.imports import ROOT
from tests.deploy.proxies import missing, proxy
from tests.deploy.recipes import RECIPES, Ports, Recipe
from tests.once import made_once
from tests.ports import free_port
from tests.running import RunningServer, run_command, start


@dataclass(frozen=True)
class Site:
    """A deployment behind a proxy."""

    recipe: Recipe
    server: RunningServer
    ports: Ports
    ca_file: Path
    client: httpx.Client

    def doctor(self, ports: Ports | None = None, ca_file: Path | None = None) -> tuple[int, list[dict[str, Any]]]:
        """Run doctor on the public address and return its exit code and findings."""
        url = f"https://localhost:{(ports or self.ports).public}"
        done = run_command("doctor", "--url", url, "--ca-file", str(ca_file or self.ca_file), "--json")
        assert done.returncode in {0, 1}, done.stderr
        findings: list[dict[str, Any]] = json.loads(done.stdout)
        return done.returncode, findings


@pytest.fixture(scope="session")
def wheel() -> Path:
    """The wheel of this checkout."""
    (built,) = made_once("wheel", build_wheel).glob("*.whl")
    return built


def build_wheel(folder: Path) -> None:
    command = ("wheel", "-q", "--disable-pip-version-check", "--no-build-isolation", "--no-deps", "--no-index")
    to_folder = ("--wheel-dir", str(folder), str(ROOT))
    subprocess.run([sys.executable, "-m", "pip", *command, *to_folder], check=True, timeout=300)


@pytest.fixture(scope="module", params=RECIPES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    recipe = RECIPES[request.param]
    if reason := missing(recipe):
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp(recipe.program)
    public = free_port()
    server = start(
        folder / "data",
        folder / "credence.txt",
        "--http",
        CREDENCE_BASE_URL=f"https://localhost:{public}",
        CREDENCE_TRUSTED_PROXIES="127.0.0.1",
    )
    ports = Ports(public, free_port(), (server.client.base_url.port or 0,))
    try:
        with (
            proxy(recipe, folder, ports) as ca_file,
            httpx.Client(
                base_url=f"https://localhost:{public}",
                verify=ssl.create_default_context(cafile=ca_file),
                trust_env=False,
                timeout=20,
            ) as client,
        ):
            yield Site(recipe, server, ports, ca_file, client)
    finally:
        server.stop()
