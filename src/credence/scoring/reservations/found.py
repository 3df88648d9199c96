"""The reservations about one company: each code of the table once, the gravest first."""

from collections.abc import Mapping

from credence.scoring.reservations import of_figures, of_others, of_payment, of_related, of_sources, of_text
from credence.scoring.reservations.judged import Found, Judged, Measures, ReservationRule
from credence.scoring.reservations.table import Reservation, ReservationTable, Row

MODELS = "MODELS"
"""The code of the reservation about the published models."""

RULES: Mapping[str, ReservationRule] = {
    **of_text.RULES,
    **of_figures.RULES,
    **of_related.RULES,
    **of_payment.RULES,
    **of_others.RULES,
    **of_sources.RULES,
}
"""Name of a rule in the table -> rule."""


def reservations_of(judged: Judged, table: ReservationTable) -> tuple[Reservation, ...]:
    """Return the reservations that may change score, limit or terms: all but `MODELS`, which costs as much as these."""
    measures: Measures = {}
    of_sources.measure(judged, measures)
    if judged.company.accounts is not None:
        of_text.measure(judged, measures)
        if judged.period is not None:
            of_figures.measure(judged, judged.period, measures)
            of_related.measure(judged, judged.period, measures)
        of_others.measure(judged, measures)
    if judged.company.payment_practices is not None:
        of_payment.measure(judged, measures)
    if judged.company.profile is not None:
        of_others.measure_remarks(judged, measures)
    applying = [rule for rule, value in measures.items() if value > table.least[rule]]
    if not applying:
        return ()
    codes = sorted({table.code_of[rule] for rule in applying}, key=table.place.__getitem__)
    return tuple([_reservation_of(judged, table.by_code[code], measures) for code in codes])


def with_models(found: tuple[Reservation, ...], judged: Judged, table: ReservationTable) -> tuple[Reservation, ...]:
    """Return reservations with the one about the published models, in the order of the table."""
    measures: Measures = {}
    of_others.measure_models(judged, measures)
    if not measures:
        return found
    added = _reservation_of(judged, table.by_code[MODELS], measures)
    return tuple(sorted((*found, added), key=lambda each: table.place[each.code]))


def _reservation_of(judged: Judged, rows: tuple[Row, ...], measures: Measures) -> Reservation:
    row = next(row for row in rows if measures.get(row.find, row.over) > row.over)
    return reservation(row, RULES[row.find].found(judged))


def reservation(row: Row, found: Found) -> Reservation:
    """Return the reservation of a row with what its rule has found."""
    return Reservation(
        code=row.code,
        header=row.header,
        words=row.words.format_map(found.values),
        sentence=row.sentence.format_map(found.values),
        amount=found.amount,
        day=found.day,
        at_most=row.at_most,
        limit=row.limit,
        terms=row.terms,
        alert=row.alert,
    )
