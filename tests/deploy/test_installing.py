"""The pages `docs/installing.md` and `docs/upgrading.md`, run as they are printed (issue 14, point 12).

From a release to the first token over a certificate; then to a new version and back, which leaves the token valid.

Its folders of the system are replaced by those of the test. Three programs of systemd are small scripts that do what they
would do here: the service manager starts the command of the unit with its variables, and `systemd-run` runs a command with
the properties it is given. What `requirements.txt` names is linked instead of downloaded, and a new environment uses the
pip of this one, because to unpack one of its own takes longer than all its steps. All else is real.
"""

import json
import os
import re
import shutil
import ssl
import subprocess
import sys
import sysconfig
import time
from pathlib import Path

import httpx
import pytest

from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "installing.md").read_text(encoding="utf-8")
UPGRADING = (ROOT / "docs" / "upgrading.md").read_text(encoding="utf-8")


def commands(page: str) -> str:
    return "".join(re.findall(r"```sh\n(.+?)```", page, re.DOTALL))


COMMANDS = commands(PAGE)

SYSTEMD_RUN = r"""#!{python}
import os, sys
os.umask(0o077)
words, folder = sys.argv[1:], "{root}"
places = {{"%d": folder + "/credentials", "%S": folder + "/var/lib"}}
def filled(text):
    for place, path in places.items():
        text = text.replace(place, path)
    return text
while words[0].startswith("-"):
    option = words.pop(0)
    if option != "-p":
        continue
    name, _, value = words.pop(0).partition("=")
    if name == "EnvironmentFile":
        lines = open(value).read().splitlines()
        os.environ.update(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    if name == "Environment":
        os.environ.update(filled(each).split("=", 1) for each in value.split())
    if name == "LoadCredential":
        known, _, source = value.partition(":")
        os.makedirs(folder + "/credentials", exist_ok=True)
        open(folder + "/credentials/" + known, "w").write(open(source).read())
os.execv(words[0], words)
"""

SYSTEMCTL = r"""#!/bin/sh
case "$1" in
stop) kill $(cat {root}/pid); while kill -0 $(cat {root}/pid) 2> /dev/null; do sleep 0.1; done; exit 0 ;;
enable | start) ;;
*) exit 0 ;;
esac
unit={root}/etc/systemd/system/credence.service
set -- --uid=credence
IFS='
'
for line in $(grep -E '^(EnvironmentFile|Environment|LoadCredential)=' $unit); do set -- "$@" -p "$line"; done
{root}/bin/systemd-run "$@" {root}/opt/credence/bin/credence serve >> {root}/output.txt 2>&1 &
echo $! > {root}/pid
"""

PIP = r"""#!/bin/sh
exec {python} -m pip --python "$(dirname "$0")/python" "$@"
"""


@pytest.fixture
def machine(tmp_path: Path, wheel: Path) -> Path:
    """A folder with the parts of a system that the page writes to, and the release with a certificate."""
    for name in ("etc/sysusers.d", "etc/systemd/system", "opt", "usr/local/sbin", "var/lib", "bin", "release"):
        (tmp_path / name).mkdir(parents=True)
    release = tmp_path / "release"
    shutil.copy2(wheel, release)
    chain, key = ensure_certificates(tmp_path / "tls", "127.0.0.1")
    copied = {"fullchain.pem": chain, "privkey.pem": key, "requirements.txt": ROOT / "requirements" / "run.txt"}
    for name in ("credence.service", "credence.env", "credence.sysusers"):
        copied[name] = ROOT / "deploy" / "systemd" / name
    for name, file in copied.items():
        text = file.read_text(encoding="utf-8")
        (release / name).write_text(text if name.endswith(".pem") else moved(text, tmp_path))
    for name, script in (
        ("systemd-run", SYSTEMD_RUN),
        ("systemctl", SYSTEMCTL),
        ("systemd-sysusers", "#!/bin/sh\n"),
        ("pip", PIP),
    ):
        file = tmp_path / "bin" / name
        file.write_text(script.format(root=tmp_path, python=sys.executable) if "{" in script else script)
        file.chmod(0o755)
    return tmp_path


