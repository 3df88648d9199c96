"""The operator console as an application of this service, so that operators sign in as other people do (D27, D30)."""

import msgspec

from credence import paths
from credence.clock import Milliseconds
from credence.crypto.randomness import credential_prefix
from credence.settings import Environment, Settings
from credence.store.contract import Conflict, Store
from credence.store.records import Application


def console_client_id(settings: Settings) -> str:
    """Return the client_id of the console, which is the same for the life of a deployment."""
    return f"{credential_prefix(settings.environment.prefix, 'app')}console"


def redirect_uri(settings: Settings) -> str:
    """Return where operators come back to after they have signed in."""
    return f"{settings.console_url}{paths.CONSOLE_SIGNED_IN}"


async def register_console(store: Store, settings: Settings, now: Milliseconds) -> None:
    """Register the console, or bring its registration up to date.

    It has no secret and gets no tokens of use: a code proves who signed in, and the console redeems it in its own process.
    Outside the sandbox its operators need a second factor.
    """
    found = await store.application(console_client_id(settings))
    wanted = Application(
        console_client_id(settings),
        "Operator console",
        (),
        created_at=found.created_at if found else now,
        version=found.version if found else 1,
        authentication="none",
        grants=("authorization_code",),
        scopes=("openid",),
        redirect_uris=(redirect_uri(settings),),
        sign_in="password" if settings.environment is Environment.SANDBOX else "factor",
        first_party=True,
        disabled=found.disabled if found else False,
        not_before=found.not_before if found else 0,
    )
    if wanted == found:
        return
    if found is not None:
        wanted = msgspec.structs.replace(wanted, version=found.version + 1)
    try:
        await store.save_application(wanted, now)
    except Conflict:  # another node does the same
        return
