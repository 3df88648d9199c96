"""`credence backup`: backs up applications, accounts and keys in one file, and restores it to a new store (threats F6)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, place_of, record, settings_of
from credence.cli.failure import Failure
from credence.cli.output import instant, print_one, say
from credence.clock import system_clock
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable
from credence.deployment import NotReady, key_encryption_keys
from credence.oauth.keys.secrets import in_order_of, require_ours
from credence.settings import Settings
from credence.store.transfer import backup
from credence.store.transfer.archive import Head
from credence.store.transfer.tables import SECRETS

commands = typer.Typer(help="Backups of the store.")

BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


@commands.command()
def create(file: BackupFile, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Write a backup while servers run: applications, accounts and the keys of their secrets, without tokens."""
    settings = settings_of(data_dir)
    keks, place = _keys(settings), place_of(settings)
    with place.snapshot() as whole:
        secrets: dict[str, bytes] = dict(whole.rows(SECRETS))
        require_ours(secrets, keks, settings.environment)
    keks = in_order_of(secrets, keks)
    record(settings, "backup create", file=str(file.absolute()))
    try:
        counts = backup.take(place, file, keks, settings.environment, system_clock())
    except FileExistsError as error:
        raise Failure(f"The file {file} exists: name another one.") from error
    except OSError as error:
        raise Failure(f"The backup {file} cannot be written: {error.strerror}. No file was made.") from error
    settings.backup_time_file.touch(mode=0o600)
    print_one({"file": str(file), **counts}, as_json=as_json)


@commands.command()
def verify(file: BackupFile, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Read a whole backup and check that it is undamaged and that the key-encryption key opens it."""
    keks = _keys(settings_of(data_dir))
    with _wrong_key_explained(file):
        head, counts = backup.verify(file, keks)
    print_one(_described(head, counts), as_json=as_json)


@commands.command()
def restore(
    file: BackupFile,
    new_secrets: Annotated[
        bool,
        typer.Option(
            "--new-secrets",
            help="Leave out client secrets and second factors, which a thief of the store and its key-encryption key has.",
        ),
    ] = False,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a new store from a backup. Earlier tokens are invalid, so users sign in again."""
    settings = settings_of(data_dir)
    keks = _keys(settings)
    record(settings, "backup restore", file=str(file.absolute()))
    with _wrong_key_explained(file):
        place, now = place_of(settings), system_clock()
        head, counts = backup.restore(file, keks, place, settings.environment, now, new_secrets=new_secrets)
    if new_secrets and not as_json:
        say(
            "No application has a secret: credence app rotate-secret CLIENT_ID. No account has a second factor or a "
            "passkey: people set them up at their next sign-in."
        )
    if not as_json:
        say(
            "Earlier tokens are invalid: users sign in again. Changes by command after the backup are lost: the audit trail "
            "lists them."
        )
    print_one(_described(head, counts), as_json=as_json)


def _keys(settings: Settings) -> KeyEncryptionKeys:
    """Return the existing key-encryption keys.

    Raises NotReady if there are no keys, because new keys cannot open the backup.
    """
    if not settings.key_encryption_key and not settings.key_encryption_key_path.exists():
        raise NotReady(f"Copy the key-encryption key of the backup to {settings.key_encryption_key_path}.")
    return key_encryption_keys(settings)


@contextmanager
def _wrong_key_explained(file: Path) -> Iterator[None]:
    try:
        yield
    except Unsealable as error:
        raise Failure(f"The key-encryption key does not open {file}: use the one it was made with.") from error


def _described(head: Head, counts: dict[str, int]) -> dict[str, object]:
    return {"taken_at": instant(head.taken_at), "environment": head.environment, **counts}
