"""The customers of an application: what they owe, what is known of them now, and the pounds at risk.

Expected loss is exposure times probability of failure within a year, as if nothing of a claim were paid after a failure.
Of a company that has failed or is in insolvency proceedings all of the exposure is at risk.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
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


class BookLine(msgspec.Struct, frozen=True):
    """One customer, in all lists together."""

    company: str
    exposure: int | None
    """In pounds: the sum over the lists; None if it is unknown or in another currency."""
    reference: str
    lists: tuple[str, ...]
    """The ids of the portfolios."""
    standing: Standing
    approved: LimitHeld | None = None

    @property
    def seen(self) -> Outline:
        """What is known of the company; nothing before the first comparison."""
        return self.standing.seen or _UNKNOWN

    @property
    def has_failed(self) -> bool:
        """Whether the company has failed or is in insolvency proceedings."""
        return self.seen.insolvency in FAILED

    @property
    def probability(self) -> float | None:
        """The probability of failure within a year: 1 for one that has failed, None without a score."""
        if self.has_failed:
            return 1.0
        return None if self.seen.score is None else probability_of(self.seen.score)

    @property
    def at_risk(self) -> int | None:
        """The expected loss in pounds; None if exposure or probability is unknown."""
        probability = self.probability
        return None if self.exposure is None or probability is None else round(self.exposure * probability)

    @property
    def limit(self) -> int | None:
        """The approved limit, or the suggested one if none is approved."""
        return self.approved.amount if self.approved else self.seen.limit

    @property
    def headroom(self) -> int | None:
        """The pounds left below the limit, negative above it; None if exposure or limit is unknown."""
        limit = self.limit
        return None if self.exposure is None or limit is None else limit - self.exposure

    def is_due(self, today: dt.date) -> bool:
        """Return whether the review of the approved limit is due."""
        return self.approved is not None and self.approved.review_on <= today.isoformat()


async def book_of(store: Store, owner: str, companies: Sequence[str] | None = None) -> list[BookLine]:
    """Return the customers of an application by number: all, or these."""
    rows = await store.watched_by(owner, companies)
    limits = await store.limits_held(owner)
    return [
        _line(company, list(of_company), limits)
        for company, of_company in groupby(rows, lambda each: each.kept.company)
    ]


def _line(company: str, rows: list[WatchedRow], limits: dict[str, LimitHeld]) -> BookLine:
    state = rows[0].state
    return BookLine(
        company=company,
        exposure=_exposure(rows),
        reference=next((each.kept.reference for each in rows if each.kept.reference), ""),
        lists=tuple(each.portfolio for each in rows),
        standing=Standing() if state is None else standing_in(state),
        approved=limits.get(company),
    )


def _exposure(rows: Iterable[WatchedRow]) -> int | None:
    known = [each.kept for each in rows if each.kept.exposure is not None]
    if not known or any(each.currency not in _POUNDS for each in known):
        return None
    return sum(each.exposure or 0 for each in known)
