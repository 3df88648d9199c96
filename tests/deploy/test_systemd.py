"""The unit for systemd: judged by systemd's own tools, and what it forbids held against the real program (issue 8 §7)."""

import functools
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from credence.background.service_manager import BEAT_SECONDS, SILENCE_SECONDS
from credence.cli.exit_codes import ExitCode
from credence.sandbox.certificates import ensure_certificates
from credence.server import BACKPRESSURE, FILES_KEPT_BACK, GRACEFUL_STOP_SECONDS
from credence.settings import Settings
from tests.running import RunningServer, run_command, start

FOLDER = Path(__file__).parents[2] / "deploy" / "systemd"
UNIT = FOLDER / "credence.service"
EXPOSURE = 2.0
"""The most that `systemd-analyze security` may say, of 10; a unit without any protection has 9.6."""

OF_ROOT = {"fchown"}
"""SQLite gives its files the owner of the database when it runs as root, and then only."""

FORBID_WRITABLE_CODE = (
    "import ctypes, os, sys\n"
    "if ctypes.CDLL(None).prctl(65, 1, 0, 0, 0): sys.exit('the kernel has no PR_SET_MDWE')\n"
    "os.execvp(sys.argv[1], sys.argv[1:])"
)
"""What MemoryDenyWriteExecute does, by the kernel's own switch (Linux 6.3): it stays through execve and fork."""


def test_systemd_reads_every_line(tmp_path: Path) -> None:
    """With a program that is here in the place of the one that is not; what systemd does not know it says aloud."""
    unit = analysable(tmp_path)
    done = analyze("verify", "--man=no", str(unit))
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_its_exposure_is_small(tmp_path: Path) -> None:
    done = analyze("security", "--offline=true", "--no-pager", str(analysable(tmp_path)))
    overall = re.search(r"exposure level for credence.service: ([0-9.]+)", done.stdout)
    assert overall, done.stdout + done.stderr
    assert float(overall[1]) <= EXPOSURE


def test_the_program_makes_no_call_that_the_unit_denies(made: set[str]) -> None:
    assert {"socket", "execve", "prlimit64"} <= made, "the trace is not one of the server"
    assert made - allowed_calls() - (OF_ROOT if os.geteuid() == 0 else set()) == set()


def test_the_denied_calls_are_those_of_root() -> None:
    """The filter is no empty list: each of these is denied."""
    assert {"chroot", "setuid", "mount", "ptrace", "reboot", "bpf"} & allowed_calls() == set()


def test_stopping_takes_less_than_systemd_waits() -> None:
    assert int(values("TimeoutStopSec")[0]) > GRACEFUL_STOP_SECONDS


def test_it_is_restarted_unless_another_start_would_fail_as_well() -> None:
    (codes,) = values("RestartPreventExitStatus")
    prevented = {ExitCode(int(code)) for code in codes.split()}
    assert prevented == {ExitCode.USAGE, ExitCode.NOT_FOUND, ExitCode.REFUSED, ExitCode.CONTENT}


def test_the_watchdog_waits_for_several_beats() -> None:
    """The first process forwards the state of its workers once a second (`tests/journeys/test_start_without_store.py`)."""
    assert values("Type") == ["notify"]
    assert int(values("WatchdogSec")[0]) > 2 * (SILENCE_SECONDS + BEAT_SECONDS)


def test_it_may_open_as_many_files_as_a_worker_takes() -> None:
    assert int(values("LimitNOFILE")[0]) == BACKPRESSURE + FILES_KEPT_BACK


def test_every_variable_is_a_setting() -> None:
    text = UNIT.read_text(encoding="utf-8") + (FOLDER / "credence.env").read_text(encoding="utf-8")
    names = set(re.findall(r"\bCREDENCE_[A-Z_]+(?==)", text))
    settings = {f"CREDENCE_{name.upper()}" for name in Settings.model_fields}
    assert names - settings == set()


def test_the_example_is_fit_for_production(tmp_path: Path) -> None:
    """D18: what production must not run with is not in it."""
    done = run_command("config", "check", **(example() | own_variables(tmp_path)))
    said = [line for line in done.stderr.splitlines() if "built without optimisations" not in line]  # of this Python
    assert (done.returncode, said) == (0, [])
    assert "safe for production" in done.stdout


def test_no_secret_stands_in_the_example() -> None:
    secret = {f"CREDENCE_{name.upper()}" for name, field in Settings.model_fields.items() if not field.repr}
    assert secret & set(example()) == set()


