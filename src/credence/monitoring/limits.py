"""Approved limits: what was known when a person decided, and the decisions as programs read them."""

import datetime as dt
from collections.abc import Sequence
from typing import Annotated

import msgspec

from credence.clock import rfc3339
from credence.meanings import meaning
from credence.policy.companies import MAX_AMOUNT
from credence.policy.decision import decide
from credence.policy.policy import Policy
from credence.report.schema.report import LtdCompanyData
from credence.store.contract import Store
from credence.store.limit_decisions import Dispute, Grounds, HeldAgainst, LimitDecision, NewestLimits

MAX_TEXT = 500
"""Maximum length of a reason, condition or note; terms have at most a hundred characters."""

MAX_REVIEW_YEARS = 5

Pounds = Annotated[int, msgspec.Meta(ge=0, le=MAX_AMOUNT)]

STATES = {
    "approved": "holds, or held until a later decision",
    "waiting": "waits for a second person",
    "refused": "a second person refused it",
    "replaced": "waited for a second person until a later decision replaced it",
}


class HeldAgainstCompany(msgspec.Struct, frozen=True):
    """A reservation of that day."""

    code: Annotated[str, meaning("The code of the reservation.")]
    sentence: Annotated[str, meaning("The same in a sentence.")]


class LimitGrounds(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What was known of the company on the day of the decision."""

    day: Annotated[dt.date, meaning("The day of the report.")]
    name: Annotated[str, meaning("The name of the company.")]
    score: Annotated[int | None, meaning("The score; absent without one.", unit="points")] = None
    band: Annotated[str, meaning("The band of the score; empty without one.")]
    suggested_limit: Annotated[int | None, meaning("The limit that the model suggested.", unit="pounds")] = None
    not_scored: Annotated[str, meaning("Why there was no score.", example="")]
    model: Annotated[str, meaning("The model of the score.")]
    reservations: Annotated[tuple[HeldAgainstCompany, ...], meaning("The reasons for caution on that day.")]
    policy: Annotated[str, meaning("The policy that was applied; empty for none.")]
    policy_date: Annotated[dt.date | None, meaning("The date of its version.")] = None
    policy_hash: Annotated[str, meaning("The SHA-256 of its file.")]
    outcome: Annotated[str, meaning("What the policy made of the report and the amount.")]
    policy_limit: Annotated[int | None, meaning("The limit of the policy.", unit="pounds", example=4000)] = None
    findings: Annotated[tuple[str, ...], meaning("The reasons of the rules that counted.")]
    input_hash: Annotated[str, meaning("Equal for equal inputs of the policy.")]


class LimitDispute(msgspec.Struct, frozen=True):
    """That the person or partnership whom the decision is about contests it, and its review by a person."""

    received_on: Annotated[dt.date, meaning("When they contested it.", example="2026-11-20")]
    said: Annotated[str, meaning("What they say against it.", example="The invoices were paid.")]
    recorded_by: Annotated[str, meaning("Who recorded it.", example="grace")]
    recorded_at: Annotated[str, meaning("When, in UTC.", example="2026-11-20T09:30:00Z")]
    outcome: Annotated[
        str,
        meaning(
            "What the review found; empty while it waits.",
            values={"": "waits for a review", "upheld": "the decision stays", "revised": "a new decision is made"},
            example="upheld",
        ),
    ]
    reviewed_by: Annotated[str, meaning("Who reviewed it, not one who decided.", example="ada")]
    reviewed_at: Annotated[str, meaning("When, in UTC; empty while it waits.", example="2026-11-21T09:30:00Z")]
    review: Annotated[str, meaning("Why the reviewer found so.", example="Two invoices are open.")]


class ApprovedLimit(msgspec.Struct, frozen=True):
    """A person's decision about the limit of a company."""

    company_number: Annotated[str, meaning("The company number.")]
    place: Annotated[int, meaning("Its place among the decisions on the company, from 1.")]
    state: Annotated[str, meaning("Whether it was approved.", values=STATES)]
    in_force: Annotated[bool, meaning("Whether it is the limit that holds.")]
    amount: Annotated[int, meaning("The limit; 0 for no credit.", unit="pounds")]
    terms: Annotated[str, meaning("The payment terms.")]
    why: Annotated[str, meaning("Why the person decided so.")]
    conditions: Annotated[str, meaning("What the limit depends on.")]
    note: Annotated[str, meaning("A note.")]
    review_on: Annotated[dt.date, meaning("When it is to be reviewed.")]
    proposed_by: Annotated[str, meaning("The username of the person who decided.")]
    proposed_at: Annotated[str, meaning("When, in UTC.")]
    decided_by: Annotated[str, meaning("Who approved or refused it: the same person within their authority.")]
    decided_at: Annotated[str, meaning("When, in UTC; empty while it waits.")]
    authority: Annotated[
        int | None,
        meaning("Up to which amount the last of them may approve alone; null without a rule.", unit="pounds"),
    ]
    answer: Annotated[str, meaning("What the second person said.")]
    disputes: Annotated[
        tuple[LimitDispute, ...], meaning("Disputes of a person or partnership whom it is about, with their reviews.")
    ]
    grounds: Annotated[LimitGrounds, meaning("What was known of the company on that day.")]


class LimitPage(msgspec.Struct, frozen=True):
    """A page of decisions."""

    limits: Annotated[tuple[ApprovedLimit, ...], meaning("The decisions, by company number and place.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.", example="")]


class LimitHistory(msgspec.Struct, frozen=True):
    """Every decision on a company."""

    company_number: Annotated[str, meaning("The company number.")]
    limits: Annotated[tuple[ApprovedLimit, ...], meaning("The decisions, the newest first.")]


def grounds_of(report: LtdCompanyData, policy: Policy | None, amount: int, today: dt.date) -> Grounds:
    """Return what is known of a company, with what a policy makes of this amount."""
    assessment = report.Assessment
    score = assessment.Score if assessment else None
    headline = assessment.Headline if assessment else None
    unscored = assessment.NotScored if assessment else None
    known = Grounds(
        day=today,
        name=report.CommercialName or "",
        score=score.Score if score else None,
        band=score.Band if score else "",
        suggested_limit=score.Limit.Amount if score else None,
        not_scored=unscored.Reason if unscored else "",
        model=f"{score.Model.Name} {score.Model.Version}" if score else "",
        reservations=tuple(HeldAgainst(each.Code, each.Sentence) for each in headline.Reservations) if headline else (),
    )
    if policy is None:
        return known
    made = decide(report, policy, today, amount)
    return msgspec.structs.replace(
        known,
        policy=policy.name,
        policy_date=policy.date,
        policy_hash=policy.hash,
        outcome=made.Outcome,
        policy_limit=made.Limit,
        findings=tuple(each.Reason for each in made.Findings),
        input_hash=made.InputHash,
    )


async def states_of(store: Store, owner: str, decisions: Sequence[LimitDecision]) -> tuple[ApprovedLimit, ...]:
    """Return decisions of an application in the form in which they are sent, in the same order."""
    newest = await store.newest_limits(owner, sorted({each.company for each in decisions}))
    return tuple(_state(each, newest[each.company]) for each in decisions)


def _state(decision: LimitDecision, newest: NewestLimits) -> ApprovedLimit:
    replaced = decision.state == "waiting" and decision.id != newest.last
    return ApprovedLimit(
        company_number=decision.company,
        place=decision.place,
        state="replaced" if replaced else decision.state,
        in_force=decision.id == newest.approved,
        amount=decision.amount,
        terms=decision.terms,
        why=decision.why,
        conditions=decision.conditions,
        note=decision.note,
        review_on=decision.review_on,
        proposed_by=decision.proposed_by,
        proposed_at=rfc3339(decision.proposed_at),
        decided_by=decision.decided_by,
        decided_at=rfc3339(decision.decided_at) if decision.decided_at else "",
        authority=decision.authority,
        answer=decision.answer,
        disputes=tuple(map(_dispute, decision.disputes)),
        grounds=LimitGrounds(
            **{
                **msgspec.structs.asdict(decision.grounds),
                "reservations": tuple(
                    HeldAgainstCompany(each.code, each.sentence) for each in decision.grounds.reservations
                ),
            }
        ),
    )


def _dispute(dispute: Dispute) -> LimitDispute:
    reviewed_at = rfc3339(dispute.reviewed_at) if dispute.reviewed_at else ""
    times = {"recorded_at": rfc3339(dispute.recorded_at), "reviewed_at": reviewed_at}
    return LimitDispute(**{**msgspec.structs.asdict(dispute), **times})
