"""What an operator reads when a command cannot be carried out: a line for each thing to put right, never a value."""

from pathlib import Path

import typer
from pydantic import ValidationError

from credence import refusals
from credence.crypto.sealing import Unsealable
from credence.datasets.catalogue import CatalogueDamaged
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.disputes import DisputesDamaged
from credence.deployment import NotReady
from credence.oauth.keys.secrets import ForeignStore
from credence.refusals import Refused
from credence.settings import Settings
from credence.store.contract import Conflict, StoreUnavailable
from credence.store.migrations import SchemaTooNew
from credence.store.transfer.archive import ArchiveDamaged
from credence.store.transfer.backup import WrongEnvironment
from credence.store.transfer.move import NotEmpty
from credence.store.transfer.out_of_service import StoreOutOfService
from credence.telemetry.reasons import explanations


class Failure(Exception):
    """The command cannot be carried out; each argument is a line that says why or what to do."""

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.lines = list(lines)


_IN_ITS_WORDS = (
    *(CatalogueDamaged, DisputesDamaged, UnusableDataSet),
    *(ForeignStore, NotReady, SchemaTooNew, StoreOutOfService, NotEmpty, ArchiveDamaged, WrongEnvironment),
    *(ValueError, OSError),
)
"""What says itself what is wrong, in a line that is meant for the operator."""


def explained(error: Exception) -> list[str]:
    """Return the lines that explain an error to the operator; none for one that nobody foresaw."""
    match error:
        case Failure():
            return error.lines
        case typer.TyperException():
            return [_one_line(error.format_message())]
        case ValidationError():
            return [_setting(each["loc"], each["msg"]) for each in error.errors(include_input=False)]
        case Refused(refusal=refusals.COMPANY_NUMBER_MALFORMED):
            return [error.refusal.message]
        case Refused() if error.reason in explanations():
            return [explanations()[error.reason].rule]
        case Unsealable():
            return ["The key-encryption key does not open this store: use the one it was made with."]
        case UnicodeEncodeError():  # octets of the command line that Python keeps as lone surrogates (PEP 383)
            return ["What was typed is no text in UTF-8."]
        case Conflict():
            return [f"{error} was changed by someone else meanwhile; look at it and try again."]
        case StoreUnavailable():
            return [_one_line(f"The store is unavailable: {error}")]
        case FileExistsError() | NotADirectoryError() if error.filename:
            obstacle = _no_folder(Path(error.filename))
            return [f"{obstacle} is in the way: move it away, or name another folder with --data-dir."]
        case OSError() if error.filename and error.strerror:
            return [f"{error.filename}: {error.strerror}."]
        case _:
            return [_one_line(str(error))] if isinstance(error, _IN_ITS_WORDS) else []


def _no_folder(path: Path) -> Path:
    """Return what stands in the way of a path: the part of it that is there and is no folder, else the path."""
    return next((part for part in reversed(path.parents) if part.exists() and not part.is_dir()), path)


def _setting(place: tuple[int | str, ...], message: str) -> str:
    name = str(place[0]) if place else "settings"
    field = Settings.model_fields.get(name)
    # A message with quotation marks may quote what was given, which may be a secret: the meaning is told instead.
    said = field.description if "'" in message and field and field.description else message
    return f"CREDENCE_{name.upper()} is not valid: {_one_line(said)}"


def _one_line(text: str) -> str:
    return " ".join(text.replace("Value error, ", "").split())
