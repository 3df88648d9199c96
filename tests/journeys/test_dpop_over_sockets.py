"""Bound tokens at a real server over TLS, on a store that outlives it (RFC 9449)."""

import json
import ssl
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from tests.conftest import StartServer
from tests.oauth.proving import Key, ath
from tests.running import RunningServer

TOKEN = "/oauth2/v1/token"


@pytest.fixture
def server(start_server: StartServer) -> RunningServer:
    return start_server()


class Client:
    def __init__(self, server: RunningServer) -> None:
        self.server = server
        self.address = server.base_url
        """The public address, wherever the server listens."""
        self.trusted = ssl.create_default_context(cafile=server.ca_file)
        self.key = Key()
        self.nonce: str | None = None
        self.serial = 0

    def proof(self, method: str, path: str, token: str | None = None) -> str:
        self.serial += 1
        said: dict[str, Any] = {
            "jti": str(self.serial),
            "htm": method,
            "htu": self.address + path,
            "iat": int(time.time()),
        }
        said |= {"nonce": self.nonce} if self.nonce else {}
        said |= {"ath": ath(token)} if token else {}
        return self.key.signed({"typ": "dpop+jwt", "alg": "ES256", "jwk": self.key.jwk}, said)

    def log_in(self, proof: str) -> httpx.Response:
        return self._send("POST", TOKEN, {"DPoP": proof})

    def report(self, token: str) -> httpx.Response:
        path = f"/risk/business/v1/registeredcompanycredit/{self.server.company_number}"
        return self._send("GET", path, {"Authorization": f"DPoP {token}", "DPoP": self.proof("GET", path, token)})

    def _send(self, method: str, path: str, headers: dict[str, str]) -> httpx.Response:
        server = self.server
        form = {"grant_type": "password", "username": server.username, "password": server.password}
        with httpx.Client(base_url=server.base_url, verify=self.trusted, trust_env=False) as http:
            if method == "POST":
                return http.post(path, data=form, auth=(server.client_id, server.client_secret), headers=headers)
            return http.get(path, headers=headers)


def bound_token(client: Client) -> str:
    told = client.log_in(client.proof("POST", TOKEN))
    assert (told.status_code, told.json()["error"]) == (400, "use_dpop_nonce")
    client.nonce = told.headers["DPoP-Nonce"]
    reply = client.log_in(client.proof("POST", TOKEN))
    assert reply.status_code == 200, reply.text
    token: str = reply.json()["access_token"]
    return token


def test_a_client_goes_on_after_a_restart_and_a_spent_proof_does_not(
    server: RunningServer, start_server: StartServer
) -> None:
    """RFC 9449 §11.1, threats F1: the key is the client's, and what was spent for a token stands in the store."""
    client = Client(server)
    token = bound_token(client)
    assert client.report(token).status_code == 200
    proof = client.proof("POST", TOKEN)
    assert client.log_in(proof).status_code == 200
    server.stop()
    client.server = start_server(data_dir=server.data_dir, CREDENCE_BASE_URL=server.base_url)
    assert client.log_in(proof).status_code == 400
    reply = client.report(token)
    if reply.status_code == 401:  # its nonce is from before
        client.nonce = reply.headers["DPoP-Nonce"]
        reply = client.report(token)
    assert reply.status_code == 200


def test_a_proof_gets_one_token(server: RunningServer) -> None:
    """RFC 9449 §11.1, threats L1: twenty connections at once, over TLS and a store on a disk."""
    client = Client(server)
    bound_token(client)
    proof = client.proof("POST", TOKEN)
    with ThreadPoolExecutor(20) as threads:
        replies = list(threads.map(client.log_in, [proof] * 20))
    assert sorted(reply.status_code for reply in replies) == [200] + [400] * 19


def test_a_command_shows_what_a_token_is_bound_to(server: RunningServer) -> None:
    """RFC 7800 §3.1: the operator sees the key, and that the token is good, without having the key."""
    client = Client(server)
    token = bound_token(client)
    done = server.command("token", "inspect", token, "--json")
    said = json.loads(done.stdout)
    assert (said["state"], said["cnf"]) == ("valid", {"jkt": client.key.thumbprint})


def test_an_application_is_held_to_proofs_by_a_command(server: RunningServer) -> None:
    """RFC 9449 §5.2: for the very next request, in the house dialect too."""
    assert server.tokens()
    assert server.command("app", "set", server.client_id, "--dpop-required").returncode == 0
    login = {"username": server.username, "password": server.password}
    refused = server.client.post(TOKEN, headers=server.client_headers, json=login)
    assert refused.status_code == 400
    assert bound_token(Client(server))
    assert server.command("app", "set", server.client_id, "--no-dpop-required").returncode == 0
    assert server.tokens()
