"""The part of a partnership's page for disputes of a limit (UK GDPR): what they say, and the review by another person."""

from collections.abc import Sequence

from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Cell, Note, Table
from credence.companies.number import is_partnership
from credence.monitoring.limits import ApprovedLimit
from credence.store.limit_decisions import LimitDecision

_FOUND = (("", "choose"), ("upheld", "the decision stays"), ("revised", "a new decision is to be made"))
_WORDS = {"": "waits for a review", "upheld": "the decision stays", "revised": "a new decision is to be made"}


def dispute_blocks(states: Sequence[ApprovedLimit], number: str, username: str) -> list[Block]:
    """Return the disputes, and the form for the next step of this person; nothing for a company.

    `states` are all decisions, the newest first. A dispute waits for its review also after a newer decision.
    """
    if not is_partnership(number):
        return []
    waiting = next((each for each in states if is_disputed(each)), None)
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
    if waiting is None:
        decided = next((each for each in states if each.state in ("approved", "refused")), None)
        return [table, _record(decided)] if decided else [table]
    if username in (waiting.proposed_by, waiting.decided_by):
        return [table, Note("The dispute waits for a review by someone who did not make the decision.", "warn")]
    return [table, _review(waiting)]


def is_disputed(decision: ApprovedLimit | LimitDecision) -> bool:
    """Return whether a dispute of a decision waits for its review."""
    return bool(decision.disputes) and not decision.disputes[-1].outcome


def _review(disputed: ApprovedLimit) -> Form:
    fields = (
        Field("outcome", "Outcome", options=_FOUND, required=True),
        Field("review", "Why", required=True),
    )
    text = (
        f"The limit of £{disputed.amount:,} of {disputed.proposed_at[:10]} is disputed. You did not make that decision."
    )
    hidden = [("place", str(disputed.place))]
    return Form("review", "Review the decision", "Save the review", text, fields=fields, hidden=hidden)


def _record(decided: ApprovedLimit) -> Form:
    fields = (
        Field("received_on", "Received on", kind="date", required=True),
        Field("said", "What they say", required=True),
    )
    text = "Partners are people: they may contest a decision about them and have it reviewed by a person (UK GDPR)."
    return Form("dispute", "Record a dispute", "Record", text, fields=fields, hidden=[("place", str(decided.place))])
