"""The drills of `docs/incidents.md`: an attacker has what the heading says, and the printed commands shut them out.

Each line of the page runs as it is printed, with its variables filled in, and no block of commands is left out.
"""

from pathlib import Path

import jwt
import pytest

from credence.crypto.sealing import Unsealable
from credence.oauth.keys.secrets import load_secrets
from tests.conftest import StartServer
from tests.journeys.drills import SECTIONS, Drill, choose, forged_like, keys, link_in, manages, secret_in, stolen_link
from tests.ports import free_port
from tests.running import run_command
from tests.waiting import wait_until

DRILLED = {
    "Before it happens",
    "A client's secret leaked",
    "A signing key leaked",
    "The database or a backup was copied",
    "An operator's machine was stolen",
    "A person's account was taken over",
}


@pytest.fixture
def drill(start_server: StartServer, tmp_path: Path) -> Drill:
    return Drill(start_server, tmp_path)


def test_every_section_with_commands_has_a_drill() -> None:
    assert {title for title, blocks in SECTIONS.items() if blocks} == DRILLED


def test_a_clients_secret_leaked(drill: Drill) -> None:
    section = "A client's secret leaked"
    client_id, secret = drill.make("--grant", "client_credentials", "--scope", "credit:report")
    drill.names["CLIENT_ID"] = client_id
    stolen = drill.token(client_id, secret, grant_type="client_credentials").json()["access_token"]
    others = drill.server.tokens()["access_token"]
    assert drill.is_good(stolen)
    wait_until((drill.server.data_dir / "requests" / "requests.sqlite").exists, 10)
    drill.do("Before it happens", 0)

    drill.do(section, 0)
    assert not drill.is_good(stolen)
    assert drill.token(client_id, secret, grant_type="client_credentials").status_code == 401
    new = secret_in(drill.do(section, 1))
    assert drill.token(client_id, secret, grant_type="client_credentials").status_code == 401
    assert not drill.is_good(stolen)
    renewed = drill.token(client_id, new, grant_type="client_credentials").json()["access_token"]
    assert drill.is_good(renewed)
    assert drill.is_good(others)

    wait_until(
        lambda: "client.mismatch" in run_command("log", f"client:{client_id}", **drill.server.variables).stdout, 10
    )
    found = drill.do(section, 2)
    for text in (
        "127.0.0.1",
        "client.mismatch",
        '"disabled":{"before":false,"after":true}',
        '"act":"app rotate-secret"',
        "credit:report",
    ):
        assert text in found, text
    assert secret not in found
    evidence = Path(drill.names["EVIDENCE"])
    assert (evidence / "audit" / "audit.jsonl").is_file()
    assert (evidence / "requests" / "requests.sqlite").is_file()
    assert drill.left(section) == set()
    assert drill.left("Before it happens") == set()


