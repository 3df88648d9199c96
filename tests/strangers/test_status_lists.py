"""PyJWT, which knows nothing of us but an address, learns of each kind of revocation from the status list alone.

draft-ietf-oauth-status-list §8.3, threats §7.
"""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.conftest import StartServer
from tests.running import RunningServer
from tests.strangers.provider import Provider
from tests.strangers.status_with_pyjwt import StatusLists
from tests.strangers.verify_with_pyjwt import Verifier

TTL = 30
"""Seconds, as `docs/verifying.md` promises."""

PASSWORD = "correct horse battery"

Tokens = dict[str, str]
Deed = Callable[["Somebody"], None]


class Somebody:
    """An application and an account of its own, logged in, so that what ends one leaves the others."""

    def __init__(self, server: RunningServer, name: str) -> None:
        self.server, self.name = server, name
        self.application: dict[str, str] = json.loads(self.command("app", "create", name, "--json"))
        self.command("account", "create", name, "--type", "user", "--password-stdin", stdin=f"{PASSWORD}\n")
        login = {"username": name, "password": PASSWORD}
        self.tokens: Tokens = self.ask("token", {"content-type": "application/json"}, json.dumps(login)).json()

    def command(self, *arguments: str, stdin: str = "") -> str:
        done = self.server.command(*arguments, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def ask(self, path: str, headers: dict[str, str], body: str = "") -> Any:
        credentials = {name: self.application[name] for name in ("client_id", "client_secret")}
        return self.server.client.post(f"/oauth2/v1/{path}", headers=credentials | headers, content=body)

    def refresh(self) -> Any:
        spent = {"grant_type": "refresh_token", "refresh_token": self.tokens["refresh_token"]}
        return self.ask("token", spent)


def _revoke(which: str) -> Deed:
    def revoke(somebody: Somebody) -> None:
        assert somebody.ask("revokeToken", {"token": somebody.tokens[which]}).status_code == 200

    return revoke


def _reuse(somebody: Somebody) -> None:
    assert somebody.refresh().status_code == 200
    assert somebody.refresh().status_code == 401


def _by_command(*arguments: str, stdin: str = "") -> Deed:
    """The name of the account and its application's id stand where NAME and ID are."""

    def command(somebody: Somebody) -> None:
        known = {"NAME": somebody.name, "ID": somebody.application["client_id"]}
        somebody.command(*(known.get(each, each) for each in arguments), stdin=stdin)

    return command


ENDS: dict[str, Deed] = {
    "access-token-revoked": _revoke("access_token"),
    "refresh-token-revoked": _revoke("refresh_token"),
    "refresh-token-reused": _reuse,
    "account-suspended": _by_command("account", "status", "NAME", "suspended"),
    "password-changed": _by_command(
        "account", "set-password", "NAME", "--password-stdin", stdin="another horse battery\n"
    ),
    "application-disabled": _by_command("app", "set", "ID", "--disable"),
}


@pytest.fixture
def server(start_server: StartServer) -> RunningServer:
    return start_server(CREDENCE_STATUS_LIST="true", CREDENCE_REFRESH_RETRY_WINDOW_SECONDS="0")


def test_every_way_to_end_a_token_is_learnt_from_the_list(server: RunningServer) -> None:
    """The signature stays good; the list says no when its `ttl` has passed, and goes on saying yes to the others."""
    provider = Provider(server)
    verifier = Verifier(provider.issuer, provider.issuer, provider.trust)
    lists = StatusLists(provider.issuer, verifier.keys, provider.trust)
    people = {name: Somebody(server, name) for name in (*ENDS, "bystander")}

    def revoked() -> set[str]:
        return {
            name
            for name, somebody in people.items()
            if lists.is_revoked(verifier.claims(somebody.tokens["access_token"]))
        }

    assert revoked() == set()
    for name, deed in ENDS.items():
        deed(people[name])
    time.sleep(TTL + 1)
    assert revoked() == set(ENDS)
