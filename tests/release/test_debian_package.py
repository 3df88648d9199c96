"""The Debian package on a copy of this machine: installed, upgraded, taken back, removed and purged (issue 38, point 1).

The copy is an overlay, so the machine keeps its packages. Nothing starts services in it: the program is started with the
variables of the unit.
"""

import json
import os
import re
import shutil
import ssl
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from credence import __version__
from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.ports import free_port
from tests.waiting import wait_until

pytestmark = pytest.mark.long

COPY = """set -eu
mount -t tmpfs tmpfs {folder}; mkdir {folder}/upper {folder}/work {folder}/files
mount -t overlay overlay -o lowerdir=/,upperdir={folder}/upper,workdir={folder}/work {folder}/files
mount --rbind /proc {folder}/files/proc; mount --bind /dev {folder}/files/dev
echo ready; exec sleep 1800
"""
UNIT = re.sub(r"%S", "/var/lib", Path("deploy/systemd/credence.service").read_text(encoding="utf-8"))


class Machine:
    """A copy of this machine, whose root `run` works in."""

    def __init__(self, folder: Path, process: int) -> None:
        self.root = folder / "files"
        self._inside = ["nsenter", f"--target={process}", "--mount", "chroot", str(self.root)]
        self._seen_from_here = Path(f"/proc/{process}/root{self.root}")

    def file(self, path: str) -> Path:
        """Return where this process sees a file of the machine."""
        return self._seen_from_here / path

    def command(self, *words: str, **variables: str) -> list[str]:
        """Return a command with these variables and no others."""
        return [
            *self._inside,
            "env",
            "-i",
            f"PATH={os.environ['PATH']}",
            *(f"{k}={v}" for k, v in variables.items()),
            *words,
        ]

    def run(self, script: str, **variables: str) -> str:
        done = subprocess.run(
            self.command("sh", "-euc", script, **variables), capture_output=True, text=True, timeout=300, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout


@pytest.fixture
def machine() -> Iterator[Machine]:
    lacking = [program for program in ("unshare", "nsenter", "setpriv", "dpkg") if shutil.which(program) is None]
    if lacking or os.geteuid() != 0 or not Path("/usr/bin/python3.11").exists():
        pytest.skip("needs root on Debian 12, with its python3.11")
    folder = Path(tempfile.mkdtemp(prefix="credence-machine-"))
    command = ["unshare", "--mount", "sh", "-c", COPY.format(folder=folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield Machine(folder, process.pid)
        finally:
            process.kill()
    folder.rmdir()


@contextmanager
def serving(machine: Machine, port: int) -> Iterator[httpx.Client]:
    """Run what the unit starts, as its user and with its settings."""
    settings = machine.run("cat /etc/credence/credence.env").splitlines()
    variables = dict(line.split("=", 1) for line in settings if line.startswith("CREDENCE_"))
    variables |= variables_of_unit()
    user = ["setpriv", "--reuid=credence", "--regid=credence", "--clear-groups"]
    program = [*user, "/opt/credence/bin/credence", "serve"]
    certificates = authority_file(Path(machine.run("cat /srv/authority").strip()))
    context = ssl.create_default_context(cafile=certificates)
    output = machine.file("srv/output")
    with (
        output.open("ab") as log,
        subprocess.Popen(machine.command(*program, **variables), stdout=log, stderr=log) as process,
        httpx.Client(base_url=f"https://localhost:{port}", verify=context, trust_env=False, timeout=20) as client,
    ):
        try:
            wait_until(lambda: process.poll() is not None or ready(client), 60)
            assert process.poll() is None, output.read_text()
            yield client
        finally:
            process.terminate()
            process.wait(60)


def variables_of_unit() -> dict[str, str]:
    found = dict(re.findall(r"(?m)^Environment=(\w+)=(.+)$", UNIT))
    return found | {"CREDENCE_KEY_ENCRYPTION_KEY_FILE": "/run/credence-key"}


def ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False


def accepts(client: httpx.Client, token: str) -> bool:
    """Whether the token is accepted: no credit data is loaded, so the report itself is not found."""
    answer = client.get(
        "/risk/business/v1/registeredcompanycredit/00000006", headers={"Authorization": f"Bearer {token}"}
    )
    return answer.status_code not in (401, 403)


def test_a_login_survives_upgrade_way_back_removal_and_purge_until_data_is_to_be_deleted(
    machine: Machine, release: Path, tmp_path: Path
) -> None:
    shutil.copy(release / f"credence_{__version__}_amd64.deb", machine.file("srv/new.deb"))
    machine.run(
        "cd /srv; dpkg-deb --raw-extract new.deb old; sed -i 's/^Version: .*/Version: 0.2.9/' old/DEBIAN/control;"
        "dpkg-deb -Znone --build old old.deb; rm -r old; dpkg --install old.deb"
    )
    assert machine.run("dpkg-query --show --showformat='${Version}' credence") == "0.2.9"
    assert (
        machine.run("stat --format='%a %U' /etc/credence/key-encryption-key /etc/credence/credence.env")
        == "600 root\n" * 2
    )

    port = free_port()
    chain, key = ensure_certificates(tmp_path / "tls", "localhost")
    for name, file in (("chain.pem", chain), ("key.pem", key)):
        shutil.copy(file, machine.file(f"etc/credence/tls/{name}"))
    machine.file("srv/authority").write_text(str(tmp_path / "tls"))
    machine.run(
        "chgrp credence /etc/credence/tls/*; chmod 640 /etc/credence/tls/*; install -d -o credence -m 700 /var/lib/credence;"
        f"sed -i 's|^CREDENCE_BASE_URL=.*|CREDENCE_BASE_URL=https://localhost:{port}|;"
        f"s|^CREDENCE_PORT=.*|CREDENCE_PORT={port}|' /etc/credence/credence.env;"
        "install -o credence -m 400 /etc/credence/key-encryption-key /run/credence-key"
    )
    with serving(machine, port) as client:
        create = "/opt/credence/bin/credence app create Ledger --grant client_credentials --scope credit:report --json"
        made = json.loads(as_service(machine, create))
        answer = client.post(
            "/oauth2/v1/token",
            data={"grant_type": "client_credentials"},
            auth=(made["client_id"], made["client_secret"]),
        )
        token = answer.json()["access_token"]
        assert accepts(client, token)
    for package in ("new", "old", "new"):
        machine.run(f"dpkg --install /srv/{package}.deb")
        with serving(machine, port) as client:
            assert accepts(client, token)
    assert str(port) in machine.run("cat /etc/credence/credence.env")

    machine.run("dpkg --remove credence")
    assert machine.run("ls /opt | grep credence || echo none") == "none\n"
    assert "are kept" in machine.run("dpkg --purge credence")
    settings = f"CREDENCE_BASE_URL=https://localhost:{port}"
    machine.run(f"dpkg --install /srv/new.deb; sed -i 's|^CREDENCE_BASE_URL=.*|{settings}|' /etc/credence/credence.env")
    machine.run(f"sed -i 's|^CREDENCE_PORT=.*|CREDENCE_PORT={port}|' /etc/credence/credence.env")
    assert machine.run("cmp /etc/credence/key-encryption-key /run/credence-key") == ""
    with serving(machine, port) as client:
        assert accepts(client, token)

    machine.run("CREDENCE_DELETE_DATA=yes dpkg --purge credence")
    assert machine.run("ls -d /var/lib/credence /etc/credence 2>&1 || true").count("No such file") == 2


def as_service(machine: Machine, command: str) -> str:
    """Run a command as `credence` of the package does, whose systemd-run needs a running systemd."""
    variables = " ".join(f"{name}={value}" for name, value in variables_of_unit().items())
    settings = "$(grep ^CREDENCE_ /etc/credence/credence.env)"
    user = "setpriv --reuid=credence --regid=credence --clear-groups"
    return machine.run(f"{user} env {variables} {settings} {command}")
