"""The deployment that a command works on: its settings, store and service."""

import asyncio
import os
import pwd
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from credence.app import open_authority, open_store
from credence.cli.failure import Failure, NotFound, WrongUsage
from credence.cli.variables import unknown_variables
from credence.clock import Milliseconds, system_clock
from credence.deployment import key_encryption_keys, make_key_encryption_key
from credence.identity.usernames import login_name
from credence.oauth.authority import Authority
from credence.oauth.keys.secrets import load_secrets
from credence.operations.acting import Acting, Means
from credence.operations.audit_changes import NO_CHANGES, Changes
from credence.setting_types import STORE_SCHEMES
from credence.settings import Settings, setting
from credence.store.contract import Conflict, Store
from credence.store.records import Account, Application
from credence.store.sqlite.transfer import SqliteLocation
from credence.store.transfer.location import StoreLocation
from credence.telemetry.audit import line
from credence.telemetry.audit_chain import chained_files
from credence.telemetry.audit_copies import STDOUT, AuditCopies

T = TypeVar("T")

COPY_SECONDS = 2.0
"""Seconds for which a command waits until its audit line has reached the further destinations."""

MAX_ADDRESS_BYTES = 4_096
"""The most bytes that are read of a file that may contain the URL of a store."""

DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Folder of the deployment.", show_default=setting("data_dir"))
]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def settings_of(data_dir: Path | None, **chosen: Any) -> Settings:
    """Return the settings: options of the command line override variables, and variables override defaults.

    Raises WrongUsage for a variable that begins with CREDENCE_ and is not a setting, because it would have no effect.
    """
    unknown = unknown_variables(os.environ)
    if unknown:
        raise WrongUsage(*unknown)
    options = {"data_dir": data_dir, **chosen}
    return Settings(**{name: value for name, value in options.items() if value is not None})


def time_of(store: Store) -> Milliseconds:
    """Return the time of the clock of the store, which the servers use for tokens and revocations too."""
    return system_clock() + store.clock_offset()


@asynccontextmanager
async def opened(settings: Settings, *, make: bool = False) -> AsyncIterator[Store]:
    """Open the store for one command.

    Raises Failure if it does not exist, unless `make` is set.
    """
    if not make:
        await _require_store(settings)
    if make:
        make_key_encryption_key(settings)
    store = await open_store(settings)
    try:
        yield store
    finally:
        await store.close()


async def _require_store(settings: Settings) -> None:
    if settings.store:
        # Imported late: other commands start sooner without the PostgreSQL driver.
        from credence.store.postgres.migrations import schema_number

        if not await schema_number(settings.store):
            raise NotFound("There is no store in the database of CREDENCE_STORE: make it with: credence migrate")
    elif not settings.sqlite_file.exists():
        raise NotFound(f"There is no store in {settings.data_dir}: name its folder with --data-dir.")


async def application_of(store: Store, client_id: str) -> Application:
    """Return the application with this client_id. Raises NotFound if it does not exist."""
    application = await store.application(client_id)
    if application is None:
        raise NotFound(f"There is no application {client_id!r}.")
    return application


async def account_of(store: Store, username: str) -> Account:
    """Return the account with this login name, in any case. Raises NotFound if it does not exist."""
    account = await store.account(login_name(username))
    if account is None:
        raise NotFound(f"There is no account {username!r}.")
    return account


async def digest_key(settings: Settings, store: Store) -> bytes:
    """Return the digest key of client secrets; raises Unsealable under the wrong key-encryption key."""
    return (await load_secrets(store, key_encryption_keys(settings), settings.environment)).digest


@asynccontextmanager
async def opened_authority(settings: Settings, now: Milliseconds) -> AsyncIterator[Authority]:
    """Open the parts of the service that check tokens, as a server opens them."""
    async with opened(settings) as store:
        authority = await open_authority(settings, store, partial(key_encryption_keys, settings), now)
        try:
            yield authority
        finally:
            await authority.passwords.close()


