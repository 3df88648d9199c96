"""`docs/rooms.md`: every room of the program, from the upper floor to the ground floor, generated from its imports."""

from tools.imports import FLOORS
from tools.rooms import GROUND, imports, purpose

_PAGE = """\
# The rooms of the program

Generated from the imports by `python -m tools.generate`.

A *room* is a folder of `src/credence/`, or a file that is in none; a folder of `web/` is a room of its own.
A *floor* is a set of rooms that do not import each other.
A room imports only from the floors below its own, and `tests/architecture` fails otherwise.
[Architecture](architecture.md) draws the larger rooms.

{floors}
## Ground floor

Every room may import these, so the lists above leave them out.

| Room | What it is |
|---|---|
{ground}
"""

_FLOOR = """\
## Floor {number}

| Room | What it is | Imports |
|---|---|---|
{rows}
"""


def render() -> str:
    """Return the page."""
    floors = [
        _FLOOR.format(number=len(FLOORS) - 1 - number, rows="\n".join(_row(name) for name in floor))
        for number, floor in enumerate(FLOORS[:-1])
    ]
    ground = "\n".join(f"| `{name}` | {_text(purpose(name))} |" for name in FLOORS[-1])
    return _PAGE.format(floors="\n".join(floors), ground=ground)


def _row(name: str) -> str:
    imported = [f"`{each}`" for floor in FLOORS for each in floor if each in imports()[name] and each not in GROUND]
    return f"| `{name}` | {_text(purpose(name))} | {', '.join(imported)} |"


def _text(sentence: str) -> str:
    return sentence.replace("|", "\\|")
