"""`credence account`: users and service accounts, their passwords, status and access rules (spec §2.1, D14, D15)."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
import typer

from credence.cli.account_factors import factors, sign_in
from credence.cli.account_links import EmailVerified, invite, reset_link
from credence.cli.deployment import (
    AsJson,
    DataDir,
    account_of,
    act_on_store,
    application_of,
    digest_key,
    opened,
    record,
    settings_of,
    time_of,
)
from credence.cli.failure import Failure, WrongUsage
from credence.cli.output import print_many, print_one, standard_input
from credence.cli.rules import MaxAge, Networks, TimeZone, WeakestClass, Windows
from credence.clock import Milliseconds
from credence.crypto.randomness import new_password
from credence.identity import accounts
from credence.identity.console_roles import with_console_role
from credence.identity.login_attempts import ACCOUNT, ACCOUNT_UNDER_ATTACK, account_key, failures_counted
from credence.identity.password_policy import hash_new_password
from credence.identity.usernames import check_login_name, login_name
from credence.management.accounts import described
from credence.management.rules import described as rules_described
from credence.management.rules import with_rules
from credence.operations.audit_changes import changes
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import (
    Account,
    AccountStatus,
    AccountType,
    ConsoleRole,
)

commands = typer.Typer(help="Users and service accounts.")
commands.command()(sign_in)
commands.command()(factors)
commands.command()(invite)
commands.command()(reset_link)

Username = Annotated[str, typer.Argument(help="Login name, in any case.")]
PasswordStdin = Annotated[bool, typer.Option("--password-stdin", help="Read the password from standard input.")]


@commands.command()
def create(
    username: Username,
    account_type: Annotated[AccountType, typer.Option("--type", help="For a person or for a program.")],
    email: Annotated[str | None, typer.Option(help="E-mail address.", show_default="none")] = None,
    email_verified: EmailVerified = False,
    first_name: Annotated[str | None, typer.Option(help="First name.", show_default="none")] = None,
    last_name: Annotated[str | None, typer.Option(help="Last name.", show_default="none")] = None,
    password_stdin: PasswordStdin = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Register an account. Its login name never changes and is never reassigned.

    Without a password a new one is made and printed once. Nothing else shows it again.
    """
    settings = settings_of(data_dir)
    made = None if password_stdin else new_password()

    async def act() -> Account:
        async with opened(settings, make=True) as store:
            if await store.account(check_login_name(username)) is not None:
                raise Failure(f"The login name {login_name(username)!r} is taken.")
            hashed = hash_new_password(settings.password_profile, made or _password(from_stdin=True))
            now = time_of(store)
            account = accounts.register(
                username,
                account_type,
                hashed,
                now,
                email=email,
                email_verified=email_verified,
                first_name=first_name,
                last_name=last_name,
            )
            record(settings, "account create", changes(None, account), account=account.username)
            await store.save_account(account, now)
            return account

    shown = described(asyncio.run(act()))
    print_one(shown | ({"password": made} if made else {}), as_json=as_json)


