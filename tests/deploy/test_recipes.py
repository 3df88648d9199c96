"""The recipes of `deploy/` with the real programs, end to end (threats P11, P12, P13, P17, A9, E6)."""

import json
import re
import socket
import ssl
import subprocess
from contextlib import ExitStack, suppress
from pathlib import Path

import httpx
import pytest

from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.deploy.conftest import Site
from tests.deploy.proxies import filled_in, missing
from tests.deploy.recipes import MANY_NODES, RECIPES, Ports, Recipe

FRAMINGS = {
    "length and chunked": ("Content-Length: {n}\r\nTransfer-Encoding: chunked\r\n", ""),
    "chunked and length": ("Transfer-Encoding: chunked\r\nContent-Length: {m}\r\n", "5\r\nabcde"),
    "two lengths": ("Content-Length: {n}\r\nContent-Length: {m}\r\n", ""),
    "a list of lengths": ("Content-Length: {n}, {m}\r\n", ""),
    "a signed length": ("Content-Length: +{n}\r\n", ""),
    "an unknown coding": ("Transfer-Encoding: xchunked\r\n", "0\r\n\r\n"),
    "chunked not last": ("Transfer-Encoding: chunked, identity\r\n", "0\r\n\r\n"),
    "a blank before the colon": ("Transfer-Encoding : chunked\r\n", "0\r\n\r\n"),
    "a vertical tab": ("Transfer-Encoding:\x0bchunked\r\n", "0\r\n\r\n"),
    "a bare line feed": ("X: y\nContent-Length: {m}\r\n", ""),
    "a bare carriage return": ("X: y\rContent-Length: {m}\r\n", "x"),
    "a folded line": ("X: y\r\n Content-Length: {n}\r\n", "x"),
    "a chunk that does not end": ("Transfer-Encoding: chunked\r\n", "5\r\nabcdeXX0\r\n\r\n"),
    "a chunk size with a sign": ("Transfer-Encoding: chunked\r\n", "+5\r\nabcde\r\n0\r\n\r\n"),
    "a chunk size too long for a number": ("Transfer-Encoding: chunked\r\n", "fffffffffffffffff0\r\nx\r\n0\r\n\r\n"),
}
"""Head fields and the begin of the body. {n} is the length of an innocent body, {m} that of body and canary."""


@pytest.mark.parametrize("recipe", [RECIPES["haproxy"], MANY_NODES["haproxy"]], ids=["one node", "many nodes"])
def test_haproxy_reads_its_recipes_without_a_remark(recipe: Recipe, tmp_path: Path) -> None:
    if missing(recipe):
        pytest.skip(missing(recipe) or "")
    tls = tmp_path / "tls"
    chain, key = ensure_certificates(tls, "127.0.0.1")
    (tls / "chain-and-key.pem").write_bytes(chain.read_bytes() + key.read_bytes())
    (tls / "nodes-ca.pem").write_bytes(authority_file(tls).read_bytes())
    files = filled_in(recipe, tmp_path, recipe.changes(tls, Ports(1, 2, (3, 4, 5))))
    done = subprocess.run([*recipe.command(files), "-c"], capture_output=True, text=True, check=False)
    assert (done.returncode, "ALERT" in done.stderr, "WARNING" in done.stderr) == (0, False, False), done.stderr


def test_a_token_a_report_and_a_revocation_pass_as_the_specification_writes_them(site: Site) -> None:
    """threats P17: names with underscores and all."""
    login = {"username": site.server.username, "password": site.server.password}
    tokens = site.client.post("/oauth2/v1/token", headers=site.server.client_headers, json=login).json()
    refreshed = site.client.post(
        "/oauth2/v1/token",
        headers={
            **site.server.client_headers,
            "grant_type": "refresh_token",
            "refresh_token": tokens["refresh_token"],
        },
    ).json()
    assert report(site, refreshed["access_token"]).status_code == 200
    revoked = site.client.post(
        "/oauth2/v1/revokeToken", headers={**site.server.client_headers, "token": refreshed["refresh_token"]}
    )
    assert (revoked.status_code, revoked.json()) == (200, {})
    assert report(site, refreshed["access_token"]).status_code == 401


def test_the_request_that_the_next_test_hides_works_in_the_open(site: Site) -> None:
    token = a_token(site)
    received = talk(site, canary(site, token).encode())
    assert b"HTTP/1.1 200" in received
    assert report(site, token).status_code == 401


