"""`credence account`: users and service accounts, their passwords, states and rules (spec §2.1, D14, D15)."""

import asyncio
import sys
from typing import Annotated

import msgspec
import typer

from credence.cli.access_rules import Networks, TimeZone, Windows, changed, described
from credence.cli.deployment import AsJson, DataDir, account_of, digest_key, opened, settings_of, time_of
from credence.cli.failure import Failure
from credence.cli.output import instant, print_many, print_one, standard_input
from credence.cli.record import record
from credence.identity import accounts
from credence.identity.login_attempts import ACCOUNT, account_key, failures_counted
from credence.identity.password_policy import hash_new_password
from credence.identity.usernames import check_login_name, login_name
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Account, AccountStatus, AccountType

commands = typer.Typer(help="Users and service accounts.")

Username = Annotated[str, typer.Argument(help="Login name, in any case.")]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]


@commands.command()
def create(
    username: Username,
    account_type: Annotated[AccountType, typer.Option("--type", help="For a person or for a program.")],
    email: str | None = None,
    first_name: str | None = None,
    last_name: str | None = None,
    password_stdin: PasswordStdin = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Register an account. Its login name never changes and is never given to another."""
    settings = settings_of(data_dir)

    async def act() -> Account:
        async with opened(settings, make=True) as store:
            if await store.account(check_login_name(username)) is not None:
                raise Failure(f"The login name {login_name(username)!r} is taken.")
            hashed = hash_new_password(settings.password_profile, _password(from_stdin=password_stdin))
            record(settings, "account create", account=login_name(username))
            now = time_of(store)
            account = accounts.register(
                username,
                account_type,
                hashed,
                now,
                email=email,
                first_name=first_name,
                last_name=last_name,
            )
            await store.save_account(account, now)
            return account

    print_one(_described(asyncio.run(act())), as_json=as_json)


@commands.command("list")
def list_all(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every account."""

    async def act() -> list[Account]:
        async with opened(settings_of(data_dir)) as store:
            return await store.accounts()

    shown = ("username", "type", "status", "email", "created_at")
    rows = [{name: _described(each)[name] for name in shown} for each in asyncio.run(act())]
    print_many(rows, as_json=as_json)


@commands.command()
def show(username: Username, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show one account, and how many wrong passwords are held against it."""
    settings = settings_of(data_dir)

    async def act() -> dict[str, object]:
        async with opened(settings) as store:
            account = await account_of(store, username)
            return _described(account) | await _guesses(settings, store, account)

    print_one(asyncio.run(act()), as_json=as_json)


@commands.command()
def unlock(username: Username, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Forget the wrong passwords held against an account and every place it was tried from. Its state stays."""
    settings = settings_of(data_dir)

    async def act() -> dict[str, object]:
        async with opened(settings) as store:
            account = await account_of(store, username)
            record(settings, "account unlock", account=account.username)
            await store.clear_failures(account_key(await digest_key(settings, store), account.username))
            return _described(account) | await _guesses(settings, store, account)

    print_one(asyncio.run(act()), as_json=as_json)


@commands.command()
def status(username: Username, status: AccountStatus, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Change the state of an account. That kills its live tokens; `closed` is for ever."""
    settings = settings_of(data_dir)

    async def act() -> Account:
        async with opened(settings) as store:
            found = await account_of(store, username)
            record(settings, "account status", account=found.username, status=status)
            now = time_of(store)  # only now: what is issued while this command starts must die too
            account = accounts.with_status(found, status, now)
            await store.save_account(account, now)
            return account

    print_one(_described(asyncio.run(act())), as_json=as_json)


@commands.command()
def set_password(
    username: Username, password_stdin: PasswordStdin = False, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """Give an account a new password. Tokens obtained with the old one die."""
    settings = settings_of(data_dir)

    async def act() -> Account:
        async with opened(settings) as store:
            found = await account_of(store, username)
            hashed = hash_new_password(settings.password_profile, _password(from_stdin=password_stdin))
            record(settings, "account set-password", account=found.username)
            now = time_of(store)  # only now: what the old password obtains while the new one is typed must die too
            account = accounts.with_password(found, hashed, now)
            await store.save_account(account, now)
            return account

    print_one(_described(asyncio.run(act())), as_json=as_json)


@commands.command()
def rules(
    username: Username,
    networks: Networks = None,
    windows: Windows = None,
    time_zone: TimeZone = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show from where and when an account may be used, or change it."""
    settings = settings_of(data_dir)

    async def act() -> Account:
        async with opened(settings) as store:
            account = await account_of(store, username)
            wanted = changed(account.rules, networks, windows, time_zone)
            if wanted != account.rules:
                record(settings, "account rules", account=account.username)
                account = msgspec.structs.replace(account, rules=wanted, version=account.version + 1)
                await store.save_account(account, time_of(store))
            return account

    print_one(described(asyncio.run(act()).rules), as_json=as_json)


async def _guesses(settings: Settings, store: Store, account: Account) -> dict[str, object]:
    """Return what is held against the account itself; strangers are slowed when it is too much (threats A4, A5)."""
    (tally,) = await store.tallies([account_key(await digest_key(settings, store), account.username)])
    now = time_of(store)
    return {"wrong_passwords": failures_counted(tally, ACCOUNT, now), "strangers_slowed": ACCOUNT.reached(tally, now)}


def _password(*, from_stdin: bool) -> str:
    """Return the password as it was given, never trimmed: only the line's own end is not part of it."""
    if from_stdin:
        return standard_input().removesuffix("\n").removesuffix("\r")
    if not sys.stdin.isatty():
        raise Failure("There is no terminal to ask for the password: give it with --password-stdin.")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))


def _described(account: Account) -> dict[str, object]:
    """Return what an operator may see: everything but the password's hash."""
    return {
        "username": account.username,
        "type": account.type,
        "status": account.status,
        "email": account.email,
        "first_name": account.first_name,
        "last_name": account.last_name,
        "created_at": instant(account.created_at),
        "tokens_valid_from": instant(account.not_before or None),
        **described(account.rules),
    }
