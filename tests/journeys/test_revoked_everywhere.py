"""Whatever ends a token ends it on every node within a second (threats L3, L8, §7), whichever node or command did it.

Each test holds a live token, ends it and asks all three nodes until each refuses it.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import psycopg
import pytest

from tests.nodes import nodes
from tests.postgres import database, postgres_server
from tests.running import RunningServer

WITHIN = 1.0
"""Seconds."""

NODES = 3

PASSWORD, NEW_PASSWORD = "correct horse battery", "another battery staple"


@dataclass(frozen=True)
class Deployment:
    """Three nodes, and the address of their database for who breaks something in it."""

    nodes: list[RunningServer]
    url: str

    @property
    def first(self) -> RunningServer:
        return self.nodes[0]

    def knocked_out(self, token: str, act: Callable[[], object]) -> None:
        """Let `act` end the token and hold every node to the bound; each of them knew it as live just before."""
        assert [node.report(token).status_code for node in self.nodes] == [200] * NODES
        act()
        deadline, alive = time.monotonic() + WITHIN, self.nodes
        while alive:
            sent = time.monotonic()  # a slow answer to a request from before the bound breaks nothing
            alive = [node for node in alive if node.report(token).status_code == 200]
            assert not alive or sent < deadline
        assert [node.report(token).status_code for node in self.nodes] == [401] * NODES

    def revoke(self, token: str) -> None:
        headers = {**self.first.client_headers, "token": token}
        assert self.first.client.post("/oauth2/v1/revokeToken", headers=headers).status_code == 200

    def refresh(self, token: str) -> int:
        headers = {**self.first.client_headers, "grant_type": "refresh_token", "refresh_token": token}
        return self.first.client.post("/oauth2/v1/token", headers=headers).status_code

    def with_account(self, username: str) -> RunningServer:
        """The first node, as a new account sees it."""
        self.command("account", "create", username, "--type", "user", "--password-stdin", stdin=PASSWORD)
        return replace(self.first, username=username, password=PASSWORD)

    def command(self, *arguments: str, stdin: str = "") -> str:
        done = self.first.command(*arguments, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployment]:
    """Without a retry window the second use of a refresh token is reuse."""
    folder: Path = tmp_path_factory.mktemp("nodes")
    with (
        postgres_server() as server,
        database(server.url) as url,
        nodes(folder, url, NODES, CREDENCE_REFRESH_RETRY_WINDOW_SECONDS="0") as running,
    ):
        yield Deployment(running, url)


def test_an_access_token_that_was_revoked(deployment: Deployment) -> None:
    token = deployment.first.tokens()["access_token"]
    deployment.knocked_out(token, lambda: deployment.revoke(token))


def test_the_access_token_of_a_family_that_was_revoked(deployment: Deployment) -> None:
    tokens = deployment.first.tokens()
    deployment.knocked_out(tokens["access_token"], lambda: deployment.revoke(tokens["refresh_token"]))


def test_the_access_token_of_a_family_whose_refresh_token_was_used_twice(deployment: Deployment) -> None:
    tokens = deployment.first.tokens()
    assert deployment.refresh(tokens["refresh_token"]) == 200

    def reuse() -> None:
        assert deployment.refresh(tokens["refresh_token"]) == 401

    deployment.knocked_out(tokens["access_token"], reuse)


def test_the_access_token_of_an_account_that_a_command_suspends(deployment: Deployment) -> None:
    """D14."""
    client = deployment.with_account("grace@example.com")
    token = client.tokens()["access_token"]
    deployment.knocked_out(token, lambda: deployment.command("account", "status", client.username, "suspended"))


def test_the_access_token_of_an_account_that_was_given_a_new_password(deployment: Deployment) -> None:
    client = deployment.with_account("mary@example.com")
    token = client.tokens()["access_token"]
    change = ("account", "set-password", client.username, "--password-stdin")
    deployment.knocked_out(token, lambda: deployment.command(*change, stdin=NEW_PASSWORD))


def test_the_access_token_of_an_application_that_was_disabled(deployment: Deployment) -> None:
    made = json.loads(deployment.command("app", "create", "Ledger", "--json"))
    client = replace(deployment.first, client_id=made["client_id"], client_secret=made["client_secret"])
    token = client.tokens()["access_token"]
    deployment.knocked_out(token, lambda: deployment.command("app", "set", client.client_id, "--disable"))


def test_an_access_token_whose_node_was_deaf_to_notices_when_it_was_revoked(deployment: Deployment) -> None:
    """The connections that listen are closed as the token is revoked: a look finds what no notice brought."""
    token = deployment.first.tokens()["access_token"]
    close = (
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
        "WHERE application_name = 'credence' AND (query LIKE 'LISTEN%' OR query LIKE '%FROM log_head')"
    )

    def revoke_unheard() -> None:
        with psycopg.connect(deployment.url, autocommit=True) as administrator:
            closed = administrator.execute(close).fetchall()
        assert len(closed) >= NODES
        deployment.revoke(token)

    deployment.knocked_out(token, revoke_unheard)


def test_an_access_token_whose_signing_key_was_revoked(deployment: Deployment) -> None:
    """threats K5. Last here: it ends every token of this deployment."""
    token = deployment.first.tokens()["access_token"]
    keys = json.loads(deployment.command("keys", "list", "--json"))
    (kid,) = [key["kid"] for key in keys if key["algorithm"] == "RS256" and key["state"] == "signing"]
    deployment.knocked_out(token, lambda: deployment.command("keys", "revoke", kid))
