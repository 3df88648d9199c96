"""The customers of an application: what they owe, what is known of them now, and the pounds at risk.

Expected loss is exposure times probability of failure within a year, assuming that nothing is recovered after a failure.
Of a company that has failed or is in insolvency proceedings all of the exposure is at risk.
"""

import datetime as dt
from collections.abc import Sequence
from functools import cache
from itertools import groupby

import msgspec

from credence.monitoring.standing import Standing, standing_in
from credence.report.outline import Outline
from credence.scoring.basis.scale import probability_of
from credence.store.book import LimitHeld, WatchedRow
from credence.store.contract import Store

FAILED = frozenset({"proceedings", "failed", "dissolved"})
"""States of insolvency in which all of the exposure is at risk."""

_POUNDS = frozenset({"", "GBP"})
_UNKNOWN = Outline()
_NOTHING = Standing()


class BookLine(msgspec.Struct, frozen=True, gc=False):
    """One customer, in all lists together. Amounts are pounds.

    The collector of reference cycles ignores these: with twenty thousand of them it would take most of the time.
    """

    company: str
    exposure: int | None
    """The sum over the lists that know it; None if none does, or in another currency."""
    reference: str
    lists: tuple[str, ...]
    """The ids of the portfolios."""
    standing: Standing
    seen: Outline = _UNKNOWN
    """What is known of the company; nothing before the first comparison."""
    is_partial: bool = False
    """Whether a further list does not know its exposure, so that the sum is the least."""
    approved: LimitHeld | None = None
    overdue: int | None = None
    """By the ledgers; None if they do not say it."""
    probability: float | None = None
    """The probability of failure within a year: 1 for a company that has failed, None without a score."""
    at_risk: int | None = None
    """The expected loss; None if exposure or probability is unknown."""
    headroom: int | None = None
    """What is left below the limit, negative above it; None if exposure or limit is unknown, and if the least exposure
    does not say whether anything is left."""

    @property
    def has_failed(self) -> bool:
        """Whether the company has failed or is in insolvency proceedings."""
        return self.seen.insolvency in FAILED

    @property
    def limit(self) -> int | None:
        """The approved limit, or the suggested one if none is approved."""
        return self.approved.amount if self.approved else self.seen.limit

    def is_due(self, today: dt.date) -> bool:
        """Return whether the review of the approved limit is due."""
        return self.approved is not None and self.approved.review_on <= today.isoformat()


async def book_of(store: Store, owner: str, companies: Sequence[str] | None = None) -> list[BookLine]:
    """Return the customers of an application by number: all, or these."""
    rows = await store.watched_by(owner, companies)
    limits, overdue = await store.limits_held(owner, companies), await store.overdue_by(owner, companies)
    return [
        _line(company, list(of_company), limits, overdue)
        for company, of_company in groupby(rows, lambda each: each.kept.company)
    ]


def _line(
    company: str, rows: list[WatchedRow], limits: dict[str, LimitHeld], overdue: dict[str, int | None]
) -> BookLine:
    state, exposure = rows[0].state, _exposure(rows)
    standing = _NOTHING if state is None else standing_in(state)
    seen, approved = standing.seen or _UNKNOWN, limits.get(company)
    probability = 1.0 if seen.insolvency in FAILED else None if seen.score is None else _of_score(seen.score)
    limit = approved.amount if approved else seen.limit
    is_partial = len(rows) > 1 and exposure is not None and any(each.kept.exposure is None for each in rows)
    headroom = None if exposure is None or limit is None else limit - exposure
    return BookLine(
        company=company,
        exposure=exposure,
        reference=rows[0].kept.reference or next((each.kept.reference for each in rows if each.kept.reference), ""),
        lists=tuple([each.portfolio for each in rows]),
        is_partial=is_partial,
        standing=standing,
        seen=seen,
        approved=approved,
        overdue=overdue.get(company),
        probability=probability,
        at_risk=None if exposure is None or probability is None else round(exposure * probability),
        headroom=None if is_partial and headroom is not None and headroom >= 0 else headroom,
    )


_of_score = cache(probability_of)


def _exposure(rows: Sequence[WatchedRow]) -> int | None:
    if len(rows) == 1:  # as nearly all are
        return rows[0].kept.exposure if rows[0].kept.currency in _POUNDS else None
    known = [each.kept for each in rows if each.kept.exposure is not None]
    if not known or any(each.currency not in _POUNDS for each in known):
        return None
    return sum(each.exposure or 0 for each in known)
