"""Commands made from operations and readings: the same names and options here and at a remote deployment (D30, D41).

The argument of a command is the key of its object, its options are the members of the body. Here it runs the operation; with
`--at` it sends the request that the operation declares: to the management API, or for what is an application's own to the
API in which applications act, as the application of the login.
"""

import asyncio
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar, get_args, get_type_hints
from urllib.parse import quote

import msgspec
import typer

from credence.cli.command_parameters import Values, command_with, parameters_of, typed_body
from credence.cli.deployment import acting, settings_of
from credence.cli.failure import Failure, NotFound, WrongUsage, refusal_of
from credence.cli.output import print_many, print_one, rendered, say, standard_input
from credence.cli.remote_api import DONE, ROWS, UNREADABLE, Remote, part
from credence.operations.acting import Acting
from credence.operations.inputs import Member, members_of
from credence.operations.operation import Noun, Operation
from credence.operations.pages import Page, after
from credence.operations.perform import Outcome, found, perform, read
from credence.operations.reading import Reading
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN

T = TypeVar("T")


def add_to(group: typer.Typer, *declared: Operation | Reading, **given: Any) -> None:
    """Add the commands of operations and readings to the group that their names begin with; `given` is for typer."""
    for each in declared:
        made = command_of(each) if isinstance(each, Operation) else showing(each)
        group.command(each.name.partition(" ")[2], **given)(made)


def command_of(operation: Operation) -> Callable[..., None]:
    """Return the command of an operation. It prints the object as it is then, with a secret that is shown only once."""

    def run(**values: Any) -> None:
        settings, named = settings_of(values["data_dir"]), _named(operation)
        key, body = _key(named, values), _body(operation, _with_secrets(operation, values))

        async def act() -> None:
            async with acting(settings, make=operation.makes, needs_store=operation.on.needs_store) as by:
                acts = await _for_owner(operation.on, by, values)
                done = perform(operation, acts, key, body, preview=values["preview"])
                outcome = await explained(_unknown(operation, values), done)
                await _deliver(operation, key, outcome, as_json=values["as_json"])

        asyncio.run(act())

    def run_there(there: Remote, values: Values) -> Any:
        with _unknown_there(_unknown(operation, values)):
            return _sent(operation, there, values)

    return command_with(
        run,
        run_there if operation.api is not None else None,
        operation.text,
        parameters_of(_named(operation), operation.typed),
    )


def _named(declared: Operation | Reading) -> Noun[Any] | None:
    """Return what the argument of a command is the key of: the object, what it belongs to or will belong to, or nothing."""
    if isinstance(declared, Reading):
        owner = declared.on.within if declared.on.is_found_by_owner else None
        return owner if declared.lists else declared.on
    return declared.on.within if declared.makes else declared.on


async def _for_owner(noun: Noun[Any], by: Acting, values: Values) -> Acting:
    """Return the operator, who acts for the owner that the command names if the object is found only by that."""
    if not noun.is_found_by_owner or noun.within is None:
        return by
    owner = _key(noun.within, values)
    await explained(f"There is no {noun.within.name} {owner!r}.", found(noun.within, by, owner))
    return replace(by, owns=owner)


def showing(reading: Reading) -> Callable[..., None]:
    """Return the command of a reading."""

    def run(**values: Any) -> None:
        if reading.there_only:
            raise WrongUsage(reading.there_only)
        settings, key, unknown = (
            settings_of(values["data_dir"]),
            _key(_named(reading), values),
            _unknown(reading, values),
        )

        async def show(query: Any) -> Any:
            async with acting(settings, needs_store=reading.on.needs_store) as by:
                reader = await _for_owner(reading.on, by, values)
                if not reading.has_pages:
                    return _in_json(await explained(unknown, read(reading, reader, key, query)))
                return {reading.rows: [row async for row in _every_row(reading, reader, key, unknown)]}

        _print(reading, _whole(reading, lambda query: asyncio.run(show(query)), values), as_json=values["as_json"])

    def run_there(there: Remote, values: Values) -> None:
        at = _api_of(reading, there, values)

        def show(query: Any) -> Any:
            given = {} if query is None else msgspec.to_builtins(query)
            path = _path(reading.path, _named(reading), {**values, **given})
            rest = {name: value for name, value in given.items() if name not in reading.places}
            if reading.has_pages:
                return {reading.rows: at.all_of(path, reading.rows, **rest)}
            answer = at.get(path, **rest)
            if reading.rows:
                part(answer, reading.rows, ROWS)
                return answer
            return _checked(_member_of(reading), answer)

        with _unknown_there(_unknown(reading, values)):
            answer = _whole(reading, show, values)
        _print(reading, answer, as_json=values["as_json"])

    parameters = parameters_of(_named(reading), reading.typed, reads=True, there_only=bool(reading.there_only))
    return command_with(run, run_there, "\n\n".join(filter(None, (reading.text, reading.there_only))), parameters)


