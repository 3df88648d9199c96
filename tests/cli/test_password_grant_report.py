"""`credence app report` names who still uses the password grant (RFC 9700 §2.4), and its page shows commands that run."""

import asyncio
import json
import re
import shlex
import subprocess
from pathlib import Path

import msgspec
import pytest

from credence.cli.output import instant
from credence.clock import system_clock
from credence.store.families import SignIn
from credence.store.records import TokenFamily
from credence.store.sqlite.store import SqliteStore
from tests.cli.deployment import Deployment
from tests.running import RunningServer, clean_environment

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "leaving-the-password-grant.md").read_text(encoding="utf-8")


def log_in(deployment: Deployment, client_id: str, *ages: int, signed_in: bool = False) -> int:
    """Open a login or sign-in of ada for each age, in milliseconds, and return when the newest was opened."""
    now = system_clock() - 1_000

    async def act() -> None:
        store = SqliteStore(deployment.data_dir / "credence.sqlite")
        account = await store.account("ada")
        assert account is not None
        await store.save_account(msgspec.structs.replace(account, version=account.version + 1), now)
        for age in ages:
            opened_at, expires_at = now - age, now - age + 3_600_000
            family = TokenFamily(
                expires_at.to_bytes(6, "big") + age.to_bytes(16, "big"),
                client_id,
                "ada",
                "",
                opened_at,
                expires_at,
                opened_at,
                60,
                "k1",
            )
            sign_in = SignIn(family.id, b"", client_id, "ada", opened_at, "pwd", offline=True)
            await store.open_family(family, account, sign_in if signed_in else None)
        await store.close()

    asyncio.run(act())
    return now - min(ages)


def test_those_that_may_and_those_that_did_are_named(deployment: Deployment) -> None:
    used = deployment.json("app", "create", "Used")["client_id"]
    unused = deployment.json("app", "create", "Unused")["client_id"]
    deployment.json("app", "create", "Off it", "--grant", "client_credentials")
    deployment.create_account()
    newest = log_in(deployment, used, 5_000, 60_000, 4_000_000)
    rows = {row["name"]: row for row in deployment.json("app", "report")}
    no_sign_ins = {"last_sign_in": None, "live_sign_ins": 0}
    assert rows == {
        "Used": {
            "client_id": used,
            "name": "Used",
            "state": "password",
            "allowed": True,
            "last_login": instant(newest),
            "live_logins": 2,  # the third is older than its hour
            **no_sign_ins,
        },
        "Unused": {
            "client_id": unused,
            "name": "Unused",
            "state": "unused",
            "allowed": True,
            "last_login": None,
            "live_logins": 0,
            **no_sign_ins,
        },
    }


def test_an_application_moves_step_by_step(deployment: Deployment) -> None:
    """As the page has it: both grants, then sign-ins alone, then no login left."""
    client_id = deployment.json("app", "create", "Ledger")["client_id"]
    deployment.create_account()

    def state() -> tuple[object, ...]:
        (row,) = deployment.json("app", "report")
        return row["state"], row["allowed"], row["live_logins"], row["live_sign_ins"]

    log_in(deployment, client_id, 60_000)
    assert state() == ("password", True, 1, 0)
    code = ("--grant", "authorization_code", "--redirect-uri", "https://ledger.example.com/callback")
    deployment.json("app", "set", client_id, "--grant", "password", *code)
    newest = log_in(deployment, client_id, 5_000, 70_000, signed_in=True)
    assert state() == ("moving", True, 1, 2)
    (row,) = deployment.json("app", "report")
    assert row["last_sign_in"] == instant(newest) > row["last_login"]
    deployment.json("app", "set", client_id, "--grant", "authorization_code")
    assert state() == ("ending", False, 1, 2)


@pytest.mark.parametrize(
    "grant", ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"], ids=["code", "device"]
)
def test_an_application_that_has_left_the_grant_has_moved(deployment: Deployment, grant: str) -> None:
    options = ("--redirect-uri", "https://ledger.example.com/callback") if grant == "authorization_code" else ()
    client_id = deployment.json("app", "create", "Ledger", "--grant", grant, *options)["client_id"]
    deployment.create_account()
    log_in(deployment, client_id, 5_000, signed_in=True)
    (row,) = deployment.json("app", "report")
    assert (row["state"], row["last_login"], row["live_logins"], row["live_sign_ins"]) == ("moved", None, 0, 1)


def test_an_application_off_the_grant_is_named_until_its_last_login_ends(deployment: Deployment) -> None:
    """Taking the grant away leaves the logins of before, which refresh (RFC 6749 §6)."""
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    deployment.create_account()
    log_in(deployment, client_id, 5_000)
    deployment.json("app", "set", client_id, "--grant", "refresh_token")
    (row,) = deployment.json("app", "report")
    assert (row["state"], row["allowed"], row["live_logins"]) == ("ending", False, 1)
    deployment.json("app", "set", client_id, "--disable")
    assert deployment.json("app", "report") == []


def test_a_person_is_led_to_the_page_and_told_when_there_is_nothing_left(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    assert "docs/leaving-the-password-grant.md" in deployment.run("app", "report").stdout
    deployment.json("app", "set", client_id, "--grant", "client_credentials")
    said = deployment.run("app", "report").stdout
    assert said == "No application may use the password grant, and no one signs in to one.\n"


def test_every_command_on_the_page_runs(deployment: Deployment) -> None:
    """In the order of the page, on a deployment with one application and one account."""
    client_id = deployment.json("app", "create", "Ledger")["client_id"]
    deployment.create_account()
    lines = [line for block in re.findall(r"```\n(.+?)```", PAGE, re.DOTALL) for line in block.splitlines()]
    commands = [line for line in lines if line.startswith("credence ")]
    assert commands
    for line in commands:
        words = shlex.split(re.split(r"\s{3,}", line)[0].replace("CLIENT_ID", client_id))
        done = deployment.run(*words[1:])
        assert done.returncode == 0, (line, done.stderr)


def test_every_request_on_the_page_gets_a_token(sandbox: RunningServer) -> None:
    """With curl itself, over HTTPS, from an application that has just left the grant."""
    grants = ("client_credentials", "urn:ietf:params:oauth:grant-type:token-exchange")
    options = [word for grant in grants for word in ("--grant", grant)]
    made = json.loads(sandbox.command("app", "create", "Ledger", *options, "--json").stdout)
    variables = {
        "CLIENT_ID": made["client_id"],
        "CLIENT_SECRET": made["client_secret"],
        "ACCESS_TOKEN": sandbox.tokens()["access_token"],
    }
    lines = re.findall(r"^curl .+$", PAGE, re.MULTILINE)
    assert len(lines) == len(grants)
    for line in lines:
        command = line.replace("https://localhost:8443", sandbox.base_url)
        done = subprocess.run(
            ["sh", "-c", f"{command} --silent --noproxy '*' --cacert '{sandbox.ca_file}'"],
            env={**clean_environment(), **variables},
            capture_output=True,
            check=True,
        )
        assert sandbox.report(json.loads(done.stdout)["access_token"]).status_code == 200
