"""Installs what the tests need beside Python: `python -m tests.provision`, first step of `make test`.

Programs come from Debian's packages, what is written in JavaScript from npm's. What it may not install it says in one line
each; the tests that need it are then skipped, and in CI they fail.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests import postgres

PACKAGES = {
    "apache2": "libapache2-mod-auth-openidc",
    "caddy": "caddy",
    "chromium-headless-shell": "chromium-headless-shell",
    "crun": "crun",
    "curl": "curl",
    "dovecot": "dovecot-core",
    "faketime": "faketime",
    "groff": "groff-base",
    "haproxy": "haproxy",
    "initdb": "postgresql",
    "javac": "default-jdk-headless",
    "kubectl": "kubernetes-client",
    "mcs": "mono-mcs",
    "mono": "libmono-system-net-http4.0-cil",
    "nginx": "nginx-light",
    "oidc-gen": "oidc-agent-cli",
    "openssl": "openssl",
    "pgbouncer": "pgbouncer",
    "php": "php-cli",
    "prometheus": "prometheus",
    "redis-server": "redis-server",
    "ruby": "ruby-oauth2",
    "strace": "strace",
    "systemd-analyze": "systemd",
}
"""Program the tests call -> package that holds it."""

LONG_PACKAGES = {"etcd": "etcd-server", "ip": "iproute2", "patroni": "patroni python3-etcd python3-idna"}
"""The same of the long run, each with what it needs beside."""

_HERE = Path(__file__).parent
SCRIPTS = {
    "@openid/appauth": _HERE / "strangers" / "node",
    "jose": _HERE / "strangers" / "node",
    "oidc-client-ts": _HERE / "strangers" / "node",
    "openid-client": _HERE / "strangers" / "node",
    "standardwebhooks": _HERE / "strangers" / "node",
    "svix": _HERE / "strangers" / "node",
    "axe-core": _HERE / "accessibility",
    "@modelcontextprotocol/inspector-cli": _HERE / "strangers" / "inspector",
}
"""Package -> folder with its `package-lock.json`; what that names goes into `node_modules` beside it."""


def main() -> int:
    install_programs()
    install_scripts()
    return 0


def install_programs() -> None:
    needed = PACKAGES | (LONG_PACKAGES if os.environ.get("CREDENCE_TEST_LONG") else {})
    missing = [program for program in needed if postgres.program(program) is None]
    if not missing:
        return
    packages = sorted({package for program in missing for package in needed[program].split()})
    if os.geteuid() != 0 or shutil.which("apt-get") is None:
        say(f"missing: {', '.join(missing)}. Install the packages {' '.join(packages)} to run every test.")
        return
    install = ["apt-get", "install", "--yes", "--no-install-recommends", "--quiet", *packages]
    with no_cluster_made():
        if not (succeeds(install) or (succeeds(["apt-get", "update", "--quiet"]) and succeeds(install))):
            say(f"missing: {', '.join(missing)}. apt-get could not install {' '.join(packages)}.")


@contextmanager
def no_cluster_made() -> Iterator[None]:
    """Keep Debian's PostgreSQL from making and starting a server of the machine: the tests start their own."""
    told = Path("/etc/postgresql-common/createcluster.d/credence-tests.conf")
    told.parent.mkdir(parents=True, exist_ok=True)
    told.write_text("create_main_cluster = false\n")
    try:
        yield
    finally:
        told.unlink()


def install_scripts() -> None:
    missing = [program for program in ("node", "npm") if shutil.which(program) is None]
    if missing:
        say(
            f"missing: {', '.join(missing)}. Install Node 20 or later to run the tests that need {' and '.join(SCRIPTS)}."
        )
        return
    for package, folder in SCRIPTS.items():
        install = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent", "--prefix", str(folder)]
        if not (folder / "node_modules" / package).is_dir() and not succeeds(install):
            say(f"missing: {package}. `npm ci` did not succeed in {folder.relative_to(_HERE.parent)}.")


def succeeds(command: Sequence[str]) -> bool:
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0


def say(line: str) -> None:
    print(f"provision: {line}", file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
