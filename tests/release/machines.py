"""Machines of a network of their own, on this one: overlays of its files, with their own processes, name and address.

A machine can be switched off, which ends all its processes at once, and on again, with its disk as it was. Nothing of
systemd runs in it: `service_manager.py` does what it would, from the units themselves.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

START = """set -eu
mount -t overlay overlay -o lowerdir=/,upperdir={disk}/upper,workdir={disk}/work {disk}/files
mount -t proc proc {disk}/files/proc; mount --rbind /dev {disk}/files/dev; mount -t tmpfs tmpfs {disk}/files/run
mkdir -m 1777 {disk}/files/run/lock; install -d -o postgres -g postgres {disk}/files/run/postgresql
hostname {name}; ip link set lo up; echo ready; exec sleep 3600
"""

APT_GET = """#!/bin/sh
# Nothing is downloaded here: what is installed stays as it is.
exec /usr/bin/apt-get --no-upgrade "$@"
"""


class Machine:
    """One machine of the network."""

    def __init__(self, disk: Path, name: str, address: str, bridge: str) -> None:
        self.name, self.address = name, address
        self._disk, self._bridge = disk / name, bridge
        self._first: subprocess.Popen[str] | None = None
        for part in ("upper", "work", "files"):
            (self._disk / part).mkdir(parents=True)

    def start(self) -> None:
        """Switch the machine on: its network is there, and no service runs yet."""
        script = START.format(disk=self._disk, name=self.name)
        unshared = ["unshare", "--mount", "--net", "--uts", "--pid", "--ipc", "--fork", "--kill-child"]
        self._first = subprocess.Popen([*unshared, "sh", "-c", script], stdout=subprocess.PIPE, text=True)
        assert self._first.stdout is not None
        assert self._first.stdout.readline() == "ready\n"
        (child,) = Path(f"/proc/{self._first.pid}/task/{self._first.pid}/children").read_text().split()
        self._inside = ["nsenter", f"--target={child}", "--mount", "--net", "--uts", "--pid", "--ipc"]
        wire = f"{self._bridge}{self.name[0]}"
        _run("ip", "link", "add", wire, "type", "veth", "peer", "name", "eth0", "netns", child)
        _run("ip", "link", "set", wire, "master", self._bridge, "up")
        _run(*self._inside, "ip", "address", "add", f"{self.address}/24", "dev", "eth0")
        _run(*self._inside, "ip", "link", "set", "eth0", "up")
        manager = Path(__file__).with_name("service_manager.py").read_text(encoding="utf-8")
        for name, script in (("systemctl", manager), ("systemd-run", manager), ("apt-get", APT_GET)):
            file = self.file(f"usr/local/sbin/{name}")
            file.write_text(script)
            file.chmod(0o755)

    def file(self, path: str) -> Path:
        """Return where this process sees a file of the machine while it runs."""
        return Path(f"/proc/{self._inside[1].split('=')[1]}/root{self._disk}/files") / path

    def run(self, script: str, within: float = 300) -> str:
        """Run commands as root, with a bare environment, and return what they printed."""
        inside = [*self._inside, "chroot", str(self._disk / "files"), "env", "-i"]
        path = "PATH=/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin"
        done = subprocess.run(
            [*inside, path, "HOME=/root", "DEBIAN_FRONTEND=noninteractive", "bash", "-euc", script],
            capture_output=True,
            text=True,
            timeout=within,
            check=False,
        )
        assert done.returncode == 0, f"{self.name}: {done.stdout}{done.stderr}{self._words()}"
        return done.stdout

    def _words(self) -> str:
        logs = [self.file(f"var/log/{name}.out") for name in ("etcd", "patroni", "credence", "haproxy")]
        return "".join(f"\n{log.name}:\n{log.read_text()[-1500:]}" for log in logs if log.exists())

    def switch_off(self) -> None:
        """End every process of the machine at once; its disk stays."""
        if self._first is not None:
            self._first.kill()
            self._first.wait()
            assert self._first.stdout is not None
            self._first.stdout.close()
            self._first = None


@contextmanager
def network(names: dict[str, str], gateway: str) -> Iterator[list[Machine]]:
    """Running machines by name and address, all on a bridge that this process reaches as `gateway`."""
    disk = Path(tempfile.mkdtemp(prefix="credence-network-"))
    bridge = f"cr{os.getpid() % 1_000_000}"
    with ExitStack() as ending:
        ending.callback(disk.rmdir)
        _run("mount", "-t", "tmpfs", "tmpfs", str(disk))
        ending.callback(_unmount, disk)
        _run("ip", "link", "add", bridge, "type", "bridge")
        ending.callback(_run, "ip", "link", "delete", bridge)
        _run("ip", "address", "add", f"{gateway}/24", "dev", bridge)
        _run("ip", "link", "set", bridge, "up")
        machines = [Machine(disk, name, address, bridge) for name, address in names.items()]
        for each in machines:
            ending.callback(each.switch_off)
            each.start()
        yield machines


def _unmount(folder: Path) -> None:
    for _ in range(50):  # the kernel ends the overlays of a machine a moment after its processes
        if subprocess.run(["umount", str(folder)], check=False, capture_output=True).returncode == 0:
            return
        time.sleep(0.2)
    _run("umount", "--lazy", str(folder))


def _run(*command: str) -> None:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(f"{shlex.join(command)}: {done.stderr}")


def lacking() -> list[str]:
    """Return the programs that the machines need and this one lacks; `root` and Python 3.11 of Debian among them."""
    needed = ("unshare", "nsenter", "setpriv", "ip", "etcd", "patroni", "haproxy", "dpkg")
    found = [program for program in needed if shutil.which(program) is None]
    if os.geteuid() != 0:
        found.append("root")
    if not Path("/usr/bin/python3.11").exists() or sys.platform != "linux":
        found.append("python3.11 of Debian")
    return found
