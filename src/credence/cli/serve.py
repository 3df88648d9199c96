"""`credence serve`: checks that everything is there, makes a sandbox ready, and serves."""

import asyncio
import fcntl
import os
import socket
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import IO, Annotated

import typer

from credence import deployment
from credence.cli.deployment import DataDir, opened, settings_of, time_of
from credence.cli.failure import Failure
from credence.crypto.sealing import KeyEncryptionKeys
from credence.oauth.keys.ring import load_key_ring
from credence.oauth.keys.rotation import rotate_keys
from credence.oauth.keys.secrets import load_secrets
from credence.sandbox.banner import show
from credence.sandbox.provision import provision
from credence.sandbox.sandbox_file import SandboxFile
from credence.settings import METRICS_HOST, Environment, Settings

MAX_LOCK_WAIT_SECONDS = 5.0
"""Seconds for which a server that is about to end is waited for."""

_RETRY_SECONDS = 0.1
"""Seconds between two attempts."""


def serve(
    environment: Annotated[Environment | None, typer.Option(help="The environment [CREDENCE_ENVIRONMENT].")] = None,
    data_dir: DataDir = None,
    host: Annotated[str | None, typer.Option(help="Address to listen on [CREDENCE_HOST].")] = None,
    port: Annotated[int | None, typer.Option(help="Port to listen on, 0 for any that is free [CREDENCE_PORT].")] = None,
    http: Annotated[bool | None, typer.Option("--http", help="Serve plain HTTP [CREDENCE_HTTP].")] = None,
    base_url: Annotated[str | None, typer.Option(help="Public base address [CREDENCE_BASE_URL].")] = None,
    workers: Annotated[int | None, typer.Option(help="Worker processes [CREDENCE_WORKERS].")] = None,
) -> None:
    """Serve until stopped. The sandbox, which is the default, makes everything it needs at its first start."""
    settings_with = partial(
        settings_of, data_dir, environment=environment, host=host, http=http, base_url=base_url, workers=workers
    )
    settings = settings_with(port=port)
    with ExitStack() as held:
        any_port = settings.port == 0
        if any_port:
            settings = settings_with(port=held.enter_context(_free_port(settings.host)))
        unsafe = deployment.unsafe_settings(settings)
        if unsafe:
            raise Failure(*unsafe)
        if not any_port:
            _require_free(settings.host, settings.port)
        for metrics_port in settings.metrics_ports:
            _require_free(METRICS_HOST, metrics_port, "Set another CREDENCE_METRICS_PORT")
        # Nothing is made or replaced before this is settled: a running server's clients trust what lies in the folder.
        lock = None if settings.store else held.enter_context(serving_alone(settings.data_dir))
        _serve(settings, lock)


def _serve(settings: Settings, lock: IO[str] | None) -> None:
    read_keks = partial(deployment.key_encryption_keys, settings)
    keks, tls = read_keks(), deployment.tls_files(settings)
    # The workers are forked: the loop, the store and its thread must be gone by then.
    sandbox = asyncio.run(_prepare(settings, keks))
    if sandbox is not None:
        show(sandbox, settings.sandbox_file)
    else:
        typer.echo(f"Credence serves {settings.environment} at {settings.issuer}")
    typer.echo(f"Listening on {settings.host} port {settings.port}")
    sys.stdout.flush()
    # Imported late: every other command starts a tenth of a second sooner without the server.
    from credence.server import run

    run(settings, read_keks, tls, lock, readable_log=sys.stderr.isatty())


async def _prepare(settings: Settings, keks: KeyEncryptionKeys) -> SandboxFile | None:
    """Bring the store up to date, see that the key opens it, and make the sandbox ready."""
    async with opened(settings, make=True) as store:
        now, secrets = time_of(store), await load_secrets(store, keks, settings.environment)
        await rotate_keys(store, keks, settings, now)
        await load_key_ring(store, keks, now)
        if settings.store:
            await _look_for_credit_data(settings)
        if settings.environment is not Environment.SANDBOX:
            return None
        return await provision(settings, store, secrets.digest, now)


async def _look_for_credit_data(settings: Settings) -> None:
    """Note what other nodes have published before anybody can ask: of what is only awaited nothing may be denied."""
    # Imported late: a node with a SQLite file starts sooner without.
    from credence.datasets.replication.fetching import outdated
    from credence.store.postgres.credit_sets import published

    outdated(settings.credit_folder, await published(settings.store))


@contextmanager
def _free_port(host: str) -> Iterator[int]:
    """Take a port on which nothing listens and keep it from other programs; the server shares it with this one."""
    with ExitStack() as held:
        with _explained(host, 0, "Choose --host"):
            kept = held.enter_context(_bound(host, 0, socket.SO_REUSEPORT))
        yield kept.getsockname()[1]


def _require_free(host: str, port: int, remedy: str = "Choose --host or --port") -> None:
    """Raise Failure when nobody can listen there. The server shares its port with others that ask to, so it is no judge."""
    with _explained(host, port, remedy), _bound(host, port, socket.SO_REUSEADDR) as probe:
        probe.listen()


@contextmanager
def _bound(host: str, port: int, option: int) -> Iterator[socket.socket]:
    """A socket that has this address, with one option of its own."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, protocol) as bound:
        bound.setsockopt(socket.SOL_SOCKET, option, 1)
        bound.bind(address)
        yield bound


@contextmanager
def _explained(host: str, port: int, remedy: str) -> Iterator[None]:
    """Raise Failure for an address that cannot be listened on."""
    try:
        yield
    except OSError as error:
        raise Failure(f"Nothing can listen on {host} port {port}: {error.strerror}. {remedy}.") from error


@contextmanager
def serving_alone(data_dir: Path) -> Iterator[IO[str]]:
    """Keep every other server from this data folder and yield the file that does so; Failure while another has it.

    The system ends this with the process, however it dies. A forked process has to close its copy of the file, or it
    keeps the folder after its parent.
    """
    data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = data_dir / "serving.lock"
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+") as lock:
        if not _locked(lock):
            raise Failure(f"Another server serves {data_dir}: stop it, or choose another folder with --data-dir.")
        yield lock


def _locked(lock: IO[str]) -> bool:
    never = threading.Event()  # nobody sets it: it is waited on to let time pass
    for _ in range(max(1, round(MAX_LOCK_WAIT_SECONDS / _RETRY_SECONDS))):
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            never.wait(_RETRY_SECONDS)
        else:
            return True
    return False
