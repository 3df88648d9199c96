"""The lines that a command prints for an error: one for each thing that the operator must correct."""

from pathlib import Path

import typer
from pydantic import ValidationError

from credence.cli.exit_codes import ExitCode
from credence.crypto.sealing import Unsealable
from credence.datasets.sources.source import LoadRefused
from credence.deployment import NotReady
from credence.errors import InvalidInput, OperatorError, UnknownName, UnusableContent
from credence.refusals.credit import COMPANY_NUMBER_MALFORMED
from credence.refusals.refusal import Refused
from credence.settings import Settings
from credence.store.contract import Conflict, StoreDamaged, StoreUnavailable
from credence.store.migrations import StoreMissing
from credence.telemetry.reasons import explanations

_NOT_FOUND_STATUS = 404


class Failure(OperatorError):
    """The command failed; each argument is a line that states the cause or the remedy."""

    exit_code = ExitCode.REFUSED

    def __init__(self, *lines: str) -> None:
        super().__init__(*lines)
        self.lines = list(lines)


class WrongUsage(Failure):
    """An argument, an option or a setting is wrong."""

    exit_code = ExitCode.USAGE


class NotFound(Failure):
    """The object that the command names does not exist."""

    exit_code = ExitCode.NOT_FOUND


class WrongContent(Failure):
    """A file or other input cannot be used."""

    exit_code = ExitCode.CONTENT


def refusal_of(status: int, line: str) -> Failure:
    """Return the failure for a refusal with this status of HTTP, of an operation here or of an API elsewhere."""
    return {404: NotFound, 422: WrongUsage}.get(status, Failure)(line)


def exit_code(error: Exception) -> ExitCode:
    """Return the exit code for an error that has an explanation."""
    match error:
        case Failure():
            return error.exit_code
        case StoreMissing():
            return ExitCode.NOT_FOUND
        case StoreUnavailable():
            return ExitCode.CONTENT if isinstance(error, StoreDamaged) else ExitCode.STORE_AWAY
        case LoadRefused():
            return ExitCode.REFUSED
        case UnusableContent():
            return ExitCode.CONTENT
        case FileNotFoundError() | UnknownName():
            return ExitCode.NOT_FOUND
        case Refused() if error.refusal.status == _NOT_FOUND_STATUS:
            return ExitCode.NOT_FOUND
        case (
            typer.TyperException() | ValidationError() | InvalidInput() | NotReady() | UnicodeEncodeError() | Refused()
        ):
            return ExitCode.USAGE
        case _:
            return ExitCode.REFUSED


def explained(error: Exception) -> list[str]:
    """Return the lines that explain an error to the operator; none for a defect of the program, which needs its traceback.

    No line repeats the value of a setting, which may be a secret.
    """
    match error:
        case Failure():
            return error.lines
        case typer.TyperException():
            return [_with_help(_one_line(error.format_message()), error)]
        case ValidationError():
            return [_setting(each["loc"], each["msg"]) for each in error.errors(include_input=False)]
        case Refused() if error.refusal.name == COMPANY_NUMBER_MALFORMED.name:
            return [error.refusal.message]
        case Refused() if error.reason in explanations():
            return [explanations()[error.reason].rule]
        case Unsealable():
            return ["The key-encryption key does not open this store: use the one it was made with."]
        case UnicodeEncodeError():  # Python decodes invalid UTF-8 of an argument to surrogates (PEP 383)
            return ["An argument is not valid UTF-8."]
        case Conflict():
            return [f"{error} was changed by someone else in the meantime. Try again."]
        case StoreUnavailable():
            return [_store_error(error)]
        case OperatorError():
            return [_one_line(str(error))]
        case OSError():
            return [_file_error(error)]
        case _:
            return []


def _with_help(message: str, error: typer.TyperException) -> str:
    """Return the message; for an error of usage with the command that prints the help."""
    context: typer.Context | None = getattr(error, "ctx", None)
    if context is None:
        return message
    return f"{message if message.endswith(('.', '?')) else message + '.'} See {context.command_path} --help."


def _store_error(error: StoreUnavailable) -> str:
    if isinstance(error, StoreDamaged):
        return _one_line(f"The store is damaged: {error}. Keep the file, and restore the newest backup.")
    return _one_line(f"The store is unavailable: {error}")


def _file_error(error: OSError) -> str:
    if isinstance(error, FileExistsError | NotADirectoryError) and error.filename:
        obstacle = _no_folder(Path(error.filename))
        return f"{obstacle} is in the way: move it away, or name another folder with --data-dir."
    return f"{error.filename}: {error.strerror}." if error.filename and error.strerror else _one_line(str(error))


def _no_folder(path: Path) -> Path:
    """Return the first part of a path that exists and is not a folder; without one the path itself."""
    return next((part for part in reversed(path.parents) if part.exists() and not part.is_dir()), path)


def _setting(place: tuple[int | str, ...], message: str) -> str:
    name = str(place[0]) if place else "settings"
    field = Settings.model_fields.get(name)
    # A message with quotation marks may repeat the value, which may be a secret: print the description of the setting.
    text = field.description if "'" in message and field and field.description else message
    return f"CREDENCE_{name.upper()} is not valid: {_one_line(text)}"


def _one_line(text: str) -> str:
    return " ".join(text.replace("Value error, ", "").split())
