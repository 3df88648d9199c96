"""The book as the API sends it: customers, and what they are together. Amounts are pounds."""

import datetime as dt
from collections.abc import Sequence
from typing import Annotated

import msgspec

from credence.meanings import meaning
from credence.monitoring.book import BookLine
from credence.monitoring.book_selection import band_month_ago
from credence.monitoring.book_totals import Group, greatest, groups_of, totals_of
from credence.scoring.basis.sectors import SECTIONS

ASSUMPTION = "Exposure times probability of failure within a year, assuming that nothing is recovered after a failure."

_Least = Annotated[
    bool,
    meaning("Whether a list does not know its part, so that exposure and pounds at risk are the least.", example=False),
]


class BookCustomer(msgspec.Struct, frozen=True):
    """A customer, in all lists together."""

    company_number: Annotated[str, meaning("The company number.", example="99999901")]
    name: Annotated[str, meaning("The name; empty if it is unknown.", example="INVENTED TRADING LIMITED")]
    reference: Annotated[str, meaning("The owner's own reference.", example="C-1001")]
    portfolios: Annotated[tuple[str, ...], meaning("The portfolios that have it.", example=["pf_2o6x4hk3tmy7q5c3"])]
    exposure: Annotated[int | None, meaning("What it owes; null if unknown.", unit="pounds", example=12000)]
    exposure_is_least: _Least
    overdue: Annotated[
        int | None, meaning("What is overdue; null if the ledgers do not say.", unit="pounds", example=3000)
    ]
    band: Annotated[str, meaning("The band now; empty if not scored.", example="D")]
    band_month_ago: Annotated[
        str | None, meaning("The band 30 days ago; empty if it was not scored, null if that is unknown.", example="C")
    ]
    score: Annotated[int | None, meaning("The score; null without one.", unit="points", example=38)]
    probability: Annotated[
        float | None,
        meaning("The probability of failure within a year; 1 after a failure, null without a score.", example=0.08),
    ]
    at_risk: Annotated[
        int | None, meaning("The expected loss of this customer; null if unknown.", unit="pounds", example=960)
    ]
    approved_limit: Annotated[
        int | None, meaning("The limit that a person approved; null for none.", unit="pounds", example=10000)
    ]
    suggested_limit: Annotated[int | None, meaning("The limit of the score.", unit="pounds", example=4000)]
    headroom: Annotated[
        int | None,
        meaning(
            "What is left below the approved limit, or else the suggested one; negative above it, null if unknown.",
            unit="pounds",
            example=-2000,
        ),
    ]
    review_on: Annotated[
        str | None, meaning("The day of the review of the approved limit; null for none.", example="2026-12-01")
    ]
    state: Annotated[str, meaning("The event of insolvency, or the status in the register.", example="Active")]
    reservations: Annotated[tuple[str, ...], meaning("The codes of the reasons for caution.", example=["LOSS"])]


class BookPage(msgspec.Struct, frozen=True):
    """A page of customers."""

    customers: Annotated[tuple[BookCustomer, ...], meaning("The customers, in the order that was asked for.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.", example="")]


class BandExposure(msgspec.Struct, frozen=True):
    """What customers of one band owe."""

    band: Annotated[str, meaning("The band; empty for not scored.", example="D")]
    exposure: Annotated[int, meaning("What they owe, as far as it is known.", unit="pounds", example=12000)]


class SectionExposure(msgspec.Struct, frozen=True):
    """What customers of one section of SIC 2007 owe."""

    section: Annotated[str, meaning("The letter of the section; empty for unknown.", example="F")]
    name: Annotated[str, meaning("Its name; empty for unknown.", example="Construction")]
    exposure: Annotated[int, meaning("What they owe, as far as it is known.", unit="pounds", example=12000)]


class GreatExposure(msgspec.Struct, frozen=True):
    """One of the customers that owe most."""

    company_number: Annotated[str, meaning("The company number.", example="99999901")]
    name: Annotated[str, meaning("The name; empty if it is unknown.", example="INVENTED TRADING LIMITED")]
    exposure: Annotated[int, meaning("What it owes.", unit="pounds", example=12000)]
    exposure_is_least: _Least