def _whole(reading: Reading, show: Callable[[Any], Any], values: Values) -> Any:
    """Return the answer of `show` to what is typed, with the rows of those that go on where a search ended."""
    query = typed_body(reading.typed, values)
    answer = show(query)
    while (query := reading.goes_on(query, answer)) is not None:
        rest = show(query)
        answer = {**rest, reading.rows: [*answer[reading.rows], *rest[reading.rows]]}
    return answer


def _print(reading: Reading, answer: Any, *, as_json: bool) -> None:
    """Print an answer as its reading says: as one object, or as rows with remarks to the standard error.

    A list without rows says so there too, so that a person does not take it for a command that did nothing.
    """
    if not reading.rows:
        tables = {} if as_json else {name: answer.pop(name) or [] for name in reading.tables}
        print_one(answer, as_json=as_json)
        for rows in filter(None, tables.values()):
            say("")
            print_many(rows, as_json=False)
        return
    if not answer[reading.rows] and not as_json:
        typer.echo("None found.", err=True)
    if reading.remarks is None:
        print_many(_columns(reading, answer[reading.rows]), as_json=as_json)
        return
    try:
        remarks = reading.remarks(msgspec.convert(answer, reading.answers))
    except msgspec.ValidationError:
        raise Failure(UNREADABLE) from None
    if as_json:
        print_one(answer, as_json=True)
        return
    print_many(_columns(reading, answer[reading.rows]), as_json=False)
    for remark in remarks:
        typer.echo(remark, err=True)


def _in_json(state: Any) -> Any:
    """Return a state as its JSON says it, in which an event has values of its own."""
    return msgspec.json.decode(msgspec.json.encode(state))


async def _every_row(reading: Reading, by: Acting, key: str, unknown: str) -> AsyncIterator[Mapping[str, object]]:
    """Yield the rows of every page of a list."""
    page = Page() if reading.most is None else Page(size=reading.most)
    while True:
        found = _in_json(await explained(unknown, read(reading, by, key, page)))
        for row in found[reading.rows]:
            yield row
        if not found["next_page_token"] or reading.most is not None:
            return
        page = Page(after(found["next_page_token"]))


def _columns(reading: Reading, rows: Sequence[Mapping[str, object]]) -> list[Mapping[str, object]]:
    """Return what the command prints of each row; a member that only some rows have is shown for all.

    What only operators see, such as the owner, is left out of an answer to an application.
    """
    had = dict.fromkeys(name for row in rows for name in row)
    known = had.keys() | _members_of_rows(reading)
    columns = tuple(each for each in reading.columns if _first_member(each) in known) or tuple(had)
    return [dict(_column(row, *each.partition(":")) for each in columns) for row in rows]


def _members_of_rows(reading: Reading) -> set[str]:
    (row, *_) = get_args(get_type_hints(reading.answers)[reading.rows])
    return set(getattr(row, "__struct_fields__", ()))


def _first_member(column: str) -> str:
    return column.rpartition(":")[2].partition(".")[0]


def _column(row: Mapping[str, Any], name: str, _colon: str, path: str) -> tuple[str, object]:
    """Return a column of a row: the member of its name, or the one at a path of members."""
    value: Any = row
    for member in (path or name).split("."):
        value = value.get(member)
    return name, value


async def _deliver(operation: Operation, key: str, outcome: Outcome, *, as_json: bool) -> None:
    """Print what came of an act. If a secret cannot be printed, restore the object and raise Failure."""
    said = "" if as_json or not outcome.said else f"{outcome.said}\n"
    shown = DONE if operation.silent else {**_in_json(outcome.state), **outcome.once}
    if not outcome.once:
        say(said + rendered(shown, as_json=as_json))
        return
    secret = f"\n\nThe {next(iter(outcome.once)).replace('_', ' ')} is printed only once."
    text = said + rendered(shown, as_json=as_json) + ("" if as_json else secret)
    try:
        say(text)
    except Failure as failure:
        if outcome.undo is not None:
            await outcome.undo()
        key = operation.on.key_of(outcome.after) or key
        again = f"credence {operation.again or operation.name} {key}"
        raise Failure(*failure.lines, f"The new secret was not delivered; make another: {again}") from failure


def _unknown(declared: Operation | Reading, values: Values) -> str:
    """Return what is said of an object that does not exist; of a part of it, such as a secret, with what would have it."""
    noun = _named(declared)
    parts = declared.places if isinstance(declared, Operation) else ()
    of = "".join(f"{part.replace('_', ' ')} {values[part]!r} of the " for part in parts if part in values)
    return "" if noun is None else f"There is no {of}{noun.name} {_key(noun, values)!r}."


