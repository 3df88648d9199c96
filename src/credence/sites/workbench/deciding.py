"""The part of a company's page in which a person decides on its limit: what holds, the form, and the history."""

import datetime as dt
from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from credence.api.resources.preconditions import tag_of
from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Cell, Facts, Note, Table
from credence.clock import london_day
from credence.companies.number import normalise_or_none
from credence.monitoring.book import book_of
from credence.monitoring.limits import MAX_TEXT, ApprovedLimit, grounds_of, states_of
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.limit_decisions import (
    AnswerBody,
    DisputeBody,
    LimitBody,
    LimitChoice,
    ReviewBody,
    confirm_limit,
    decide_limit,
    record_dispute,
    refuse_limit,
    review_dispute,
)
from credence.operations.operation import Operation
from credence.policy.companies import MAX_AMOUNT
from credence.policy.policy import Policy
from credence.refusals.credit import POLICY_UNKNOWN
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.report.schema.report import LtdCompanyData
from credence.sites.kit.screen import Act, ActResult, Changed, InvalidForm, Visit
from credence.sites.workbench.acting import perform_here
from credence.sites.workbench.disputes import dispute_blocks
from credence.sites.workbench.figures import amount_cell, band_cell
from credence.sites.workbench.lists import address_of_list, with_names
from credence.sites.workbench.reader import reader_of, store_of
from credence.sites.workbench.texts import converted, text_in, whole_number_in
from credence.store.limit_decisions import LimitDecision, decision_id

SHOWN_DECISIONS = 20

_TEXTS = ("terms", "why", "conditions", "note")
_WRONG = {
    "amount": f"Enter whole pounds, at most {MAX_AMOUNT:,}; 0 means no credit.",
    "terms": "Terms have at most 100 characters.",
    "why": f"Enter a reason of at most {MAX_TEXT} characters.",
    "conditions": f"Conditions have at most {MAX_TEXT} characters.",
    "note": f"A note has at most {MAX_TEXT} characters.",
    "received_on": "Enter a date, such as 2026-01-31.",
    "said": f"Enter what they say, in at most {MAX_TEXT} characters.",
    "outcome": "Choose what the review found.",
    "review": f"Enter a reason of at most {MAX_TEXT} characters.",
    "review_on": "Enter a date, such as 2026-01-31.",
}
_CHANGED = (
    "What is known of the company, or its limit, has changed since you opened the form, so nothing was saved. Check the "
    "figures on this page and what you entered, then send the form again."
)
_NO_POLICY = "No limit can be approved for now, because an installed policy cannot be read. Tell the operator."


async def limit_blocks(visit: Visit, number: str, report: LtdCompanyData) -> list[Block]:
    """Return what the company owes, the limit in force, what waits, the form and the history."""
    history = await store_of(visit).limit_history(reader_of(visit).client_id, number)
    states = await states_of(store_of(visit), reader_of(visit).client_id, history)
    today = london_day(visit.request.now)
    held = next((each for each in states if each.in_force), None)
    blocks: list[Block] = [*await _owed(visit, number), *([_in_force(held, report, today)] if held else [])]
    seen = _seen(report, history, today)
    try:
        authority = visit.service.policies.authority_of(visit.account.username)
    except Refused:  # of a policy that cannot be read; the rest of the page does not need it
        blocks.append(Note(_NO_POLICY, "bad"))
    else:
        if states and states[0].state == "waiting":
            blocks += _waiting(visit, states[0], seen, authority)
        blocks.append(_form(visit, report, history, today, seen, authority))
    if not states:
        return blocks
    return [*blocks, *dispute_blocks(states, number, visit.account.username), history_table(states[:SHOWN_DECISIONS])]


def history_table(states: Sequence[ApprovedLimit], title: str = "Decisions on the limit") -> Table:
    """Return decisions with who made them and why."""
    rows = [
        [
            Cell(each.proposed_at[:10], whole=True),
            amount_cell(each.amount),
            Cell(state_words(each), tone="good" if each.in_force else "soft"),
            Cell(each.proposed_by),
            Cell(each.decided_by if each.decided_by != each.proposed_by else ""),
            Cell(each.why),
            Cell(" · ".join(filter(None, (each.terms, each.conditions, each.note, each.answer)))),
            band_cell(each.grounds.band),
            amount_cell(each.grounds.suggested_limit),
            Cell(" ".join(reservation.sentence for reservation in each.grounds.reservations)),
        ]
        for each in states
    ]
    columns = (
        "Day",
        "Limit",
        "State",
        "Decided by",
        "Second person",
        "Why",
        "Terms, conditions, notes",
        "Band",
        "Suggested",
        "Reasons for caution that day",
    )
    return Table(title, columns, rows, "Nothing has been decided yet.", numbers=frozenset({1, 8}), cards=True)


