"""The ordinary programs of `ordinary/`: how each is built from its packages, started, and walked through by a person.

What is built is kept in a folder of the user's cache, under a name that changes with the sources.
"""

import hashlib
import html
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urljoin

import httpx
import pytest

from tests.ports import free_port
from tests.strangers.programs import needs, running
from tests.strangers.provider import Provider

FOLDER = Path(__file__).parent / "ordinary"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "credence-strangers"
BUILDING_SECONDS = 2_400


class Program(NamedTuple):
    """A program: its folder, the tool that builds it, and where a person begins and comes back."""

    folder: str
    tool: str
    start: str = "/"
    callback: str = "/callback"
    variables: Mapping[str, str] = {}
    shows: str = "Signed in as ada.demo@example.com"


PROGRAMS = {
    "Spring Boot": Program("java", "mvn", callback="/login/oauth2/code/credence"),
    "oauth2-proxy": Program("go", "go", start="/oauth2/start?rd=/", callback="/oauth2/callback", shows="Authenticated"),
    "go-oidc": Program("go", "go"),
    "openidconnect of Rust": Program("rust", "cargo"),
    "django-allauth": Program(
        "django",
        sys.executable,
        start="/accounts/oidc/credence/login/",
        callback="/accounts/oidc/credence/login/callback/",
        variables={"WITH": "allauth"},
    ),
    "mozilla-django-oidc": Program(
        "django",
        sys.executable,
        start="/oidc/authenticate/",
        callback="/oidc/callback/",
        variables={"WITH": "mozilla"},
    ),
    "Auth.js": Program("node", "npm", start="/auth/signin", callback="/auth/callback/credence", shows="Signed in as {"),
    "passport-openidconnect": Program("node", "npm", start="/login", shows="Signed in as"),
}


def build(folder: Path, commands: Sequence[Sequence[str]]) -> Path:
    """Build what a folder has the sources of, unless that was done before, and return where."""
    sources = sorted(file for file in folder.rglob("*") if file.is_file())
    digest = hashlib.sha256(b"".join(file.read_bytes() for file in sources)).hexdigest()[:16]
    made = CACHE / f"{folder.name}-{digest}"
    if not (made / "done").exists():
        shutil.rmtree(made, ignore_errors=True)
        shutil.copytree(folder, made)
        for command in commands:
            subprocess.run(command, cwd=made, check=True, timeout=BUILDING_SECONDS, stdout=subprocess.DEVNULL)
        (made / "done").touch()
    return made


NPM = ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
COMMANDS: Mapping[str, Sequence[Sequence[str]]] = {
    "java": [["mvn", "--quiet", "--batch-mode", "-DskipTests", "package"]],
    "go": [
        ["go", "build", "-o", "strangers", "."],
        ["go", "build", "-o", "oauth2-proxy", "github.com/oauth2-proxy/oauth2-proxy/v7"],
    ],
    "rust": [["cargo", "build", "--quiet"]],
    "django": [
        [sys.executable, "-m", "venv", "venv"],
        ["venv/bin/pip", "install", "--quiet", "--require-hashes", "--no-deps", "-r", "requirements.txt"],
    ],
    "node": [NPM],
}

_OF_PROXY = (
    *("--provider=oidc", "--email-domain=*", "--cookie-secret=0123456789abcdef0123456789abcdef"),
    *("--cookie-secure=false", "--upstream=static://200"),
)


