"""The blocks of a page: frozen values that one template writes, so that every screen and report escapes and looks alike."""

import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, TypeVar

from credence.blocks.forms import Form, Query, Search
from credence.blocks.text import MAX_SHOWN, visible
from credence.clock import Milliseconds, rfc3339

Tone = Literal["", "good", "warn", "bad", "soft"]

MOST_ROWS = 40
"""Maximum rows of a report's table; the page says how many more the JSON has. A hostile register cannot make it long."""

TABLE_CHARACTERS = 18_000
"""The most characters of all texts of a table; if it has more, each text is cut shorter."""

_SHORTER, _LEAST = (MAX_SHOWN, 200, 100, 60), 40
_LONG_ID = re.compile(r"(?=.{17})crd_[\w-]+|(?=.*[a-z])[\w-]{20,}").fullmatch
_REASON = re.compile(r"[a-z_]+\.[a-z_]+").fullmatch

T = TypeVar("T")


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
    detail: str = ""
    """A second line below the text, in the font of code if it is one word: a number, the reason of a refusal."""

    @property
    def is_long_id(self) -> bool:
        """Whether the text is an id of which a table shows the beginning; names of settings, reasons and paths are whole."""
        return self.code and _LONG_ID(self.text) is not None

    @property
    def breaks_after(self) -> str:
        """The character after which a line may break: of a path, of a reason code; empty in any other text."""
        if self.text.startswith("/") or " /" in self.text:
            return "/"
        return "." if self.code and _REASON(self.text) else ""

    def shown(self, most: int = MAX_SHOWN) -> str:
        """Return the text with every character visible, cut at `most`; a dash for an empty text."""
        return visible(self.text, most) or "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Facts:
    """A list of names with their values; inside a section it has no title."""

    kind: ClassVar[str] = "facts"
    title: str
    rows: Sequence[tuple[str, Cell | str]]


@dataclass(frozen=True, slots=True)
class Table:
    """Rows under headings; the first column names the row. `empty` is the text if no page has a row."""

    kind: ClassVar[str] = "table"
    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[Cell | str]]
    empty: str = ""
    following: str = ""
    """The address of the next page; empty on the last. A search that ended early has a next page even without rows."""
    numbers: Collection[int] = ()
    """The indexes of the columns that are right-aligned."""
    pick: "Pick | None" = None
    more: int = 0
    """The number of rows left out."""
    sums: Collection[int] = ()
    """The indexes of the rows that are sums."""
    groups: Sequence[str] = ()
    """The heading over each row, such as its day; it is shown where it changes."""
    cards: bool | None = None
    """Whether each row is a card on a narrow screen; by default from 3 columns on, without headings over the rows."""

    @property
    def most(self) -> int:
        """The most characters of each text: fewer if many rows have long texts, so that the page stays small."""
        texts = [len(each if isinstance(each, str) else each.text) for row in self.rows for each in row]
        return next((most for most in _SHORTER if sum(min(each, most) for each in texts) <= TABLE_CHARACTERS), _LEAST)


@dataclass(frozen=True, slots=True)
class Pick:
    """Check boxes before the rows of a table, and a button that submits the ticked ones to an address."""

    button: str
    address: str
    names: Sequence[str]
    """The name of each row's check box."""


@dataclass(frozen=True, slots=True)
class Links:
    """Links to further pages."""

    kind: ClassVar[str] = "links"
    label: str
    links: Sequence[tuple[str, str]]
    is_action: bool = False
    """Whether each looks like a button: what most people come to the screen for."""