def state_words(state: ApprovedLimit) -> str:
    """Return the state of a decision in words."""
    return "in force" if state.in_force else "earlier" if state.state == "approved" else state.state


async def _owed(visit: Visit, number: str) -> list[Block]:
    """Return what the company owes in all lists together, and the lists; empty if none has it."""
    found = await book_of(store_of(visit), reader_of(visit).client_id, [number])
    if not found:
        return []
    line, names = found[0], await with_names(visit, {}, found[0].lists)
    above = line.headroom is not None and line.headroom < 0
    rows: list[tuple[str, Cell | str]] = [
        ("Exposure", amount_cell(line.exposure, is_least=line.is_partial)),
        ("Overdue", amount_cell(line.overdue)),
        ("At risk", amount_cell(line.at_risk, is_least=line.is_partial)),
        ("Headroom", Cell(amount_cell(line.headroom).text, tone="bad" if above else "")),
        *(("List", Cell(name, f"{address_of_list(each)}/{number}")) for each, name in names.items()),
    ]
    return [Facts("What it owes", rows)]


def _in_force(held: ApprovedLimit, report: LtdCompanyData, today: dt.date) -> Facts:
    is_due = held.review_on <= today
    by = held.proposed_by if held.decided_by == held.proposed_by else f"{held.proposed_by}, {held.decided_by}"
    score = report.Assessment.Score if report.Assessment else None
    return Facts(
        "Approved limit",
        [
            ("Limit", amount_cell(held.amount)),
            ("Suggested today", amount_cell(score.Limit.Amount if score else None)),
            ("Terms", Cell(held.terms)),
            ("Conditions", Cell(held.conditions)),
            ("Approved by", Cell(f"{by} on {held.decided_at[:10]}")),
            ("Why", Cell(held.why)),
            ("Review", Cell(f"{held.review_on}{' (due)' if is_due else ''}", tone="bad" if is_due else "")),
        ],
    )


def _waiting(visit: Visit, waiting: ApprovedLimit, seen: str, authority: int | None) -> list[Block]:
    """Return what is proposed, with the form of a second person; one with less authority may only refuse."""
    asked = f"{waiting.proposed_by} proposes a limit of £{waiting.amount:,}. {waiting.why}"
    if waiting.proposed_by == visit.account.username:
        return [Note(f"{asked} It waits for a second person.", "warn")]
    hidden, fields = [("place", str(waiting.place)), ("seen", seen)], (Field("answer", "Remark"),)
    if authority is not None and waiting.amount > authority:
        text = f"It is above your authority of £{authority:,}, so a person with more authority approves it. You may refuse."
        return [
            Note(f"{asked} {text}", "warn"),
            Form("refuse", "Second person", "Refuse", fields=fields, hidden=hidden),
        ]
    return [
        Note(asked, "warn"),
        Form("confirm", "Second person", "Approve", fields=fields, hidden=hidden, also=[("refuse", "Refuse")]),
    ]


def _form(
    visit: Visit,
    report: LtdCompanyData,
    history: Sequence[LimitDecision],
    today: dt.date,
    seen: str,
    authority: int | None,
) -> Form:
    before = next((each for each in history if each.state == "approved"), None)
    score = report.Assessment.Score if report.Assessment else None
    amount = before.amount if before else score.Limit.Amount if score else None
    policies = visit.service.policies.names()
    return Form(
        "decide",
        "Decide on the limit",
        "Decide",
        "" if authority is None else f"You may approve up to £{authority:,} alone; a second person approves more.",
        fields=(
            Field(
                "amount",
                "Limit",
                "" if amount is None else str(amount),
                "In whole pounds; 0 for no credit.",
                required=True,
            ),
            Field("terms", "Terms", before.terms if before else "", "Such as 30 days."),
            Field("why", "Why", required=True),
            Field("conditions", "Conditions", before.conditions if before else ""),
            Field("note", "Note"),
            Field("review_on", "Review on", _in_a_year(today).isoformat(), kind="date", required=True),
            *([Field("policy", "Policy", options=[(each, each) for each in policies])] if policies else ()),
        ),
        hidden=[("seen", seen)],
        wide=True,
    )


