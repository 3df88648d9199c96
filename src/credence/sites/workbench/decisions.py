"""Decisions by an installed policy, on one company or many."""

from collections import Counter
from collections.abc import Mapping, Sequence

import msgspec

from credence import paths
from credence.api.credit.decisions import MAX_COMPANIES
from credence.blocks.forms import Field, Form, Query
from credence.blocks.values import Block, Cell, Facts, Note, Table, Tone
from credence.companies.number import normalise_or_none
from credence.errors import InvalidInput
from credence.mcp.answers import DecisionAsked
from credence.mcp.tools import decide
from credence.oauth.parameters.scopes import REPORT
from credence.policy.batch import ScoreRow
from credence.policy.companies import Entry, read_csv
from credence.policy.decision import Decision
from credence.refusals.credit import COMPANY_UNKNOWN, POLICY_UNKNOWN
from credence.refusals.refusal import Refused
from credence.screening.limits import KIB
from credence.sites.kit.routing import DOWNLOADED
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.sites.workbench.figures import address_of_company, amount_cell, band_cell, number_cell
from credence.sites.workbench.reader import reader_of, sources_of
from credence.sites.workbench.texts import csv_in, whole_number_in
from credence.web.messages.answer import CSV, Answer
from credence.web.messages.caching import NO_STORE

DECISIONS = f"{paths.WORKBENCH}/decisions"
MAX_SHOWN = 200
"""The most companies whose decisions are shown as a page; longer lists are answered as CSV."""

MAX_FORM_OCTETS = 1_024 * KIB

_TONES: Mapping[str, Tone] = {"accept": "good", "refer": "warn", "decline": "bad"}
_LEAD = "Accept, refer or decline using a policy that your operator has installed. A person makes the final decision."


async def read(visit: Visit) -> Page:
    """Return the forms, and the decision on the company in the query."""
    policies = visit.service.policies.names()
    if not policies:
        text = "No policy is installed. The operator of the service installs policies as files."
        return Page("Decisions", [Note(text, "soft")], "", lead=_LEAD)
    typed = {name: visit.parameter(name)[:100] for name in ("policy", "number", "amount")}
    blocks: list[Block] = []
    wrong = InvalidForm("")
    if typed["number"] or typed["amount"]:
        try:
            blocks = _decision(await _decided(visit, typed))
        except InvalidForm as found:
            wrong = found
    query = Query("One company", "Decide", _one(policies, typed), wrong.message, wrong.field)
    many = Form(
        "many",
        "Many companies",
        "Decide on all",
        f"Enter one company per line: number, amount. At most {MAX_COMPANIES:,}; over {MAX_SHOWN} you get a CSV file.",
        fields=(
            Field("policy", "Policy", options=[(each, each) for each in policies]),
            Field("rows", "Lines", hint="01234567, 5000", kind="lines"),
            Field("file", "Or a CSV file", hint="With the same columns.", kind="file"),
            Field("csv", "Download the results as CSV", kind="box"),
        ),
    )
    return Page("Decisions", [query, *blocks, many], "", lead=_LEAD)


