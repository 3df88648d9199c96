"""Approved limits: a person decides, and above their authority a second person does. Only the workbench has these acts."""

import datetime as dt
from functools import partial
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from credence import paths
from credence.clock import london_day
from credence.companies.number import is_partnership
from credence.errors import InvalidInput
from credence.monitoring.limits import MAX_REVIEW_YEARS, MAX_TEXT, Pounds
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.acting import Access, Acting
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.policy.installed import InstalledPolicies
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.store.limit_decisions import LIMIT_DECISIONS, Dispute, Grounds, LimitDecision, decision_id

_PEOPLE: Final = Access(MONITOR, "owner", owner=True)
"""For readers of the workbench: `owns` of such a caller is the client_id of the application they work for."""

_ONLY_PEOPLE: Final = "A person decides, who sees the report in the workbench."
_OTHER_PERSON = because(INSUFFICIENT_SCOPE, "A second person decides on this limit, not the one who proposed it.")
_OTHER_REVIEWER = because(INSUFFICIENT_SCOPE, "A disputed decision must be reviewed by someone who did not make it.")
_NO_PERSON = because(RESOURCE_CHANGED, "Disputes are recorded for decisions about people and partnerships.")
_PROPOSED = because(RESOURCE_CHANGED, "This limit waits for a second person: only a decision can be disputed.")
_DISPUTED = because(RESOURCE_CHANGED, "This decision has already been disputed, and the dispute is waiting for review.")
_REVIEWED = because(RESOURCE_CHANGED, "This decision has no dispute waiting for review.")
_ANSWERED = because(RESOURCE_CHANGED, "This has been decided already, or there is a newer decision.")

Text = Annotated[str, Meta(max_length=MAX_TEXT)]


