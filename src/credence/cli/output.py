"""Standard input and output of commands: aligned text for a person, JSON for a program; no line is wrapped or truncated."""

import os
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager

import msgspec
import typer

from credence.cli.failure import Failure
from credence.errors import UnusableContent
from credence.management.instants import instant as instant

Progress = Callable[..., None]
"""A callback that takes the amount done and, if they are known, the total and what is done."""


def standard_input() -> str:
    """Return all of standard input. Raises UnusableContent if it is not UTF-8."""
    try:
        return sys.stdin.buffer.read().decode()
    except UnicodeDecodeError:
        raise UnusableContent("Standard input is not valid UTF-8.") from None


def print_one(fields: Mapping[str, object], *, as_json: bool) -> None:
    """Print the fields of one object, one a line."""
    say(rendered(fields, as_json=as_json))


def rendered(fields: Mapping[str, object], *, as_json: bool) -> str:
    """Return the text of `print_one`."""
    if as_json:
        return _json(fields)
    width = max(map(len, fields), default=0)
    return "\n".join(f"{name:<{width}}  {_text(value)}" for name, value in fields.items())


def print_many(rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Print objects with the same fields as a table, one a line."""
    if as_json:
        say(_json(rows))
        return
    if not rows:
        return
    lines = [list(rows[0]), *([_text(value) for value in row.values()] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    padded = ("  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)) for line in lines)
    say("\n".join(line.rstrip() for line in padded))


def say(text: str, *, line_feed: bool = True) -> None:
    """Print text completely; raises Failure when standard output cannot be written."""
    if sys.stdout is None:  # closed before the program began; `echo` would print nothing and report no error
        raise Failure("Standard output cannot be written: it is closed.")
    try:
        typer.echo(text, nl=line_feed)
    except OSError as error:
        # The interpreter flushes the buffer when it ends and would fail again.
        with open(os.devnull, "wb") as nowhere:  # noqa: PTH123 - a device
            os.dup2(nowhere.fileno(), sys.stdout.fileno())
        raise Failure(f"Standard output cannot be written: {error.strerror}.") from error


def _json(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()


def _text(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping) and value and value.keys() <= {"before", "after"}:  # a member that an act changed
        return f"{_text(value['before'])} → {_text(value.get('after'))}" if "before" in value else _text(value["after"])
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_text(each)}" for name, each in value.items()) or "-"
    if isinstance(value, Sequence) and not isinstance(value, str):
        separator = "; " if any(isinstance(each, Mapping) for each in value) else ", "
        return separator.join(_text(each) for each in value) or "-"
    return str(value)


@contextmanager
def progress_bar(description: str, unit: str = "rows") -> Iterator[Progress]:
    """Show a progress bar on a terminal; yield the function that advances it."""
    # Imported late: every other command starts sooner without rich.
    from rich.console import Console
    from rich.progress import BarColumn, Task, TextColumn, TimeElapsedColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar
    from rich.text import Text

    class Left(TimeRemainingColumn):
        """The estimate, as soon as the total is known."""

        def render(self, task: Task) -> Text:
            return Text(f"{super().render(task)} left") if task.total else Text()

    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn(f"{{task.completed:,}} {unit}"),
        TimeElapsedColumn(),
        Left(),
    )
    terminal = Console(stderr=True)
    with Bar(*columns, console=terminal, transient=True, disable=not terminal.is_terminal) as progress:
        task = progress.add_task(description, total=None)

        def advance(done: int, total: int | None = None, what: str = description) -> None:
            if progress.tasks[task].description != what:  # the time of another step says nothing of this one
                progress.reset(task, description=what)
                progress.tasks[task].total = total  # None to `reset` and `update` means the total of before
            progress.update(task, completed=done, total=total)

        yield advance
