"""`Assessment`: status, score, cases, payment figures, sources and missing parts (D21)."""

import datetime as dt
from collections.abc import Iterator

from credence.companies import codes, invariants
from credence.companies.facts.accounts import Method
from credence.companies.facts.company import PARTS, Company, Profile, Sourced
from credence.companies.facts.events import INSOLVENT, SOLVENT
from credence.companies.facts.register import Activity
from credence.companies.gazette import words_of
from credence.companies.related import stressed
from credence.report.build.accounts_text import accounts_text
from credence.report.build.alerts import AlertFacts, untried
from credence.report.build.confidence import confidence, facts_of
from credence.report.build.connections import connections
from credence.report.build.events import WORDS, notice_event
from credence.report.build.formulas import creditor_days, owed_to_hmrc, rounded
from credence.report.build.group import Group
from credence.report.build.headline import headline
from credence.report.build.insolvency import insolvency
from credence.report.build.not_held import absences
from credence.report.build.published_models import disagreement, published_models
from credence.report.build.score import not_scored, scored
from credence.report.build.score_change import score_change
from credence.report.build.sector_position import payment_comparison, sector_position
from credence.report.build.withdrawn import withdrawn
from credence.report.build.years import Year
from credence.report.schema import assessment as wire
from credence.report.schema.legal_notices import GazetteNotice
from credence.report.schema.payment import Practice

_SCOTTISH = ("SC", "SO", "SL", "SF", "NP")
"""Prefixes of Scottish company numbers."""

_SCOTTISH_REMARK = (
    "Many papers of a Scottish insolvency go to the Accountant in Bankruptcy and not to Companies House, so what is "
    "told here of insolvency may be incomplete."
)
_DECISION_REMARK = (
    "This report is support for a decision and not a decision; register errors are corrected at the register."
)


def assessment(facts: AlertFacts, group: Group, *, with_notices: bool) -> wire.Assessment:
    """Return the member."""
    company, years, today, result = facts.company, facts.years, facts.today, facts.result
    entry = company.register.value if company.register else None
    form = codes.legal_form(entry.category) if entry else None
    models = published_models(result)
    differ = disagreement(models, result)
    parts = tuple(_sourced_parts(company))
    insolvent = insolvency(company, facts.events, result.model.legal, result.judged.days)
    return wire.Assessment(
        ReportDate=today,
        Facts=facts_of(company, result.day, today),
        CompanyStatus=entry.status or None if entry else None,
        Insolvency=insolvent,
        LegalForm=form.words if form else None,
        CountryOfOrigin=entry.country_of_origin or None if entry else None,
        ActivityClassification=_classification(entry.activities) if entry else None,
        AccountsNextDue=entry.accounts.next_due if entry else None,
        ConfirmationStatementNextDue=entry.confirmation_next_due if entry else None,
        Confidence=confidence(company, years, today),
        Headline=headline(facts.result, facts.events, insolvent),
        Score=scored(result),
        NotScored=not_scored(result),
        ScoreChange=score_change(company, result),
        SectorPosition=sector_position(company, result),
        PublishedModels=models,
        Disagreement=differ,
        AlertsNotTried=untried(facts),
        IdentityVerification=_verification(company, today),
        RegisterRemarks=_remarks(company),
        InsolvencyCases=tuple(_cases(company)),
        Notices=tuple(_notices(company)),
        Withdrawn=withdrawn(company, today),
        PaymentPractices=tuple(_practices(company)),
        PaymentComparison=payment_comparison(company, result),
        Connections=connections(company, group.others, today),
        AccountsFigures=tuple([_year_figures(year) for year in (*years, *facts.older, *facts.consolidated)]),
        AccountsText=accounts_text(company),
        Provenance=tuple([_origin(part, sourced) for part, sourced in parts]),
        Licences=tuple(
            dict.fromkeys([sourced.provenance.licence for _, sourced in parts if sourced.provenance.licence])
        ),
        Remarks=(_DECISION_REMARK, _SCOTTISH_REMARK) if company.number.startswith(_SCOTTISH) else (_DECISION_REMARK,),
        NotHeld=absences(company, years, facts.consolidated, group, result.outcome, with_notices=with_notices),
    )


def _classification(activities: tuple[Activity, ...]) -> str | None:
    # Four-digit codes in the register are of the older edition (credit §2.2).
    editions = {"SIC 2007" if len(each.code) == 5 else "SIC 2003" for each in activities}
    return " and ".join(sorted(editions, reverse=True)) or None


