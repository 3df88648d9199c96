"""`credence doctor`: checks a deployment from outside and prints the remedy of each failure (threats P17)."""

import asyncio
import ssl
from dataclasses import asdict
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit

import typer

from credence.cli.command_parameters import Values
from credence.cli.deployment import AsJson, DataDir, opened, settings_of
from credence.cli.failure import NotFound, WrongContent, WrongUsage
from credence.cli.output import print_many, say
from credence.cli.remote_api import Remote
from credence.clock import system_clock
from credence.doctor.examination import build_of_python, examine, without_pkce
from credence.doctor.finding import CheckOutcome, Finding
from credence.doctor.site import Site
from credence.interpreter import is_optimised
from credence.management.examination import own_authority
from credence.settings import Settings


def doctor(
    url: Annotated[str | None, typer.Option(help="Public base address.", show_default="that of the settings")] = None,
    resolve: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS:PORT",
            help="Examine one node behind the load balancer: connect to this address with the host name of the public one.",
            show_default="the address of the name",
        ),
    ] = None,
    ca_file: Annotated[
        Path | None,
        typer.Option(help="Certificates to trust, PEM.", show_default="the machine's, or the sandbox's own"),
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Examine a deployment through its public address; exit code 1 when something is wrong. Nothing is changed."""
    settings = settings_of(data_dir)
    address = (url or settings.issuer).rstrip("/")
    if not address.startswith(("https://", "http://")):
        raise WrongUsage("The address begins with https://, such as https://api.example.com.")
    trusted = ca_file or (own_authority(settings) if url is None else None)
    findings = list(examine(Site(address, _trust(trusted), _node(resolve)), system_clock()))
    if url is None:
        findings.append(build_of_python(optimised=is_optimised()))
        findings += asyncio.run(_of_the_store(settings))
    _print(findings, as_json=as_json)
    if any(finding.outcome is CheckOutcome.FAILURE for finding in findings):
        raise typer.Exit(1)


def _doctor_there(there: Remote, values: Values) -> None:
    found = there.rows("/doctor", "findings")
    print_many(found, as_json=values["as_json"])
    if any(each.get("outcome") == CheckOutcome.FAILURE.value for each in found):
        raise typer.Exit(1)


doctor.run_there = _doctor_there  # type: ignore[attr-defined]  # `remote.py` calls it


async def _of_the_store(settings: Settings) -> list[Finding]:
    """Return the findings about the applications; none where the store is on another machine."""
    try:
        async with opened(settings) as store:
            return [without_pkce(await store.applications())]
    except NotFound:
        return []


def _node(text: str | None) -> tuple[str, int] | None:
    """Return address and port of a node; an IPv6 address is in brackets.

    Raises WrongUsage for any other text.
    """
    if text is None:
        return None
    try:
        parts = urlsplit(f"//{text}")
        if parts.hostname and parts.port and parts.netloc == text and "@" not in text:
            return parts.hostname, parts.port
    except ValueError:
        pass
    raise WrongUsage("The node is an address and a port, such as 10.0.0.11:8443 or [2001:db8::11]:8443.")


def _trust(ca_file: Path | None) -> ssl.SSLContext:
    try:
        return ssl.create_default_context(cafile=ca_file)
    except ssl.SSLError as error:
        raise WrongContent(f"{ca_file} holds no certificate in PEM.") from error


def _print(findings: list[Finding], *, as_json: bool) -> None:
    if as_json:
        print_many([asdict(finding) for finding in findings], as_json=True)
        return
    rows = [{"outcome": str(each.outcome), "check": each.check, "seen": each.seen} for each in findings]
    print_many(rows, as_json=False)
    for finding in findings:
        if finding.to_do:
            say("\n".join((f"\n{finding.check}:", *(f"  {line}" for line in finding.to_do))))
