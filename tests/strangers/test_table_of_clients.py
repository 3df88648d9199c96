"""The table of `docs/clients/README.md` names each program that the tests run, with the version that is installed."""

import json
import re
import shutil
import subprocess
from importlib.metadata import version
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LOCK = json.loads((ROOT / "tests/strangers/node/package-lock.json").read_text())["packages"]
DEBIAN = {
    "ruby-oauth2": "ruby-oauth2",
    "Dovecot": "dovecot-core",
    "Prometheus": "prometheus",
    "mod_auth_openidc": "libapache2-mod-auth-openidc",
    "oidc-agent": "oidc-agent-cli",
    "nginx": "nginx",
    "Caddy": "caddy",
}
"""Program -> package that holds it."""
PYTHON = ("Authlib", "requests-oauthlib", "PyJWT", "joserfc", "mcp")
NPM = {
    "AppAuth": "@openid/appauth",
    "jose": "jose",
    "oidc-client-ts": "oidc-client-ts",
    "openid-client": "openid-client",
}
"""Program -> package of the lock file."""
ORDINARY = {
    "Spring": ("java/pom.xml", r"spring-boot-starter-parent</artifactId>\s*<version>([\d.]+)"),
    "oauth2-proxy": ("go/go.mod", r"oauth2-proxy/oauth2-proxy/v7 v([\d.]+)"),
    "go-oidc": ("go/go.mod", r"coreos/go-oidc/v3 v([\d.]+)"),
    "openidconnect": ("rust/Cargo.toml", r'openidconnect = \{ version = "([\d.]+)"'),
    "django-allauth": ("django/requirements.txt", r"django-allauth==([\d.]+)"),
    "mozilla-django-oidc": ("django/requirements.txt", r"mozilla-django-oidc==([\d.]+)"),
    "Auth": ("node/package-lock.json", r'"node_modules/@auth/express": \{\s*"version": "([\d.]+)"'),
    "passport-openidconnect": (
        "node/package-lock.json",
        r'"node_modules/passport-openidconnect": \{\s*"version": "([\d.]+)"',
    ),
}
"""Ordinary program -> the file below `ordinary/` that names its version, and where."""


def table() -> dict[str, str]:
    """The versions of the table by program."""
    page = (ROOT / "docs" / "clients" / "README.md").read_text()
    rows = re.findall(r"^\| \[?([\w-]+)[^|]*\| (\d[\d.]*) \|", page, re.MULTILINE)
    return dict(rows)


def test_every_program_is_in_the_table() -> None:
    assert set(table()) == {*PYTHON, *NPM, *DEBIAN, *ORDINARY}


@pytest.mark.parametrize("name", ORDINARY)
def test_the_version_is_that_from_which_the_ordinary_program_is_built(name: str) -> None:
    file, pattern = ORDINARY[name]
    found = re.search(pattern, (ROOT / "tests" / "strangers" / "ordinary" / file).read_text(encoding="utf-8"))
    assert found
    assert table()[name] == found[1]


@pytest.mark.parametrize("name", PYTHON)
def test_the_version_is_that_of_the_python_package(name: str) -> None:
    assert table()[name] == version(name)


@pytest.mark.parametrize("name", NPM)
def test_the_version_is_that_of_the_lock(name: str) -> None:
    assert table()[name] == LOCK[f"node_modules/{NPM[name]}"]["version"]


@pytest.mark.parametrize("name", DEBIAN)
@pytest.mark.skipif(shutil.which("dpkg-query") is None, reason="dpkg-query is missing: run the tests on Debian")
def test_the_version_begins_that_of_the_debian_package(name: str) -> None:
    query = ["dpkg-query", "--show", "--showformat=${Version}", DEBIAN[name]]
    found = subprocess.run(query, capture_output=True, text=True, check=False)
    if found.returncode != 0:
        pytest.skip(f"{DEBIAN[name]} is missing: python -m tests.provision")
    assert found.stdout.rpartition(":")[2].startswith(table()[name])
