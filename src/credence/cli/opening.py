"""Opens everything that `credence serve` opens, and changes nothing, so that faults are found before the start."""

import asyncio
from pathlib import Path
from tempfile import TemporaryFile

from credence import deployment, tls
from credence.cli.certificate_check import certificate_warnings, require_name
from credence.cli.deployment import place_of
from credence.cli.failure import Failure
from credence.cli.listening import require_known
from credence.clock import system_clock
from credence.crypto.sealing import unseal
from credence.settings import Settings
from credence.store.migrations import scripts
from credence.store.sqlite import migrations as sqlite
from credence.store.transfer.tables import SECRETS


def open_everything(settings: Settings) -> list[str]:
    """Open the data folder, the certificate and its key, the store and its key, and the shared counters; return warnings.

    The hosts on which `serve` listens must have an address. Raises OperatorError, StoreUnavailable or Unsealable. A missing
    folder or store is not an error: `serve` makes it.
    """
    _require_writable(settings.data_dir)
    for name, port in (
        ("host", settings.port),
        ("manage_host", settings.manage_port),
        ("metrics_host", settings.metrics_port),
    ):
        if port or name == "host":
            require_known(getattr(settings, name), f"CREDENCE_{name.upper()}")
    files, warnings = _named_files(settings), list[str]()
    if files is not None:
        pair = tls.read_pair(*files)
        tls.require_current(pair, files[0], system_clock())
        require_name(pair, files[0], settings)
        warnings = certificate_warnings(pair, files[0], settings)
    _open_store(settings)
    if settings.counters_url and not _counters_answer(settings.counters_url):
        raise Failure("CREDENCE_COUNTERS_URL: the server of the shared counters does not answer.")
    return warnings


def _require_writable(folder: Path) -> None:
    """Raise Failure if nothing can be written in the folder or, while it is missing, where it would be made."""
    try:
        nearest = next(each for each in (folder, *folder.absolute().parents) if each.exists())
        with TemporaryFile(dir=nearest):  # it has no name, so that nothing is left of it
            pass
    except OSError as error:
        raise Failure(f"CREDENCE_DATA_DIR: nothing can be written in {folder}: {error.strerror}.") from error


def _counters_answer(url: str) -> bool:
    # Imported late: most deployments have no shared counters.
    from credence.ratelimit.redis_counters import answer_within

    return asyncio.run(answer_within(url))


def _named_files(settings: Settings) -> tuple[Path, Path] | None:
    if settings.http or not (settings.tls_certificate and settings.tls_key):
        return None  # the sandbox makes its own
    return settings.tls_certificate, settings.tls_key


def _open_store(settings: Settings) -> None:
    """Read the store without migrating it, and open each sealed secret in it."""
    if not _exists(settings):
        return
    keks = deployment.key_encryption_keys(settings)
    with place_of(settings).snapshot() as transaction:
        for name, sealed in transaction.rows(SECRETS):
            unseal(keks, name, bytes(sealed))


def _exists(settings: Settings) -> bool:
    """Return whether there is a store of this version; `serve` migrates an older one and refuses a newer one."""
    if settings.store:
        # Imported late: other commands start sooner without the PostgreSQL driver.
        from credence.store.postgres import migrations as postgres

        return asyncio.run(postgres.schema_number(settings.store)) == len(scripts("postgres"))
    return sqlite.schema_number(settings.sqlite_file) == len(scripts("sqlite"))
