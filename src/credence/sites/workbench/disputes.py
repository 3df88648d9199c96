"""The part of a partnership's page for disputes of a limit (UK GDPR): what they say, and the review by another person."""

from collections.abc import Sequence

from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Cell, Table
from credence.companies.number import is_partnership
from credence.monitoring.limits import ApprovedLimit

_FOUND = (("", "choose"), ("upheld", "the decision stays"), ("revised", "a new decision is to be made"))
_WORDS = {"": "waits for a review", "upheld": "the decision stays", "revised": "a new decision is to be made"}


def dispute_blocks(states: Sequence[ApprovedLimit], number: str) -> list[Block]:
    """Return the disputes of the newest decision, and the form for the next step; nothing for a company.

    `states` are all decisions, the newest first.
    """
    if not is_partnership(number):
        return []
    newest = states[0]
    rows = [
        [
            Cell(each.received_on.isoformat(), whole=True),
            Cell(each.said),
            Cell(each.recorded_by),
            Cell(_WORDS[each.outcome], tone="" if each.outcome else "warn"),
            Cell(each.reviewed_by),
            Cell(each.review),
        ]
        for state in states
        for each in state.disputes
    ]
    columns = ("Received", "What they say", "Recorded by", "Outcome", "Reviewed by", "Why")
    table = Table("Disputes", columns, rows, "No dispute has been recorded.")
    return [table, _form(newest)]


def _form(newest: ApprovedLimit) -> Form:
    hidden = [("place", str(newest.place))]
    if newest.disputes and not newest.disputes[-1].outcome:
        fields = (
            Field("outcome", "Outcome", options=_FOUND, required=True),
            Field("review", "Why", required=True),
        )
        text = "Another person reviews the decision, not one who made it."
        return Form("review", "Review the decision", "Save the review", text, fields=fields, hidden=hidden)
    fields = (
        Field("received_on", "Received on", kind="date", required=True),
        Field("said", "What they say", required=True),
    )
    text = "Partners are people: they may contest a decision about them and have it reviewed by a person (UK GDPR)."
    return Form("dispute", "Record a dispute", "Record", text, fields=fields, hidden=hidden)
