"""`credence app report`: which applications still use the password grant (RFC 9700 §2.4, D25)."""

import asyncio

from credence.cli.deployment import AsJson, DataDir, opened, settings_of
from credence.cli.output import instant, print_many, say
from credence.clock import system_clock
from credence.store.records import Application, FamilyStatistics

ADVICE = (
    "\nlast_login covers stored logins only: an expired login is deleted.\n"
    "What to use instead: docs/leaving-the-password-grant.md"
)


def report(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the applications that may use the password grant or have logins by it, with their last login."""
    now = system_clock()

    async def act() -> list[dict[str, object]]:
        async with opened(settings_of(data_dir)) as store:
            logins = {each.client_id: each for each in await store.family_statistics(now)}
            found = [(each, logins.get(each.client_id)) for each in await store.applications()]
            return [_row(application, of_it) for application, of_it in found if _concerned(application, of_it)]

    rows = asyncio.run(act())
    print_many(rows, as_json=as_json)
    if not as_json:
        say(ADVICE if rows else "No application may use the password grant, and no login by it is live.")


def _concerned(application: Application, logins: FamilyStatistics | None) -> bool:
    """Return whether the application may use the password grant or still has live logins."""
    return "password" in application.grants or (logins is not None and logins.live > 0)


def _row(application: Application, logins: FamilyStatistics | None) -> dict[str, object]:
    return {
        "client_id": application.client_id,
        "name": application.name,
        "allowed": "password" in application.grants and not application.disabled,
        "last_login": instant(logins.newest) if logins else None,
        "live_logins": logins.live if logins else 0,
    }
