"""The registered office as the wire wants it: five lines and a postcode (report schema, LtdBusinessLocation)."""

from credence.companies.facts.register import Office
from credence.report.schema.identification import LtdBusinessLocation

_LINES = 5


def location(office: Office) -> LtdBusinessLocation | None:
    """Return the office with the blanks closed up; None if the register gives none.

    The register has up to seven parts. What does not fit into five lines shares the first one, so nothing is lost.
    """
    parts = [part for part in _parts(office) if part]
    if len(parts) > _LINES:
        surplus = len(parts) - _LINES + 1
        parts = [", ".join(parts[:surplus]), *parts[surplus:]]
    if not parts and not office.postcode:
        return None
    lines = {f"LocationLine{n}": part for n, part in enumerate(parts, 1)}
    return LtdBusinessLocation(**lines, Postcode=office.postcode or None)


def _parts(office: Office) -> tuple[str, ...]:
    named = not office.care_of or office.care_of.upper().startswith("C/O")
    care_of = office.care_of if named else f"c/o {office.care_of}"
    po_box = f"PO Box {office.po_box}" if office.po_box else ""
    return care_of, po_box, office.line_1, office.line_2, office.town, office.county, office.country
