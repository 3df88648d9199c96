"""`credence app invite`: an initial access token, with which an application registers itself (RFC 7591 §3)."""

import asyncio
from typing import Annotated, Any

import typer

from credence.cli.application_options import read_typed
from credence.cli.deployment import AsJson, DataDir, digest_key, opened, settings_of, time_of
from credence.cli.output import instant, rendered, say
from credence.cli.record import record
from credence.oauth.parameters.scopes import SCOPES
from credence.oauth.registration.invitation import LONGEST_LIFE, MOST_USES, new_invitation, write

TAKEN = ("grants", "scopes", "audiences")
"""Options of applications that an invitation may hold."""

USUAL_GRANTS = ("client_credentials",)


def invite(
    uses: Annotated[int, typer.Option(min=1, max=MOST_USES, help="How many applications may register with it.")] = 1,
    expires: Annotated[int, typer.Option(min=1, max=LONGEST_LIFE, help="Seconds for which it is good.")] = 86_400,
    data_dir: DataDir = None,
    as_json: AsJson = False,
    **typed: Any,
) -> None:
    """Print an invitation. Whoever holds it registers applications with these grants, scopes and resources at most."""
    settings, said = settings_of(data_dir), read_typed(typed)

    async def act() -> dict[str, object]:
        async with opened(settings) as store:
            key = await digest_key(settings, store)
            invitation = new_invitation(
                time_of(store) + expires * 1000,
                uses,
                said.get("grants", USUAL_GRANTS),
                said.get("scopes", tuple(SCOPES)),
                said.get("audiences", ()),
            )
            record(settings, "app invite")
            return {
                "initial_access_token": write(settings.environment.prefix, key, invitation),
                "uses": uses,
                "expires_at": instant(invitation.expires_at),
                "grants": list(invitation.grants),
                "scopes": list(invitation.scopes),
                "audiences": list(invitation.audiences),
            }

    text = rendered(asyncio.run(act()), as_json=as_json)
    if not as_json and not settings.registration:
        text += "\n\nNobody can use it while registration is off: set CREDENCE_REGISTRATION=on for the service."
    say(text)
