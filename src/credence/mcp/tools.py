"""The definitions of the tools: name, description, arguments, result and scopes of each."""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from credence.clock import london_day
from credence.companies.number import normalise
from credence.datasets.search.query import company_query
from credence.mcp.answers import (
    MAX_FACTS,
    MAX_FOUND,
    CompaniesFound,
    CompanyFound,
    CompanySummary,
    Compared,
    Comparison,
    DecisionAsked,
    Director,
    DirectorSearch,
    DirectorsFound,
    Explanation,
    Fact,
    Line,
    OneCompany,
    ReportFacts,
    ReportPart,
    Search,
)
from credence.mcp.book import BOOK_TOOLS
from credence.mcp.changes import what_changed
from credence.mcp.sizes import pages_of
from credence.mcp.tool import Sources, Tool, tool
from credence.mcp.watching import WATCHING_TOOLS
from credence.oauth.parameters.scopes import DIRECTORS, REPORT, SEARCH
from credence.policy.decision import Decision
from credence.policy.decision import decide as decided
from credence.refusals.credit import COMPANY_UNKNOWN
from credence.refusals.refusal import Refused
from credence.report.outline import Outline
from credence.report.parts import sections_of
from credence.report.schema.directors import DirectorTargeterResponse
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.score import Scored
from credence.report.schema.search import BusinessTargeterResponse, SearchResult
from credence.report.search.director_query import director_query

MAX_REASONS = 3
MAX_ALERTS = 10
MAX_FINDINGS = 50


@tool("Search companies", SEARCH)
async def search_companies(sources: Sources, arguments: Search) -> CompaniesFound:
    """Find UK registered companies by name, postcode, town or number. The other tools need the number found here."""
    query = company_query(
        {
            "name": arguments.name,
            "postcode": arguments.postcode,
            "town": arguments.town,
            "businessref": arguments.number,
            "excludedissolved": "false" if arguments.dissolved else "true",
        }
    )
    found = msgspec.json.decode(await sources.searches.find(query), type=BusinessTargeterResponse)
    companies = tuple(_found(each, _outline(sources, each.BusinessRef)) for each in found.SearchResults[:MAX_FOUND])
    return CompaniesFound(found.SearchSummary.NumberMatches, companies)


@tool("Summary of a company", REPORT)
async def company_summary(sources: Sources, arguments: OneCompany) -> CompanySummary:
    """Status, insolvency, score, band, suggested credit limit and the three reasons that count most for one company."""
    return _summary(_report(sources, arguments.number))


@tool("Comparison of companies", REPORT)
async def compare_companies(sources: Sources, arguments: Compared) -> Comparison:
    """Summaries of two to five companies, the lowest risk first."""
    summaries, unknown = [], []
    for number in dict.fromkeys(map(normalise, arguments.numbers)):
        try:
            summaries.append(_summary(_report(sources, number)))
        except Refused as refused:
            if refused.refusal.name != COMPANY_UNKNOWN.name:
                raise
            unknown.append(number)
    summaries.sort(key=lambda each: -1 if each.Score is None else each.Score, reverse=True)
    return Comparison(tuple(summaries), tuple(unknown))


@tool("Part of a credit report", REPORT)
async def company_report(sources: Sources, arguments: ReportPart) -> ReportFacts:
    """The values of chosen sections of a company's credit report, page by page, each with a pointer to its member."""
    number = normalise(arguments.number)
    sections = sections_of({"sections": ",".join(arguments.sections)}) or frozenset()
    found = sources.reports.find(number, sources.now)
    if found is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    report = {name: value for name, value in msgspec.json.decode(found.body).items() if name in sections}
    pages = tuple(pages_of(_facts("", report), MAX_FACTS))
    return ReportFacts(
        RegNumber=number,
        Page=arguments.page,
        Pages=max(1, len(pages)),
        Absent=tuple(sorted(sections - report.keys())),
        Facts=tuple(pages[arguments.page - 1]) if arguments.page <= len(pages) else (),
    )


@tool("Explanation of a score", REPORT)
async def explain_score(sources: Sources, arguments: OneCompany) -> Explanation:
    """Every line of a company's score with its points, which add up to the score, and the terms of the limit."""
    report = _report(sources, arguments.number)
    assessment = report.Assessment
    number, name = report.RegNumber, report.CommercialName or ""
    if assessment is None or assessment.Score is None:
        reason = assessment.NotScored if assessment else None
        model = f"{reason.Model.Name} {reason.Model.Version}" if reason else ""
        return Explanation(number, name, model, NotScored=reason.Reason if reason else "The report has no score.")
    score = assessment.Score
    return Explanation(
        RegNumber=number,
        Name=name,
        Model=f"{score.Model.Name} {score.Model.Version}",
        Score=score.Score,
        Band=score.Band,
        Lines=tuple(Line(each.Points, each.Words, each.Sentence or "", each.AsOf) for each in score.Lines),
        Unknown=tuple(each.Words for each in score.Unknown),
        Interval=f"{score.Lowest} to {score.Highest}" if score.Lowest < score.Highest else "",
        LimitTerms=tuple(_term(each.Words, each.Amount) for each in score.Limit.Terms),
    )