def command_of(
    name: str, made: Path, folder: Path, environment: Mapping[str, str], options: Sequence[str]
) -> list[str]:
    """Return the command that starts the program; what it needs of this run is in the folder."""
    port = environment["PORT"]
    match name:
        case "Spring Boot":
            store = folder / f"{port}.p12"
            imported = ["keytool", "-importcert", "-noprompt", "-alias", "authority", "-file", environment["CA_FILE"]]
            kept = ["-keystore", str(store), "-storetype", "PKCS12", "-storepass", "changeit"]
            subprocess.run([*imported, *kept], check=True, capture_output=True)
            trust = [f"-Djavax.net.ssl.trustStore={store}", "-Djavax.net.ssl.trustStorePassword=changeit"]
            return ["java", "-XX:TieredStopAtLevel=1", *trust, *options, "-jar", str(made / "target/strangers-0.jar")]
        case "oauth2-proxy":
            known = [
                f"--oidc-issuer-url={environment['ISSUER']}",
                f"--client-id={environment['CLIENT_ID']}",
                f"--client-secret={environment['CLIENT_SECRET']}",
                f"--redirect-url=http://localhost:{port}/oauth2/callback",
                f"--http-address=127.0.0.1:{port}",
                f"--provider-ca-file={environment['CA_FILE']}",
            ]
            return [str(made / "oauth2-proxy"), *_OF_PROXY, *known, *options]
        case "go-oidc":
            return [str(made / "strangers")]
        case "openidconnect of Rust":
            return [str(made / "target/debug/strangers")]
        case "Auth.js":
            return ["node", str(made / "authjs.mjs")]
        case "passport-openidconnect":
            return ["node", str(made / "passport.mjs")]
        case _:
            return [str(made / "venv/bin/python"), str(made / "program.py")]


@contextmanager
def started(
    name: str,
    provider: Provider,
    folder: Path,
    *options: str,
    switch: str = "",
    program_options: Sequence[str] = (),
) -> Iterator[str]:
    """Run a program with an application of its own, made with these options, and yield its address."""
    program, port = PROGRAMS[name], free_port()
    address = f"http://localhost:{port}"
    back = ("--grant", "authorization_code", "--grant", "refresh_token", "--redirect-uri", address + program.callback)
    after = ("--post-logout-redirect-uri", f"{address}/goodbye")
    client_id, secret = provider.credentials(f"{name} at {port}", *back, *after, *options)
    ca_file = str(provider.ca_file)
    environment = {
        **os.environ,
        **program.variables,
        "PORT": str(port),
        "ISSUER": provider.issuer,
        "CLIENT_ID": client_id,
        "CLIENT_SECRET": secret,
        "CA_FILE": ca_file,
        "DATABASE": str(folder / f"{port}.sqlite"),
        "SWITCH": switch,
        "REQUESTS_CA_BUNDLE": ca_file,
        "NODE_EXTRA_CA_CERTS": ca_file,
        "SSL_CERT_FILE": ca_file,
    }
    made = build(FOLDER / program.folder, COMMANDS[program.folder])
    command = command_of(name, made, folder, environment, program_options)
    with running(command, lambda: _answers(address), folder / f"{port}.txt", environment):
        yield address


def _answers(address: str) -> bool:
    try:
        httpx.get(f"{address}/favicon.ico", trust_env=False)
    except httpx.TransportError:
        return False
    return True


_FORM = re.compile(r"<form[^>]*method=\"post\"[^>]*>(.*?)</form>", re.DOTALL | re.IGNORECASE)
_FIELD = re.compile(r"<input[^>]*name=\"([^\"]+)\"[^>]*value=\"([^\"]*)\"")


def browser_of(provider: Provider) -> httpx.Client:
    """Return a browser that follows redirects and keeps cookies."""
    return httpx.Client(verify=provider.trust, trust_env=False, follow_redirects=True, timeout=60)


def signed_in(provider: Provider, browser: httpx.Client, address: str, program: Program) -> httpx.Response:
    """Go from the program through the pages of the service and back, and return the page that is reached."""
    page = browser.get(address + program.start)
    for _ in range(12):
        if "refresh" in page.headers:
            page = browser.get(page.headers["refresh"].removeprefix("0; url="))
            continue
        form = _FORM.search(page.text)
        if program.shows in page.text or form is None or page.status_code >= 400:
            break
        action = re.search(r"action=\"([^\"]*)\"", form[0][: form[0].index(">")])
        url = urljoin(str(page.url), html.unescape(action[1])) if action and action[1] else str(page.url)
        fields = {name: html.unescape(value) for name, value in _FIELD.findall(form[1])}
        known = {"username": provider.server.username, "password": provider.server.password, "decision": "allow"}
        fields |= {name: value for name, value in known.items() if f'name="{name}"' in form[1]}
        page = browser.post(url, data=fields, headers={"Referer": str(page.url)})
    return page


def marks(name: str) -> list[pytest.MarkDecorator]:
    """Return the marks of a test that runs this program: minutes to build, and only with its tool."""
    return [pytest.mark.long, needs(PROGRAMS[name].tool)]
