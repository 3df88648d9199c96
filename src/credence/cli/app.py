"""`credence app`: client applications, their authentication and their rights (spec §2.1, §5.1, D15, D25)."""

import asyncio

import typer

from credence.cli.deployment import AsJson, DataDir, opened, settings_of
from credence.cli.operation_commands import add_to
from credence.cli.output import instant, print_many, say
from credence.clock import system_clock
from credence.oauth.grants.grant import OPENED_BY_PEOPLE
from credence.operations.table import commands_of
from credence.store.records import Application, FamilyStatistics

ADVICE = (
    "\nLogins are by the password grant, sign-ins by authorization code or device grant; none that has expired is counted.\n"
    "What to use instead, and what the states mean: docs/leaving-the-password-grant.md"
)


def report(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the applications that use the password grant or that people sign in to, with the last login of each kind."""
    now = system_clock()

    async def act() -> list[dict[str, object]]:
        async with opened(settings_of(data_dir)) as store:
            found = {(each.client_id, each.signed_in): each for each in await store.family_statistics(now)}
            rows = (
                _row(each, found.get((each.client_id, False)), found.get((each.client_id, True)))
                for each in await store.applications()
            )
            return [row for row in rows if row["state"] is not None]

    rows = asyncio.run(act())
    print_many(rows, as_json=as_json)
    if not as_json:
        say(ADVICE if rows else "No application may use the password grant, and no one signs in to one.")


def _row(
    application: Application, logins: FamilyStatistics | None, sign_ins: FamilyStatistics | None
) -> dict[str, object]:
    return {
        "client_id": application.client_id,
        "name": application.name,
        "state": _state(application, logins, sign_ins),
        "allowed": _may_log_in(application),
        "last_login": instant(logins.newest) if logins else None,
        "live_logins": logins.live if logins else 0,
        "last_sign_in": instant(sign_ins.newest) if sign_ins else None,
        "live_sign_ins": sign_ins.live if sign_ins else 0,
    }


def _may_log_in(application: Application) -> bool:
    return "password" in application.grants and not application.disabled


def _state(application: Application, logins: FamilyStatistics | None, sign_ins: FamilyStatistics | None) -> str | None:
    """Return the state of the move from the password grant: unused, password, moving, ending or moved.

    None if people neither sign in by the grant nor sign in to the application.
    """
    if "password" in application.grants:
        if logins is None:
            return "unused"
        return "moving" if sign_ins else "password"
    if logins is not None and logins.live:
        return "ending"
    return "moved" if OPENED_BY_PEOPLE.intersection(application.grants) else None


commands = typer.Typer(help="Client applications.")
add_to(commands, *commands_of("app"))
commands.command()(report)
