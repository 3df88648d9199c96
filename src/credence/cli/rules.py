"""`credence rules test`: what the rules on addresses and hours decide, by the functions of the service (D15)."""

import asyncio
from collections.abc import Sequence
from datetime import UTC, datetime
from ipaddress import ip_address
from typing import Annotated

import typer

from credence.access.caller_address import Address, unwrapped
from credence.access.rules import AccessRules, decide, local_time
from credence.access.text import format_rules
from credence.cli.deployment import AsJson, DataDir, account_of, application_of, opened, settings_of
from credence.cli.failure import WrongUsage
from credence.cli.output import print_one
from credence.clock import Milliseconds, system_clock
from credence.settings import Settings

commands = typer.Typer(help="The rules on addresses and hours.")

_FIRST_YEAR, _LAST_YEAR = 1970, 9998
"""A moment of other years may have no local time."""

Owner = tuple[str, AccessRules]
"""The owner of access rules, `application` or `account`, and the rules."""


@commands.command("test")
def try_out(
    address: Annotated[str, typer.Option(help="The caller's address.")],
    at: Annotated[
        str | None,
        typer.Option(help="A moment with its offset, such as 2026-10-25T01:30:00+01:00 or …Z.", show_default="now"),
    ] = None,
    app: Annotated[
        str | None, typer.Option(help="The client_id of the application.", show_default="no application's rules")
    ] = None,
    account: Annotated[
        str | None, typer.Option(help="The username of the account.", show_default="no account's rules")
    ] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Print whether a call would be allowed, and the rule that decides; exit with 1 if not. Nothing is called or changed."""
    if app is None and account is None:
        raise WrongUsage("Name the rules to test: --app, --account, or both.")
    caller, now = _address(address), _moment(at)
    owners = asyncio.run(_owners(settings_of(data_dir), app, account))
    verdict = _verdict(owners, caller, now)
    print_one(verdict, as_json=as_json)
    if not verdict["allowed"]:
        raise typer.Exit(1)


async def _owners(settings: Settings, client_id: str | None, username: str | None) -> list[Owner]:
    """Return the access rules in the order in which the service applies them."""
    owners = []
    async with opened(settings) as store:
        if client_id is not None:
            owners.append(("application", (await application_of(store, client_id)).rules))
        if username is not None:
            owners.append(("account", (await account_of(store, username)).rules))
    return owners


def _verdict(owners: Sequence[Owner], address: Address, now: Milliseconds) -> dict[str, object]:
    for owner, rules in owners:
        reason = decide(rules, address, now)
        if reason is not None:
            return {
                "allowed": False,
                "decided_by": f"{reason.removeprefix('access.')} of the {owner}",
                "because": _because(reason, rules, address, now),
                **_times(owners, now),
            }
    return {"allowed": True, "decided_by": None, "because": "No rule forbids it.", **_times(owners, now)}


def _because(reason: str, rules: AccessRules, address: Address, now: Milliseconds) -> str:
    networks, windows, time_zone = format_rules(rules)
    if reason == "access.network":
        return f"{address} is in none of: {', '.join(networks)}"
    return f"{local_time(rules, now):%a %H:%M} in {time_zone} is in none of: {', '.join(windows)}"


def _times(owners: Sequence[Owner], now: Milliseconds) -> dict[str, object]:
    """Return the local time of each owner, with its offset from UTC; the offset distinguishes a repeated hour."""
    return {
        f"time_of_{owner}": f"{local_time(rules, now):%a %Y-%m-%d %H:%M:%S %z} {rules.time_zone}"
        for owner, rules in owners
    }


def _address(text: str) -> Address:
    try:
        return unwrapped(ip_address(text))
    except ValueError:
        raise WrongUsage(f"{text!r} is not an address such as 203.0.113.9 or 2001:db8::1.") from None


def _moment(text: str | None) -> Milliseconds:
    if text is None:
        return system_clock()
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise WrongUsage(f"{text!r} is not a moment such as 2026-10-25T01:30:00+01:00.") from None
    if moment.tzinfo is None:
        # A local time without an offset may not exist, or occur twice.
        raise WrongUsage(f"{text!r} lacks its offset from UTC: write {text}Z, or {text}+01:00.")
    if not _FIRST_YEAR <= moment.year <= _LAST_YEAR:
        raise WrongUsage(f"{text!r} is not between the years {_FIRST_YEAR} and {_LAST_YEAR}.")
    return int((moment - datetime(1970, 1, 1, tzinfo=UTC)).total_seconds() * 1000)
