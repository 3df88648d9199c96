"""`credence app` (spec §2.1, D15, D25)."""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from credence.cli.output import instant
from credence.operations import perform as performing
from credence.store.records import Application
from credence.store.sqlite.store import SqliteStore
from tests.cli.deployment import Deployment
from tests.running import Done, clean_environment, run_process


def kept(deployment: Deployment, client_id: str) -> Application:
    async def read() -> Application | None:
        store = SqliteStore(deployment.data_dir / "credence.sqlite")
        try:
            return await store.application(client_id)
        finally:
            await store.close()

    application = asyncio.run(read())
    assert application is not None
    return application


def full(deployment: Deployment, *arguments: str) -> Done:
    """Run a command whose standard output takes nothing."""
    return run_process(*arguments, to="/dev/full", CREDENCE_DATA_DIR=str(deployment.data_dir))


def test_a_secret_that_cannot_be_printed_is_taken_back_and_said_to_be_lost(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    before = kept(deployment, client_id).secrets
    done = full(deployment, "app", "rotate-secret", client_id)
    assert done.returncode == 4
    assert done.stderr.splitlines() == [
        "credence: Standard output cannot be written: No space left on device.",
        f"credence: The new secret was not delivered; make another: credence app rotate-secret {client_id}",
    ]
    assert kept(deployment, client_id).secrets == before
    assert full(deployment, "config", "check").returncode == 4
    done = full(deployment, "app", "create", "Other", "--json")
    assert done.returncode == 4
    assert "The new secret was not delivered" in done.stderr


def test_a_closed_output_is_said(deployment: Deployment) -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec '{sys.executable}' -m credence app create Shop >&-"],
        env=clean_environment(CREDENCE_DATA_DIR=str(deployment.data_dir)),
        stderr=subprocess.PIPE,
        check=False,
    )
    assert done.returncode == 4
    assert done.stderr.startswith(
        b"credence: Standard output cannot be written: it is closed.\ncredence: The new secret"
    )


@pytest.mark.parametrize("at", [-(10**30), 10**30, 2**63, 253_402_300_800_000])
def test_an_instant_beyond_the_calendar_is_shown_as_a_number(at: int) -> None:
    assert instant(at) == f"{at} ms after 1970"
    assert instant(253_402_300_799_999) == "9999-12-31T23:59:59Z"