@pytest.mark.parametrize("framing", FRAMINGS)
def test_no_framing_smuggles_a_request_through(site: Site, framing: str) -> None:
    """threats P11: the hidden request would revoke a token. The token lives on, and so do proxy and service."""
    token = a_token(site)
    hidden = canary(site, token)
    fields, begin = FRAMINGS[framing]
    body = begin or json.dumps({"username": "x"})
    fields = fields.format(n=len(body), m=len(body) + len(hidden))
    head = f"POST /oauth2/v1/token HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n{fields}\r\n"
    received = talk(site, (head + body + hidden).encode("latin-1"))
    assert not re.search(rb"HTTP/1\.1 (200|500)", received)
    assert site.client.get("/readyz").status_code == 200
    assert report(site, token).status_code == 200


@pytest.mark.parametrize("forged", ["192.0.2.1", "192.0.2.1, 127.0.0.1", "127.0.0.1, 192.0.2.1"])
@pytest.mark.parametrize("name", ["X-Forwarded-For", "x-forwarded-for", "Forwarded", "X-Real-IP", "True-Client-IP"])
def test_nobody_forges_an_address(site: Site, name: str, forged: str) -> None:
    """threats A9: the caller is on this machine, whatever it says."""
    times = 2 if name.lower() in {"x-forwarded-for", "forwarded"} else 1  # others that come twice are refused
    seen = site.client.get("/callerz", headers=[(name, forged)] * times).json()
    assert (seen["caller"], seen["forwarded"]) == ("loopback", "believed")


@pytest.mark.parametrize(
    ("path", "status"), [("/livez", 200), ("//livez", 404), ("/%6civez", 404), ("/x/..%2flivez", 404), ("/livez/", 404)]
)
def test_paths_arrive_as_they_were_sent(site: Site, path: str, status: int) -> None:
    """threats P12: no proxy decodes a path into a route."""
    received = talk(site, f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".encode())
    assert re.findall(rb"HTTP/1\.1 (\d{3})", received) == [str(status).encode()]


def test_the_answers_keep_their_headers(site: Site) -> None:
    """threats A12, E5: nothing is added for other origins, nothing becomes cacheable."""
    reply = site.client.post("/oauth2/v1/token", headers={"Origin": "https://evil.example"}, json={})
    assert reply.headers["cache-control"] == "no-store"
    assert reply.headers["x-content-type-options"] == "nosniff"
    assert not [name for name in reply.headers if name.startswith("access-control")]


def test_plain_http_is_sent_to_https(site: Site) -> None:
    reply = httpx.get(f"http://localhost:{site.ports.plain}/livez", trust_env=False)
    assert reply.status_code in {301, 308}
    assert reply.headers["location"].startswith("https://localhost")


def test_who_holds_many_connections_without_tls_keeps_nobody_out(site: Site) -> None:
    """threats P13: what the port that only redirects may hold is not taken from the callers."""
    with ExitStack() as held:
        for _ in range(300):
            with suppress(ConnectionError):
                held.enter_context(socket.create_connection(("127.0.0.1", site.ports.plain), timeout=5))
        trusted = ssl.create_default_context(cafile=site.ca_file)
        with httpx.Client(transport=httpx.HTTPTransport(trusted, local_address="127.0.0.2"), timeout=8) as another:
            assert another.get(f"https://localhost:{site.ports.public}/livez").status_code == 200


def a_token(site: Site) -> str:
    login = {"username": site.server.username, "password": site.server.password}
    reply = site.client.post("/oauth2/v1/token", headers=site.server.client_headers, json=login)
    return str(reply.json()["access_token"])


def canary(site: Site, token: str) -> str:
    """A request that revokes the token, as bytes on the wire."""
    credentials = "".join(f"{name}: {value}\r\n" for name, value in site.server.client_headers.items())
    head = f"POST /oauth2/v1/revokeToken HTTP/1.1\r\nHost: localhost\r\n{credentials}token: {token}\r\n"
    return f"{head}Content-Length: 0\r\n\r\n"


def report(site: Site, token: str) -> httpx.Response:
    return site.client.get(
        f"/risk/business/v1/registeredcompanycredit/{site.server.company_number}",
        headers={"Authorization": f"Bearer {token}"},
    )


def talk(site: Site, sent: bytes) -> bytes:
    """Send bytes and return what comes back until the proxy closes or is silent for two seconds."""
    context = ssl.create_default_context(cafile=site.ca_file)
    received = b""
    plain = socket.create_connection(("127.0.0.1", site.ports.public), timeout=2)
    with plain, context.wrap_socket(plain, server_hostname="localhost") as connection:
        try:
            connection.sendall(sent)
            while piece := connection.recv(65_536):
                received += piece
        except OSError:  # silence or a reset: what came until then is what came
            pass
    return received
