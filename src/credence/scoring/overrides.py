"""The lines that follow the points: a failure, ceilings of the legal state and of reservations, the ends of the scale."""

from collections.abc import Iterable

from credence.clock import day_in_words
from credence.companies.facts.company import Company
from credence.scoring.basis.day import Days
from credence.scoring.legal import LegalRule, day_of_rule
from credence.scoring.lines import Line
from credence.scoring.reservations.table import Reservation, line_code


def failure_line(company: Company, rule: LegalRule, days: Days, total: int) -> Line:
    """Return the line that takes every point."""
    return _legal(company, rule, days, -total)


def legal_line(company: Company, rule: LegalRule, days: Days, total: int) -> Line:
    """Return the line of a ceiling.

    A rule gets a line even if a lower ceiling applies and it takes no points, because it is a reason.
    """
    return _legal(company, rule, days, min(total, rule.at_most) - total)


def hold_down(lines: list[Line], reservations: Iterable[Reservation], total: int) -> int:
    """Add the line of the lowest ceiling of the reservations, if it takes points; return what is left of `total`."""
    lowest = min((each for each in reservations if each.at_most is not None), key=_ceiling, default=None)
    if lowest is None or lowest.at_most is None or total <= lowest.at_most:
        return total
    said = f"{lowest.sentence} This limits the score to {lowest.at_most}.".strip()
    lines.append(Line("judgement", line_code(lowest.code), lowest.header, lowest.at_most - total, said, day=lowest.day))
    return lowest.at_most


def scale_line(points: int) -> Line:
    """Return the line of the points beyond the ends of the scale."""
    return Line("scale", "scale", "The scale runs from 0 to 100", points)


def _ceiling(reservation: Reservation) -> tuple[int, str]:
    return reservation.at_most or 0, reservation.code


def _legal(company: Company, rule: LegalRule, days: Days, points: int) -> Line:
    day = day_of_rule(company, rule, days)
    text = rule.sentence.format(day=day_in_words(day), at_most=rule.at_most)
    return Line("legal", rule.code, "Legal state", points, text, day=day)