def moved(text: str, root: Path) -> str:
    """Return a text with the folders of the system replaced by those of the test."""
    return re.sub(r"(?<![\w.])/(etc|opt|usr/local|var/lib|var/backups)/", rf"{root}/\1/", text)


@pytest.mark.when_changed(
    "docs/installing.md",
    "docs/upgrading.md",
    "deploy/systemd/*",
    "pyproject.toml",
    "src/credence/cli/**/*",
    "src/credence/setting_groups/*",
    "src/credence/*.py",
    "tests/deploy/conftest.py",
)
def test_the_page_ends_with_a_token_over_a_certificate_which_an_upgrade_and_the_way_back_leave_valid(
    machine: Path,
) -> None:
    missing = [program for program in ("curl", "openssl") if shutil.which(program) is None]
    if missing:
        pytest.skip(f"{missing[0]} is missing: python -m tests.provision")
    port = str(free_port())
    environment = {
        "PATH": f"{machine}/usr/local/sbin:{machine}/bin:{os.environ['PATH']}",
        "HOME": str(machine),
        "CURL_CA_BUNDLE": str(authority_file(machine / "tls")),
        "CREDENCE_PORT": port,
        "NO_PROXY": "localhost",
    }
    settings = machine / "release" / "credence.env"
    settings.write_text(settings.read_text().replace("8443", port))
    try:
        printed = run(COMMANDS, machine, port, environment)
        assert "The settings are safe for production." in printed
        token = json.loads(printed.splitlines()[-1])
        assert token["token_type"] == "Bearer"
        assert token["access_token"].count(".") == 2

        run(commands(UPGRADING), machine, port, environment)
        assert (machine / "opt/credence").readlink() == machine / "opt/credence-before"
        with httpx.Client(verify=ssl.create_default_context(cafile=environment["CURL_CA_BUNDLE"])) as client:
            report = client.get(
                f"https://localhost:{port}/risk/business/v1/registeredcompanycredit/00000006",
                headers={"Authorization": f"Bearer {token['access_token']}"},
            )
        assert report.status_code not in (401, 403), report.text  # no credit data is loaded
    finally:
        stop(machine / "pid")


def run(script: str, machine: Path, port: str, environment: dict[str, str]) -> str:
    """Run commands of a page on the machine and return what they printed; the packages are linked, not downloaded."""
    script = re.sub(
        r"(?m)^(python3.11 -m venv) (.+)$",
        rf"{sys.executable} -m venv --without-pip \2\ncp {machine}/bin/pip \2/bin/pip",
        script,
    )
    for download in re.findall(r"^.*pip\"? install --require-hashes.*$", script, re.MULTILINE):
        folder = download.split("/bin/pip")[0].strip('"')
        packages = f'"$(echo "{folder}"/lib/python*/site-packages)"'
        script = script.replace(download, f"echo {sysconfig.get_path('purelib')} > {packages}/d.pth")
    script = script.replace("--retry 30 ", "--retry 300 ")  # a busy machine takes longer than one that serves
    script = moved(script, machine).replace("8443", port).replace("NAME=api.example.com", "NAME=localhost")
    done = subprocess.run(
        ["sh", "-eu"],
        input=re.sub(r" -[go] credence", "", script),
        cwd=machine / "release",
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    output = machine / "output.txt"
    assert done.returncode == 0, done.stdout + done.stderr + (output.read_text() if output.exists() else "")
    return done.stdout


def stop(file: Path) -> None:
    if file.exists():
        pid = int(file.read_text())
        os.kill(pid, 15)
        deadline = time.monotonic() + 60
        while Path(f"/proc/{pid}").exists() and time.monotonic() < deadline:
            time.sleep(0.1)


def test_the_release_of_the_page_is_what_make_builds() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in ("requirements.txt", "credence.service", "credence.env", "credence.sysusers"):
        assert name in makefile
        assert name in PAGE
