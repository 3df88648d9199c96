"""A whole release, built from the commit that is checked out (issue 38, point 1)."""

import json
import os
import re
import shutil
import ssl
import subprocess
import tarfile
from pathlib import Path

import httpx
import pytest

from credence import __version__
from tests.ports import free_port
from tests.release.containers import bundle, running, unpack
from tests.release.test_debian_package import ready
from tests.waiting import wait_until

pytestmark = pytest.mark.long

USER = 10001


def test_a_release_that_is_built_twice_is_equal_byte_by_byte(releases: tuple[Path, Path]) -> None:
    first, second = ({file.name: file.read_bytes() for file in each.iterdir()} for each in releases)
    assert [name for name in first if first[name] != second.get(name)] == []
    assert first.keys() == second.keys()
    assert {
        "SHA256SUMS",
        f"credence-{__version__}.cdx.json",
        f"credence-{__version__}.oci.tar",
        f"credence-{__version__}.tgz",
        f"credence-{__version__}.provenance.json",
        f"credence_{__version__}_amd64.deb",
        f"credence_server-{__version__}-py3-none-any.whl",
        f"credence_server-{__version__}.tar.gz",
        "credence.1",
        "requirements.txt",
    } <= first.keys()


def test_the_changes_of_a_release_are_its_section_of_the_changelog(release: Path) -> None:
    text = (release / "changes.md").read_text()
    assert re.findall(r"(?m)^## (\S+)", text) == [__version__]


def test_the_source_distribution_has_the_program_and_no_history(release: Path) -> None:
    with tarfile.open(release / f"credence_server-{__version__}.tar.gz") as archive:
        names = archive.getnames()
    assert f"credence_server-{__version__}/src/credence/app.py" in names
    assert [name for name in names if "/.git/" in name or "/tests/" in name] == []


def test_the_image_serves_its_first_token_and_report_without_a_shell_or_a_right_to_write(
    release: Path, tmp_path: Path
) -> None:
    if shutil.which("crun") is None or os.geteuid() != 0:
        pytest.skip("crun is missing, or this is not root: python -m tests.provision")
    image = unpack(release / f"credence-{__version__}.oci.tar", tmp_path)
    root = tmp_path / "rootfs"
    assert not [name for name in ("sh", "bash", "dash", "apt", "dpkg", "perl") if (root / "usr/bin" / name).exists()]
    assert not [
        file for file in root.rglob("*") if file.is_file() and not file.is_symlink() and file.stat().st_mode & 0o6000
    ]
    assert image["config"]["User"] == f"{USER}:{USER}"
    assert image["config"]["Labels"]["org.opencontainers.image.version"] == __version__

    port = free_port()
    output, name = tmp_path / "output.txt", f"credence-test-{port}"
    data = bundle(image, tmp_path, {"CREDENCE_PORT": str(port), "CREDENCE_TRACES_URL": "http://127.0.0.1:9/v1/traces"})
    with running(tmp_path, name, output) as process:
        wait_until(lambda: process.poll() is not None or "Listening on" in output.read_text(), 120)
        assert process.poll() is None, output.read_text()
        context = ssl.create_default_context(cafile=data / "tls" / "ca.pem")
        with httpx.Client(base_url=f"https://localhost:{port}", verify=context, trust_env=False, timeout=20) as client:
            wait_until(lambda: ready(client), 60)
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
        inside = executed(name, "/opt/credence/bin/credence", "app", "create", "Ledger")
        assert (inside.returncode, "client_id" in inside.stdout) == (0, True), inside.stderr
        refused = executed(name, "/opt/credence/bin/python", "-c", "open('/opt/credence/written', 'w')")
        assert "Read-only file system" in refused.stderr
    assert process.returncode == 0


def executed(container: str, *command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["crun", "exec", f"--user={USER}:{USER}", container, *command], capture_output=True, text=True, check=False
    )
