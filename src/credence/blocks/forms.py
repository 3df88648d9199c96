"""The blocks into which a person types."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal


@dataclass(frozen=True, slots=True)
class Search:
    """The search field of a list, with its button."""

    kind: ClassVar[str] = "search"
    label: str
    value: str
    hint: str = ""
    wrong: str = ""
    """The error message about the search text."""


@dataclass(frozen=True, slots=True)
class Field:
    """One field of a form."""

    name: str
    label: str
    value: str = ""
    hint: str = ""
    options: Sequence[tuple[str, str]] = ()
    """Value and text of each choice; without choices the field is a line of text."""
    required: bool = False
    kind: Literal["line", "lines", "box", "date", "file"] = "line"
    """The kind of field: a line of text, several lines, a check box (any value: ticked), a date, or a file."""
    rows: int = 8
    """Of several lines, how many are shown."""
    rare: bool = False
    """Whether it is among the folded fields at the end of the form."""
    accept: str = ".csv,text/csv"
    """Of a file, the endings and media types that the browser offers."""


@dataclass(frozen=True, slots=True)
class Query:
    """A form that requests a page by GET: its fields become the query. `wrong` is its error message."""

    kind: ClassVar[str] = "query"
    title: str
    button: str
    fields: Sequence[Field]
    wrong: str = ""
    wrong_field: str = ""
    suggests: str = ""
    """The address that returns suggestions for the first field while a person types."""


@dataclass(frozen=True, slots=True)
class Form:
    """A form that submits one act of the screen; only people who may do the act see it."""

    kind: ClassVar[str] = "form"
    act: str
    title: str
    button: str
    text: str = ""
    command: str = ""
    """The command of the command line that does the same."""
    fields: Sequence[Field] = ()
    hidden: Sequence[tuple[str, str]] = ()
    dangerous: bool = False
    also: Sequence[tuple[str, str]] = ()
    """Further acts, each with the text of its button, which submit the same fields."""
    wide: bool = False
    """Whether the form takes the width of the page, with several fields side by side."""
