"""The drawing of the rooms has all of them, and its arrows leave out nothing (`docs/rooms.svg`, `docs/rooms.md`)."""

import re
from xml.etree import ElementTree as ET

from tests.architecture.imports import FLOORS, ROOT, circles, modules, room
from tools import rooms_drawing, rooms_page
from tools.rooms import arrows, imports

NAMES = {name for floor in FLOORS for name in floor}
TEXT = "{http://www.w3.org/2000/svg}text"


def test_drawing_and_page_are_as_the_imports_are() -> None:
    docs = ROOT / "docs"
    assert (docs / "rooms.svg").read_text(encoding="utf-8") == rooms_drawing.render()
    assert (docs / "rooms.md").read_text(encoding="utf-8") == rooms_page.render()


def test_the_drawing_names_every_room_once() -> None:
    drawn = [
        name for each in ET.fromstring(rooms_drawing.render()).iter(TEXT) for name in (each.text or "").split(", ")
    ]
    assert sorted(name.removesuffix(",") for name in drawn) == sorted(NAMES)


def test_what_a_drawn_room_imports_is_reached_by_the_arrows() -> None:
    """By arrows alone, or over a room that is not drawn as a box."""
    drawn = set(rooms_drawing.COLUMNS)
    steps = {name: set(imports()[name]) - drawn for name in NAMES}
    for name, other in arrows(drawn):
        steps[name].add(other)
    for name in drawn:
        reached: set[str] = set()
        waiting = [name]
        while waiting:
            fresh = steps[waiting.pop()] - reached
            reached |= fresh
            waiting += fresh
        assert set(imports()[name]) <= reached, name


def test_no_arrow_follows_from_others() -> None:
    found = arrows(rooms_drawing.COLUMNS)
    assert circles({name: {b for a, b in found if a == name} for name in rooms_drawing.COLUMNS}) == []
    for name, other in found:
        assert not any((name, between) in found and (between, other) in found for between in rooms_drawing.COLUMNS)


def test_the_page_lists_the_imports_of_a_room() -> None:
    (line,) = re.findall(r"^\| `report` \| .+? \| (.+) \|$", rooms_page.render(), re.MULTILINE)
    found = {room(name) for module in modules().values() if room(module.name) == "report" for name in module.ours}
    assert set(re.findall(r"`(\w+)`", line)) == found - {"report", *FLOORS[-1]}
