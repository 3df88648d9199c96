"""What an operator does by command is in the audit trail before it is done: no record, no act (threats F2)."""

import os
import pwd

from credence.cli.failure import Failure
from credence.clock import system_clock
from credence.settings import Settings
from credence.telemetry.audit import line
from credence.telemetry.audit_files import AuditFiles


def record(settings: Settings, act: str, **fields: str | None) -> None:
    """Write down, on the disk itself, what is about to be saved; Failure when that cannot be, so that nothing is saved.

    The fields say on what and to what: never a secret, and of a person the login name alone.
    """
    files = AuditFiles(settings.audit_folder, settings.audit_file_megabytes, settings.audit_files)
    try:
        files.append(
            [line("operator", system_clock(), settings.environment, act=act, operator=_operator(), **fields)],
            durable=True,
        )
    except OSError as error:
        raise Failure(
            f"The audit trail {settings.audit_folder} cannot be written: {error.strerror}. Nothing was changed."
        ) from error


def _operator() -> str:
    """Return the name under which the system knows who runs this command."""
    try:
        return pwd.getpwuid(os.getuid()).pw_name
    except KeyError:
        return f"uid {os.getuid()}"
