"""How commands print: aligned text for a person, JSON for a program. Nothing is wrapped or cut."""

import datetime as dt
from collections.abc import Mapping, Sequence

import msgspec
import typer

from credence.clock import Milliseconds


def print_one(fields: Mapping[str, object], *, as_json: bool) -> None:
    """Print one thing with its fields, one a line."""
    if as_json:
        _print_json(fields)
        return
    width = max(map(len, fields), default=0)
    for name, value in fields.items():
        typer.echo(f"{name:<{width}}  {_text(value)}")


def print_many(rows: Sequence[Mapping[str, object]], *, as_json: bool) -> None:
    """Print several things with the same fields, one a line under their names."""
    if as_json:
        _print_json(rows)
        return
    if not rows:
        return
    lines = [list(rows[0]), *([_text(value) for value in row.values()] for row in rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(lines[0]))]
    for line in lines:
        typer.echo("  ".join(f"{text:<{width}}" for text, width in zip(line, widths, strict=True)).rstrip())


def instant(at: Milliseconds | None) -> str | None:
    """Return an instant as people write it, in UTC."""
    if at is None:
        return None
    return dt.datetime.fromtimestamp(at / 1000, dt.UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


def _print_json(value: object) -> None:
    typer.echo(msgspec.json.format(msgspec.json.encode(value), indent=2).decode())


def _text(value: object) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}: {_text(each)}" for name, each in value.items()) or "-"
    if isinstance(value, Sequence) and not isinstance(value, str):
        separator = "; " if any(isinstance(each, Mapping) for each in value) else ", "
        return separator.join(_text(each) for each in value) or "-"
    return str(value)
