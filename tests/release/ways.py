"""The four ways in which a version is installed, run, replaced and removed: wheel, Debian package, image and chart."""

import os
import shutil
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

import httpx
import yaml

from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.release.containers import bundle, new_data, running, unpack
from tests.release.test_debian_package import Machine, serving, variables_of_unit
from tests.waiting import wait_until
from tools.release.__main__ import _downloads

USER = 10_001
KEYS, TLS = "/etc/credence/keys", "/etc/credence/tls"


@dataclass(frozen=True)
class Site:
    """What stays when the program changes: address, certificate, key-encryption key and data, in one folder."""

    folder: Path
    port: int
    store: str = ""
    """The address of a PostgreSQL; empty for the SQLite file in the data."""

    def prepare(self) -> None:
        """Make the certificate and the key."""
        chain, key = ensure_certificates(self.folder / "authority", "localhost")
        for name in ("keys", "tls", "data"):
            (self.folder / name).mkdir()
        shutil.copy(chain, self.folder / "tls" / "tls.crt")
        shutil.copy(key, self.folder / "tls" / "tls.key")
        (self.folder / "keys" / "key-encryption-key").write_text(os.urandom(32).hex())
        (self.folder / "keys" / "store").write_text(self.store)
        for file in (self.folder / "keys").iterdir():
            file.chmod(0o600)

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def settings(self, keys: str, tls: str, data: str) -> dict[str, str]:
        """Return the variables for files at these places."""
        return {
            "CREDENCE_ENVIRONMENT": "production",
            "CREDENCE_BASE_URL": self.url,
            "CREDENCE_PORT": str(self.port),
            "CREDENCE_SUPPORT_EMAIL": "support@example.com",
            "CREDENCE_DATA_DIR": data,
            "CREDENCE_KEY_ENCRYPTION_KEY_FILE": f"{keys}/key-encryption-key",
            "CREDENCE_TLS_CERTIFICATE": f"{tls}/tls.crt",
            "CREDENCE_TLS_KEY": f"{tls}/tls.key",
        } | ({"CREDENCE_STORE": self.store} if self.store else {})

    @property
    def here(self) -> dict[str, str]:
        """The variables for a program of this machine."""
        return self.settings(*(str(self.folder / name) for name in ("keys", "tls", "data")))

    def give(self, user: int) -> None:
        """Let a user own keys, certificate and data."""
        for name in ("keys", "tls", "data"):
            subprocess.run(["chown", "--recursive", f"{user}:{user}", str(self.folder / name)], check=True)

    @contextmanager
    def client(self, process: subprocess.Popen[bytes], output: Path) -> Iterator[httpx.Client]:
        """Yield a client of the service that a process starts, once it is ready."""
        context = ssl.create_default_context(cafile=authority_file(self.folder / "authority"))
        with httpx.Client(base_url=self.url, verify=context, trust_env=False, timeout=20) as client:
            wait_until(lambda: process.poll() is not None or is_ready(client), 120)
            assert process.poll() is None, output.read_text()
            yield client


class Way(Protocol):
    """A way of installing a version in place of another."""

    def install(self, release: Path) -> None: ...

    def serving(self) -> AbstractContextManager[httpx.Client]: ...

    def remove(self) -> None:
        """Remove the program, and check that it is gone; the data stays."""