def _verification(company: Company, today: dt.date) -> wire.OfficersVerified | None:
    officers = [each for each in (company.officers.value if company.officers else ()) if each.resigned is None]
    verified = sum(each.identity_verified is not None and each.identity_verified <= today for each in officers)
    due = min(
        (each.verification_due for each in officers if each.verification_due and not each.identity_verified),
        default=None,
    )
    return wire.OfficersVerified(len(officers), verified, due) if verified or due else None


def _remarks(company: Company) -> wire.ProfileRemarks | None:
    said = company.remarks
    if said == Profile():
        return None
    return wire.ProfileRemarks(said.insolvency_history, said.office_undeliverable, said.office_in_dispute)


def _cases(company: Company) -> Iterator[wire.Case]:
    for case in company.insolvency.value if company.insolvency else ():
        steps = sorted(case.dates, key=lambda step: step.date)
        yield wire.Case(
            Type=_words(case.type),
            Solvent=case.type == SOLVENT if case.type in {SOLVENT, *INSOLVENT} else None,
            Charge=case.charge or None,
            Steps=tuple(wire.CaseStep(_words(step.type), step.date) for step in steps),
        )


def _practices(company: Company) -> Iterator[Practice]:
    found = company.payment_practices.value if company.payment_practices else ()
    for each in sorted(found, key=lambda each: (each.end or dt.date.min, each.id), reverse=True):
        yield Practice(
            PeriodStart=each.start,
            PeriodEnd=each.end,
            Filed=each.filed,
            AverageDaysToPay=each.average_days,
            PercentWithin30Days=each.within_30_days,
            Percent31To60Days=each.from_31_to_60_days,
            PercentAfter60Days=each.after_60_days,
            PercentNotWithinTerms=each.not_within_terms,
            PercentDisputed=each.disputed,
            ShortestTermsDays=each.shortest_terms,
            LongestTermsDays=each.longest_terms,
        )


def _year_figures(year: Year) -> wire.YearFigures:
    return wire.YearFigures(
        DateOfAccounts=year.end,
        Documents=tuple(dict.fromkeys(year.documents.values())),
        Consolidated=year.consolidated,
        Balanced=year.balanced,
        Contradictions=tuple([invariants.WORDS[code] for code in year.contradictions]),
        Dormant=year.filing.dormant,
        Days=year.days,
        CreditorDays=rounded(creditor_days(year.figures, year.days)),
        OwedToHmrc=owed_to_hmrc(year.figures),
        Figures=(
            *[_figure(year, name, document) for name, document in year.documents.items()],
            *_without_related_parties(year),
            *[
                wire.FigureOrigin(_words(name), each.value, "impossible", year.filing.document, each.tag or None)
                for name, each in year.impossible.items()
            ],
        ),
    )


def _without_related_parties(year: Year) -> Iterator[wire.FigureOrigin]:
    """Yield working capital and net assets without what related parties owe, where that is known."""
    left = stressed(year.figures)
    if left is None:
        return
    for name, value in (("net_current_assets", left.net_current_assets), ("net_assets", left.net_assets)):
        if value is not None:
            words = f"{_words(name)} without related parties"
            arithmetic = f"{name} - {left.left_out}"
            yield wire.FigureOrigin(words, value, Method.DERIVED.value, year.filing.document, arithmetic)


def _figure(year: Year, name: str, document: str) -> wire.FigureOrigin:
    figure = getattr(year.figures, name)
    return wire.FigureOrigin(
        Figure=_words(name),
        Value=figure.value,
        Method=figure.method.value,
        Document=document,
        Tag=figure.tag or None,
        Filed=figure.filed,
    )


def _notices(company: Company) -> Iterator[GazetteNotice]:
    notices = company.notices.value if company.notices else ()
    for each in sorted(notices, key=lambda notice: (notice.published, notice.id), reverse=True):
        event = notice_event(each, company.insolvency.value if company.insolvency else ())
        yield GazetteNotice(
            Published=each.published,
            Kind=words_of(each),
            Code=each.code,
            Id=each.id,
            Event=WORDS[event.letter] if event else None,
        )


def _sourced_parts(company: Company) -> Iterator[tuple[str, Sourced[object]]]:
    for field, part in _NAMED_PARTS:
        sourced: Sourced[object] | None = getattr(company, field)
        if sourced is not None:
            yield part, sourced


_NAMED_PARTS = tuple((field, field.replace("_", " ").title().replace(" ", "")) for field in PARTS)
"""Each field of a company with facts, and its name in the report."""


def _origin(part: str, sourced: Sourced[object]) -> wire.Origin:
    provenance = sourced.provenance
    return wire.Origin(
        Part=part,
        Source=provenance.source,
        AsOf=provenance.as_of,
        Retrieved=provenance.retrieved,
        Licence=provenance.licence or None,
    )


def _words(name: str) -> str:
    return name.replace("-", " ").replace("_", " ").capitalize()