def record(settings: Settings, act: str, changed: Changes = NO_CHANGES, **fields: str | None) -> None:
    """Write the audit line of a command, synced to disk, before it acts and after all its checks (threats F2).

    `act` is the command. `fields` identify its objects: no secrets, and people by login name only; `changed` is what it
    changes of them. Raises Failure when the line cannot be written; the caller then changes nothing.
    """
    record_line(settings, {"act": act, "operator": operator(), **fields, **({"changes": changed} if changed else {})})


def record_line(settings: Settings, fields: Mapping[str, object]) -> None:
    """Write an audit line with these members, as `record` does."""
    copies = AuditCopies([each for each in settings.audit_copies if each != STDOUT])  # the command prints there itself
    files = chained_files(settings.audit_folder, settings.audit_file_megabytes, settings.audit_files, copies.put)
    try:
        files.append(
            [line("operator", system_clock(), settings.environment, **fields)],
            durable=True,
        )
    except OSError as error:
        raise Failure(
            f"The audit trail {settings.audit_folder} cannot be written: {error.strerror}. Nothing was changed."
        ) from error
    finally:
        copies.close(COPY_SECONDS)


def operator() -> str:
    """Return the system user name of the user who runs the command."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"


def place_of(settings: Settings) -> StoreLocation:
    """Return the location of the store of these settings; it may not exist yet."""
    return place(settings.store or str(settings.sqlite_file))


def place(text: str) -> StoreLocation:
    """Return the location of a store: a PostgreSQL URL, a file that contains one, a SQLite file, or its data folder."""
    path = Path(text)
    address = _address(path) if path.is_file() else text
    if address.partition("://")[0] in STORE_SCHEMES:
        # Imported late: other commands start sooner without the PostgreSQL driver.
        from credence.store.postgres.transfer import PostgresLocation

        return PostgresLocation(address)
    return SqliteLocation(Settings(data_dir=path).sqlite_file if path.is_dir() else path)


def _address(file: Path) -> str:
    """Return the beginning of a file as text.

    A URL in a file does not appear, with its password, in the list of processes.
    """
    with file.open("rb") as opened:
        return opened.read(MAX_ADDRESS_BYTES).decode("utf-8", "replace").strip()


def act_on_store(settings: Settings, act: Callable[[Store, Milliseconds], Awaitable[T]]) -> T:
    """Run a function on the store of the deployment, at the store's time, and return its result.

    Raises Failure if another process changed the same row at the same time.
    """

    async def run() -> T:
        async with opened(settings) as store:
            try:
                return await act(store, time_of(store))
            except Conflict:
                raise Failure("Another process changed this at the same time: try again.") from None

    return asyncio.run(run())


@asynccontextmanager
async def acting(
    settings: Settings, *, make: bool = False, needs_store: bool = True, through: str = ""
) -> AsyncIterator[Acting]:
    """Open the deployment for one command: its store, unless the command is on what is in files.

    `through` is for the audit trail, if the command does the acts of others.
    """
    read_keks = partial(key_encryption_keys, settings)

    named = {"through": through} if through else {}

    async def record(line: Mapping[str, object]) -> None:
        await asyncio.to_thread(record_line, settings, {"operator": operator(), **named, **line})

    if not needs_store:

        async def no_key() -> bytes:
            raise LookupError("this command was opened without the store")

        yield Acting(Means(settings, None, read_keks, no_key), system_clock, operator(), record)
        return
    async with opened(settings, make=make) as store, AsyncExitStack() as ending:

        async def read_authority() -> Authority:
            authority = await open_authority(settings, store, read_keks, system_clock())
            ending.push_async_callback(authority.passwords.close)
            return authority

        means = Means(settings, store, read_keks, partial(digest_key, settings, store), read_authority)
        yield Acting(means, partial(time_of, store), operator(), record)
