"""The recipes for a service behind a proxy that has each token checked, with the real nginx and Caddy."""

import base64
import json
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.deploy.proxies import missing, proxy
from tests.deploy.recipes import Ports, Recipe, run_nginx
from tests.ports import free_port
from tests.running import RunningServer, start

RECIPES = (
    Recipe(
        "nginx",
        ("nginx/forward-auth.conf",),
        lambda tls, ports: {
            "listen 443 ": f"listen 127.0.0.1:{ports.public} ",
            "service.example.com": "localhost",
            "/etc/service/chain.pem": f"{tls}/server.pem",
            "/etc/service/key.pem": f"{tls}/server-key.pem",
            "127.0.0.1:8443": f"127.0.0.1:{ports.nodes[0]}",
            "127.0.0.1:9000": f"127.0.0.1:{ports.nodes[1]}",
        },
        run_nginx,
    ),
    Recipe(
        "caddy",
        ("caddy/forward-auth.Caddyfile",),
        lambda tls, ports: {
            "admin off": f"admin off\n\thttp_port {ports.plain}",
            "\nservice.example.com {": f"\nhttps://localhost:{ports.public} {{",
            "/etc/service/chain.pem": f"{tls}/server.pem",
            "/etc/service/key.pem": f"{tls}/server-key.pem",
            "127.0.0.1:8443": f"127.0.0.1:{ports.nodes[0]}",
            "127.0.0.1:9000": f"127.0.0.1:{ports.nodes[1]}",
        },
        lambda files: ["caddy", "run", "--adapter", "caddyfile", "--config", str(files[0])],
    ),
)


class Echo(BaseHTTPRequestHandler):
    """A service that answers with what it received."""

    def do_GET(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length") or 0)).decode()
        text = json.dumps({"headers": {name.lower(): value for name, value in self.headers.items()}, "body": body})
        self.send_response(200)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    do_POST = do_GET  # noqa: N815 - the name that the server calls

    def log_message(self, *_arguments: object) -> None:
        """Print nothing."""


@dataclass(frozen=True)
class Guarded:
    """The service behind its proxy, and Credence."""

    client: httpx.Client
    credence: RunningServer

    def get(self, token: str | None, **headers: str) -> httpx.Response:
        return self.client.get("/things?a=b", headers=headers | ({"Authorization": f"Bearer {token}"} if token else {}))


@pytest.fixture(scope="module")
def credence(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    folder = tmp_path_factory.mktemp("credence")
    server = start(folder / "data", folder / "output.txt", "--http", CREDENCE_TRUSTED_PROXIES="127.0.0.1")
    yield server
    server.stop()


@pytest.fixture(scope="module", params=RECIPES, ids=lambda recipe: recipe.program)
def guarded(
    request: pytest.FixtureRequest, credence: RunningServer, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Guarded]:
    recipe: Recipe = request.param
    if reason := missing(recipe):
        pytest.skip(reason)
    service = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    port = credence.client.base_url.port
    assert port is not None
    ports = Ports(free_port(), free_port(), (port, service.server_port))
    folder: Path = tmp_path_factory.mktemp(recipe.program)
    with proxy(recipe, folder, ports) as authority:
        trust = ssl.create_default_context(cafile=authority)
        with httpx.Client(base_url=f"https://localhost:{ports.public}", verify=trust, trust_env=False) as client:
            yield Guarded(client, credence)
    service.shutdown()
    service.server_close()


def test_a_good_token_passes_and_the_service_reads_whose_it_is(guarded: Guarded) -> None:
    reply = guarded.get(guarded.credence.tokens()["access_token"])
    assert reply.status_code == 200
    seen = reply.json()["headers"]
    assert seen["x-auth-subject"] == guarded.credence.username
    assert seen["x-auth-client"] == guarded.credence.client_id
    assert "credit:report" in seen["x-auth-scope"].split()


def test_no_caller_names_itself(guarded: Guarded) -> None:
    """CGI and WSGI read X_Auth_Subject as X-Auth-Subject."""
    forged = {"X-Auth-Subject": "root", "X-Auth-Client": "other", "X-Auth-Scope": "everything"}
    forged |= {name.replace("-", "_"): value for name, value in forged.items()} | {"X-Auth_Subject": "root"}
    seen = guarded.get(guarded.credence.tokens()["access_token"], **forged).json()["headers"]
    assert seen["x-auth-subject"] == guarded.credence.username
    assert sum(name.replace("_", "-") == "x-auth-subject" for name in seen) == 1
    assert not {"root", "other", "everything"}.intersection(seen.values())


def test_a_body_reaches_the_service_and_not_credence(guarded: Guarded) -> None:
    bearer = {"Authorization": f"Bearer {guarded.credence.tokens()['access_token']}"}
    reply = guarded.client.post("/things", content=b"x" * 50_000, headers=bearer)
    assert (reply.status_code, len(reply.json()["body"])) == (200, 50_000)


@pytest.mark.parametrize("token", [None, "no-token"])
def test_without_a_good_token_the_caller_gets_401_and_the_challenge(guarded: Guarded, token: str | None) -> None:
    reply = guarded.get(token)
    assert reply.status_code == 401
    assert reply.headers["www-authenticate"].startswith("Bearer")


def test_a_revoked_token_is_refused_at_once(guarded: Guarded) -> None:
    """As introspection would, which answers 200 for it."""
    token = guarded.credence.tokens()["access_token"]
    assert guarded.get(token).status_code == 200
    headers = {**guarded.credence.client_headers, "token": token}
    assert guarded.credence.client.post("/oauth2/v1/revokeToken", headers=headers).status_code == 200
    assert guarded.get(token).status_code == 401


def test_a_token_without_the_scope_is_403_with_the_challenge(guarded: Guarded) -> None:
    made = guarded.credence.command(
        "app", "create", "Narrow", "--grant", "client_credentials", "--scope", "credit:search", "--json"
    )
    application = json.loads(made.stdout)
    pair = base64.b64encode(f"{application['client_id']}:{application['client_secret']}".encode()).decode()
    token = guarded.credence.client.post(
        "/oauth2/v1/token", data={"grant_type": "client_credentials"}, headers={"Authorization": f"Basic {pair}"}
    ).json()["access_token"]
    reply = guarded.get(token)
    assert reply.status_code == 403
    assert reply.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="credit:report"'
