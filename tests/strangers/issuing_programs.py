"""Providers that other people wrote, as issuers that the service trusts: how each is built and started."""

import os
import shutil
import ssl
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.outgoing.receivers import NAME
from tests.ports import free_port
from tests.running import RunningServer
from tests.strangers.ordinary_programs import CACHE, NPM, build
from tests.strangers.programs import needs, running

FOLDER = Path(__file__).parent / "issuers"
SECRET, PASSWORD = "a secret of this run", "a password of this run"
READY_WITHIN = 1_500.0
"""Seconds. Keycloak builds itself at its first start, which takes a minute of a quiet processor."""

_KEYCLOAK = "org.keycloak:keycloak-quarkus-dist:26.5.6:zip"
_COPY = ["mvn", "--quiet", "--batch-mode", "dependency:copy", f"-Dartifact={_KEYCLOAK}", "-DoutputDirectory=."]
COMMANDS = {
    "node": [NPM],
    "go": [["go", "build", "-o", "dex", "github.com/dexidp/dex/cmd/dex"]],
    "keycloak": [_COPY, [sys.executable, "-m", "zipfile", "-e", "keycloak-quarkus-dist-26.5.6.zip", "."]],
}


class Issuing(NamedTuple):
    """A provider: its folder, the tool that builds it, and how the operator describes it."""

    folder: str
    tool: str
    path: str = ""
    authentication: str = "client_secret_basic"
    email: str = "jane@employer.example"
    group: str = "credit-team"
    scopes: tuple[str, ...] = ("openid", "email", "profile")
    signs_out: bool = False


PROGRAMS: Mapping[str, Issuing] = {
    "node-oidc-provider": Issuing("node", "npm", authentication="private_key_jwt", signs_out=True),
    "Keycloak": Issuing("keycloak", "mvn", path="/realms/employer", signs_out=True),
    "Dex": Issuing(
        "go",
        "go",
        email="kilgore@kilgore.trout",
        group="authors",
        scopes=("openid", "email", "profile", "groups"),
    ),
    "Authlib": Issuing("", sys.executable, authentication="client_secret_post"),
}


class Place(NamedTuple):
    """Where a provider answers, with the files of its TLS."""

    port: int
    folder: Path
    issuer: str
    certificate: Path
    key: Path
    authority: Path

    def client(self, **more: Any) -> httpx.Client:
        """Return an HTTP client that trusts the provider."""
        trust = ssl.create_default_context(cafile=self.authority)
        return httpx.Client(verify=trust, trust_env=False, timeout=60, **more)


def place_of(name: str, folder: Path) -> Place:
    """Return a free place with a certificate for it."""
    certificate, key = ensure_certificates(folder / "provider-tls", NAME)
    port = free_port()
    issuer = f"https://localhost:{port}{PROGRAMS[name].path}"
    return Place(port, folder, issuer, certificate, key, authority_file(folder / "provider-tls"))


@contextmanager
def issuing(name: str, place: Place, service: RunningServer) -> Iterator[None]:
    """Run a provider that knows the service as its client."""
    assert service.ca_file is not None
    program = PROGRAMS[name]
    made = build(FOLDER / program.folder, COMMANDS[program.folder]) if program.folder else CACHE
    environment = {
        **os.environ,
        "ISSUER": place.issuer,
        "PORT": str(place.port),
        "SERVICE": service.base_url,
        "CERT": str(place.certificate),
        "KEY": str(place.key),
        "NODE_EXTRA_CA_CERTS": str(service.ca_file),
        "KC_BOOTSTRAP_ADMIN_USERNAME": "admin",
        "KC_BOOTSTRAP_ADMIN_PASSWORD": PASSWORD,
    }
    command = _command(name, made, place, service)
    ready = f"{place.issuer}/.well-known/openid-configuration"
    with place.client() as client:

        def answers() -> bool:
            try:
                return client.get(ready).status_code == 200
            except httpx.TransportError:
                return False

        with running(command, answers, place.folder / "provider.txt", environment, within=READY_WITHIN):
            yield


def _command(name: str, made: Path, place: Place, service: RunningServer) -> list[str]:
    match name:
        case "node-oidc-provider":
            return ["node", str(made / "provider.mjs")]
        case "Dex":
            return [str(made / "dex"), "serve", str(_filled(made / "dex.yaml", place, service, place.folder))]
        case "Keycloak":
            home = place.folder / "keycloak"
            shutil.copytree(made / "keycloak-26.5.6", home)
            (home / "data" / "import").mkdir(parents=True)
            _filled(made / "realm.json", place, service, home / "data" / "import")
            tls = [f"--https-certificate-file={place.certificate}", f"--https-certificate-key-file={place.key}"]
            where = [f"--https-port={place.port}", f"--hostname=https://localhost:{place.port}", "--http-enabled=false"]
            trust = f"--truststore-paths={service.ca_file}"
            return ["sh", str(home / "bin/kc.sh"), "start-dev", "--import-realm", "--db=dev-mem", *where, *tls, trust]
        case _:
            return [sys.executable, str(Path(__file__).with_name("provider_with_authlib.py"))]


def _filled(template: Path, place: Place, service: RunningServer, folder: Path) -> Path:
    """Return a copy of a file with the place of provider and service."""
    text = template.read_text()
    known = {"SERVICE": service.base_url, "ISSUER": place.issuer, "PORT": str(place.port)}
    for word, value in {**known, "CERT": str(place.certificate), "KEY": str(place.key)}.items():
        text = text.replace(word, value)
    made = folder / template.name
    made.write_text(text)
    return made


def marks(name: str) -> list[pytest.MarkDecorator]:
    """Return the marks of a test with this provider: it takes minutes to build, and its tool."""
    return [pytest.mark.long, needs(PROGRAMS[name].tool)]