@commands.command("list")
def list_all(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every account."""

    async def act() -> list[Account]:
        async with opened(settings_of(data_dir)) as store:
            return await store.accounts()

    columns = ("username", "type", "status", "email", "created_at")
    rows = [{name: described(each)[name] for name in columns} for each in asyncio.run(act())]
    print_many(rows, as_json=as_json)


@commands.command()
def show(username: Username, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show one account, and the number of wrong passwords that count against it."""
    settings = settings_of(data_dir)

    async def act() -> dict[str, object]:
        async with opened(settings) as store:
            account = await account_of(store, username)
            return described(account) | await _wrong_passwords(settings, store, account)

    print_one(asyncio.run(act()), as_json=as_json)


@commands.command()
def unlock(username: Username, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Delete the wrong passwords that count against an account and its origins. The status of the account stays."""
    settings = settings_of(data_dir)

    async def act() -> dict[str, object]:
        async with opened(settings) as store:
            account = await account_of(store, username)
            record(settings, "account unlock", account=account.username)
            await store.clear_failures(account_key(await digest_key(settings, store), account.username))
            return described(account) | await _wrong_passwords(settings, store, account)

    print_one(asyncio.run(act()), as_json=as_json)


@commands.command()
def status(username: Username, status: AccountStatus, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Change the status of an account, which revokes its tokens; `closed` is permanent."""
    settings = settings_of(data_dir)

    async def act() -> Account:
        async with opened(settings) as store:
            found = await account_of(store, username)
            if status == found.status:
                return found
            now = time_of(store)  # read last: tokens issued while the command starts are revoked too
            account = accounts.with_status(found, status, now)
            record(settings, "account status", changes(found, account), account=found.username)
            await store.save_account(account, now)
            return account

    print_one(described(asyncio.run(act())), as_json=as_json)


@commands.command()
def set_password(
    username: Username, password_stdin: PasswordStdin = False, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """Set a new password. Tokens obtained with the old one are revoked."""
    settings = settings_of(data_dir)

    async def act() -> Account:
        async with opened(settings) as store:
            found = await account_of(store, username)
            hashed = hash_new_password(settings.password_profile, _password(from_stdin=password_stdin))
            now = time_of(store)  # read last: tokens obtained while the new password is typed are revoked too
            account = accounts.with_password(found, hashed, now)
            record(settings, "account set-password", changes(found, account), account=found.username)
            await store.save_account(account, now)
            return account

    print_one(described(asyncio.run(act())), as_json=as_json)


@commands.command()
def rules(
    username: Username,
    networks: Networks = None,
    windows: Windows = None,
    time_zone: TimeZone = None,
    weakest_class: WeakestClass = None,
    max_age: MaxAge = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show or change the addresses and hours from which an account may be used."""
    settings = settings_of(data_dir)

    async def act() -> Account:
        async with opened(settings) as store:
            found = await account_of(store, username)
            wanted = with_rules(found, networks, windows, time_zone, weakest_class, max_age)
            if wanted != found:
                record(settings, "account rules", changes(found, wanted), account=found.username)
                wanted = msgspec.structs.replace(wanted, version=found.version + 1)
                await store.save_account(wanted, time_of(store))
            return wanted

    print_one(rules_described(asyncio.run(act()).rules), as_json=as_json)


@commands.command()
def role(
    username: Username,
    role: Annotated[ConsoleRole, typer.Argument(help="What the person may do in the operator console.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Give a person a role in the operator console; `none` takes it away. It takes effect at once."""

    async def change(_store: Store, found: Account) -> Account:
        return with_console_role(found, role)

    account = _of_person(data_dir, username, "role", "can have no role in the console", change)
    print_one({"username": account.username, "console_role": account.console_role}, as_json=as_json)


@commands.command()
def workbench(
    username: Username,
    application: Annotated[str, typer.Argument(help="client_id of the application the person works for, or none.")],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Let a person work in the credit workbench for an application, with its scopes and portfolios; `none` ends that."""
    client_id = "" if application == "none" else application

    async def change(store: Store, found: Account) -> Account:
        if client_id:
            await application_of(store, client_id)
        return _with(found, workbench_for=client_id)

    account = _of_person(data_dir, username, "workbench", "cannot work in the workbench", change)
    print_one({"username": account.username, "workbench_for": account.workbench_for or None}, as_json=as_json)


@commands.command()
def developer(
    username: Username,
    invited: Annotated[bool, typer.Option("--on/--off", help="Invite the person, or take the invitation back.")] = True,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Invite a person to the developer portal, or take that back. It takes effect at once; the applications stay."""

    async def change(_store: Store, found: Account) -> Account:
        return _with(found, developer=invited)

    account = _of_person(data_dir, username, "developer", "cannot use the portal", change)
    print_one({"username": account.username, "developer": account.developer}, as_json=as_json)


def _of_person(
    data_dir: DataDir,
    username: str,
    command: str,
    cannot: str,
    change: Callable[[Store, Account], Awaitable[Account]],
) -> Account:
    """Change the account of a person and return it.

    Raises Failure for a service account; its text ends with `cannot`.
    """
    settings = settings_of(data_dir)

    async def act(store: Store, now: Milliseconds) -> Account:
        found = await account_of(store, username)
        if found.type != "user":
            raise Failure(f"A service account signs in nowhere: it {cannot}.")
        wanted = await change(store, found)
        if wanted != found:
            record(settings, f"account {command}", changes(found, wanted), account=found.username)
            await store.save_account(wanted, now)
        return wanted

    return act_on_store(settings, act)


def _with(found: Account, **changes: object) -> Account:
    """Return the account with these changes and the next version number; the same account if nothing differs."""
    wanted = msgspec.structs.replace(found, **changes)
    return found if wanted == found else msgspec.structs.replace(wanted, version=found.version + 1)


async def _wrong_passwords(settings: Settings, store: Store, account: Account) -> dict[str, object]:
    """Return the number of wrong passwords, and whether untrusted origins are throttled (threats A4, A5)."""
    (tally,) = await store.tallies([account_key(await digest_key(settings, store), account.username)])
    now = time_of(store)
    return {
        "wrong_passwords": failures_counted(tally, ACCOUNT, now),
        "unknown_origins_throttled": ACCOUNT_UNDER_ATTACK.wait(tally, now) > 0,
    }


def _password(*, from_stdin: bool) -> str:
    """Return the password without its line end, otherwise unchanged."""
    if from_stdin:
        return standard_input().removesuffix("\n").removesuffix("\r")
    if not sys.stdin.isatty():
        raise WrongUsage("There is no terminal to read the password from: use --password-stdin.")
    return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
