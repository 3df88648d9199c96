"""`credence app invite` (RFC 7591 §3): what it prints is good for what was said, at a real server."""

import asyncio
import json
import ssl
from typing import Any

import httpx
import pytest

from credence.cli.deployment import digest_key, opened, settings_of
from credence.oauth.parameters.scopes import SCOPES
from credence.oauth.registration.invitation import Invitation, read
from tests.cli.deployment import Deployment
from tests.conftest import StartServer


def digest_key_of(deployment: Deployment) -> bytes:
    async def act() -> bytes:
        settings = settings_of(deployment.data_dir)
        async with opened(settings) as store:
            return await digest_key(settings, store)

    return asyncio.run(act())


def kept(deployment: Deployment, token: str, now: int) -> Invitation | None:
    return read("sbx", digest_key_of(deployment), token, now)


def test_an_invitation_holds_what_was_typed(deployment: Deployment) -> None:
    deployment.json("app", "create", "Shop")
    options = ("--uses", "2", "--expires", "60", "--grant", "refresh_token", "--scope", "openid", "--resource", "urn:b")
    printed = deployment.json("app", "invite", *options)
    invitation = kept(deployment, printed["initial_access_token"], 0)
    assert invitation is not None
    assert (invitation.uses, invitation.grants, invitation.scopes) == (2, ("refresh_token",), ("openid",))
    assert invitation.audiences == ("urn:b",)
    assert kept(deployment, printed["initial_access_token"], invitation.expires_at) is None


def test_an_application_gets_the_client_credentials_grant_and_every_scope_unless_told_otherwise(
    deployment: Deployment,
) -> None:
    deployment.json("app", "create", "Shop")
    printed = deployment.json("app", "invite")
    assert (printed["grants"], printed["scopes"], printed["uses"]) == (["client_credentials"], list(SCOPES), 1)


def test_a_person_reads_that_registration_is_off(deployment: Deployment) -> None:
    deployment.json("app", "create", "Shop")
    assert "Registration is off" in deployment.run("app", "invite").stdout
    assert "registration is off" not in deployment.run("app", "invite", CREDENCE_REGISTRATION="on").stdout


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("--grant", "implicit"), "There is no grant 'implicit'"),
        (("--scope", "admin"), "There is no scope 'admin'"),
        (("--uses", "21"), "less than or equal to 20"),
        (("--uses", "0"), "greater than or equal to 1"),
        (("--expires", "2592001"), "less than or equal to 2592000"),
    ],
)
def test_what_cannot_be_is_said_in_one_line(deployment: Deployment, arguments: tuple[str, ...], line: str) -> None:
    deployment.json("app", "create", "Shop")
    said = deployment.refused("app", "invite", *arguments)
    assert line in said


def test_what_is_set_by_command_is_the_operators_from_then_on(start_server: StartServer) -> None:
    """threats E10, through the program: invite, register over HTTPS, set, and a change that says otherwise."""
    server = start_server(CREDENCE_REGISTRATION="on")
    invited = json.loads(server.command("app", "invite", "--json").stdout)["initial_access_token"]

    def ask(method: str, url: str, token: str, metadata: dict[str, Any]) -> httpx.Response:
        with httpx.Client(verify=ssl.create_default_context(cafile=server.ca_file)) as client:
            return client.request(method, url, json=metadata, headers={"Authorization": f"Bearer {token}"})

    made = ask("POST", f"{server.base_url}/oauth2/v1/register", invited, {}).json()
    assert server.command("app", "set", made["client_id"], "--scope", "credit:report").returncode == 0
    token, url = made["registration_access_token"], made["registration_client_uri"]
    wider = ask("PUT", url, token, {"client_id": made["client_id"], "scope": "credit:search"})
    assert (wider.status_code, wider.json()["error"]) == (400, "invalid_client_metadata")
    same = ask("PUT", url, token, {"client_id": made["client_id"]})
    assert same.json()["scope"] == "credit:report"