@dataclass(frozen=True, slots=True)
class Note:
    """A paragraph, perhaps with a heading before it, or a link at its end."""

    kind: ClassVar[str] = "note"
    text: str
    tone: Tone = ""
    head: str = ""
    link: tuple[str, str] | None = None
    """The text of the link and its address."""


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a chart; `detail` is a second line below the label."""

    label: str
    value: int
    tone: Tone = ""
    href: str = ""
    detail: str = ""


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
class Tabs:
    """Tabs with text and address of each; `here` is the address of the current one."""

    kind: ClassVar[str] = "tabs"
    label: str
    links: Sequence[tuple[str, str]]
    here: str


@dataclass(frozen=True, slots=True)
class Step:
    """One step of running a program: what to do, the texts to copy for it by the name of their file, and where to look."""

    title: str
    texts: Sequence[tuple[str, str]] = ()
    links: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True, slots=True)
class Sample:
    """A text to be copied, such as a program or an answer, or the steps of running one; `language` is its heading."""

    language: str
    text: str = ""
    steps: Sequence[Step] = ()


@dataclass(frozen=True, slots=True)
class Code:
    """Samples to choose from by tabs; the first is chosen."""

    kind: ClassVar[str] = "code"
    title: str
    samples: Sequence[Sample]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Items:
    """A list of items: heading, detail and amount; the last two may be empty."""

    kind: ClassVar[str] = "items"
    items: Sequence[tuple[str, str, str]]


class Tile(NamedTuple):
    """One figure: its name, its value, what to compare it with, and a small drawing, which may be empty (`Chart.svg`)."""

    name: str
    value: str
    detail: str = ""
    svg: str = ""


@dataclass(frozen=True, slots=True)
class Tiles:
    """A few figures side by side, each with its trend."""

    kind: ClassVar[str] = "tiles"
    tiles: Sequence[Tile]


@dataclass(frozen=True, slots=True)
class Chart:
    """An SVG drawing with its text alternative and the table of its values.

    The drawing is markup of our own, in which every text is escaped (`report/render/charts/drawing.py`).
    """

    kind: ClassVar[str] = "chart"
    title: str
    alt: str
    svg: str
    table: Table


@dataclass(frozen=True, slots=True)
class Beside:
    """Two columns side by side; on a narrow screen one below the other."""

    kind: ClassVar[str] = "beside"
    left: Sequence["Block"]
    right: Sequence["Block"]


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a report under its heading; `anchor` is its id in the HTML."""

    kind: ClassVar[str] = "section"
    anchor: str
    title: str
    blocks: Sequence["Block"]
    decision: bool = False
    """Whether the section belongs to the decision: on paper these fill at most two pages, and the rest starts a new one."""


@dataclass(frozen=True, slots=True)
class Warnings:
    """What a reader of a report has to see first."""

    kind: ClassVar[str] = "warnings"
    notes: Sequence[Note]


@dataclass(frozen=True, slots=True)
class Verdict:
    """The score of a report, or the reason for none."""

    kind: ClassVar[str] = "verdict"
    words: str
    sentence: str
    band: str = ""
    """The letter of the band; empty without a score."""
    score: str = ""
    facts: Sequence[tuple[str, str]] = ()
    gauge: Chart | None = None


Block = (
    Facts
    | Table
    | Search
    | Query
    | Tabs
    | Links
    | Note
    | Bars
    | TimeLine
    | Form
    | Code
    | Items
    | Tiles
    | Chart
    | Beside
    | Section
    | Warnings
    | Verdict
)


def state_mark(text: str, *, good: bool) -> Cell:
    """Return a cell with the name of a state, coloured as good or bad."""
    return Cell(text, tone="good" if good else "bad")


def moment(at: Milliseconds | None) -> Cell:
    """Return an instant to the second; a dash for None."""
    return Cell(rfc3339(at)[:19].replace("T", " ") + " UTC", whole=True, at=at) if at else Cell("")


def capped(items: Sequence[T], row: Callable[[T], tuple[str, ...]]) -> tuple[tuple[tuple[str, ...], ...], int]:
    """Return the rows of the first MOST_ROWS items, and the number of items left out."""
    return tuple(map(row, items[:MOST_ROWS])), max(0, len(items) - MOST_ROWS)
