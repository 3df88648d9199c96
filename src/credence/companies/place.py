"""When two registered offices are the same address (credit §2.2, address crowding)."""

from credence.companies.facts.register import Office
from credence.companies.words import words


def place(office: Office) -> str:
    """Return an address so folded that its spellings meet: the first line and the postcode. Empty when too little is known.

    Without a postcode the second line and the town tell places apart; without a first line, the box. A first line with
    no digit in it is the name of a building and needs the second.
    """
    line = office.line_1 if any(map(str.isdigit, office.line_1)) else f"{office.line_1} {office.line_2}"
    where = _folded(f"{office.po_box} {line}")
    if not where:
        return ""
    code = _folded(office.postcode)
    if code:
        return f"{where} {code}"
    town = _folded(office.town)
    return f"{where} {_folded(office.line_2)} {town}" if town else ""


def _folded(text: str) -> str:
    return "".join(words(text))
