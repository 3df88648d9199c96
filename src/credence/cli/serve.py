"""`credence serve`: checks the deployment, provisions a sandbox, and serves."""

import asyncio
import fcntl
import os
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Annotated

import typer

from credence import deployment, paths
from credence.background.heap import share_one_heap
from credence.background.memory_dumps import forbid_dumps, limit_dumps, shares_output
from credence.background.scheduling import let_threads_finish
from credence.cli.certificate_check import certificate_warnings
from credence.cli.deployment import DataDir, opened, settings_of, time_of
from credence.cli.failure import Failure, WrongUsage
from credence.cli.listening import free_port, require_free
from credence.clock import system_clock
from credence.crypto.sealing import KeyEncryptionKeys
from credence.monitoring.rules import DEFAULT_RULES
from credence.oauth.applications_index import algorithms_of
from credence.oauth.client_documents.remembering import require_digests
from credence.oauth.keys.ring import load_key_ring
from credence.oauth.keys.rotation import first_keys
from credence.oauth.keys.secrets import load_secrets
from credence.sandbox.banner import show
from credence.sandbox.provision import provision
from credence.sandbox.roles import OPERATOR, USER
from credence.sandbox.sandbox_file import SandboxFile
from credence.serving_pair import ServingPair
from credence.settings import Environment, Settings, setting
from credence.store.contract import StoreUnavailable

MAX_LOCK_WAIT_SECONDS = 5.0
"""Seconds for which a start waits for another server of the data folder to stop."""

_RETRY_SECONDS = 0.1
"""Seconds between two attempts to lock the data folder."""


def serve(
    environment: Annotated[
        Environment | None, typer.Option(help="The environment.", show_default=setting("environment"))
    ] = None,
    data_dir: DataDir = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on.", show_default=setting("host"))] = None,
    port: Annotated[
        int | None, typer.Option(help="Port to listen on, 0 for any that is free.", show_default=setting("port"))
    ] = None,
    http: Annotated[bool | None, typer.Option("--http", help="Serve plain HTTP.", show_default=setting("http"))] = None,
    base_url: Annotated[
        str | None,
        typer.Option(help="Public base address.", show_default="CREDENCE_BASE_URL, or derived from host and port"),
    ] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes.", show_default=setting("workers"))] = None,
) -> None:
    """Serve until stopped. The sandbox is the default and makes everything it needs at its first start."""
    share_one_heap()
    settings_with = partial(
        settings_of, data_dir, environment=environment, host=host, http=http, base_url=base_url, workers=workers
    )
    settings = settings_with(port=port)
    if shares_output(settings.audit_copies):
        limit_dumps()
    else:
        forbid_dumps()
    if settings.batch_scheduling:
        let_threads_finish()
    with ExitStack() as resources:
        any_port = settings.port == 0
        if any_port:
            settings = settings_with(port=resources.enter_context(free_port(settings.host)))
        unsafe = deployment.unsafe_settings(settings)
        if unsafe:
            raise WrongUsage(*unsafe)
        if not any_port:
            require_free(settings.host, settings.port)
        if settings.metrics_port:
            require_free(settings.metrics_host, settings.metrics_port, "Set another CREDENCE_METRICS_PORT")
        if settings.manage_port:
            require_free(settings.manage_host, settings.manage_port, "Set another CREDENCE_MANAGE_PORT")
        # The lock comes first: the clients of a running server trust the files of the folder.
        lock = None if settings.store else resources.enter_context(serving_alone(settings.data_dir))
        _serve(settings, lock)


def _serve(settings: Settings, lock: IO[str] | None) -> None:
    read_keks = partial(deployment.key_encryption_keys, settings)
    keks, files = read_keks(), deployment.tls_files(settings)
    pair = ServingPair(files, system_clock) if files is not None else None
    # The event loop, the store and its thread must have ended before the workers are forked.
    sandbox = _prepared(settings, keks)
    if sandbox is not None:
        show(sandbox, settings.sandbox_file)
    else:
        typer.echo(f"Credence serves {settings.environment} at {settings.issuer}")
    warnings = deployment.startup_warnings(settings)
    if pair is not None and settings.own_tls:
        warnings += certificate_warnings(pair.pair, pair.files[0], settings)
    for warning in warnings:
        typer.echo(f"credence: warning: {warning}", err=True)
    typer.echo(f"Listening on {settings.host} port {settings.port}, {'HTTPS only' if pair else 'plain HTTP'}")
    entry = f": sign in as {USER.username}, with the password above" if sandbox is not None else ""
    typer.echo(f"Credit workbench at {settings.issuer}{paths.WORKBENCH}{entry}")
    if settings.serves_developers:
        typer.echo(f"Developer portal at {settings.issuer}{paths.DEVELOPERS}{entry}")
    if settings.manage_port:
        typer.echo(f"Management API on {settings.manage_host} port {settings.manage_port}")
        entry = f": sign in as {OPERATOR.username}, with the password above" if sandbox is not None else ""
        typer.echo(f"Operator console at {settings.console_url}{paths.CONSOLE}{entry}")
    sys.stdout.flush()
    # Imported late: other commands start a tenth of a second sooner.
    from credence.server import run

    run(settings, read_keks, pair, lock, readable_log=sys.stderr.isatty())


def _prepared(settings: Settings, keks: KeyEncryptionKeys) -> SandboxFile | None:
    """Prepare the store.

    If a shared store does not answer, the node starts unready, and its workers prepare it later. A sandbox does not
    wait, because its credentials are made with its store.
    """
    try:
        return asyncio.run(_prepare(settings, keks))
    except StoreUnavailable as error:
        if not settings.store or settings.environment is Environment.SANDBOX:
            raise
        typer.echo(f"credence: The store is unavailable: {error}. The node waits for it.", err=True)
        return None


async def _prepare(settings: Settings, keks: KeyEncryptionKeys) -> SandboxFile | None:
    """Migrate the store, check that the key-encryption key opens it, and provision a sandbox."""
    async with opened(settings, make=True) as store:
        now, secrets = time_of(store), await load_secrets(store, keks, settings.environment)
        applications = await store.applications()
        require_digests(applications)
        await first_keys(store, keks, settings, algorithms_of(applications), now)
        await load_key_ring(store, keks, settings.algorithm, now)
        if not settings.store:
            await store.changes(0)  # a damaged change log must end the start here, with an explanation
        if settings.environment is not Environment.SANDBOX:
            return None
        return await provision(settings, store, secrets.digest, now, DEFAULT_RULES)


@contextmanager
def serving_alone(data_dir: Path) -> Iterator[IO[str]]:
    """Lock the data folder against other servers and yield the lock file.

    Two servers would each cache one SQLite store. The system releases the lock with the process. A forked process must
    close its copy of the file, or it keeps the lock after its parent ends. Raises Failure while another server has the
    lock.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir / "serving.lock"
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as lock:
        if not _locked(lock):
            raise Failure(f"Another server serves {data_dir}: stop it, or choose another folder with --data-dir.")
        yield lock


def _locked(lock: IO[str]) -> bool:
    never = threading.Event()  # never set, so that waiting on it only passes time
    for _ in range(max(1, round(MAX_LOCK_WAIT_SECONDS / _RETRY_SECONDS))):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            never.wait(_RETRY_SECONDS)
        else:
            return True
    return False
