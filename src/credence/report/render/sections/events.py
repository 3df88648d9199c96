"""Filings, charges and legal events, on a timeline and in tables (credit §9)."""

import re
from collections.abc import Iterator

from credence.blocks.text import NONE, count, day
from credence.blocks.values import Block, Facts, Note, Section, Table, capped
from credence.report.build.events import WORDS
from credence.report.render.charts.timeline import Event, timeline
from credence.report.schema.assessment import Case
from credence.report.schema.legal_notices import ChargeDetail
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.score_change import REASONS

FILINGS, CHARGES, NOTICES = "Filings", "Charges", "Notices"

_BODY = re.compile(
    r"\b(limited|ltd|plc|llp|lp|bank|banking|finance|capital|company|society|council|trustees?|gmbh|ag|inc|llc|s\.?a)\b",
    re.IGNORECASE,
)
"""Words of company names. A lender whose name has none of them may be a person and is not named."""


def events_sections(report: LtdCompanyData) -> Iterator[Section]:
    """Yield the timeline, the charges and the legal events, each if the report has any."""
    today = report.Assessment.ReportDate if report.Assessment else None
    chart = timeline(tuple(events_of(report)), (FILINGS, CHARGES, NOTICES), today) if today else None
    if chart is not None:
        yield Section("timeline", "Timeline", (chart,))
    charges = tuple(_charges(report))
    if charges:
        yield Section("charges", "Charges", charges)
    legal = tuple(_legal(report))
    if legal:
        yield Section("legal", "Legal events", legal)


def events_of(report: LtdCompanyData) -> Iterator[Event]:
    """Yield the day, the lane and the words of each filing, charge and notice of a report."""
    for made_up in (
        dict.fromkeys(year.DateOfAccounts for year in report.Financials.Accounts) if report.Financials else ()
    ):
        yield made_up, FILINGS, "Accounts made up to this day"
    identification = report.Identification
    details = identification.FilingDetails if identification else None
    if details and details.LatestAccountsReceived:
        yield details.LatestAccountsReceived, FILINGS, "Latest accounts received"
    if details and details.LatestReturns:
        yield details.LatestReturns, FILINGS, "Latest confirmation statement"
    if identification and identification.CROChanges:
        for change in identification.CROChanges.CROChangeDetail:
            yield change.DocumentDate, FILINGS, f"Filed: form {change.DocumentType}"
    for charge in report.Mortgages.MortgageDetail if report.Mortgages else ():
        if begun := charge.CreationDate or charge.RegistrationDate:
            yield begun, CHARGES, f"Charge created: {charge.ChargeType or charge.ChargeNumber}"
        if charge.DateFullySatisfied:
            yield charge.DateFullySatisfied, CHARGES, f"Charge satisfied: {charge.ChargeType or charge.ChargeNumber}"
    for line in report.LegalNotices.SummaryLine if report.LegalNotices else ():
        if line.EventDate:
            yield line.EventDate, NOTICES, _event(line.EventType)


def _event(letter: str) -> str:
    return WORDS.get(letter, f"event {letter}").capitalize()


def _charges(report: LtdCompanyData) -> Iterator[Block]:
    mortgages = report.Mortgages
    if mortgages is None:
        return
    counted = (
        ("Registered", mortgages.NumMortgages),
        ("Outstanding or satisfied in part", mortgages.NumUnsatMortgages),
        ("Satisfied", mortgages.NumSatMortgages),
    )
    pairs = tuple((words, str(number)) for words, number in counted if number is not None)
    if pairs:
        yield Facts("", pairs)
    rows, more = capped(mortgages.MortgageDetail, _charge)
    if rows:
        yield Table("Registered charges", ("Charge", "Created", "State", "In favour of"), rows, more=more)


def _charge(charge: ChargeDetail) -> tuple[str, str, str, str]:
    satisfied = charge.FullySatisfiedIndicator == "F"
    state = f"Satisfied {day(charge.DateFullySatisfied)}" if charge.DateFullySatisfied else "Satisfied"
    return (
        charge.ChargeType or charge.ChargeNumber,
        day(charge.CreationDate or charge.RegistrationDate),
        state if satisfied else "Outstanding",
        _lenders(charge),
    )


def _lenders(charge: ChargeDetail) -> str:
    """Return the first lender that is a company, and the number of other lenders; people are never named."""
    lender = next((each.LenderName for each in charge.LenderDetails if _BODY.search(each.LenderName)), None)
    number = max(charge.NumberLenders or 0, len(charge.LenderDetails))
    if lender is None:
        return count(number, "holder") if number else NONE
    return f"{lender} and {count(number - 1, 'other')}" if number > 1 else lender


def _case(case: Case) -> str:
    return f"{case.Type}, under charge {case.Charge}" if case.Charge else case.Type


_KINDS = {True: "solvent", False: "insolvent", None: ""}


def _legal(report: LtdCompanyData) -> Iterator[Block]:
    notices = report.LegalNotices
    if notices is not None and not notices.SummaryLine:
        yield Note("No legal event follows from the notices and the insolvency cases that are on record.")
    elif notices is not None:
        rows, more = capped(
            notices.SummaryLine, lambda each: (_event(each.EventType), str(each.EventCount), day(each.EventDate))
        )
        yield Table("Legal events by kind", ("Event", "How often", "Last"), rows, numbers=(1,), more=more)
    cases = report.Assessment.InsolvencyCases if report.Assessment else ()
    steps, more = capped(
        [(case, step) for case in cases for step in case.Steps],
        lambda each: (_case(each[0]), _KINDS[each[0].Solvent], each[1].Step, day(each[1].Date)),
    )
    if steps:
        yield Table("Insolvency cases, step by step", ("Case", "Kind", "Step", "Day"), steps, more=more)
    listed, more = capped(
        report.Assessment.Notices if report.Assessment else (),
        lambda each: (day(each.Published), each.Kind, (each.Event or NONE).capitalize(), each.Id),
    )
    if listed:
        yield Table("Notices of insolvency in the Gazette", ("Published", "Kind", "Event", "Notice"), listed, more=more)
    gone, more = capped(
        report.Assessment.Withdrawn if report.Assessment else (),
        lambda each: (each.Words, day(each.Day), day(each.WithdrawnOn), REASONS[each.Reason].capitalize()),
    )
    if gone:
        yield Table("Withdrawn or corrected", ("What", "Of", "Withdrawn on", "Why"), gone, more=more)
