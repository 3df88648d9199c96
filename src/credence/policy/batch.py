"""Scores and decisions for a list of companies: one row for each, in the order of the list.

Rows are made one at a time, so memory does not grow with the list. A row without a policy has score, band, suggested
limit, state of insolvency and reservations; with a policy it is the decision.
"""

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Literal

import msgspec

from credence.companies.number import normalise
from credence.csv_writing import csv_of
from credence.meanings import meaning
from credence.policy.companies import Entry
from credence.policy.decision import NO_SCORE, Decision, decide
from credence.policy.policy import Policy
from credence.refusals.credit import COMPANY_UNKNOWN
from credence.refusals.refusal import Refused
from credence.report.build.report import HEADLINE, INSOLVENCY, SCORE_IN_BRIEF
from credence.report.outline import outline_in
from credence.report.schema.codes import INSOLVENCY as INSOLVENCY_STATES
from credence.report.schema.codes import RESERVATIONS
from credence.report.schema.report import LtdCompanyData

BatchForm = Literal["ndjson", "csv"]

FindReport = Callable[[str, frozenset[str]], LtdCompanyData | None]
"""Takes a normalised number and the members to build; None for an unknown company."""


class Fault(msgspec.Struct, frozen=True):
    """The `Error` of the credit API (D21)."""

    Code: Annotated[int, meaning("The status that a report on this entry has.", example=404)]
    Message: Annotated[
        str, meaning("What is wrong with the entry.", example="No company with this number is on record.")
    ]


class ScoreRow(msgspec.Struct, frozen=True, omit_defaults=True):
    """The row of a batch without a policy.

    With any policy, an entry that cannot be evaluated is this row with only `Place` and `Error`.
    """

    Place: Annotated[int, meaning("The place in the list, from 1.")]
    RegNumber: Annotated[str | None, meaning("The company number in normal form.")] = None
    Score: Annotated[int | None, meaning("The score; absent for a company that is not scored.", unit="points")] = None
    Band: Annotated[str | None, meaning("The band of the score, A to E.")] = None
    SuggestedLimit: Annotated[int | None, meaning("The limit that the model suggests.", unit="pounds")] = None
    NotScored: Annotated[str | None, NO_SCORE] = None
    Insolvency: Annotated[
        str | None,
        meaning("Whether the company is insolvent, as in the report's assessment.", values=INSOLVENCY_STATES),
    ] = None
    Reservations: Annotated[
        tuple[Annotated[str, meaning("A reason for caution.", values=RESERVATIONS)], ...],
        meaning("Codes of the reasons for caution, the gravest first.", example=["PROCEEDINGS"]),
    ] = ()
    Error: Annotated[Fault | None, meaning("Why there is no row for this entry.")] = None


Row = ScoreRow | Decision

_WITHOUT_POLICY = SCORE_IN_BRIEF | {INSOLVENCY, HEADLINE}


def rows(entries: Iterable[Entry], find: FindReport, policy: Policy | None, today: dt.date) -> Iterator[Row]:
    """Yield the row of each company."""
    for place, entry in enumerate(entries, start=1):
        try:
            yield _row(place, entry, find, policy, today)
        except Refused as refused:
            yield ScoreRow(place, Error=Fault(refused.refusal.status, refused.refusal.message))


def _row(place: int, entry: Entry, find: FindReport, policy: Policy | None, today: dt.date) -> Row:
    if entry.error:
        return ScoreRow(place, Error=Fault(422, entry.error))
    number = normalise(entry.number)
    report = find(number, _WITHOUT_POLICY if policy is None else policy.members)
    if report is None:
        return ScoreRow(place, number, Error=Fault(COMPANY_UNKNOWN.status, COMPANY_UNKNOWN.message))
    if policy is not None:
        return decide(report, policy, today, entry.amount, place=place)
    reason = report.Assessment.NotScored if report.Assessment else None
    seen = outline_in(report)
    return ScoreRow(
        Place=place,
        RegNumber=number,
        Score=seen.score,
        Band=seen.band or None,
        SuggestedLimit=seen.limit,
        NotScored=reason.Code if reason else None,
        Insolvency=seen.insolvency,
        Reservations=tuple(each.code for each in seen.reservations),
    )


encode = msgspec.json.Encoder().encode

COLUMNS = (
    "Place",
    "RegNumber",
    "Score",
    "Band",
    "SuggestedLimit",
    "NotScored",
    "Amount",
    "Outcome",
    "Limit",
    "Rule",
    "Reason",
    "Member",
    "Value",
    "InputHash",
    "Error",
    "Insolvency",
    "Reservations",
)


def header(form: BatchForm) -> bytes:
    """Return the first line."""
    return csv_of([COLUMNS]) if form == "csv" else b""


def written(row: Row, form: BatchForm) -> bytes:
    """Return a row as a line of NDJSON, or of CSV with the rule that decided."""
    if form == "ndjson":
        return encode(row) + b"\n"
    if isinstance(row, ScoreRow):
        shared = (row.Place, row.RegNumber, row.Score, row.Band, row.SuggestedLimit, row.NotScored)
        state = (row.Insolvency, " ".join(row.Reservations) or None)
        return csv_of([(*shared, *[None] * 8, row.Error.Message if row.Error else None, *state)])
    first = row.Findings[0]
    decided = (
        row.Place,
        row.RegNumber,
        row.Score,
        row.Band,
        row.SuggestedLimit,
        row.NotScored,
        row.Amount,
        row.Outcome,
        row.Limit,
        first.Rule,
        first.Reason,
        first.Member,
        first.Value,
        row.InputHash,
        *[None] * 3,
    )
    return csv_of([decided])
