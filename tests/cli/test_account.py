"""`credence account` (spec §2.1, D5, D14, D15)."""

import os
import pty
import select
import subprocess
import sys
import termios
import time
from types import ModuleType
from typing import Any

import pytest

from credence.operations import account_access
from credence.operations import perform as performing
from tests.cli.deployment import PASSWORD, Deployment
from tests.running import clean_environment

PATIENCE = 20.0
"""Seconds."""

PROFILE = ("--email", "ada@example.com", "--first-name", "Ada", "--last-name", "Byron")


def shown(terminal: int, text: bytes) -> bytes:
    """What the terminal shows until this text has come."""
    screen, deadline = b"", time.monotonic() + PATIENCE
    while text not in screen:
        readable, _, _ = select.select([terminal], [], [], max(0.0, deadline - time.monotonic()))
        assert readable, f"{text!r} did not come, but {screen!r}"
        screen += os.read(terminal, 1_024)
    return screen


def silence(terminal: int) -> None:
    """Wait until the terminal no longer echoes what is typed; the program drops what came before."""
    deadline = time.monotonic() + PATIENCE
    while termios.tcgetattr(terminal)[3] & termios.ECHO:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def slowed(monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str) -> list[str]:
    """Slow a function of the commands down; the list tells when it ended, as instants are shown."""
    ended: list[str] = []
    real = getattr(module, name)

    def timed() -> None:
        time.sleep(1.1)
        ended.append(time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()))

    def slow(*arguments: object) -> Any:
        result = real(*arguments)
        timed()
        return result

    async def slow_to_come(*arguments: object) -> Any:
        result = await real(*arguments)
        timed()
        return result

    monkeypatch.setattr(module, name, slow_to_come if name == "found" else slow)
    return ended