async def decide(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Approve a limit, or propose it to a second person. Raises Changed if the person saw something else than what is."""
    number, report = await _report(visit)
    history = await store_of(visit).limit_history(reader_of(visit).client_id, number)
    today = london_day(visit.request.now)
    typed = {name: text_in(values, name) for name in _TEXTS}
    amount = whole_number_in(values, "amount")
    if amount is None:
        raise InvalidForm(_WRONG["amount"], "amount")
    members = {**typed, "amount": amount, "review_on": values.get("review_on", "").strip()}
    choice = converted(members, LimitChoice, _WRONG)
    if values.get("seen", "") != _seen(report, history, today):
        raise Changed(_CHANGED)
    grounds = grounds_of(report, _policy(visit, values), choice.amount, today)
    return await _done(visit, decide_limit, "", LimitBody(number, choice, grounds, len(history)))


async def confirm(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Approve, as the second person. Raises Changed if the company or its limit is no longer as the form showed it."""
    number, report = await _report(visit)
    history = await store_of(visit).limit_history(reader_of(visit).client_id, number)
    seen = _seen(report, history, london_day(visit.request.now))
    if values.get("seen", seen) != seen:
        raise Changed(_CHANGED)
    return await _answer(visit, confirm_limit, values)


async def refuse(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Refuse, as the second person."""
    return await _answer(visit, refuse_limit, values)


async def _answer(visit: Visit, operation: Operation, values: Mapping[str, str]) -> ActResult:
    body = converted({"answer": text_in(values, "answer")}, AnswerBody, {"answer": _WRONG["note"]})
    return await _done(visit, operation, _newest(visit, values), body)


async def dispute(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Record that the partnership contests the newest decision."""
    members = {"received_on": values.get("received_on", "").strip(), "said": text_in(values, "said")}
    return await _done(visit, record_dispute, _newest(visit, values), converted(members, DisputeBody, _WRONG))


async def review(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Review the disputed decision, as another person."""
    members = {"outcome": values.get("outcome", ""), "review": text_in(values, "review")}
    return await _done(visit, review_dispute, _newest(visit, values), converted(members, ReviewBody, _WRONG))


def _newest(visit: Visit, values: Mapping[str, str]) -> str:
    """Return the id of the decision that a form is about. Raises Refused for a place that is no number."""
    number, place = normalise_or_none(visit.request.segments[0]), values.get("place", "")
    if number is None or not (place.isascii() and place.isdigit() and len(place) <= 6):
        raise Refused(RESOURCE_UNKNOWN, "limit.unknown")
    return decision_id(reader_of(visit).client_id, number, int(place))


async def _done(visit: Visit, operation: Operation, key: str, body: Struct) -> ActResult:
    outcome = await perform_here(visit, operation, key, body)
    return ActResult(outcome.said)


def _policy(visit: Visit, values: Mapping[str, str]) -> Policy | None:
    if not visit.service.policies.names():
        return None
    try:
        return visit.service.policies.find(values.get("policy", ""))
    except Refused as refused:
        if refused.refusal.name != POLICY_UNKNOWN.name:
            raise
        raise InvalidForm("Choose one of the policies.", "policy") from None


async def _report(visit: Visit) -> tuple[str, LtdCompanyData]:
    number = normalise_or_none(visit.request.segments[0])
    report = visit.service.reports.decoded(number, visit.request.now) if number else None
    if report is None or number is None:
        raise Refused(RESOURCE_UNKNOWN, "company.unknown")
    return number, report


def _seen(report: LtdCompanyData, history: Sequence[LimitDecision], today: dt.date) -> str:
    """Return a digest of what a person decides on: what is known of the company, and its newest decision."""
    known = msgspec.structs.replace(grounds_of(report, None, 0, today), day=dt.date.min)
    newest = (history[0].id, history[0].version) if history else None
    return tag_of(msgspec.json.encode((known, newest))).strip('"')


def _in_a_year(today: dt.date) -> dt.date:
    return today.replace(year=today.year + 1, day=min(today.day, 28))


DECIDE_ACTS = (
    Act("decide", MONITOR, decide),
    Act("confirm", MONITOR, confirm),
    Act("refuse", MONITOR, refuse),
    Act("dispute", MONITOR, dispute),
    Act("review", MONITOR, review),
)
