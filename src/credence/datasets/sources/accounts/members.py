"""What a limited liability partnership owes to its members, which its filing shows but seldom tags.

"Net assets attributable to members" are represented by loans and other debts due to members, and by members' other
interests, which are equity (Statement of Recommended Practice: Accounting by Limited Liability Partnerships). Arithmetic
decides which amounts of the text are which: debts and interests add up to the net assets.
"""

import re

TRIGGER = b"due to members"
"""A document without these words, in lower case, shows no debts to members."""

_DEBTS = re.compile(r"loans and other debts due to members")
_INTERESTS = re.compile(r"members'? other interests?")
_END = re.compile(r"total members|the members acknowledge")
_AMOUNT = re.compile(r"[£\s]*([0-9][0-9,]*)")
_MOST_LINES = 20


def owed_to_members(text: str, net_assets: float) -> int | None:
    """Return the debts to members of a partnership with these net assets; None unless amounts of the text show them."""
    lines = [line.strip() for line in text.lower().split("\n")]
    debts, interests = _amounts_below(lines, _DEBTS), _amounts_below(lines, _INTERESTS)
    if net_assets in debts:
        return round(net_assets)
    if net_assets in interests:
        return 0
    return next((debt for debt in debts if net_assets - debt in interests), None)


def _amounts_below(lines: list[str], heading: re.Pattern[str]) -> list[int]:
    """Return the amounts between a heading and the next one."""
    found: list[int] = []
    other = _INTERESTS if heading is _DEBTS else _DEBTS
    for start, line in enumerate(lines):
        if heading.match(line):
            for below in lines[start + 1 : start + 1 + _MOST_LINES]:
                if _END.match(below) or other.match(below):
                    break
                if amount := _AMOUNT.fullmatch(below):
                    found.append(int(amount[1].replace(",", "")))
    return found