def test_a_signing_key_leaked(drill: Drill) -> None:
    section = "A signing key leaked"
    tokens = drill.server.tokens()
    kid = jwt.get_unverified_header(tokens["access_token"])["kid"]
    forged = forged_like(drill, tokens["access_token"], kid, drill.server.service_username)
    assert drill.is_good(forged)

    drill.names["KID"] = kid
    assert kid in drill.do(section, 0)
    assert not drill.is_good(forged)
    assert not drill.is_good(tokens["access_token"])
    renewed = drill.server.client.post(
        "/oauth2/v1/token",
        headers=drill.server.client_headers | {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"]},
    ).json()
    assert drill.is_good(renewed["access_token"])
    assert kid not in {each["kid"] for each in drill.server.client.get("/oauth2/v1/keys").json()["keys"]}

    revoked = "reason:token.key_revoked"
    wait_until(lambda: run_command("log", revoked, **drill.server.variables).stdout.count("token.key_revoked") >= 2, 10)
    assert drill.do(section, 1).count("token.key_revoked") >= 3
    assert drill.left(section) == set()


def test_a_copy_of_the_database_is_worth_nothing_without_its_key_which_is_replaced(drill: Drill) -> None:
    section = "The database or a backup was copied"
    tokens = drill.server.tokens()
    old = drill.in_store(keys)
    drill.do(section, 0)
    assert drill.is_good(tokens["access_token"])
    assert drill.server.tokens()
    with pytest.raises(Unsealable):
        drill.in_store(lambda store, _keks, settings: load_secrets(store, old, settings.environment))
    assert drill.left(section) == {1, 2, 3}


def test_the_database_was_copied_with_its_key(drill: Drill) -> None:
    section = "The database or a backup was copied"
    server = drill.server
    tokens = server.tokens()
    kid = jwt.get_unverified_header(tokens["access_token"])["kid"]
    forged = forged_like(drill, tokens["access_token"], kid, server.service_username)
    old, link = drill.in_store(keys), drill.in_store(stolen_link(server.username))
    assert drill.is_good(forged)
    assert "Choose a password" in server.client.get(link).text

    drill.do(section, 1)
    server = drill.server
    assert not drill.is_good(forged)
    assert not drill.is_good(tokens["access_token"])
    assert "This link does not work" in server.client.get(link).text
    old_secret = {"username": server.username, "password": server.password}
    refused = server.client.post("/oauth2/v1/token", headers=server.client_headers, json=old_secret)
    assert refused.status_code == 401
    with pytest.raises(Unsealable):
        drill.in_store(lambda store, _keks, settings: load_secrets(store, old, settings.environment))

    drill.names["CLIENT_ID"] = server.client_id
    given = drill.do(section, 2)
    headers = {"client_id": server.client_id, "client_secret": secret_in(given)}
    login = server.client.post("/oauth2/v1/token", headers=headers, json=old_secret)
    assert drill.is_good(login.json()["access_token"])
    assert choose(server, link_in(given), "four unrelated words are enough") == 200
    assert server.client.post("/oauth2/v1/token", headers=headers, json=old_secret).status_code == 401
    found = drill.do(section, 3)
    assert server.client_id in found
    assert kid not in found
    assert drill.left(section) == {0}


def test_an_operators_machine_was_stolen(start_server: StartServer, tmp_path: Path) -> None:
    section = "An operator's machine was stolen"
    drill = Drill(start_server, tmp_path, CREDENCE_MANAGE_PORT=str(free_port()))
    drill.names["USERNAME"] = "operator"
    scopes = ("manage:read", "manage:applications")
    options = [
        "--grant",
        "password",
        "--grant",
        "refresh_token",
        *(word for each in scopes for word in ("--scope", each)),
    ]
    client_id, secret = drill.make(*options)
    who = {"grant_type": "password", "username": "operator", "password": drill.server.password}
    resource = f"{drill.server.base_url}/manage/v1"
    stolen = drill.token(client_id, secret, scope=" ".join(scopes), resource=resource, **who).json()
    assert manages(drill, stolen["access_token"]) == 200
    assert manages(drill, stolen["access_token"], {"name": "Back door"}) == 201

    drill.do(section, 0)
    wait_until(lambda: manages(drill, stolen["access_token"]) == 401, 5)
    refresh = {"grant_type": "refresh_token", "refresh_token": stolen["refresh_token"]}
    assert drill.token(client_id, secret, **refresh).status_code == 400
    link = link_in(drill.do(section, 1))
    assert manages(drill, stolen["access_token"]) == 401
    assert drill.token(client_id, secret, scope="manage:read", resource=resource, **who).status_code == 400
    assert choose(drill.server, link, "four unrelated words are enough") == 200
    chosen = who | {"password": "four unrelated words are enough"}
    own = drill.token(client_id, secret, scope="manage:read", resource=resource, **chosen).json()["access_token"]
    assert manages(drill, own) == 403  # until the role is given back
    assert "Back door" in drill.do(section, 2)
    assert drill.left(section) == set()


def test_a_persons_account_was_taken_over(drill: Drill) -> None:
    section = "A person's account was taken over"
    server = drill.server
    stolen = server.tokens()
    assert drill.is_good(stolen["access_token"])

    drill.do(section, 0)
    assert not drill.is_good(stolen["access_token"])
    body = {"username": server.username, "password": server.password}
    assert server.client.post("/oauth2/v1/token", headers=server.client_headers, json=body).status_code == 401
    link = link_in(drill.do(section, 1))
    assert server.client.post("/oauth2/v1/token", headers=server.client_headers, json=body).status_code == 401
    assert choose(server, link, "four unrelated words are enough") == 200
    body["password"] = "four unrelated words are enough"
    assert server.client.post("/oauth2/v1/token", headers=server.client_headers, json=body).status_code == 200
    assert not drill.is_good(stolen["access_token"])
    found = drill.do(section, 2)
    for text in ("127.0.0.1", "account.suspended", '"after":"suspended"', '"act":"account reset-link"'):
        assert text in found, text
    assert drill.left(section) == set()
