"""What screens are made of: frozen values that one template draws, so that every screen escapes and reads alike."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from markupsafe import Markup

from credence.clock import Milliseconds, rfc3339

Tone = Literal["", "good", "warn", "bad", "soft"]

MAX_SHOWN = 400
"""Characters of a text on a screen. What operators and applications choose may be longer."""

TABLE_CHARACTERS = 20_000
"""Characters of all texts of a table; in one with more, each text is cut shorter."""

_SHORTER = (MAX_SHOWN, 200, 100, 60)
_LEAST = 40


@dataclass(frozen=True, slots=True)
class Cell:
    """A text, perhaps with a link; `tone` makes it a mark, whose text says what its colour does."""

    text: str
    href: str = ""
    tone: Tone = ""
    code: bool = False
    act: str = ""
    """The act of the screen that a button with this text sends."""
    hidden: Sequence[tuple[str, str]] = ()
    about: str = ""
    """What the button is about, for those who do not see the row."""
    band: str = ""
    """The letter of a band of the score, which the text is."""
    whole: bool = False
    """Whether it is never broken over two lines."""

    def shown(self, most: int = MAX_SHOWN) -> str:
        """Return the text without characters that draw nothing or turn the line around, cut at `most`; a dash for none."""
        return visible(self.text, most) or "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Facts:
    """Names with their values."""

    kind: ClassVar[str] = "facts"
    title: str
    rows: Sequence[tuple[str, Cell]]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; `empty` is said when there is no row on any page. A column in `numbers` is set to the right."""

    kind: ClassVar[str] = "table"
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    empty: str
    following: str = ""
    """The address of the next page. A search that ended early has one without rows too."""
    numbers: frozenset[int] = frozenset()
    pick: "Pick | None" = None

    @property
    def most(self) -> int:
        """The characters of a text in it: fewer when many rows have long texts, so that the page stays small."""
        lengths = [min(len(cell.text), MAX_SHOWN) for row in self.rows for cell in row]
        return next((most for most in _SHORTER if sum(min(each, most) for each in lengths) <= TABLE_CHARACTERS), _LEAST)


@dataclass(frozen=True, slots=True)
class Pick:
    """Boxes before the rows of a table, and the button that sends those that were ticked to an address."""

    button: str
    address: str
    names: Sequence[str]
    """The name of the box of each row."""


@dataclass(frozen=True, slots=True)
class Search:
    """The search of a list: one field, sent by a button."""

    kind: ClassVar[str] = "search"
    label: str
    value: str
    hint: str = ""
    wrong: str = ""
    """What is wrong with what was searched for."""


@dataclass(frozen=True, slots=True)
class Links:
    """Ways on from here."""

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
    """A chart of bars. Each bar has its number next to it, so that the chart is its own table."""

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
    """A time from one share of the line to another, between 0 and 1000."""

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
    """States over time, `now` a share of the line like those of the spans; None draws no line for it."""

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
    """Value and text of each choice; none: a line of text."""
    required: bool = False
    kind: Literal["line", "lines", "box", "date", "file"] = "line"
    """A line of text, several lines, a box to tick (any value: ticked), a day, or a CSV file."""


@dataclass(frozen=True, slots=True)
class Query:
    """A form that requests a page: its fields become the query of the address. `wrong` is what is wrong with them."""

    kind: ClassVar[str] = "query"
    title: str
    button: str
    fields: Sequence[Field]
    wrong: str = ""
    wrong_field: str = ""
    suggests: str = ""
    """The address that suggests values for the first field while it is typed."""


@dataclass(frozen=True, slots=True)
class Tabs:
    """The parts of one subject: text and address of each, and the address of the one that is shown."""

    kind: ClassVar[str] = "tabs"
    label: str
    links: Sequence[tuple[str, str]]
    here: str


@dataclass(frozen=True, slots=True)
class Drawn:
    """What a template of the site has drawn."""

    kind: ClassVar[str] = "drawn"
    markup: Markup


@dataclass(frozen=True, slots=True)
class Form:
    """A form that sends one act of the screen; drawn for those who may do it."""

    kind: ClassVar[str] = "form"
    act: str
    title: str
    button: str
    text: str = ""
    command: str = ""
    """What does the same on the command line."""
    fields: Sequence[Field] = ()
    hidden: Sequence[tuple[str, str]] = ()
    dangerous: bool = False
    also: Sequence[tuple[str, str]] = ()
    """Further acts with the texts of their buttons, which get the same fields."""
    wide: bool = False
    """Whether it takes the width of the page, with several fields side by side."""


@dataclass(frozen=True, slots=True)
class Sample:
    """A text to be copied, such as a program or an answer, under the name of its language."""

    language: str
    text: str


@dataclass(frozen=True, slots=True)
class Code:
    """Samples, of which the first is open."""

    kind: ClassVar[str] = "code"
    title: str
    samples: Sequence[Sample]
    text: str = ""


Block = Facts | Table | Search | Query | Tabs | Drawn | Links | Note | Bars | TimeLine | Form | Code


@dataclass(frozen=True, slots=True)
class Page:
    """What a screen shows."""

    title: str
    blocks: Sequence[Block]
    command: str
    """What prints the same on the command line."""
    lead: str = ""
    above: tuple[str, str] | None = None
    """Title and address of the screen above this one."""
    links: Sequence[tuple[str, str]] = field(default=())
    """Texts and addresses of the log lines and audit lines about the same."""
    reload_seconds: int = 0
    """After which the page is requested again, if the operator has switched that on."""


def visible(text: str, most: int = MAX_SHOWN) -> str:
    """Return a text of which every character is visible, cut at `most` of them (threats E4)."""
    cut = text if len(text) <= most else f"{text[:most]}…"
    return "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in cut)


def visible_lines(text: str) -> str:
    """Return a text of several lines, of which every character is visible."""
    return "".join(each if each.isprintable() or each == "\n" else f"\\u{ord(each):04x}" for each in text)


def state_mark(text: str, *, good: bool) -> Cell:
    """Return a state as a mark."""
    return Cell(text, tone="good" if good else "bad")


def moment(at: Milliseconds | None) -> Cell:
    """Return an instant to the second; a dash for none."""
    return Cell(rfc3339(at)[:19].replace("T", " ") + " UTC", whole=True) if at else Cell("")


def ago(at: Milliseconds, now: Milliseconds) -> str:
    """Return how long ago an instant is, or in how long it comes, in its greatest unit."""
    seconds = abs(now - at) // 1000
    for unit, size in (("d", 86_400), ("h", 3_600), ("min", 60)):
        if seconds >= size:
            return f"{seconds // size} {unit} ago" if at <= now else f"in {seconds // size} {unit}"
    return f"{seconds} s ago" if at <= now else f"in {seconds} s"
