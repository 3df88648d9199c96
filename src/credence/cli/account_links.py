"""`credence account invite` and `reset-link`: people choose their passwords themselves (ASVS 6.4.1, 6.4.6)."""

import asyncio
from typing import Annotated

import msgspec
import typer

from credence.cli.deployment import AsJson, DataDir, account_of, digest_key, opened, record, settings_of, time_of
from credence.cli.failure import Failure
from credence.cli.output import instant, rendered, say
from credence.identity.activation import MAX_LIFETIME_SECONDS
from credence.identity.usernames import check_login_name, login_name
from credence.management.password_links import INVITATION_SECONDS, RESET_SECONDS, invited, password_link
from credence.operations.audit_changes import changes
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Account

EmailVerified = Annotated[
    bool,
    typer.Option("--email-verified", help="The address is known to be the person's; programs are given it as such."),
]
Expires = Annotated[int, typer.Option(min=60, max=MAX_LIFETIME_SECONDS, help="Seconds for which the link is valid.")]


def invite(
    username: Annotated[str, typer.Argument(help="Login name of the new account.")],
    email: Annotated[str | None, typer.Option(help="E-mail address.", show_default="none")] = None,
    email_verified: EmailVerified = False,
    first_name: Annotated[str | None, typer.Option(help="First name.", show_default="none")] = None,
    last_name: Annotated[str | None, typer.Option(help="Last name.", show_default="none")] = None,
    developer: Annotated[
        bool, typer.Option("--developer", help="Invite the person to the developer portal as well.")
    ] = False,
    expires: Expires = INVITATION_SECONDS,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Register an account for a person and print the link with which they choose its password."""
    settings = settings_of(data_dir)

    async def act() -> dict[str, object]:
        async with opened(settings, make=True) as store:
            if await store.account(check_login_name(username)) is not None:
                raise Failure(
                    f"The login name {login_name(username)!r} is taken.",
                    f"A new link for it: credence account reset-link {login_name(username)}",
                )
            now = time_of(store)
            account = invited(settings, username, now, email=email, first_name=first_name, last_name=last_name)
            verified = email_verified and email is not None
            account = msgspec.structs.replace(account, email_verified=verified, developer=developer)
            record(settings, "account invite", changes(None, account), account=account.username)
            await store.save_account(account, now)
            return await _link(settings, store, account, expires)

    say(rendered(asyncio.run(act()), as_json=as_json))


def reset_link(
    username: Annotated[str, typer.Argument(help="Login name, in any case.")],
    expires: Expires = RESET_SECONDS,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Print a link with which a person chooses a new password. The present one stays valid until then."""
    settings = settings_of(data_dir)

    async def act() -> dict[str, object]:
        async with opened(settings) as store:
            account = await account_of(store, username)
            link = await _link(settings, store, account, expires)
            record(settings, "account reset-link", account=account.username)
            return link

    say(rendered(asyncio.run(act()), as_json=as_json))


async def _link(settings: Settings, store: Store, account: Account, expires: int) -> dict[str, object]:
    until = time_of(store) + expires * 1000
    return {
        "username": account.username,
        "link": password_link(settings, await digest_key(settings, store), account, until),
        "expires_at": instant(until),
    }