def test_tokens_die_that_were_issued_while_the_new_password_was_typed_and_hashed(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment.create_account()
    hashed = slowed(monkeypatch, account_access, "hash_new_password")
    changed = deployment.json("account", "set-password", "ada", "--password-stdin", stdin=PASSWORD)
    assert changed["tokens_valid_from"] >= hashed[0]


def test_tokens_die_that_were_issued_while_the_account_was_looked_up(
    deployment: Deployment, monkeypatch: pytest.MonkeyPatch
) -> None:
    deployment.create_account()
    found = slowed(monkeypatch, performing, "found")
    changed = deployment.json("account", "status", "ada", "suspended")
    assert changed["tokens_valid_from"] >= found[0]


def test_a_new_account_is_active_and_keeps_its_profile(deployment: Deployment) -> None:
    created = deployment.create_account("Ada", *PROFILE)
    assert (created["username"], created["type"], created["status"]) == ("ada", "user", "active")
    assert (created["email"], created["first_name"], created["last_name"]) == ("ada@example.com", "Ada", "Byron")
    assert deployment.json("account", "show", "ADA") == created


def test_a_service_account_has_no_profile(deployment: Deployment) -> None:
    line = deployment.refused(
        "account", "create", "robot", "--type", "service", *PROFILE, "--password-stdin", stdin=PASSWORD
    )
    assert line == "A service account has no email address and no names."


def test_no_command_shows_password_or_hash(deployment: Deployment) -> None:
    deployment.create_account()
    for arguments in (("list",), ("show", "ada"), ("status", "ada", "suspended")):
        text = deployment.run("account", *arguments, "--json").stdout
        assert "ada" in text
        assert PASSWORD not in text
        assert "argon2" not in text


@pytest.mark.parametrize("status", ["suspended", "locked", "expired", "closed"])
def test_an_account_can_leave_the_active_state(deployment: Deployment, status: str) -> None:
    deployment.create_account()
    changed = deployment.json("account", "status", "ada", status)
    assert changed["status"] == status
    assert changed["tokens_valid_from"] is not None  # D14: live tokens die


def test_a_closed_account_stays_closed(deployment: Deployment) -> None:
    deployment.create_account()
    deployment.json("account", "status", "ada", "closed")
    line = deployment.refused("account", "status", "ada", "active")
    assert line == "A closed account stays closed; its username is never reassigned."


@pytest.mark.parametrize(
    ("password", "line"),
    [
        ("fourteen chars", "A password has at least 15 characters."),
        ("x" * 257, "A password has at most 256 characters."),
        ("Correct Horse Battery Staple", "This password is on the list of common passwords."),
        ("qwertyuiop123456\n", "This password is on the list of common passwords."),
    ],
)
def test_an_unfit_password_is_refused_and_never_repeated(deployment: Deployment, password: str, line: str) -> None:
    said = deployment.refused("account", "create", "ada", "--type", "user", "--password-stdin", stdin=password)
    assert said == line


def test_a_password_is_not_trimmed_but_for_the_end_of_its_line(deployment: Deployment) -> None:
    twelve_and_blanks = " twelve chars  \n"
    assert len(twelve_and_blanks.strip()) < 15
    create = ("account", "create", "ada", "--type", "user", "--password-stdin")
    assert deployment.run(*create, stdin=twelve_and_blanks).returncode == 0


def test_a_login_name_is_taken_in_every_spelling(deployment: Deployment) -> None:
    deployment.create_account("ada")
    line = deployment.refused(
        "account",
        "create",
        "\N{FULLWIDTH LATIN CAPITAL LETTER A}DA",
        "--type",
        "user",
        "--password-stdin",
        stdin=PASSWORD,
    )
    assert line == "This username is already taken."


def test_without_a_password_a_new_one_is_made_and_shown_once(deployment: Deployment) -> None:
    made = deployment.json("account", "create", "ada", "--type", "user")
    assert len(made["password"]) >= 20
    assert "password" not in deployment.json("account", "show", "ada")
    assert made["password"] != deployment.json("account", "create", "bea", "--type", "user")["password"]


def test_without_a_terminal_the_password_comes_from_standard_input(deployment: Deployment) -> None:
    deployment.create_account()
    line = deployment.refused("account", "set-password", "ada")
    assert line == "There is no terminal to read the password from: use --password-stdin."


def test_on_a_terminal_the_password_is_asked_for_and_not_echoed(deployment: Deployment) -> None:
    deployment.create_account()
    outside, inside = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "credence", "account", "set-password", "ada"],
        env=clean_environment(CREDENCE_DATA_DIR=str(deployment.data_dir)),
        stdin=inside,
        stdout=inside,
        stderr=inside,
        start_new_session=True,
    ) as process:
        screen = b""
        for question in (b"Password:", b"Repeat for confirmation:"):
            screen += shown(outside, question)
            silence(inside)
            os.write(outside, PASSWORD.encode() + b"\n")
        screen += shown(outside, b"tokens_valid_from")
        assert process.wait(timeout=60) == 0
    os.close(inside)
    os.close(outside)
    assert PASSWORD.encode() not in screen
    assert deployment.json("account", "show", "ada")["status"] == "active"


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("show", "nobody"), "There is no account 'nobody'."),
        (("status", "nobody", "locked"), "There is no account 'nobody'."),
        (
            ("status", "ada", "asleep"),
            "Invalid value for 'status': 'asleep' is not one of 'active', 'suspended', 'locked', 'expired', 'closed'.",
        ),
        (("rules", "ada", "--networks", "10.0.0.1/8"), "'10.0.0.1/8' is not an address range such as 10.0.0.0/8"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(deployment: Deployment, arguments: tuple[str, ...], line: str) -> None:
    deployment.create_account()
    assert line in deployment.refused("account", *arguments)


def test_accounts_have_rules_of_their_own(deployment: Deployment) -> None:
    deployment.create_account()
    shown = deployment.json(
        "account", "rules", "ada", "--windows", "Mon-Fri 08:00-18:00", "--time-zone", "Europe/London"
    )
    assert shown["rules"] == {
        "networks": [],
        "windows": ["Mon-Fri 08:00-18:00"],
        "time_zone": "Europe/London",
        "authentication_class": None,
        "max_age": None,
    }
    assert deployment.json("account", "show", "ada")["rules"]["windows"] == ["Mon-Fri 08:00-18:00"]