@tool("Search directors", DIRECTORS)
async def director_search(sources: Sources, arguments: DirectorSearch) -> DirectorsFound:
    """Find directors and secretaries of companies by surname and forename."""
    query = director_query(
        {
            "surname": arguments.surname,
            "forename": arguments.forename,
            "directorsflag": "true",
            "secretariesflag": "true",
        }
    )
    found = msgspec.json.decode(await sources.searches.find_directors(query), type=DirectorTargeterResponse)
    people = []
    for each in found.SearchResults[:MAX_FOUND]:
        name = each.DirectorDetails.Name
        parts = (name.Prefix, name.Forename, name.MiddleNames, name.Surname)
        people.append(Director(each.DirectorNumber, " ".join(filter(None, parts))))
    return DirectorsFound(found.SearchSummary.NumberMatches, tuple(people))


@tool("Decision by a policy", REPORT)
async def decide(sources: Sources, arguments: DecisionAsked) -> Decision:
    """Accept, refer or decline a company by a credit policy that the operator has installed, with every rule that
    counted.
    """
    policy = sources.policies.find(arguments.policy)
    report = sources.reports.report(normalise(arguments.number), sources.now, policy.members)
    if report is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    decision = decided(report, policy, london_day(sources.now), arguments.amount)
    return msgspec.structs.replace(decision, Findings=decision.Findings[:MAX_FINDINGS])


TOOLS: tuple[Tool[Any, Any], ...] = (
    *(search_companies, company_summary, company_report, explain_score, compare_companies),
    *(director_search, what_changed, decide, *WATCHING_TOOLS, *BOOK_TOOLS),
)
"""The tools in the order in which they are listed."""

TOOLS_BY_NAME: Mapping[str, Tool[Any, Any]] = {tool.name: tool for tool in TOOLS}


def _report(sources: Sources, number: str) -> LtdCompanyData:
    found = sources.reports.decoded(normalise(number), sources.now)
    if found is None:
        raise Refused(COMPANY_UNKNOWN, "company.unknown")
    return found


_STATUS = {"A": "active", "D": "dissolved"}
_INSOLVENT = frozenset({"proceedings", "failed"})


def _outline(sources: Sources, number: str) -> Outline:
    """Return what is known of a company that a search has found; nothing if it may not be shown or cannot be read."""
    if sources.only and number not in sources.only:
        return Outline()
    try:
        return sources.reports.outline(number, sources.now)
    except Refused:
        return Outline()


def _found(result: SearchResult, seen: Outline) -> CompanyFound:
    neither = "insolvent" if seen.insolvency in _INSOLVENT else "unknown"
    location = msgspec.to_builtins(result.BusinessLocation) if result.BusinessLocation else {}
    return CompanyFound(
        RegNumber=result.BusinessRef,
        Name=result.CommercialName,
        Status=_STATUS.get(result.BusinessStatus, neither),
        Event=seen.event,
        Band=seen.band,
        Reservations=tuple(each.words for each in seen.reservations),
        Address=", ".join(map(str, location.values())),
        MatchedName="" if result.Name == result.CommercialName else result.Name,
    )


def _summary(report: LtdCompanyData) -> CompanySummary:
    assessment = report.Assessment
    if assessment is None:
        return CompanySummary(report.RegNumber, report.CommercialName or "")
    facts, insolvency, trust = assessment.Facts, assessment.Insolvency, assessment.Confidence
    notes = [note for alerts in report.Alerts or () for note in alerts.Notes]
    summary = CompanySummary(
        RegNumber=report.RegNumber,
        Name=report.CommercialName or "",
        Facts=facts.Words if facts else "",
        Warning=(facts.Warning or "") if facts else "",
        Status=assessment.CompanyStatus or "",
        Insolvency=insolvency.Words if insolvency else "",
        Headline=assessment.Headline.Words if assessment.Headline else "",
        Reservations=tuple(each.Words for each in assessment.Headline.Reservations) if assessment.Headline else (),
        NotScored=assessment.NotScored.Reason if assessment.NotScored else "",
        Alerts=tuple(f"{note.AlertHeader}: {note.AlertNote}" for note in notes[:MAX_ALERTS]),
        Confidence=trust.Level if trust else "",
    )
    return summary if assessment.Score is None else msgspec.structs.replace(summary, **_scored(assessment.Score))


def _scored(score: Scored) -> dict[str, Any]:
    return {
        "Score": score.Score,
        "Band": score.Band,
        "BandText": score.BandText,
        "Probability": score.ProbabilityInWords or "",
        "Limit": score.Limit.Amount,
        "LimitReason": score.Limit.Reason,
        "Terms": score.Limit.SuggestedTerms,
        "Reasons": tuple(each.Sentence for each in score.Reasons[:MAX_REASONS]),
        "HumanReview": score.HumanReview,
    }


def _term(words: str, amount: float | None) -> str:
    return f"{words}: {'unknown' if amount is None else f'{amount:,}'}"


def _facts(place: str, value: Any) -> Iterator[Fact]:
    """Yield every value of decoded JSON with its JSON Pointer (RFC 6901; no member name of the report needs an escape)."""
    if isinstance(value, dict | list):
        for name, each in value.items() if isinstance(value, dict) else enumerate(value):
            yield from _facts(f"{place}/{name}", each)
    else:
        yield Fact(place, value)