class LimitChoice(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person decides about the limit of a company."""

    amount: Pounds
    why: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]
    review_on: dt.date
    terms: Annotated[str, Meta(max_length=100)] = ""
    conditions: Text = ""
    note: Text = ""


class LimitBody(Struct, frozen=True):
    """The choice of a person, the company, and what the person knew."""

    company: str
    choice: LimitChoice
    grounds: Grounds
    after: int
    """How many decisions on the company the person knew."""


class AnswerBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What a second person answers to a limit that is above the authority of the first."""

    answer: Text = ""


LIMIT_DECISION: Final = Noun(
    name="limit decision",
    path="limits/{decision}",
    base=paths.MONITORING,
    help="The id of the decision.",
    kept=LIMIT_DECISIONS,
    state=as_it_is(LimitDecision),
    owners=lambda decision: (decision.owner,),
    reasons="limit",
)
_operation = partial(operation, on=LIMIT_DECISION, access=_PEOPLE, here_only=_ONLY_PEOPLE, site_only="workbench")


@_operation("limit decide", title="Decide on a limit", makes=True)
async def decide_limit(by: Acting, _found: None, body: LimitBody) -> Change[LimitDecision]:
    """Approve a limit, or propose one above your authority to a second person."""
    chosen, today = body.choice, london_day(by.now)
    if not today < chosen.review_on <= today + dt.timedelta(days=366 * MAX_REVIEW_YEARS):
        raise InvalidInput(f"The review is on a day after today, within {MAX_REVIEW_YEARS} years.", member="review_on")
    authority = _authority(by)
    is_within = authority is None or chosen.amount <= authority
    owner = by.owns or ""
    made = LimitDecision(
        id=decision_id(owner, body.company, body.after + 1),
        owner=owner,
        company=body.company,
        place=body.after + 1,
        state="approved" if is_within else "waiting",
        amount=chosen.amount,
        why=chosen.why,
        review_on=chosen.review_on,
        proposed_by=by.operator,
        proposed_at=by.now,
        grounds=body.grounds,
        terms=chosen.terms,
        conditions=chosen.conditions,
        note=chosen.note,
        authority=authority,
        decided_by=by.operator if is_within else "",
        decided_at=by.now if is_within else 0,
    )
    waits = f"It is above your authority of £{authority:,}, so it waits for a second person." if not is_within else ""
    return Change(made, said=waits or f"A limit of £{chosen.amount:,} is approved.")


@_operation("limit confirm", title="Approve a limit")
async def confirm_limit(by: Acting, found: LimitDecision, body: AnswerBody) -> Change[LimitDecision]:
    """Approve, as the second person, a limit that another person proposed."""
    authority = await _second_authority(by, found)
    if authority is not None and found.amount > authority:
        text = f"This limit is above your authority of £{authority:,}: a person with more authority approves it."
        raise Refused(because(INSUFFICIENT_SCOPE, text), "limit.authority")
    return _answered(by, found, "approved", body.answer, authority)


@_operation("limit refuse", title="Refuse a limit")
async def refuse_limit(by: Acting, found: LimitDecision, body: AnswerBody) -> Change[LimitDecision]:
    """Refuse, as the second person, a limit that another person proposed. The limit that holds stays."""
    return _answered(by, found, "refused", body.answer, await _second_authority(by, found))


class DisputeBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What a person or partnership says against a decision about them."""

    received_on: dt.date
    said: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]


class ReviewBody(Struct, frozen=True, forbid_unknown_fields=True):
    """What the review of a disputed decision found."""

    outcome: Literal["upheld", "revised"]
    review: Annotated[str, Meta(min_length=1, max_length=MAX_TEXT)]


@_operation("limit dispute", title="Record a dispute")
async def record_dispute(by: Acting, found: LimitDecision, body: DisputeBody) -> Change[LimitDecision]:
    """Record that the person or partnership whom a decision is about contests it (UK GDPR, article 22C)."""
    if not is_partnership(found.company):
        raise Refused(_NO_PERSON, "limit.no_person")
    if found.state == "waiting":
        raise Refused(_PROPOSED, "limit.disputed")
    if found.disputes and not found.disputes[-1].outcome:
        raise Refused(_DISPUTED, "limit.disputed")
    if not found.grounds.day <= body.received_on <= london_day(by.now):
        raise InvalidInput("Enter a day from that of the decision to today.", member="received_on")
    dispute = Dispute(body.received_on, body.said, by.operator, by.now)
    wanted = msgspec.structs.replace(found, disputes=(*found.disputes, dispute))
    return Change(wanted, said="The dispute is recorded. Another person than the one who decided reviews it.")


@_operation("limit review", title="Review a disputed limit")
async def review_dispute(by: Acting, found: LimitDecision, body: ReviewBody) -> Change[LimitDecision]:
    """Review a decision that is disputed, as a person who did not make it."""
    if not found.disputes or found.disputes[-1].outcome:
        raise Refused(_REVIEWED, "limit.reviewed")
    if by.operator in (found.proposed_by, found.decided_by):
        raise Refused(_OTHER_REVIEWER, "limit.second_person")
    reviewed = msgspec.structs.replace(
        found.disputes[-1], outcome=body.outcome, review=body.review, reviewed_by=by.operator, reviewed_at=by.now
    )
    wanted = msgspec.structs.replace(found, disputes=(*found.disputes[:-1], reviewed))
    rest = "Decide on the limit again." if body.outcome == "revised" else "The decision stays."
    return Change(wanted, said=f"The review is recorded. {rest}")


async def _second_authority(by: Acting, found: LimitDecision) -> int | None:
    """Return the authority of a second person. Raises Refused for the first one, and for what is decided."""
    newest = await by.means.store.newest_limits(found.owner, [found.company])
    if found.state != "waiting" or newest[found.company].last != found.id:
        raise Refused(_ANSWERED, "limit.decided")
    if by.operator == found.proposed_by:
        raise Refused(_OTHER_PERSON, "limit.second_person")
    return _authority(by)


def _answered(
    by: Acting, found: LimitDecision, state: str, answer: str, authority: int | None
) -> Change[LimitDecision]:
    changed = msgspec.structs.replace(
        found,
        state=state,
        decided_by=by.operator,
        decided_at=by.now,
        authority=authority,
        answer=answer,
    )
    return Change(changed, said=f"The limit of £{found.amount:,} is {state}.")


def _authority(by: Acting) -> int | None:
    return InstalledPolicies(by.means.settings.policy_folder).authority_of(by.operator)
