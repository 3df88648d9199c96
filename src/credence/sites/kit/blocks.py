"""The parts of screens: frozen values that one template renders, so that every screen escapes and looks alike."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from markupsafe import Markup

from credence.clock import Milliseconds, rfc3339

Tone = Literal["", "good", "warn", "bad", "soft"]

MAX_SHOWN = 400
"""The most characters of a text on a screen. Texts of operators and applications may be longer."""

TABLE_CHARACTERS = 20_000
"""The most characters of all texts of a table; if it has more, each text is cut shorter."""

_WEEK_MS = 7 * 86_400_000

_SHORTER = (MAX_SHOWN, 200, 100, 60)
_LEAST = 40


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, perhaps with a link. `tone` gives it a colour; the text says the same as the colour."""

    text: str
    href: str = ""
    tone: Tone = ""
    code: bool = False
    act: str = ""
    """The act of the screen that a button with this text submits."""
    hidden: Sequence[tuple[str, str]] = ()
    about: str = ""
    """The object of the button, read by screen readers."""
    band: str = ""
    """The letter of the score band, if the text is one."""
    whole: bool = False
    """Whether the text stays on one line."""
    at: Milliseconds | None = None
    """The instant that the text names; the page shows it relative to now, with the text on hover."""

    def shown(self, most: int = MAX_SHOWN) -> str:
        """Return the text with every character visible, cut at `most`; a dash for an empty text."""
        return visible(self.text, most) or "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Facts:
    """A list of names with their values."""

    kind: ClassVar[str] = "facts"
    title: str
    rows: Sequence[tuple[str, Cell]]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings. `empty` is the text if no page has a row. Columns in `numbers` are right-aligned."""

    kind: ClassVar[str] = "table"
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str
    following: str = ""
    """The address of the next page; empty on the last. A search that ended early has a next page even without rows."""
    numbers: frozenset[int] = frozenset()
    pick: "Pick | None" = None

    @property
    def most(self) -> int:
        """The most characters of each text: fewer if many rows have long texts, so that the page stays small."""
        lengths = [min(len(cell.text), MAX_SHOWN) for row in self.rows for cell in row]
        return next((most for most in _SHORTER if sum(min(each, most) for each in lengths) <= TABLE_CHARACTERS), _LEAST)


@dataclass(frozen=True, slots=True)
class Pick:
    """Check boxes before the rows of a table, and a button that submits the ticked ones to an address."""

    button: str
    address: str
    names: Sequence[str]
    """The name of each row's check box."""


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
class Links:
    """Links to further pages."""

    kind: ClassVar[str] = "links"
    label: str
    links: Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph."""

    kind: ClassVar[str] = "note"
    text: str
    tone: Tone = ""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart."""

    label: str
    value: int
    tone: Tone = ""
    href: str = ""


@dataclass(frozen=True, slots=True)
class Bars:
    """A bar chart. Each bar has its number next to it, so no table is needed."""

    kind: ClassVar[str] = "bars"
    title: str
    unit: str
    bars: Sequence[Bar]
    empty: str

    @property
    def greatest(self) -> int:
        """The value of the longest bar."""
        return max((bar.value for bar in self.bars), default=1) or 1


@dataclass(frozen=True, slots=True)
class Span:
    """A period on a time line; `start` and `end` are thousandths of its length."""

    start: int
    end: int
    tone: Tone
    label: str


@dataclass(frozen=True, slots=True)
class Line:
    """One row of a time line."""

    label: str
    spans: Sequence[Span]


@dataclass(frozen=True, slots=True)
class TimeLine:
    """States over time. `now` is a position in thousandths of the length; None draws no line for it."""

    kind: ClassVar[str] = "timeline"
    title: str
    lines: Sequence[Line]
    now: int | None
    first: str
    last: str


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
    """The kind of field: a line of text, several lines, a check box (any value: ticked), a date, or a CSV file."""


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
class Tabs:
    """Tabs with text and address of each; `here` is the address of the current one."""

    kind: ClassVar[str] = "tabs"
    label: str
    links: Sequence[tuple[str, str]]
    here: str


@dataclass(frozen=True, slots=True)
class RenderedHtml:
    """HTML that another template has rendered."""

    kind: ClassVar[str] = "drawn"
    markup: Markup


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


@dataclass(frozen=True, slots=True)
class Sample:
    """A text to be copied, such as a program or an answer; `language` is its heading."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Samples to choose from; the first is open."""

    kind: ClassVar[str] = "code"
    title: str
    samples: Sequence[Sample]
    text: str = ""


Block = Facts | Table | Search | Query | Tabs | RenderedHtml | Links | Note | Bars | TimeLine | Form | Code


@dataclass(frozen=True, slots=True)
class Page:
    """The content of a screen."""

    title: str
    blocks: Sequence[Block]
    command: str
    """The command of the command line that prints the same."""
    lead: str = ""
    above: tuple[str, str] | None = None
    """Title and address of the parent screen."""
    links: Sequence[tuple[str, str]] = field(default=())
    """Text and address of links to the log lines and audit lines about the same object."""
    reload_seconds: int = 0
    """Seconds after which the page reloads, if the operator has switched that on; 0 for never."""


def visible(text: str, most: int = MAX_SHOWN) -> str:
    """Return a text with every character visible, truncated after `most` characters (threats E4)."""
    cut = text if len(text) <= most else f"{text[:most]}…"
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in cut)


def visible_lines(text: str) -> str:
    """Return a text of several lines with every character visible."""
    return "".join(each if each.isprintable() or each == "\n" else f"\\u{ord(each):04x}" for each in text)


def state_mark(text: str, *, good: bool) -> Cell:
    """Return a cell with the name of a state, coloured as good or bad."""
    return Cell(text, tone="good" if good else "bad")


def moment(at: Milliseconds | None) -> Cell:
    """Return an instant to the second; a dash for None."""
    return Cell(rfc3339(at)[:19].replace("T", " ") + " UTC", whole=True, at=at) if at else Cell("")


def relative(at: Milliseconds, now: Milliseconds) -> str:
    """Return an instant as a reader says it: the time since it or until it, or its day if that is a week away or more."""
    if abs(now - at) < _WEEK_MS:
        return ago(at, now)
    return f"{dt.datetime.fromtimestamp(at / 1000, dt.UTC):%-d %b %Y}"


def ago(at: Milliseconds, now: Milliseconds) -> str:
    """Return the time since an instant, or until it, in its largest unit."""
    seconds = abs(now - at) // 1000
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago" if at <= now else f"in {seconds // size} {unit}"
    return f"{seconds} s ago" if at <= now else f"in {seconds} s"