def test_an_application_is_disabled_from_the_moment_it_is_saved(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    real, found = performing.found, list[int]()

    async def slow(*arguments: Any) -> Any:
        application = await real(*arguments)
        time.sleep(0.02)  # noqa: ASYNC251 - the command as a whole is slow
        found.append(time.time_ns() // 1_000_000)
        return application

    monkeypatch.setattr(performing, "found", slow)
    deployment.json("app", "set", client_id, "--disable")
    assert kept(deployment, client_id).not_before >= found[0]


def test_a_new_application_is_printed_with_its_secret(deployment: Deployment) -> None:
    created = deployment.json("app", "create", "Shop")
    assert set(created) - set(deployment.json("app", "show", created["client_id"])) == {"client_secret"}
    assert created["client_id"].startswith("crd_sbx_app_")
    assert created["client_secret"].startswith("crd_sbx_sec_")


def test_a_person_is_told_about_the_secret_and_the_password_grant(deployment: Deployment) -> None:
    done = deployment.run("app", "create", "Shop")
    assert "The client secret is printed only once." in done.stdout
    assert "RFC 9700 advises against that grant" in done.stdout


def test_the_secret_is_shown_once(deployment: Deployment) -> None:
    created = deployment.json("app", "create", "Shop")
    shown = deployment.run("app", "show", created["client_id"], "--json").stdout
    listed = deployment.run("app", "list", "--json").stdout
    assert created["client_id"] in shown
    assert created["client_id"] in listed
    for text in (shown, listed):
        assert created["client_secret"] not in text
        assert "digest" not in text


def test_the_password_and_refresh_grants_are_allowed_unless_told_otherwise(deployment: Deployment) -> None:
    usual = deployment.json("app", "create", "Shop")["client_id"]
    told = deployment.json("app", "create", "Shop", "--grant", "password")["client_id"]
    assert kept(deployment, usual).grants == ("password", "refresh_token")  # D25
    assert kept(deployment, told).grants == ("password",)


def test_options_are_kept_changed_and_given_back_to_the_service(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop", "--algorithm", "ES256", "--spike-per-minute", "0")["client_id"]
    assert kept(deployment, client_id).algorithm == "ES256"
    assert kept(deployment, client_id).spike_per_minute == 0
    options = ("--access-token-lifetime", "60", "--refresh-token-lifetime", "120", "--inherit", "algorithm")
    changed = deployment.json("app", "set", client_id, *options)
    assert (changed["access_token_lifetime"], changed["refresh_token_lifetime"]) == (60, 120)
    assert changed["algorithm"] is None
    assert kept(deployment, client_id).version == 2


def test_only_what_the_service_has_a_setting_for_is_inherited(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    line = deployment.refused("app", "set", client_id, "--inherit", "grant")
    assert line.startswith("There is no setting to inherit 'grant': choose from scope")


def test_scopes_and_resources_are_its_own_or_the_services(deployment: Deployment) -> None:
    """RFC 6749 §3.3, RFC 8707 §2, threats A15: empty means none."""
    client_id = deployment.json("app", "create", "Shop", "--scope", "credit:report")["client_id"]
    shown = deployment.json("app", "set", client_id, "--resource", "https://b.example", "--resource", "urn:c")
    assert (shown["scopes"], shown["audiences"]) == (["credit:report"], ["https://b.example", "urn:c"])
    none = deployment.json("app", "set", client_id, "--scope", "", "--resource", "")
    assert (none["scopes"], none["audiences"]) == ([], [])
    assert kept(deployment, client_id).scopes == ()
    every = deployment.json("app", "set", client_id, "--inherit", "scope")
    assert every["scopes"] is None
    assert kept(deployment, client_id).scopes is None


def test_what_an_application_guards_is_the_operators_to_say(deployment: Deployment) -> None:
    """RFC 7662 §4: none unless it is said."""
    client_id = deployment.json("app", "create", "Gateway")["client_id"]
    assert kept(deployment, client_id).introspects == ()
    shown = deployment.json("app", "set", client_id, "--introspects", "https://b.example")
    assert shown["introspects"] == ["https://b.example"]
    assert deployment.json("app", "set", client_id, "--introspects", "")["introspects"] == []


def test_disabling_kills_tokens_and_enabling_does_not_revive_them(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    before = time.time_ns() // 1_000_000
    deployment.json("app", "set", client_id, "--disable")
    disabled = kept(deployment, client_id)
    assert disabled.disabled
    assert disabled.not_before >= before
    deployment.json("app", "set", client_id, "--enable")
    enabled = kept(deployment, client_id)
    assert not enabled.disabled
    assert enabled.not_before > disabled.not_before


def test_a_rotated_secret_stands_beside_the_old_one_for_a_day(deployment: Deployment) -> None:
    first = deployment.json("app", "create", "Shop")
    second = deployment.json("app", "rotate-secret", first["client_id"])
    assert second["client_secret"] != first["client_secret"]
    new, old = kept(deployment, first["client_id"]).secrets
    assert new.expires_at is None
    assert old.expires_at == new.created_at + 86_400_000


def test_the_old_secret_can_be_stopped_at_once(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    deployment.json("app", "rotate-secret", client_id, "--keep-old", "0")
    new, old = kept(deployment, client_id).secrets
    assert old.expires_at == new.created_at


def test_rules_are_shown_as_they_are_typed(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    windows = "Mon-Fri 08:00-18:00, Sat-Mon 22:00-02:00, Wed 07:00-07:30, 12:00-24:00"
    rules = ("--networks", "10.0.0.0/8, 2001:db8::/32", "--windows", windows, "--time-zone", "Europe/London")
    shown = deployment.json("app", "rules", client_id, *rules)
    assert shown["rules"] == {
        "networks": ["10.0.0.0/8", "2001:db8::/32"],
        "windows": windows.split(", "),
        "time_zone": "Europe/London",
        "authentication_class": None,
        "max_age": None,
    }
    assert deployment.json("app", "rules", client_id) == shown


def test_a_rule_changes_alone_and_empty_text_lifts_it(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    deployment.json("app", "rules", client_id, "--networks", "10.0.0.0/8", "--windows", "08:00-18:00")
    shown = deployment.json("app", "rules", client_id, "--windows", "")["rules"]
    assert shown["networks"] == ["10.0.0.0/8"]
    assert (shown["windows"], shown["time_zone"]) == ([], "UTC")


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("show", "crd_sbx_app_unknown"), "There is no application 'crd_sbx_app_unknown'."),
        (("create", " "), "An application needs a name."),
        (("rotate-secret", "x", "--keep-old", "9999999999999999999999"), "less than or equal to 31536000"),
        (
            ("create", "Shop", "--grant", "implicit"),
            "There is no grant 'implicit': choose from password, refresh_token",
        ),
        (("create", "Shop", "--algorithm", "none"), "There is no algorithm 'none': choose from"),
        (("create", "Shop", "--access-token-lifetime", "86401"), "less than or equal to 86400"),
        (("create", "Shop", "--scope", "admin"), "There is no scope 'admin': choose from openid"),
        (("create", "Shop", "--resource", "api"), "'api' is not a resource: give an absolute URI without fragment"),
        (("create", "Shop", "--resource", "https://b.example/#x"), "is not a resource"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(deployment: Deployment, arguments: tuple[str, ...], line: str) -> None:
    deployment.json("app", "create", "Shop")
    assert line in deployment.refused("app", *arguments)


def test_a_rule_that_cannot_be_read_changes_nothing(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Shop")["client_id"]
    line = deployment.refused("app", "rules", client_id, "--windows", "Mon 08:00")
    assert line == "'Mon 08:00' is not a window such as 'Mon-Fri 08:00-18:00'"
    assert kept(deployment, client_id).version == 1


def test_a_file_where_the_folder_should_be_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for arguments in (("app", "create", "Shop"), ("account", "create", "ada", "--type", "user")):
        line = Deployment(tmp_path / "file").refused(*arguments)
        assert line == f"{tmp_path / 'file'} is in the way: move it away, or name another folder with --data-dir."


def test_a_file_where_a_folder_below_should_be_is_named(tmp_path: Path) -> None:
    (tmp_path / "credit").touch()
    line = Deployment(tmp_path).refused("data", "status")
    assert line.startswith(f"{tmp_path / 'credit'} is in the way")


def test_a_folder_without_a_store_is_named_and_left_alone(tmp_path: Path) -> None:
    line = Deployment(tmp_path / "typo").refused("app", "list")
    assert line == f"There is no store in {tmp_path / 'typo'}: name its folder with --data-dir."
    assert not (tmp_path / "typo").exists()


def test_a_name_that_is_no_text_is_refused_in_words(deployment: Deployment) -> None:
    assert deployment.refused("app", "create", "\udcff") == "An argument is not valid UTF-8."


def test_origins_of_web_pages_are_registered_shown_and_removed(deployment: Deployment) -> None:
    """threats E5: exact origins of one application."""
    origins = ("--origin", "https://app.example.com", "--origin", "http://localhost:5173")
    client_id = deployment.json("app", "create", "Shop", *origins)["client_id"]
    assert deployment.json("app", "show", client_id)["origins"] == ["https://app.example.com", "http://localhost:5173"]
    done = deployment.run("app", "set", client_id, "--origin", "https://*.example.com")
    assert (done.returncode, "is not an origin" in done.stderr) == (2, True)
    assert deployment.json("app", "set", client_id, "--origin", "")["origins"] == []
