"""The banner that a sandbox prints at its start: address, credentials, and lines to paste into a shell (D18).

The lines need only curl and sed. Each block needs only the first block before it.
"""

import shlex
from pathlib import Path

import msgspec
from rich.console import Console
from rich.text import Text

from credence import paths
from credence.sandbox.sandbox_file import SandboxFile
from credence.sandbox.scenarios import REPORT

_ON = " \\\n  "
"""Continues a shell command on the next line."""

_TAKE = """token=$(printf %s "$tokens" | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
refresh=$(printf %s "$tokens" | sed 's/.*"refresh_token":"\\([^"]*\\)".*/\\1/')"""


def show(sandbox: SandboxFile, path: Path) -> None:
    """Print the banner without wrapping, so that lines can be pasted."""
    console = Console(soft_wrap=True, highlight=False)
    console.print(Text("\nCredence sandbox", style="bold"))
    for name, value in _facts(sandbox, path):
        console.print(Text.assemble((f"  {name:<18}", "dim"), value))
    for title, lines in curl_lines(sandbox):
        console.print(Text(f"\n# {title}", style="bold green"))
        console.print(Text(lines))
    console.print()


def curl_lines(sandbox: SandboxFile) -> list[tuple[str, str]]:
    """Return the steps of a first visit as pairs of title and shell lines."""
    curl = "curl -sS -w '\\n'" + (f" --cacert {shlex.quote(sandbox.ca_file)}" if sandbox.ca_file else "")
    base = sandbox.base_url
    client = f"{_ON}-H 'client_id: {sandbox.client_id}'{_ON}-H 'client_secret: {sandbox.client_secret}'"
    user = msgspec.json.encode({"username": sandbox.username, "password": sandbox.password}).decode()
    login = f"{curl} {base}{paths.TOKEN}{client}{_ON}-H 'Content-Type: application/json'{_ON}-d '{user}'"
    refresh = f"{curl} -X POST {base}{paths.TOKEN}{client}{_ON}-H 'grant_type: refresh_token'"
    report, real = (f"{curl} {base}{REPORT}/{each}" for each in (sandbox.company_number, sandbox.real_company_number))
    bearer = f'{_ON}-H "Authorization: Bearer $token"'
    page = f"{_ON}-H 'Accept: text/html'{_ON}-o report.html"
    standard = sandbox.standard_client_id
    return [
        ("Get a token", f'tokens=$({login})\n{_TAKE}\necho "$tokens"'),
        ("Get a credit report (an invented company, with a score, accounts and a parent company)", f"{report}{bearer}"),
        ("Save the report as a web page, report.html", f"{report}{bearer}{page}"),
        ("Get a report on a real company (scored by its register entry of May 2020)", f"{real}{bearer}"),
        ("Refresh the token", f'tokens=$({refresh}{_ON}-H "refresh_token: $refresh")\n{_TAKE}\necho "$tokens"'),
        ("Revoke the token", f'{curl} -X POST {base}{paths.REVOCATION}{client}{_ON}-H "token: $refresh"'),
        *(
            [("Get a token the way OAuth libraries do", f"{curl} {base}{paths.TOKEN}{_form(sandbox)}")]
            if standard
            else []
        ),
        ("List one request for every other response", f"{curl} {base}{paths.SCENARIOS}"),
    ]


def _form(sandbox: SandboxFile) -> str:
    """Return the options for a password grant with the client's secret in the form (RFC 6749 §2.3.1, §4.3.2)."""
    fields = {
        "grant_type": "password",
        "username": sandbox.username,
        "password": sandbox.password,
        "client_id": sandbox.standard_client_id,
        "client_secret": sandbox.standard_client_secret,
    }
    return "".join(f"{_ON}-d '{name}={value}'" for name, value in fields.items())


def _facts(sandbox: SandboxFile, path: Path) -> list[tuple[str, str]]:
    return [
        ("base address", sandbox.base_url),
        ("CA file", sandbox.ca_file or "none needed"),
        ("client_id", sandbox.client_id),
        ("client_secret", sandbox.client_secret),
        ("username", sandbox.username),
        ("password", sandbox.password),
        ("service username", sandbox.service_username),
        ("service password", sandbox.service_password),
        ("", "a service account is for programs: it gets tokens and cannot sign in to the pages"),
        ("all of this", str(path.absolute())),
        ("reference", f"{sandbox.base_url}{paths.DOCS}"),
    ]