async def decide_many(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Return a row for each company, as a page or as the CSV of the API."""
    try:
        policy = visit.service.policies.find(values.get("policy", ""))
    except Refused as refused:
        if refused.refusal.name != POLICY_UNKNOWN.name:
            raise
        raise InvalidForm("Choose one of the policies.", "policy") from None
    text, field = csv_in(values)
    try:
        entries = list(read_csv(text.splitlines()))
    except InvalidInput as error:
        raise InvalidForm(str(error), field) from None
    if not 1 <= len(entries) <= MAX_COMPANIES:
        raise InvalidForm(f"Paste 1 to {MAX_COMPANIES:,} lines, a number and an amount each, or choose a file.", field)
    now, client_id = visit.request.now, reader_of(visit).client_id
    if values.get("csv") or len(entries) > MAX_SHOWN:
        rest = visit.service.batches.stream(client_id, entries, policy, "csv", now)
        return ActResult("", answer=Answer(200, CSV, await anext(rest), (NO_STORE, DOWNLOADED), rest=rest))
    lines = [
        line
        async for piece in visit.service.batches.stream(client_id, entries, policy, "ndjson", now)
        for line in piece.splitlines()
    ]
    page = Page("Decisions", _rows(entries, lines), "", above=("Decisions", DECISIONS))
    return ActResult(f"Decided by {policy.name} of {policy.date}.", page=page)


def _one(policies: Sequence[str], typed: Mapping[str, str]) -> tuple[Field, ...]:
    return (
        Field("number", "Company number", typed["number"], "For example, 01234567."),
        Field("amount", "Requested credit", typed["amount"], "In pounds. Leave empty for none."),
        Field("policy", "Policy", typed["policy"], options=[(each, each) for each in policies]),
    )


async def _decided(visit: Visit, typed: Mapping[str, str]) -> Decision:
    amount, number = whole_number_in(typed, "amount"), normalise_or_none(typed["number"])
    if number is None:
        raise InvalidForm("Enter a company number, such as 01234567.", "number")
    try:
        return await decide.call(sources_of(visit), DecisionAsked(number, typed["policy"], amount))
    except Refused as refused:
        field = {COMPANY_UNKNOWN.name: "number", POLICY_UNKNOWN.name: "policy"}.get(refused.refusal.name)
        if field is None:
            raise
        raise InvalidForm(refused.refusal.message, field) from None


def _decision(decision: Decision) -> list[Block]:
    facts = Facts(
        "Decision",
        [
            ("Company", Cell(decision.RegNumber, address_of_company(decision.RegNumber))),
            ("Outcome", Cell(decision.Outcome, tone=_TONES[decision.Outcome])),
            ("Limit of the policy", amount_cell(decision.Limit)),
            ("Band", band_cell(decision.Band)),
            ("Score", number_cell(decision.Score)),
            ("Suggested limit", amount_cell(decision.SuggestedLimit)),
            ("Policy", Cell(f"{decision.Policy.Name} of {decision.Policy.Date}")),
            ("Input", Cell(decision.InputHash[:16], code=True)),
        ],
    )
    rows = [
        [
            Cell(each.Rule),
            Cell(each.Outcome, tone=_TONES[each.Outcome]),
            Cell(each.Reason),
            Cell(each.Member),
            Cell(each.Value or ""),
        ]
        for each in decision.Findings
    ]
    return [
        facts,
        Table("Rules that counted", ("Rule", "Outcome", "Reason", "Member of the report", "Value"), rows, ""),
    ]


def _rows(entries: Sequence[Entry], lines: Sequence[bytes]) -> list[Block]:
    counts, rows = Counter[str](), []
    for entry, line in zip(entries, lines, strict=True):
        if b'"Outcome"' in line:
            decision = _decode_decision(line)
            counts[decision.Outcome] += 1
            rows.append(
                [
                    Cell(decision.RegNumber, address_of_company(decision.RegNumber)),
                    Cell(decision.Outcome, tone=_TONES[decision.Outcome]),
                    amount_cell(decision.Amount),
                    amount_cell(decision.Limit),
                    band_cell(decision.Band),
                    number_cell(decision.Score),
                    Cell(decision.Findings[0].Reason),
                ]
            )
        else:
            error = _decode_score(line).Error
            counts["not decided"] += 1
            said = Cell(error.Message if error else "")
            rows.append(
                [Cell(entry.number), Cell("not decided", tone="soft"), Cell(""), Cell(""), Cell(""), Cell(""), said]
            )
    columns = ("Company", "Outcome", "Requested", "Limit", "Band", "Score", "Why")
    summary = ", ".join(f"{number:,} {outcome}" for outcome, number in counts.most_common())
    return [Note(summary), Table("Row by row", columns, rows, "", numbers=frozenset({2, 3, 5}))]


_decode_decision = msgspec.json.Decoder(Decision).decode
_decode_score = msgspec.json.Decoder(ScoreRow).decode

DECIDING = Screen(DECISIONS, "Decisions", REPORT, read, (Act("many", REPORT, decide_many),), max_body=MAX_FORM_OCTETS)
