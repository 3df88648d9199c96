"""Arguments and options of commands made from operations and readings: the key of the object, and the members of a body."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any

import msgspec
import typer
from msgspec import UNSET

from credence.cli.deployment import AsJson, DataDir
from credence.cli.failure import WrongUsage
from credence.cli.output import standard_input
from credence.cli.remote_api import Remote
from credence.operations.inputs import Member, body_of, members_of
from credence.operations.operation import Noun

Values = Mapping[str, Any]
"""The parameters of a command by name, as typed."""

Preview = Annotated[bool, typer.Option("--preview", help="Print what would be, and change nothing.")]


def typed_body(model: Any, values: Values) -> Any:
    """Return the body that the options describe. Raises WrongUsage for a value that does not fit."""
    if model is None:
        return None
    given = {
        each.name: _given(each, values[each.name]) for each in members_of(model) if values.get(each.name) is not None
    }
    lists = {each.name for each in members_of(model) if each.kind is list and not each.input.file}
    given = {name: value for name, value in given.items() if value or name not in lists}
    try:
        return body_of(model, given)
    except msgspec.ValidationError as error:
        raise WrongUsage(f"{str(error).partition(' - ')[0]}.") from None


def _given(member: Member, value: Any) -> Any:
    """Return what an option says. Raises WrongUsage for a file without the JSON, OSError for an unreadable one."""
    if member.input.piped and value == "-":
        return standard_input().strip()
    if not member.input.file:
        return value
    kind, word = (list[Any], "array") if member.kind is list else (dict[str, Any], "object")
    try:
        return msgspec.json.decode(Path(value).read_bytes(), type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise WrongUsage(f"{value} has no JSON {word}.") from None


def parameters_of(
    noun: Noun[Any] | None, model: Any, *, reads: bool = False, there_only: bool = False
) -> Iterator[tuple[str, Any, Any]]:
    """Yield name, annotation and default of each parameter of a command; one for servers elsewhere has no folder."""
    if noun is not None and noun.is_found_by_owner and noun.within is not None:
        yield noun.within.key, Annotated[str, typer.Argument(help=noun.within.help)], inspect.Parameter.empty
    if noun is not None:
        yield noun.key, Annotated[str, typer.Argument(help=noun.help)], inspect.Parameter.empty
    for each in members_of(model) if model is not None else ():
        if not each.is_typed:
            continue
        if each.input.secret:
            name = f"{each.name}_stdin"
            yield name, Annotated[bool, typer.Option(f"--{each.name}-stdin", help=each.input.help)], False
        else:
            yield each.name, *_parameter(each)
    if not reads:
        yield "preview", Preview, False
    if not there_only:
        yield "data_dir", DataDir, None
    yield "as_json", AsJson, False


def _parameter(member: Member) -> tuple[Any, Any]:
    """Return annotation and default of the parameter of a member."""
    given = member.input
    kind = Path if given.file else list[str] if member.kind is list else member.kind
    if given.argument:
        argument = typer.Argument(help=given.help, show_default=given.default or True)
        if not member.is_required and (given.default or member.default is UNSET):
            return Annotated[kind | None, argument], None
        return Annotated[kind, argument], inspect.Parameter.empty
    option: Any = typer.Option(
        *((given.flag,) if given.flag else ()),
        help=given.help,
        show_default=given.default or True,
        min=member.least if member.kind is int else None,
        max=member.most if member.kind is int else None,
    )
    if member.is_required:
        return Annotated[kind, option], inspect.Parameter.empty
    plain = isinstance(member.default, str | int | bool) and not given.default
    return Annotated[kind | None, option], member.default if plain else None


def command_with(
    run: Callable[..., None],
    run_there: Callable[[Remote, Values], Any] | None,
    text: str,
    parameters: Iterator[tuple[str, Any, Any]],
) -> Callable[..., None]:
    """Return a command with these parameters, from which typer makes arguments, options and help."""

    def command(**values: Any) -> None:
        run(**values)

    found = list(parameters)
    kind = inspect.Parameter.KEYWORD_ONLY
    command.__signature__ = inspect.Signature(  # type: ignore[attr-defined]  # typer reads it
        [inspect.Parameter(name, kind, annotation=hint, default=default) for name, hint, default in found]
    )
    command.__annotations__ = {name: hint for name, hint, _ in found}
    command.__doc__ = text
    command.run_there = run_there  # type: ignore[attr-defined]  # `remote.py` calls it
    return command
