"""The container file: read by a linter, its build gone through, what comes of it run as in a container (issue 8 §7)."""

import json
import os
import shlex
import shutil
import signal
import ssl
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from credence.settings import Settings
from tests.deploy.containerfile import FILE, ROOT, build, copied, install, let_in, read_stages
from tests.ports import free_port
from tests.running import clean_environment
from tests.waiting import wait_until

STAGES = read_stages()
IMAGE = STAGES[-1]
USER = 10001
HADOLINT = Path(sys.executable).with_name("hadolint")

CONFINED = (
    "set -eu; {opened} mount --bind {data} {data}; mount -o remount,ro,bind /; cd {data};"
    "if touch {data}/../written; then echo not read-only; exit 1; fi;"
    "exec setpriv --reuid={user} --regid={user} --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all {start}"
)
"""As a container engine does it: all but the data folder is read-only, and the user can become nobody else."""


def test_a_linter_for_container_files_finds_nothing() -> None:
    done = subprocess.run([HADOLINT, FILE], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")


def test_everything_that_is_copied_is_there_and_let_in() -> None:
    sources = [source for stage in STAGES for sources, _ in copied(stage) for source in sources]
    assert sources
    assert [source for source in sources if not (ROOT / source).exists() or not let_in(source)] == []


@pytest.mark.parametrize(
    "path", ["credence-data/key-encryption-key", ".git/config", "tests/running.py", "src/credence/__pycache__/app.pyc"]
)
def test_nothing_secret_or_idle_is_let_in(path: str) -> None:
    """Data folders above all: who builds where a sandbox ran would ship its keys."""
    assert not let_in(path)


def test_every_stage_is_made_from_the_same_short_name() -> None:
    """No registry is named: the engine's own settings say where images come from."""
    assert {stage.image for stage in STAGES} == {"python:3.11-slim-bookworm"}


def test_the_user_is_a_number_that_an_orchestrator_can_see_is_not_root() -> None:
    """Kubernetes cannot tell from a name whether it is root: `runAsNonRoot` asks for a number."""
    assert IMAGE.of("USER") == [f"{USER}:{USER}"]


def test_it_starts_without_a_shell_and_serves() -> None:
    assert json.loads(IMAGE.of("ENTRYPOINT")[0]) == ["/opt/credence/bin/credence"]
    assert json.loads(IMAGE.of("CMD")[0]) == ["serve"]


def test_its_variables_are_settings() -> None:
    names = [name for name in image_variables() if name.startswith("CREDENCE_")]
    assert [name for name in names if name.removeprefix("CREDENCE_").lower() not in Settings.model_fields] == []


def test_its_data_folder_is_its_volume() -> None:
    assert IMAGE.of("VOLUME") == [image_variables()["CREDENCE_DATA_DIR"]]


def test_it_serves_from_a_read_only_tree_has_the_audit_lines_of_commands_and_stops_by_its_signal(root: Path) -> None:
    """The report is a PDF, since that is where a library would want a folder for temporary files.

    As the Kubernetes base has it, the data folder goes with the pod and its output is collected. The program stops as the
    first process of its container, to which the kernel sends no signal that it does not handle.
    """
    copies = {"CREDENCE_AUDIT_COPIES": "file:///proc/1/fd/1"}
    with contained(root, "serve", **copies) as (process, client, data):
        assert client.get("/livez").status_code == 200
        sandbox = json.loads((data / "sandbox.json").read_text())
        tokens = client.post(
            "/oauth2/v1/token",
            headers={"client_id": sandbox["client_id"], "client_secret": sandbox["client_secret"]},
            json={"username": sandbox["username"], "password": sandbox["password"]},
        ).json()
        report = client.get(
            f"/risk/business/v1/registeredcompanycredit/{sandbox['company_number']}",
            headers={"Authorization": f"Bearer {tokens['access_token']}", "Accept": "application/pdf"},
        )
        assert (report.status_code, report.content[:5]) == (200, b"%PDF-")

        assert client.get("/nowhere").status_code == 404
        (first,) = first_process(process)
        user = [f"--reuid={USER}", f"--regid={USER}", "--clear-groups", "--no-new-privs"]
        inside = ["nsenter", f"--target={first}", "--mount", "--pid", "setpriv", *user]
        variables = image_variables() | {"CREDENCE_DATA_DIR": str(data)} | copies
        done = subprocess.run(
            [*inside, f"{root}/opt/credence/bin/credence", "app", "create", "Ledger"],
            env=clean_environment(**variables) | {"PATH": os.environ["PATH"]},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        output = root / "output.txt"
        for wanted in ('"event":"started"', '"refusal":"not_found"', '"act":"app create"'):
            wait_until(lambda wanted=wanted: wanted in output.read_text(), 60)  # type: ignore[misc]

        os.kill(first, signal.Signals[IMAGE.of("STOPSIGNAL")[0]])
        assert process.wait(timeout=60) == 0


@pytest.mark.when_changed(
    "deploy/container/Containerfile",
    ".containerignore",
    "requirements/run.txt",
    "tests/deploy/containerfile.py",
)
def test_what_the_file_builds_serves_and_has_no_installer() -> None:
    """The whole build, which downloads what is locked.

    The tests above take the packages of this environment, and install the project itself as it is now.
    """
    with image(lambda folder: build(STAGES[0], folder)) as built:
        python = built / "opt/credence/bin/python"
        for package in ("pip", "setuptools"):
            assert subprocess.run([python, "-c", f"import {package}"], capture_output=True, check=False).returncode == 1
        with contained(built, "serve") as (_, client, _):
            assert client.get("/livez").status_code == 200


def image_variables() -> dict[str, str]:
    """ENV of the image."""
    return dict(word.split("=", 1) for text in IMAGE.of("ENV") for word in shlex.split(text))


@pytest.fixture(scope="module")
def root() -> Iterator[Path]:
    """The root folder of the image, with the locked packages of this environment instead of downloaded ones."""
    with image(lambda folder: install(STAGES[0], folder)) as folder:
        yield folder


@contextmanager
def image(fill: Callable[[Path], None]) -> Iterator[Path]:
    """A root folder of the image that `fill` has filled, where another user can read it."""
    lacking = [program for program in ("unshare", "setpriv", "mount") if shutil.which(program) is None]
    if lacking or os.geteuid() != 0 or subprocess.run(["unshare", "--mount", "true"], check=False).returncode != 0:
        pytest.skip("only root, on Linux with util-linux, can become the user of a container")
    folder = Path(tempfile.mkdtemp(prefix="credence-image-"))
    folder.chmod(0o755)
    try:
        fill(folder)
        stranger = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]
        python = shlex.join([*stranger, f"{folder}/opt/credence/bin/python", "-c", ""])
        subprocess.run(["unshare", "--mount", "sh", "-euc", f"{opened(folder)} {python}"], check=True)
        yield folder
    finally:
        shutil.rmtree(folder)


def opened(root: Path) -> str:
    """Return commands that let everybody run this machine's interpreter, as the image's own, within a mount namespace.

    One that is installed for its owner alone is in a folder that nobody else may enter: another folder covers that one.
    """
    python = Path(sys.base_prefix).resolve()
    closed = next((each for each in reversed(python.parents) if not each.stat().st_mode & stat.S_IXOTH), None)
    if closed is None:
        return ""
    kept = shlex.quote(f"{root}/python")
    return (
        f"mkdir -p {kept}; mount --bind {python} {kept}; mount -t tmpfs -o mode=755 tmpfs {closed};"
        f"mkdir -p {python}; mount --bind {kept} {python};"
    )


@contextmanager
def contained(root: Path, *arguments: str, **more: str) -> Iterator[tuple[subprocess.Popen[bytes], httpx.Client, Path]]:
    """Run the program that was built as the image would: its user, its variables, its data folder empty at first.

    Its output belongs to its user, as the container engines have it.
    """
    data = Path(tempfile.mkdtemp(dir=root))
    os.chown(data, USER, USER)
    port = free_port()
    variables = image_variables() | {"CREDENCE_DATA_DIR": str(data), "CREDENCE_PORT": str(port)} | more
    script = CONFINED.format(
        opened=opened(root), data=data, user=USER, start=shlex.join([f"{root}/opt/credence/bin/credence", *arguments])
    )
    log = root / "output.txt"
    log.unlink(missing_ok=True)
    with log.open("ab") as stream:
        os.fchown(stream.fileno(), USER, USER)
        process = subprocess.Popen(
            ["unshare", "--mount", "--pid", "--fork", "--mount-proc", "sh", "-c", script],
            env=clean_environment(**variables) | {"PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL,
            stdout=stream,
            stderr=stream,
        )
    try:
        with httpx.Client(
            base_url=f"https://localhost:{port}", verify=authority(process, data, log), trust_env=False, timeout=20
        ) as client:
            answers(client, process, log)
            yield process, client, data
    finally:
        # With the first process of its namespace every other ends.
        for number in first_process(process):
            os.kill(number, signal.SIGKILL)
        process.wait()


def first_process(process: subprocess.Popen[bytes]) -> list[int]:
    """Return what the container sees as process 1, by its number here; nothing once it is gone."""
    if process.poll() is not None:
        return []
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii")
    return [int(number) for number in children.split()]


def authority(process: subprocess.Popen[bytes], data: Path, log: Path) -> ssl.SSLContext:
    """Wait for the sandbox to have made its own."""
    deadline = time.monotonic() + 90
    file = data / "tls" / "ca.pem"
    while not file.exists():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
    return ssl.create_default_context(cafile=file)


def answers(client: httpx.Client, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until it is ready."""
    deadline = time.monotonic() + 90
    while True:
        with suppress(httpx.TransportError):
            if client.get("/readyz").status_code == 200:
                return
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < deadline, log.read_text()
        time.sleep(0.05)
