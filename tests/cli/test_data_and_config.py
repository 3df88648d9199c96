"""`credence data` and `credence config` (credit §2.2, D18)."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from credence.files import is_exposed
from credence.sandbox.provision import REGISTER_SAMPLE
from credence.settings import Settings
from tests.cli.deployment import Deployment
from tests.running import clean_environment, run_command

SECRET = "ab" * 32


def test_a_load_says_what_it_kept(deployment: Deployment) -> None:
    summary = deployment.json("data", "load", "register", str(REGISTER_SAMPLE))
    assert (summary["rows"], summary["kept"], summary["refused"]) == (4_537, 4_537, {})
    assert summary["as_of"] == "2020-05-01"
    assert Path(summary["rejects"]).is_file()


def test_the_status_says_what_is_loaded(deployment: Deployment) -> None:
    assert {row["companies"] for row in deployment.json("data", "status")} == {None}
    deployment.json("data", "load", "register", str(REGISTER_SAMPLE))
    register, *others = deployment.json("data", "status")
    assert (register["source"], register["companies"], register["as_of"]) == ("register", 4_537, "2020-05-01")
    assert register["age_in_days"] > 2_000
    assert register["bytes"] > 1_000_000
    assert [row["source"] for row in others] == [
        "accounts",
        "psc",
        "gazette",
        "payment-practices",
        "officers",
        "charges",
        "insolvency",
        "filing-history",
        "profile",
        "scores",
    ]


def test_files_that_are_no_snapshot_are_refused_and_the_old_data_stays(deployment: Deployment, tmp_path: Path) -> None:
    deployment.json("data", "load", "register", str(REGISTER_SAMPLE))
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    line = deployment.refused("data", "load", "register", str(tmp_path / "other.csv"))
    assert line.startswith("other.csv is not a register snapshot: it lacks the columns CompanyName")
    assert deployment.refused("data", "load", "register", "missing.csv") == "There is no file missing.csv."
    assert deployment.json("data", "status")[0]["companies"] == 4_537


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"", b"SQLite format 3\0" + bytes(4096)])
def test_a_data_set_that_is_none_is_said_in_one_line(deployment: Deployment, content: bytes) -> None:
    deployment.json("data", "load", "register", str(REGISTER_SAMPLE))
    (register,) = (deployment.data_dir / "credit").glob("register-*.sqlite")
    register.write_bytes(content)
    assert deployment.json("data", "status")[0]["fault"].endswith(": load the register again.")


SAFE = {
    "CREDENCE_ENVIRONMENT": "uat",
    "CREDENCE_BASE_URL": "https://uat.example.com",
    "CREDENCE_HTTP": "1",
    "CREDENCE_KEY_ENCRYPTION_KEY": "0123456789abcdef" * 4,
    "CREDENCE_PASSWORD_PROFILE": "standard",
    "CREDENCE_SUPPORT_EMAIL": "help@example.com",
}


@pytest.mark.parametrize(
    ("variable", "value", "line"),
    [
        ("CREDENCE_KEY_ENCRYPTION_KEY", "00" * 32, "CREDENCE_KEY_ENCRYPTION_KEY: a repeated byte is not a key"),
        ("CREDENCE_KEY_ENCRYPTION_KEY", "ab" * 32, "CREDENCE_KEY_ENCRYPTION_KEY: a repeated byte is not a key"),
        ("CREDENCE_KEY_ENCRYPTION_KEY", "short", "CREDENCE_KEY_ENCRYPTION_KEY must hold 64 hexadecimal digits."),
        ("CREDENCE_SUPPORT_EMAIL", "help", "CREDENCE_SUPPORT_EMAIL: set the address"),
        ("CREDENCE_SUPPORT_EMAIL", "", "CREDENCE_SUPPORT_EMAIL: set the address"),
    ],
)
def test_a_check_refuses_keys_that_are_none_and_addresses_that_are_none(
    deployment: Deployment, variable: str, value: str, line: str
) -> None:
    assert deployment.run("config", "check", **SAFE).stdout == "The settings are safe for uat.\n"
    said = deployment.refused("config", "check", **{**SAFE, variable: value})
    assert said.startswith(line)


def test_a_check_reads_the_file_of_the_key(deployment: Deployment, tmp_path: Path) -> None:
    file = tmp_path / "key"
    variables = {**SAFE, "CREDENCE_KEY_ENCRYPTION_KEY": "", "CREDENCE_KEY_ENCRYPTION_KEY_FILE": str(file)}
    assert f"{file} is missing" in deployment.refused("config", "check", **variables)
    file.write_text("00" * 32)
    file.chmod(0o600)
    assert deployment.refused("config", "check", **variables).startswith(
        "CREDENCE_KEY_ENCRYPTION_KEY_FILE: a repeated byte"
    )


@pytest.mark.parametrize(
    ("mode", "exposed"), [(0o600, False), (0o400, False), (0o604, True), (0o660, True), (0o602, True)]
)
def test_files_with_secrets_are_for_their_owner_alone(tmp_path: Path, mode: int, exposed: bool) -> None:
    """threats E2: refused where it matters, said in the sandbox."""
    key, store = tmp_path / "key", tmp_path / "a folder"
    key.write_text("0123456789abcdef" * 4)
    (store).mkdir()
    (store / "credence.sqlite").touch()
    for file in (key, store / "credence.sqlite"):
        file.chmod(mode)
    variables = {
        **SAFE,
        "CREDENCE_KEY_ENCRYPTION_KEY": "",
        "CREDENCE_KEY_ENCRYPTION_KEY_FILE": str(key),
        "CREDENCE_DATA_DIR": str(store),
    }
    done = run_command("config", "check", **variables)
    if not exposed:
        assert done.returncode == 0
        assert "chmod" not in done.stderr
        return
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines() == [
        f"credence: {file}: other users can read or change this file ({what}); run: chmod 600 {quoted}"
        for file, what, quoted in (
            (key, "key-encryption key", key),
            (store / "credence.sqlite", "store", f"'{store}/credence.sqlite'"),
        )
    ]
    assert run_command("serve", **variables).returncode == 2
    sandbox = run_command("config", "check", **variables | {"CREDENCE_ENVIRONMENT": "sandbox"})
    assert sandbox.returncode == 0
    assert sandbox.stderr.splitlines() == [
        line.replace("credence: ", "credence: warning: ", 1) for line in done.stderr.splitlines()
    ]


def test_a_group_may_read_what_root_has_mounted(tmp_path: Path) -> None:
    """Kubernetes mounts a Secret as root, for the group of the pod (mode 0440)."""
    file = tmp_path / "key"
    file.write_text("x")
    file.chmod(0o440)
    assert is_exposed(file) == (os.getuid() != 0)
    file.chmod(0o444)
    assert is_exposed(file)


def test_a_sandbox_that_others_can_reach_says_so() -> None:
    """threats E1."""
    silent = run_command("config", "check", CREDENCE_HOST="127.0.0.1")
    assert silent.stderr == ""
    open_to_all = run_command("config", "check", CREDENCE_HOST="192.0.2.1", CREDENCE_SANDBOX_SCENARIOS_TO="all")
    assert "This sandbox listens on 192.0.2.1" in open_to_all.stderr
    assert "everybody who reaches this sandbox gets its credentials" in open_to_all.stderr


def test_every_setting_is_shown_with_its_source(deployment: Deployment, tmp_path: Path) -> None:
    shown = {row["setting"]: row for row in deployment.json("config", "show", "--data-dir", str(tmp_path))}
    assert set(shown) == set(Settings.model_fields)
    assert shown["data_dir"] == {"setting": "data_dir", "value": str(tmp_path), "source": "--data-dir"}
    assert shown["password_profile"]["source"] == "CREDENCE_PASSWORD_PROFILE"
    assert shown["port"] == {"setting": "port", "value": 8443, "source": "default"}


def test_a_secret_setting_is_masked(deployment: Deployment) -> None:
    done = deployment.run("config", "show", CREDENCE_KEY_ENCRYPTION_KEY=SECRET)
    assert SECRET not in done.stdout
    assert re.search(r"^key_encryption_key +\*{8} ", done.stdout, re.MULTILINE)


def test_a_check_passes_in_the_sandbox_and_fails_where_something_is_missing(deployment: Deployment) -> None:
    assert deployment.run("config", "check").stdout == "The settings are safe for sandbox.\n"
    done = deployment.run("config", "check", CREDENCE_ENVIRONMENT="uat")
    assert done.returncode == 2
    assert done.stderr.startswith("credence: CREDENCE_BASE_URL: set the public base address")


def test_a_lone_name_shows_what_can_be_said_after_it(deployment: Deployment) -> None:
    for arguments, commands in (((), "serve"), (("app",), "rotate-secret"), (("account",), "set-password")):
        done = deployment.run(*arguments)
        assert done.returncode == 0
        assert commands in done.stdout


def test_a_disk_that_fills_up_during_a_load_is_said_in_one_line_and_the_old_data_stays(tmp_path: Path) -> None:
    """threats F2: a limit on the size of files stands for the full disk."""
    old = run_command("data", "load", "register", str(REGISTER_SAMPLE), CREDENCE_DATA_DIR=str(tmp_path))
    assert old.returncode == 0, old.stderr
    command = [sys.executable, "-m", "credence", "data", "load", "register", str(REGISTER_SAMPLE)]
    limited = subprocess.run(
        ["bash", "-c", 'ulimit -f 300; exec "$@"', "bash", *command],
        env=clean_environment(CREDENCE_DATA_DIR=str(tmp_path)),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (limited.returncode, limited.stderr.count("\n")) == (4, 1), limited.stderr
    assert "cannot be written" in limited.stderr
    status = run_command("data", "status", "--json", CREDENCE_DATA_DIR=str(tmp_path))
    assert json.loads(status.stdout)[0]["companies"] == 4_537
