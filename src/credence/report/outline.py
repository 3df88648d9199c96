"""What a list shows of a company. Every value is the one that its report has on the same day, or unknown."""

import datetime as dt

import msgspec

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.report.build.events import events
from credence.report.build.headline import held_against
from credence.report.build.insolvency import insolvency
from credence.report.build.structure import company_name
from credence.report.schema.report import LtdCompanyData
from credence.report.schema.search import SearchAssessment
from credence.scoring.score import score_company

_SOUND = codes.ACTIVE_STATUSES - codes.STATUS_EVENTS.keys()
_QUIET = frozenset({"none known", "unknown"})
"""States of insolvency that are no event."""


class Held(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A reservation: its code, and its words."""

    code: str
    words: str


class Outline(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Name, status in the register's words, band, score and limit in pounds; None and empty texts mean unknown."""

    name: str = ""
    status: str = ""
    band: str = ""
    score: int | None = None
    limit: int | None = None
    insolvency: str = "unknown"
    """`Assessment.Insolvency.State`."""
    event: str = ""
    """The state in words, with its day, such as `winding-up petition of 10 April 2026`; empty if nothing is known."""
    reservations: tuple[Held, ...] = ()
    """What is held against the company, the gravest first."""

    @property
    def codes(self) -> str:
        """The codes of the reservations, separated by spaces."""
        return " ".join(each.code for each in self.reservations)

    @property
    def standing(self) -> str:
        """The event if there is one, or else the register's status: a company with a petition is not just active."""
        return self.event[:1].upper() + self.event[1:] or self.status or "Status unknown"

    @property
    def is_sound(self) -> bool:
        """Whether the register calls the company active and no event is known."""
        return not self.event and self.status.lower() in _SOUND


def outline_of(company: Company, today: dt.date) -> Outline:
    """Return the outline of a company on a day; costs a tenth of its report."""
    status = company.register.value.status if company.register else ""
    result, happened = score_company(company, today), events(company)
    state = insolvency(company, happened, result.model.legal, result.judged.days)
    found, score = held_against(result, happened, state), result.score
    return Outline(
        name=company_name(company) or "",
        status=status,
        band=score.band.band if score else "",
        score=score.score if score else None,
        limit=score.limit.amount if score else None,
        insolvency=state.State,
        event="" if state.State in _QUIET else state.Words,
        reservations=tuple(Held(each.code, each.words) for each in found),
    )


def outline_in(report: LtdCompanyData) -> Outline:
    """Return the outline of a company whose report is made already."""
    name, assessment = report.CommercialName or "", report.Assessment
    if assessment is None:
        return Outline(name)
    score, state, headline = assessment.Score, assessment.Insolvency, assessment.Headline
    return Outline(
        name=name,
        status=assessment.CompanyStatus or "",
        band=score.Band if score else "",
        score=score.Score if score else None,
        limit=score.Limit.Amount if score else None,
        insolvency=state.State if state else "unknown",
        event=state.Words if state and state.State not in _QUIET else "",
        reservations=tuple(Held(each.Code, each.Words) for each in headline.Reservations) if headline else (),
    )


def in_search(seen: Outline) -> SearchAssessment:
    """Return what a result of the search says about risk."""
    return SearchAssessment(
        Insolvency=seen.insolvency,
        Event=seen.event or None,
        Score=seen.score,
        Band=seen.band or None,
        Reservations=tuple(each.code for each in seen.reservations),
    )
