"""`credence account sign-in` and `factors`: what a sign-in of an account requires, and its second factors (RFC 6238)."""

import asyncio
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, account_of, opened, record, settings_of, time_of
from credence.cli.output import print_many, print_one
from credence.identity.accounts import with_sign_in
from credence.management.factors import described, remove_all, removed
from credence.operations.audit_changes import changes
from credence.store.people import Factor
from credence.store.records import Account, SignInPolicy


def sign_in(
    username: Annotated[str, typer.Argument(help="Login name, in any case.")],
    policy: Annotated[SignInPolicy, typer.Argument(help="What a sign-in needs at least.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Require a second factor or a passkey of an account, or a password alone.

    A person without one sets it up at the next sign-in. An account that needs more than a password gets no tokens by the
    password grant.
    """
    settings = settings_of(data_dir)

    async def act() -> Account:
        async with opened(settings) as store:
            found = await account_of(store, username)
            if found.sign_in == policy:
                return found
            now = time_of(store)  # read last: sessions opened while the command starts end too
            account = with_sign_in(found, policy, now)
            record(settings, "account sign-in", changes(found, account), account=found.username)
            await store.save_account(account, now)
            return account

    account = asyncio.run(act())
    print_one({"username": account.username, "sign_in": account.sign_in}, as_json=as_json)


def factors(
    username: Annotated[str, typer.Argument(help="Login name, in any case.")],
    remove: Annotated[
        bool, typer.Option("--remove", help="Remove all of them, when the telephone is lost; this ends the sessions.")
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """List the second factors and passkeys of an account, or remove them."""
    settings = settings_of(data_dir)

    async def act() -> list[Factor]:
        async with opened(settings) as store:
            account = await account_of(store, username)
            found = await store.factors_of(account.username)
            if not remove:
                return found
            record(settings, "account factors", removed(found), account=account.username)
            await remove_all(store, account, time_of(store))
            return await store.factors_of(account.username)

    print_many([described(each) for each in asyncio.run(act())], as_json=as_json)