class GroupExposure(msgspec.Struct, frozen=True):
    """Customers of which one company holds the majority, and that company."""

    parent: Annotated[str, meaning("The number of the company that holds the majority.", example="99999901")]
    customers: Annotated[tuple[str, ...], meaning("The numbers of the customers.", example=["99999901", "99999902"])]
    exposure: Annotated[int, meaning("What they owe together.", unit="pounds", example=20000)]
    exposure_is_least: _Least


class BookTotal(msgspec.Struct, frozen=True):
    """What the customers are together."""

    customers: Annotated[int, meaning("How many customers.", example=40)]
    unmatched: Annotated[
        int, meaning("Accounts of the ledgers that are not matched to a company, and not in the sums.", example=2)
    ]
    exposure: Annotated[int, meaning("What they owe, as far as it is known.", unit="pounds", example=412000)]
    exposure_unknown: Annotated[int, meaning("Customers of which the exposure, or a part, is unknown.", example=0)]
    expected_loss: Annotated[
        int, meaning("The expected loss within a year, by `assumption`.", unit="pounds", example=9800)
    ]
    assumption: Annotated[str, meaning("What the expected loss assumes.", example=ASSUMPTION)]
    without_probability: Annotated[
        int, meaning("The exposure of companies without a score, not in the loss.", unit="pounds", example=0)
    ]
    overdue: Annotated[int | None, meaning("What is overdue; null if no ledger says.", unit="pounds", example=58000)]
    headroom: Annotated[int, meaning("What is left below the limits.", unit="pounds", example=96000)]
    above_limits: Annotated[int, meaning("What exceeds the limits.", unit="pounds", example=31000)]
    by_band: Annotated[tuple[BandExposure, ...], meaning("Exposure by band.")]
    by_section: Annotated[tuple[SectionExposure, ...], meaning("Exposure by section, the greatest first.")]
    greatest: Annotated[tuple[GreatExposure, ...], meaning("The ten greatest exposures.")]
    groups: Annotated[tuple[GroupExposure, ...], meaning("The ten groups with the greatest exposures.")]


def customer_shown(each: BookLine, today: dt.date) -> BookCustomer:
    """Return a customer in the form in which it is sent."""
    return BookCustomer(
        company_number=each.company,
        name=each.seen.name,
        reference=each.reference,
        portfolios=each.lists,
        exposure=each.exposure,
        exposure_is_least=each.is_partial,
        overdue=each.overdue,
        band=each.seen.band,
        band_month_ago=band_month_ago(each, today),
        score=each.seen.score,
        probability=None if each.probability is None else round(each.probability, 6),
        at_risk=each.at_risk,
        approved_limit=each.approved.amount if each.approved else None,
        suggested_limit=each.seen.limit,
        headroom=each.headroom,
        review_on=each.approved.review_on if each.approved else None,
        state=each.seen.standing,
        reservations=tuple(held.code for held in each.seen.reservations),
    )


def total_shown(lines: Sequence[BookLine], unmatched: int) -> BookTotal:
    """Return the sums over customers in the form in which they are sent."""
    sums = totals_of(lines)
    return BookTotal(
        customers=sums.customers,
        unmatched=unmatched,
        exposure=sums.exposure,
        exposure_unknown=sums.unknown,
        expected_loss=sums.expected_loss,
        assumption=ASSUMPTION,
        without_probability=sums.without_probability,
        overdue=sums.overdue,
        headroom=sums.headroom,
        above_limits=sums.above,
        by_band=tuple(BandExposure(*each) for each in sorted(sums.by_band.items(), key=lambda each: each[0] or "~")),
        by_section=tuple(
            SectionExposure(letter, SECTIONS.get(letter, ""), pounds) for letter, pounds in sums.by_section.items()
        ),
        greatest=tuple(
            GreatExposure(each.company, each.seen.name, each.exposure or 0, each.is_partial) for each in greatest(lines)
        ),
        groups=tuple(map(_group, groups_of(lines))),
    )


def _group(found: Group) -> GroupExposure:
    return GroupExposure(found.parent, tuple(each.company for each in found.members), found.exposure, found.is_partial)