def analyze(*arguments: str) -> subprocess.CompletedProcess[str]:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is missing: python -m tests.provision")
    return subprocess.run(["systemd-analyze", *arguments], capture_output=True, text=True, check=False)


def analysable(folder: Path) -> Path:
    unit = folder / UNIT.name
    program = Path(sys.executable).with_name("credence")
    unit.write_text(
        UNIT.read_text(encoding="utf-8").replace("ExecStart=/opt/credence/bin/credence", f"ExecStart={program}")
    )
    return unit


def values(name: str) -> list[str]:
    """Return what the unit says under a name, from top to bottom."""
    return re.findall(rf"^{name}=(.*)$", UNIT.read_text(encoding="utf-8"), re.MULTILINE)


def example() -> dict[str, str]:
    lines = (FOLDER / "credence.env").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))


def own_variables(folder: Path) -> dict[str, str]:
    """Return the variables that the unit sets, with the files they speak of in `folder`."""
    chain, key = ensure_certificates(folder / "credence" / "tls", "api.example.com")
    (folder / "chain.pem").write_bytes(chain.read_bytes())
    (folder / "key.pem").write_bytes(key.read_bytes())
    (folder / "key-encryption-key").write_text("0f1e2d3c4b5a69788796a5b4c3d2e1f0" * 2)
    for secret in ("key.pem", "key-encryption-key"):
        (folder / secret).chmod(0o600)
    loaded = {each.partition(":")[0] for each in values("LoadCredential")}
    assert loaded == {"key-encryption-key"}
    own = dict(each.split("=", 1) for each in values("Environment"))
    places = {"%d": str(folder), "%S": str(folder), "/etc/credence/tls": str(folder)}
    expanded = {
        name: functools.reduce(lambda text, place: text.replace(*place), places.items(), value)
        for name, value in own.items()
    }
    return {**expanded, "CREDENCE_PASSWORD_PROFILE": "standard"}


def allowed_calls() -> set[str]:
    allowed: set[str] = set()
    for line in values("SystemCallFilter"):
        calls = {call for group in line.removeprefix("~").split() for call in members(group)}
        allowed = allowed - calls if line.startswith("~") else allowed | calls
    return allowed


@functools.cache
def members(group: str) -> set[str]:
    """Return the calls of a set of systemd's, and of the sets it holds."""
    done = analyze("syscall-filter", "--no-pager", group)
    assert done.returncode == 0, done.stderr
    words = [line.strip() for line in done.stdout.splitlines()[1:] if line.strip() and not line.strip().startswith("#")]
    return {call for word in words for call in (members(word) if word.startswith("@") else {word})}


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> set[str]:
    """The system calls of a server with the unit's own variables, from its start to its end, without writable code."""
    if shutil.which("strace") is None:
        pytest.skip("strace is missing: python -m tests.provision")
    folder = tmp_path_factory.mktemp("systemd")
    trace = folder / "trace.txt"
    # -D: the tracer stands beside, so that the signal to stop reaches the server.
    under = [sys.executable, "-c", FORBID_WRITABLE_CODE, "strace", "-D", "-f", "-o", str(trace)]
    variables = own_variables(folder)
    server = start(Path(variables.pop("CREDENCE_DATA_DIR")), folder / "output.txt", under=under, **variables)
    try:
        use(server)
    finally:
        code = server.stop()
    assert code == 0, server.output.read_text()
    return {call for line in whole(trace) for call in re.findall(r"^\d+ +([a-z0-9_]+)\(", line)}


def use(server: RunningServer) -> None:
    """Ask for what takes other libraries each: a password hash, signatures, every form of a report."""
    token = server.tokens()["access_token"]
    path = f"/risk/business/v1/registeredcompanycredit/{server.company_number}"
    for form in ("application/json", "application/xml", "text/html", "application/pdf"):
        reply = server.client.get(path, headers={"Authorization": f"Bearer {token}", "Accept": form})
        assert reply.status_code == 200, form
    assert server.command("app", "create", "Ledger").returncode == 0


def whole(trace: Path) -> Iterator[str]:
    """The lines of the trace once the last process it followed has ended."""
    deadline = time.monotonic() + 60
    while "+++ exited" not in (text := trace.read_text(errors="replace"))[-200:]:
        assert time.monotonic() < deadline, text[-500:]
        time.sleep(0.05)
    yield from text.splitlines()
