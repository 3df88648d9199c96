"""`credence apply`: what a file says becomes so, once; a wrong one changes nothing (D30)."""

import asyncio
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.cli.apply import do_step
from credence.cli.deployment import acting
from credence.cli.exit_codes import ExitCode
from credence.cli.failure import explained
from credence.management.accounts import new_account
from credence.management.application_schema import ApplicationBody
from credence.management.applications import new_application
from credence.management.desired import Present, plan, read_desired
from credence.management.schema import AccountBody
from credence.management.site_applications import CONSOLE, SITES, register_site
from credence.settings import Settings
from credence.store.contract import Conflict
from credence.store.sqlite.store import SqliteStore
from tests.cli.deployment import Deployment
from tests.deployment import NOW

FILE = """
[applications.Ledger]
grants = ["client_credentials"]
scopes = ["credit:report"]
spike_per_minute = 120
rules = { networks = ["192.0.2.0/24"], windows = ["Mon-Fri 08:00-18:00"], time_zone = "Europe/London" }

[accounts.ada]
type = "user"
email = "ada@example.com"

[accounts.loader]
type = "service"
rules = { networks = ["198.51.100.7"] }
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "desired.toml"
    path.write_text(FILE)
    return path


def everything(deployment: Deployment) -> tuple[Any, Any]:
    return deployment.json("app", "list"), deployment.json("account", "list")


def test_applying_twice_changes_nothing_the_second_time(deployment: Deployment, file: Path) -> None:
    rows = deployment.json("apply", str(file))
    assert {(row["act"], row["kind"], row["name"]) for row in rows} == {
        ("create", "application", "Ledger"),
        ("create", "account", "ada"),
        ("create", "account", "loader"),
    }
    before = everything(deployment)
    assert deployment.json("apply", str(file)) == []
    assert everything(deployment) == before
    shown = deployment.json("app", "show", before[0][0]["client_id"])
    assert (shown["spike_per_minute"], shown["rules"]["windows"]) == (120, ["Mon-Fri 08:00-18:00"])
    assert shown["secrets"] == []
    assert deployment.json("account", "show", "ada")["email"] == "ada@example.com"


def test_drift_has_an_exit_code_of_its_own_and_is_put_right(deployment: Deployment, file: Path) -> None:
    assert deployment.run("migrate").returncode == ExitCode.DONE
    planned = deployment.run("apply", str(file), "--plan")
    assert planned.returncode == ExitCode.DRIFT
    assert everything(deployment) == ([], [])
    deployment.json("apply", str(file))
    assert deployment.run("apply", str(file), "--plan").returncode == ExitCode.DONE
    client_id = deployment.json("app", "list")[0]["client_id"]
    deployment.json("app", "set", client_id, "--spike-per-minute", "5")
    drift = deployment.run("apply", str(file), "--plan", "--json")
    assert drift.returncode == ExitCode.DRIFT
    (row,) = json.loads(drift.stdout)
    assert (row["member"], row["before"], row["after"]) == ("spike_per_minute", 5, 120)
    deployment.json("app", "set", client_id, "--inherit", "spike-per-minute")
    assert "spike_per_minute  default  120" in deployment.run("apply", str(file), "--plan").stdout
    deployment.json("apply", str(file))
    assert deployment.json("app", "show", client_id)["spike_per_minute"] == 120


def test_a_secret_is_neither_made_nor_ended(deployment: Deployment, file: Path) -> None:
    done = deployment.run("apply", str(file))
    client_id = deployment.json("app", "list")[0]["client_id"]
    assert f"credence app rotate-secret {client_id}" in done.stderr
    assert "credence account reset-link ada" in done.stderr
    made = deployment.json("app", "rotate-secret", client_id)
    assert made["client_secret"] not in done.stdout + done.stderr
    file.write_text(FILE.replace("120", "121"))
    deployment.json("apply", str(file))
    assert len(deployment.json("app", "show", client_id)["secrets"]) == 1


def test_only_pruning_touches_what_the_file_does_not_name(deployment: Deployment, file: Path) -> None:
    other = deployment.json("app", "create", "Other")["client_id"]
    deployment.create_account("grace")
    deployment.json("apply", str(file))
    assert deployment.json("app", "show", other)["disabled"] is False
    deployment.json("apply", str(file), "--prune")
    assert deployment.json("app", "show", other)["disabled"] is True
    assert deployment.json("account", "show", "grace")["status"] == "suspended"
    assert deployment.json("account", "show", "ada")["status"] == "active"
    assert deployment.json("apply", str(file), "--prune") == []


def test_an_application_is_renamed_by_its_client_id(deployment: Deployment, file: Path) -> None:
    client_id = deployment.json("app", "create", "Old")["client_id"]
    file.write_text(f'[applications.New]\nclient_id = "{client_id}"\n')
    deployment.json("apply", str(file))
    assert deployment.json("app", "show", client_id)["name"] == "New"


@pytest.mark.parametrize(
    ("wrong", "line"),
    [
        ("[applications.Bad", "The file is not TOML"),
        ('[applications.Bad]\ngrants = ["none"]', "applications.Bad: There is no grant 'none'"),
        ("[applications.Bad]\nspike_per_minute = -1", "applications.Bad: Expected `int` >= 0"),
        ('[applications.Bad]\nsecret = "x"', "applications.Bad: Object contains unknown field `secret`"),
        ('[applications.Bad]\nrules = { windows = ["Mon"] }', "applications.Bad: 'Mon' is not a window"),
        ('[applications.Bad]\nclient_id = "none"', "There is no application 'none'"),
        ('[applications.Bad]\nprofile = "fapi2"', "applications.Bad: "),
        ('[accounts.bob]\ntype = "robot"', "accounts.bob: Invalid enum value 'robot'"),
        ('[accounts.bob]\ntype = "service"\nemail = "b@example.com"', "accounts.bob: A service account has no"),
        ('[accounts.Ada]\ntype = "user"', "two entries for the username 'ada'"),
        ("[settings]\nport = 1", "no 'settings'"),
        ("applications = 1", "applications has one table for each entry"),
    ],
)
def test_a_wrong_file_changes_nothing_at_all(deployment: Deployment, file: Path, wrong: str, line: str) -> None:
    deployment.json("app", "create", "Other")
    before = everything(deployment)
    file.write_text(wrong if wrong.startswith("applications =") else f"{FILE}\n{wrong}\n")
    done = deployment.run("apply", str(file), "--prune")
    assert (done.returncode, done.stdout) == (ExitCode.CONTENT, "")
    assert line in done.stderr
    assert everything(deployment) == before


def test_of_two_applications_with_one_name_the_file_must_say_which(deployment: Deployment, file: Path) -> None:
    for _ in range(2):
        deployment.json("app", "create", "Ledger")
    assert "say which by client_id" in deployment.refused("apply", str(file))


def test_each_step_is_in_the_audit_trail(deployment: Deployment, file: Path) -> None:
    deployment.json("apply", str(file))
    lines = (deployment.data_dir / "audit" / "audit.jsonl").read_text().splitlines()
    acts = [(line["act"], line["through"]) for line in map(json.loads, lines)]
    assert acts == [("app create", "apply"), ("account create", "apply"), ("account create", "apply")]


def test_pruning_leaves_the_console_and_its_owners_and_says_so(deployment: Deployment, tmp_path: Path) -> None:
    """The attack on oneself: an empty file with `--prune` locked the operators out (D40)."""
    deployment.create_account("boss")
    deployment.json("account", "role", "boss", "owner")
    register_sites(deployment)
    before = everything(deployment)
    assert [each["name"] for each in before[0]] == ["Operator console", "Developer portal", "Credit workbench"]
    empty = tmp_path / "empty.toml"
    empty.write_text("")
    for options in (["--plan", "--prune"], ["--prune"]):
        done = deployment.run("apply", str(empty), *options)
        assert (done.returncode, done.stdout) == (ExitCode.DONE, "Nothing differs.\n")
        assert done.stderr.splitlines() == [
            "credence: Not pruned: the application Operator console, which the service itself made.",
            "credence: Not pruned: the application Developer portal, which the service itself made.",
            "credence: Not pruned: the application Credit workbench, which the service itself made.",
            "credence: Not pruned: the account boss, which is an owner's.",
        ]
    assert everything(deployment) == before


def test_a_file_restricts_a_site_and_changes_nothing_that_it_needs(deployment: Deployment, tmp_path: Path) -> None:
    client_id = register_sites(deployment)
    before = deployment.json("app", "show", client_id)
    file = tmp_path / "console.toml"
    file.write_text('[applications."Operator console"]\nrules = { networks = ["192.0.2.0/24"] }\nsign_in = "factor"\n')
    deployment.json("apply", str(file))
    expected = {**before, "rules": {**before["rules"], "networks": ["192.0.2.0/24"]}, "sign_in": "factor"}
    assert deployment.json("app", "show", client_id) == expected
    file.write_text('[applications."Operator console"]\nredirect_uris = ["https://attacker.example/back"]\n')
    line = deployment.refused("apply", str(file))
    assert line.startswith("applications.Operator console: Operator console is an application of the service itself")
    for options in (
        ["--redirect-uri", "https://attacker.example/back"],
        ["--third-party"],
        ["--grant", "refresh_token"],
    ):
        line = deployment.refused("app", "set", client_id, *options)
        assert line.startswith("Operator console is an application of the service itself, which sets ")
    assert deployment.json("app", "show", client_id) == expected
    trail = (deployment.data_dir / "audit" / "audit.jsonl").read_text()
    assert trail.count('"act":"app set"') == 1, "that of the first file"


def register_sites(deployment: Deployment) -> str:
    """Register the sites as a start of the service does, and return the client_id of the console."""
    assert deployment.run("migrate").returncode == ExitCode.DONE
    settings = Settings(data_dir=deployment.data_dir)

    async def register() -> None:
        store = SqliteStore(settings.sqlite_file)
        for site in SITES:
            await register_site(store, settings, site, NOW)
        await store.close()

    asyncio.run(register())
    return CONSOLE.client_id(settings)


@pytest.mark.parametrize("kind", ["application", "account"])
async def test_what_others_changed_since_the_plan_is_left_as_they_made_it(tmp_path: Path, kind: str) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    async with acting(settings, make=True) as by:
        store = by.means.store
        ledger = new_application(ApplicationBody(name="Ledger"), settings.environment.prefix, NOW)
        ada = new_account("ada", AccountBody(type="user"), "", NOW)
        await store.save_application(ledger, NOW)
        await store.save_account(ada, NOW)
        file = b'[applications.Ledger]\nspike_per_minute = 120\n[accounts.ada]\ntype = "user"\nstatus = "locked"\n'
        steps = plan(read_desired(file), Present([ledger], [ada]), settings, NOW)
        (step,) = [each for each in steps if each.kind == kind]
        await store.save_application(msgspec.structs.replace(ledger, spike_per_minute=7, version=2), NOW)
        await store.save_account(msgspec.structs.replace(ada, first_name="Ada", version=2), NOW)
        with pytest.raises(Conflict) as conflict:
            await do_step(step, by)
        assert explained(conflict.value) == [f"{step.name} was changed by someone else in the meantime. Try again."]
        kept = await store.application(ledger.client_id), await store.account("ada")
        assert [each.version for each in kept if each is not None] == [2, 2]


ISSUERS = """
[issuers.example-ltd]
issuer = "https://login.example.com"
name = "Example Ltd"
mail_domains = ["example.com"]
client_id = "credence"
authentication = "client_secret_basic"
rights = ["groups=credit-team role:reader"]
"""


def test_issuers_become_as_the_file_says_and_keep_their_secret(deployment: Deployment, tmp_path: Path) -> None:
    file = tmp_path / "desired.toml"
    file.write_text(ISSUERS)
    made = deployment.run("apply", str(file))
    assert "credence issuer set-secret example-ltd" in made.stderr
    deployment.run("issuer", "set-secret", "example-ltd", "--secret-stdin", stdin="a secret from there")
    assert deployment.json("apply", str(file)) == []
    file.write_text(ISSUERS.replace("reader", "support"))
    assert [(row["act"], row["kind"], row["member"]) for row in deployment.json("apply", str(file))] == [
        ("change", "issuer", "rights")
    ]
    shown = deployment.json("issuer", "show", "example-ltd")
    assert (shown["rights"], shown["has_secret"]) == (["groups=credit-team role:support"], True)


def test_pruning_disables_an_issuer_and_keeps_its_links(deployment: Deployment, tmp_path: Path) -> None:
    file = tmp_path / "desired.toml"
    file.write_text(ISSUERS)
    deployment.json("apply", str(file))
    deployment.create_account()
    deployment.json("issuer", "link", "example-ltd", "s1", "ada")
    file.write_text('[accounts.ada]\ntype = "user"\n')
    kept = deployment.run("apply", str(file), "--prune")
    assert kept.stdout == "Nothing differs.\n"
    assert "Not pruned: the issuer example-ltd, because the file has no table issuers." in kept.stderr
    file.write_text('[issuers]\n[accounts.ada]\ntype = "user"\n')
    assert deployment.json("apply", str(file)) == []
    rows = deployment.json("apply", str(file), "--prune")
    assert [(row["act"], row["kind"], row["name"]) for row in rows] == [("disable", "issuer", "example-ltd")]
    assert deployment.json("issuer", "show", "example-ltd")["disabled"] is True
    assert [each["subject"] for each in deployment.json("issuer", "links")] == ["s1"]


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("credence", 'credence"\nclient_secret = "s'), "client_secret"),
        (("role:reader", "role:owner"), "role: with one of reader, support, operator"),
        (("https://login", "http://login"), "https address"),
        (("[issuers.example-ltd]", "[issuers.'Example Ltd']"), "1 to 40 letters"),
        (('name = "Example Ltd"', 'nam = "Example Ltd"'), "nam"),
    ],
)
def test_an_issuer_that_cannot_be_used_changes_nothing(
    deployment: Deployment, tmp_path: Path, change: tuple[str, str], problem: str
) -> None:
    deployment.run("migrate")
    file = tmp_path / "desired.toml"
    file.write_text(
        ISSUERS.replace(*change) + ISSUERS.replace("example-ltd", "other").replace("login.e", "login.other.e")
    )
    assert problem in deployment.refused("apply", str(file))
    assert deployment.json("issuer", "list") == []


def test_two_issuers_that_no_claim_tells_apart_are_refused_by_every_way(deployment: Deployment, tmp_path: Path) -> None:
    file = tmp_path / "desired.toml"
    file.write_text(ISSUERS + ISSUERS.replace("example-ltd", "other"))
    assert "no required claim distinguishes them" in deployment.refused("apply", str(file))
    first, second = ("issuer", "add", "https://accounts.example"), ("--require", "hd=one.example")
    deployment.json(*first, "one", *second)
    assert "required claim" in deployment.refused(*first, "other")
    deployment.json(*first, "other", "--require", "hd=other.example")
    assert "required claim" in deployment.refused("issuer", "set", "other", *second)
    assert "already" in deployment.refused(*first, "one", "--require", "hd=third.example")
