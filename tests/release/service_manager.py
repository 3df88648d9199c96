#!/usr/bin/python3.11
"""What `systemctl` and `systemd-run` do for a machine without systemd: user, variables, credentials and program of a unit.

The file stands in the machine under both names.
"""

import os
import pwd
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

STARTED = Path("/run/started")
UNITS = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")


class Unit:
    """The properties of a unit that matter here."""

    def __init__(self, name: str, credentials: Path) -> None:
        self.name, self._credentials = name, credentials
        self.user, self.command = "root", ""
        self.variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}
        self._files: list[str] = []

    def take(self, key: str, value: str) -> None:
        """Take one line of a unit, or one `-p` of the command."""
        if key == "User":
            self.user = value
        elif key == "ExecStart":
            self.command = value
        elif key == "Environment":
            self.variables |= dict(self._full(each).split("=", 1) for each in shlex.split(value))
        elif key == "EnvironmentFile":
            self._files.append(value.lstrip("-").replace("%p", self.name))
        elif key == "LoadCredential":
            known, _, source = value.partition(":")
            shutil.copy(source, self._credentials / known)
        elif key == "StateDirectory":
            folder = Path("/var/lib", value)
            folder.mkdir(exist_ok=True, mode=0o700)
            shutil.chown(folder, self.user)

    def _full(self, text: str) -> str:
        return text.replace("%S", "/var/lib").replace("%d", str(self._credentials)).replace("%H", os.uname().nodename)

    def ready(self, words: list[str]) -> list[str]:
        """Return the command as its user runs it, when all properties are known."""
        for file in filter(os.path.exists, self._files):
            lines = Path(file).read_text(encoding="utf-8").splitlines()
            self.variables |= dict(each.split("=", 1) for each in lines if "=" in each and each[0] != "#")
        who = pwd.getpwnam(self.user)
        self.variables["HOME"] = who.pw_dir
        for each in (self._credentials, *self._credentials.iterdir()):
            os.chown(each, who.pw_uid, who.pw_gid)
        groups = ["--init-groups"] if self.name else ["--clear-groups"]
        as_user = ["setpriv", f"--reuid={self.user}", f"--regid={who.pw_gid}", *groups]
        return words if self.user == "root" else [*as_user, *words]


def lines(name: str) -> Iterator[list[str]]:
    found = next(file for file in (Path(place, f"{name}.service") for place in UNITS) if file.exists())
    for file in (found, *sorted(Path(f"/etc/systemd/system/{name}.service.d").glob("*.conf"))):
        for line in file.read_text(encoding="utf-8").splitlines():
            if "=" in line and line[0] not in "#;":
                yield line.split("=", 1)


def start(name: str) -> None:
    credentials = Path("/run/credentials", name)
    credentials.mkdir(parents=True, exist_ok=True)
    unit = Unit(name, credentials)
    for key, value in lines(name):
        unit.take(key, value)
    words = unit.ready(["/bin/bash", "-c", f"exec {unit.command}"])
    with Path(f"/var/log/{name}.out").open("ab") as log:
        nothing = subprocess.DEVNULL
        process = subprocess.Popen(
            words, env=unit.variables, cwd="/", stdin=nothing, stdout=log, stderr=log, start_new_session=True
        )
    (STARTED / name).write_text(str(process.pid))


def stop(name: str) -> None:
    file = STARTED / name
    if not file.exists():
        return
    try:
        os.killpg(int(file.read_text()), signal.SIGTERM)
        for _ in range(400):
            os.killpg(int(file.read_text()), 0)
            time.sleep(0.1)
    except ProcessLookupError:
        pass
    file.unlink()


def systemctl(verb: str, *arguments: str) -> None:
    STARTED.mkdir(exist_ok=True)
    for name in (each for each in arguments if not each.startswith("-")):
        if verb in ("stop", "restart"):
            stop(name)
        if verb in ("start", "restart") or (verb == "enable" and "--now" in arguments):
            start(name)


def systemd_run(words: list[str]) -> None:
    unit = Unit("", Path(tempfile.mkdtemp(dir="/run")))
    while words[0].startswith("-"):
        option = words.pop(0)
        if option.startswith("--uid="):
            unit.user = option.removeprefix("--uid=")
        elif option == "-p":
            unit.take(*words.pop(0).split("=", 1))
    command = unit.ready(words)
    os.umask(0o077)
    os.execvpe(command[0], command, unit.variables)  # noqa: S606 - a program of the machine


if __name__ == "__main__":
    if Path(sys.argv[0]).name == "systemctl":
        systemctl(*sys.argv[1:])
    else:
        systemd_run(sys.argv[1:])
