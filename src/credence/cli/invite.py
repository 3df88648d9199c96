"""`credence app invite`: an initial access token, with which applications register themselves (RFC 7591 §3)."""

import asyncio
from typing import Annotated

import typer

from credence.cli import application_options as options
from credence.cli.deployment import AsJson, DataDir, digest_key, opened, record, settings_of, time_of
from credence.cli.output import instant, rendered, say
from credence.management.application_fields import read
from credence.management.invitations import USUAL_GRANTS
from credence.oauth.parameters.scopes import SCOPES
from credence.oauth.registration.invitation import MAX_LIFETIME_SECONDS, MAX_USES, new_invitation, write

DEFAULT_LIMITS = {"grants": ", ".join(USUAL_GRANTS), "scopes": "every scope", "audiences": "none"}
"""Option -> what an invitation allows without it, as the help prints it."""


def invite(
    uses: Annotated[
        int, typer.Option(min=1, max=MAX_USES, help="Number of applications that may register with it.")
    ] = 1,
    expires: Annotated[
        int, typer.Option(min=1, max=MAX_LIFETIME_SECONDS, help="Seconds for which it is valid.")
    ] = 86_400,
    grants: options.Grants = None,
    scopes: options.Scopes = None,
    audiences: options.Audiences = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Print an initial access token. It limits the grants, scopes and resources of the applications registered with it."""
    limits = read(options.typed(locals()))
    settings = settings_of(data_dir)

    async def act() -> dict[str, object]:
        async with opened(settings) as store:
            key = await digest_key(settings, store)
            invitation = new_invitation(
                time_of(store) + expires * 1000,
                uses,
                limits.get("grants", USUAL_GRANTS),
                limits.get("scopes", tuple(SCOPES)),
                limits.get("audiences", ()),
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
        text += "\n\nRegistration is off: set CREDENCE_REGISTRATION=on for the service before you use it."
    say(text)
