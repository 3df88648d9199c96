"""`docs/rooms.svg`: the rooms of the program by floor, with an arrow for each import that no other import implies.

Narrow enough for a phone, and one file for a light and a dark screen.
"""

from collections.abc import Iterator, Sequence
from html import escape

from tools.imports import FLOORS
from tools.rooms import arrows, imports

COLUMNS = {
    "cli": 1,
    "web": 0,
    "background": 2,
    "sites": 0,
    "sign_in": 0,
    "api": 1,
    "operations": 1,
    "mcp": 3,
    "management": 0,
    "monitoring": 2,
    "policy": 2,
    "sandbox": 3,
    "oauth": 0,
    "report": 2,
    "scoring": 2,
    "identity": 0,
    "datasets": 2,
    "store": 0,
    "companies": 2,
    "crypto": 0,
    "telemetry": 1,
}
"""The rooms that a newcomer needs first, as boxes, and where. The others are words on their floor."""

WIDTH, MARGIN = 400, 10
BOX_WIDTH, BOX_HEIGHT = 92, 28
GAP = 34
"""Above a row of boxes, for the arrows."""
LINE = 16
"""Of words."""
WORDS = 58
"""Characters in a line."""

STYLE = (
    ":root{--paper:#fbfaf7;--band:#f1eee6;--box:#fff;--ink:#1d2430;--soft:#5b6472;--line:#8a8f98;--arrow:#1f5f5b}"
    "@media (prefers-color-scheme:dark){:root{--paper:#14181d;--band:#1b2027;--box:#242b33;--ink:#e6e8ea;--soft:#a3adb8;"
    "--line:#7d8792;--arrow:#7cc4bb}}"
    "text{text-anchor:end;font:12px system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;fill:var(--soft);"
    "paint-order:stroke;stroke:var(--floor);stroke-width:4px;stroke-linejoin:round}"
    ".name{font-size:12.5px;font-weight:600;fill:var(--ink);text-anchor:middle;stroke:none}"
    ".box{fill:var(--box);stroke:var(--line)}"
    ".arrow{fill:none;stroke:var(--arrow)}.head{fill:var(--arrow)}"
    ".even{--floor:var(--paper)}.odd{--floor:var(--band)}.floor{fill:var(--floor)}"
)

TITLE = "The rooms of Credence by floor"
DESCRIPTION = "A room imports only from floors below its own. docs/rooms.md has the same as text."


def render() -> str:
    """Return the drawing."""
    tops, words, height = _floors()
    bands, boxes = [], []
    for number, floor in enumerate(FLOORS):
        kind = "odd" if number % 2 else "even"
        bottom = tops[number + 1] if number + 1 < len(FLOORS) else height
        bands.append(
            f'<rect class="floor {kind}" y="{tops[number]}" width="{WIDTH}" height="{bottom - tops[number]}"/>'
        )
        boxes += [_box(name, *_place(name, tops)) for name in floor if name in COLUMNS]
        lines = [
            f'<text x="{WIDTH - MARGIN}" y="{bottom - 6 - LINE * (len(words[number]) - 1 - each)}">{escape(line)}</text>'
            for each, line in enumerate(words[number])
        ]
        boxes.append(f'<g class="{kind}">{"".join(lines)}</g>')
    drawn = "\n".join([*bands, *_arrows(tops), *boxes])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" '
        f'role="img" aria-labelledby="title description"><title id="title">{TITLE}</title>'
        f'<desc id="description">{DESCRIPTION}</desc><style>{STYLE}</style>\n{drawn}\n</svg>\n'
    )


def _floors() -> tuple[list[int], list[list[str]], int]:
    """Return the top of each floor, the lines of words on each, and the height of the drawing."""
    tops, words, y = [], [], 0
    for floor in FLOORS:
        tops.append(y)
        words.append(_lines([name for name in floor if name not in COLUMNS]))
        boxes = any(name in COLUMNS for name in floor)
        y += (GAP + BOX_HEIGHT if boxes else 4) + LINE * len(words[-1]) + 4
    return tops, words, y + 4


def _lines(names: Sequence[str]) -> list[str]:
    """Return the names in lines, separated by commas."""
    lines: list[str] = []
    for name in names:
        if lines and len(lines[-1]) + len(name) + 2 <= WORDS:
            lines[-1] += f", {name}"
        else:
            if lines:
                lines[-1] += ","
            lines.append(name)
    return lines


def _place(name: str, tops: Sequence[int]) -> tuple[int, int]:
    """Return where the left upper corner of a box is."""
    (number,) = (number for number, floor in enumerate(FLOORS) if name in floor)
    step = (WIDTH - 2 * MARGIN - BOX_WIDTH) / 3
    return round(MARGIN + step * COLUMNS[name]), tops[number] + GAP - 6


def _box(name: str, x: int, y: int) -> str:
    middle = f'x="{x + BOX_WIDTH // 2}" y="{y + BOX_HEIGHT // 2 + 5}"'
    return (
        f'<rect class="box" x="{x}" y="{y}" width="{BOX_WIDTH}" height="{BOX_HEIGHT}" rx="6"/>'
        f'<text class="name" {middle}>{escape(name)}</text>'
    )


def _arrows(tops: Sequence[int]) -> Iterator[str]:
    """Yield the arrows. They leave and reach a box side by side, in the order of where they lead to or come from."""
    found = arrows(COLUMNS)
    for name, other in found:
        (x, y), (to_x, to_y) = _place(name, tops), _place(other, tops)
        leaving = sorted((_place(b, tops)[0], b) for a, b in found if a == name)
        coming = sorted((_place(a, tops)[0], a) for a, b in found if b == other)
        x += _port([b for _, b in leaving].index(other), len(leaving))
        to_x += _port([a for _, a in coming].index(name), len(coming))
        y += BOX_HEIGHT
        width = _width(imports()[name][other])
        end = to_y - 7
        bend = max(14, min(60, (end - y) // 2))
        yield (
            f'<path class="arrow" stroke-width="{width}" d="M{x} {y}C{x} {y + bend} {to_x} {end - bend} {to_x} {end}">'
            f"<title>{escape(name)} imports {escape(other)}</title></path>"
            f'<path class="head" d="M{to_x} {to_y}l-4 -8h8z"/>'
        )


def _port(number: int, count: int) -> int:
    """Return how far from the left side of a box an arrow touches it."""
    return round(BOX_WIDTH * (number + 1) / (count + 1))


def _width(count: int) -> float:
    """Return the width of an arrow: three steps, so that one import more rarely changes the drawing."""
    return next(width for least, width in ((20, 3.5), (5, 2), (0, 1)) if count >= least)