class Wheel:
    """A virtual environment for each version, next to the other, as docs/upgrading.md has it."""

    def __init__(self, site: Site) -> None:
        self._site, self._folder = site, site.folder / "opt"
        self._folder.mkdir()
        self._link = self._folder / "credence"

    def install(self, release: Path) -> None:
        (wheel,) = release.glob("*.whl")
        place = self._folder / wheel.name
        if not place.exists():
            subprocess.run(["/usr/bin/python3.11", "-m", "venv", place], check=True)
            pip = [str(place / "bin" / "pip"), "--quiet", "--disable-pip-version-check", "install", "--no-deps"]
            locked = ["--require-hashes", "--only-binary=:all:", f"--find-links={_downloads()}"]
            subprocess.run([*pip, "--no-index", *locked, "-r", str(release / "requirements.txt")], check=True)
            subprocess.run([*pip, "--no-index", str(wheel)], check=True)
        self._link.unlink(missing_ok=True)
        self._link.symlink_to(place)

    @contextmanager
    def serving(self) -> Iterator[httpx.Client]:
        output = self._site.folder / "wheel.txt"
        environment = {"PATH": os.environ["PATH"], **self._site.here}
        program = [str(self._link / "bin" / "credence"), "serve"]
        with output.open("ab") as log, subprocess.Popen(program, env=environment, stdout=log, stderr=log) as process:
            try:
                with self._site.client(process, output) as client:
                    yield client
            finally:
                process.terminate()
                process.wait(60)

    def run(self, *words: str, typed: str = "") -> str:
        """Run a command of the program that is installed."""
        environment = {"PATH": os.environ["PATH"], **self._site.here}
        command = [str(self._link / "bin" / "credence"), *words]
        done = subprocess.run(command, env=environment, input=typed, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return str(done.stdout)

    def remove(self) -> None:
        shutil.rmtree(self._folder)
        self._folder.mkdir()


class Package:
    """The Debian package on a copy of this machine, to which data, key and certificate are moved for the time."""

    def __init__(self, site: Site, machine: Machine) -> None:
        self._site, self._machine = site, machine
        for name in ("etc/credence/tls", "var/lib", "srv"):
            machine.file(name).mkdir(parents=True, exist_ok=True)
        shutil.copy(site.folder / "keys" / "key-encryption-key", machine.file("etc/credence/key-encryption-key"))
        shutil.copytree(site.folder / "data", machine.file("var/lib/credence"))
        machine.file("srv/authority").write_text(str(site.folder / "authority"))
        machine.run("chmod 600 /etc/credence/key-encryption-key; chmod 755 /etc/credence")

    def install(self, release: Path) -> None:
        (package,) = release.glob("*.deb")
        shutil.copy(package, self._machine.file("srv/credence.deb"))
        self._machine.run("dpkg --install --force-confold /srv/credence.deb")
        for name, file in (("chain.pem", "tls.crt"), ("key.pem", "tls.key")):
            shutil.copy(self._site.folder / "tls" / file, self._machine.file(f"etc/credence/tls/{name}"))
        self._machine.run(
            "chgrp credence /etc/credence/tls/*; chmod 640 /etc/credence/tls/*; chown -R credence /var/lib/credence;"
            "install -o credence -m 400 /etc/credence/key-encryption-key /run/credence-key;"
            f"sed -i 's|^CREDENCE_BASE_URL=.*|CREDENCE_BASE_URL={self._site.url}|;"
            f"s|^CREDENCE_PORT=.*|CREDENCE_PORT={self._site.port}|' /etc/credence/credence.env"
        )

    def serving(self) -> AbstractContextManager[httpx.Client]:
        assert "CREDENCE_DATA_DIR" in variables_of_unit()
        return serving(self._machine, self._site.port)

    def remove(self) -> None:
        self._machine.run("dpkg --remove credence")
        assert self._machine.run("ls /opt | grep credence || echo none") == "none\n"
        assert "are kept" in self._machine.run("dpkg --purge credence")

    def give_back(self) -> None:
        """Move the data to where the other ways have it."""
        shutil.rmtree(self._site.folder / "data")
        shutil.copytree(self._machine.file("var/lib/credence"), self._site.folder / "data")


class Image:
    """The image of a release, whose container has the data in a volume."""

    def __init__(self, site: Site) -> None:
        self._site, self._containers, self._number = site, site.folder / "containers", 0
        self._containers.mkdir()
        site.give(USER)

    def install(self, release: Path) -> None:
        self._number += 1
        folder = self._containers / str(self._number)
        folder.mkdir()
        (archive,) = release.glob("*.oci.tar")
        place = "/var/lib/credence"
        mounts = {KEYS: self._site.folder / "keys", TLS: self._site.folder / "tls", place: self._site.folder / "data"}
        bundle(unpack(archive, folder), folder, self._site.settings(KEYS, TLS, place), mounts)

    @contextmanager
    def serving(self) -> Iterator[httpx.Client]:
        folder, output = self._containers / str(self._number), self._site.folder / "image.txt"
        name = f"credence-{self._site.port}-{self._number}"
        with running(folder, name, output) as process, self._site.client(process, output) as client:
            yield client

    def remove(self) -> None:
        shutil.rmtree(self._containers)
        self._containers.mkdir()


class Chart:
    """What a cluster runs by the rendered resources of a version: one pod, with an empty disk each time.

    Without a cluster there is no scheduler, no Service and no probe: only the pod's own container runs, as the resources
    describe it.
    """

    def __init__(self, site: Site) -> None:
        self._site, self._pods, self._number = site, site.folder / "pods", 0
        self._pods.mkdir()
        site.give(USER)

    def install(self, release: Path, resources: dict[str, dict[str, Any]] | None = None) -> None:
        assert resources is not None
        self._number += 1
        folder = self._pods / str(self._number)
        folder.mkdir()
        (archive,) = release.glob("*.oci.tar")
        pod = resources["Deployment"]["spec"]["template"]["spec"]
        (container,) = pod["containers"]
        variables = dict(resources["ConfigMap"]["data"])
        for each in container["env"]:
            if "value" in each:
                variables[each["name"]] = each["value"]
            elif "fieldRef" in each["valueFrom"]:
                variables[each["name"]] = f"credence-{self._number}"
        volumes = {each["name"]: each for each in pod["volumes"]}
        secrets = {"credence": self._site.folder / "keys", "credence-tls": self._site.folder / "tls"}
        mounts = {
            each["mountPath"]: secrets[volume["secret"]["secretName"]]
            if "secret" in (volume := volumes[each["name"]])
            else new_data(folder / each["name"], pod["securityContext"]["runAsUser"])
            for each in container["volumeMounts"]
            if each["mountPath"] != "/tmp"  # noqa: S108 - every container of the test has one
        }
        assert container["securityContext"]["readOnlyRootFilesystem"]  # as `bundle` has it
        bundle(unpack(archive, folder), folder, variables, mounts)

    @contextmanager
    def serving(self) -> Iterator[httpx.Client]:
        folder, output = self._pods / str(self._number), self._site.folder / "pod.txt"
        name = f"credence-pod-{self._site.port}-{self._number}"
        with running(folder, name, output) as process, self._site.client(process, output) as client:
            yield client

    def remove(self) -> None:
        shutil.rmtree(self._pods)
        self._pods.mkdir()


def by_kind(documents: str) -> dict[str, dict[str, Any]]:
    """Return Kubernetes resources by their kind."""
    return {each["kind"]: each for each in yaml.safe_load_all(documents) if each}


def is_ready(client: httpx.Client) -> bool:
    try:
        return client.get("/readyz").status_code == 200
    except httpx.TransportError:
        return False