async def explained(unknown: str, act: Awaitable[T]) -> T:
    """Await an act. Raises NotFound with `unknown` for an unknown object, and Failure with the message of a refusal."""
    try:
        return await act
    except Refused as refused:
        is_plain = refused.refusal is RESOURCE_UNKNOWN and unknown
        raise refusal_of(refused.refusal.status, unknown if is_plain else refused.refusal.message) from None


@contextmanager
def _unknown_there(unknown: str) -> Iterator[None]:
    """Say of an object that does not exist at another deployment what is said of one that does not exist here."""
    try:
        yield
    except NotFound as missing:
        is_plain = missing.lines == [RESOURCE_UNKNOWN.message] and unknown
        raise (NotFound(unknown) if is_plain else missing) from None


def _sent(operation: Operation, there: Remote, values: Values) -> Any:
    """Send the request of an operation to its API and return its answer."""
    at = _api_of(operation, there, values)
    if values["preview"] and not operation.on.is_managed:
        raise WrongUsage("Only the management API shows what would be: leave out --preview.")
    for each in _secrets(operation):
        if values[f"{each.name}_stdin"]:
            raise WrongUsage(f"A {each.name} is not sent to a remote deployment: it makes one, which is printed here.")
    body = _body(operation, values)
    members = {} if body is None else msgspec.to_builtins(body)
    path = _path(operation.path, operation.on, {**values, **members})
    named = _member_of(operation)
    if operation.patches and not members:
        return _checked(named, at.get(path))
    rest = {name: value for name, value in members.items() if name not in operation.places and value is not None}
    rest = members if operation.patches else rest
    of = _path(operation.on.path, operation.on, values) if operation.is_versioned else ""
    sent = rest or (None if operation.method in ("DELETE", "POST") else {})
    query = {"preview": "true"} if values["preview"] else {}
    return _checked(named, at.act(operation.method, path, sent, of=of, query=query))


def _api_of(declared: Operation | Reading, there: Remote, values: Values) -> Remote:
    """Return the client of the API that has it. Raises WrongUsage for an owner that is not the application of the login."""
    noun = declared.on
    if noun.is_managed:
        return there
    at = there.api(noun.base)
    owner = values.get(noun.within.key) if noun.within is not None else None
    if owner not in (None, at.client_id):
        raise WrongUsage(
            f"Your login there acts for the application {at.client_id}: name it, or sign in with another one."
        )
    return at


def _member_of(declared: Operation | Reading) -> str:
    """Return a member that each answer has."""
    noun = declared.on
    is_state = isinstance(declared, Operation) or not declared.lists
    if noun.is_managed and noun.key and is_state:
        return noun.key
    answers = declared.answers or get_type_hints(noun.state)["return"]
    return msgspec.structs.fields(answers)[0].name


def _checked(member: str, answer: Mapping[str, object]) -> Mapping[str, object]:
    """Return the answer. Raises Failure if it lacks a member that each of its kind has: no such API sent it then."""
    if answer.get(member) is None and answer != DONE:
        raise Failure(UNREADABLE)
    return answer


def _path(path: str, noun: Noun[Any] | None, values: Values) -> str:
    named = {} if noun is None or noun.key not in values else {noun.key: _key(noun, values)}
    places = {name: quote(str(value), safe="") for name, value in {**values, **named}.items()}
    return f"/{path.format_map(places)}"


def _key(noun: Noun[Any] | None, values: Values) -> str:
    return "" if noun is None else str(values[noun.key])


def _body(operation: Operation, values: Values) -> Any:
    return typed_body(operation.typed, values)


def _secrets(operation: Operation) -> Iterator[Member]:
    return (each for each in members_of(operation.typed) if each.input.secret) if operation.typed else iter(())


def _with_secrets(operation: Operation, values: Values) -> Values:
    """Return the values with the secrets that the operator types, or gives on standard input."""
    typed = {each.name: _secret(each, from_stdin=values[f"{each.name}_stdin"]) for each in _secrets(operation)}
    return {**values, **typed}


def _secret(member: Member, *, from_stdin: bool) -> str | None:
    """Return a secret without its line end, otherwise unchanged; None for one that is not needed and not given."""
    if from_stdin:
        return standard_input().removesuffix("\n").removesuffix("\r")
    if not member.is_required:
        return None
    if not sys.stdin.isatty():
        raise WrongUsage(f"There is no terminal to read the {member.name} from: use --{member.name}-stdin.")
    return str(typer.prompt(member.label, hide_input=True, confirmation_prompt=True))
