"""What people decided about the credit limits of companies, and why: one document for each decision, never deleted.

The decisions on one company are a chain: each has its place, and is stored only if its place is the next one. So of two
people who decide at once the second learns of the first.
"""

import datetime as dt
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from credence.clock import Milliseconds
from credence.store.collections import EVERY, Collection, Collections
from credence.store.errors import Conflict
from credence.store.statements import Act, Turn, do, in_parts

State = Literal["waiting", "approved", "refused"]
"""`waiting`: for a second person."""


class HeldAgainst(msgspec.Struct, frozen=True):
    """A reservation as the report had it (docs/judgement.md)."""

    code: str
    sentence: str


class Grounds(msgspec.Struct, frozen=True, omit_defaults=True):
    """What was known of the company when the decision was made, so that it can be understood years later."""

    day: dt.date
    name: str
    score: int | None = None
    band: str = ""
    suggested_limit: int | None = None
    not_scored: str = ""
    """Why there was no score, in a sentence."""
    model: str = ""
    """Name and version of the model of the score."""
    reservations: tuple[HeldAgainst, ...] = ()
    policy: str = ""
    """The installed policy that was applied; empty for none."""
    policy_date: dt.date | None = None
    policy_hash: str = ""
    outcome: str = ""
    policy_limit: int | None = None
    findings: tuple[str, ...] = ()
    """The reasons of the rules that counted, the most severe first."""
    input_hash: str = ""
    """Equal for equal inputs of the policy."""


class Dispute(msgspec.Struct, frozen=True, omit_defaults=True):
    """That the person or partnership whom a decision is about contests it, and its review by a human (UK GDPR, art. 22C)."""

    received_on: dt.date
    said: str
    """What they say against the decision."""
    recorded_by: str
    recorded_at: Milliseconds
    outcome: Literal["", "upheld", "revised"] = ""
    """Empty until a person has reviewed it; `revised`: a new decision is to be made."""
    reviewed_by: str = ""
    reviewed_at: Milliseconds = 0
    review: str = ""
    """Why the reviewer found so."""


class LimitDecision(msgspec.Struct, frozen=True, omit_defaults=True):
    """One decision of a person about the limit of one company."""

    id: str
    """Owner, company and place."""
    owner: str
    """The client_id of the application whose customer the company is."""
    company: str
    place: int
    """From 1, among the decisions on the company."""
    state: State
    amount: int
    """The limit in pounds; 0 for no credit."""
    why: str
    review_on: dt.date
    proposed_by: str
    proposed_at: Milliseconds
    grounds: Grounds
    version: int = 1
    terms: str = ""
    conditions: str = ""
    note: str = ""
    authority: int | None = None
    """The amount up to which the last person to decide may decide alone; None if no policy says it."""
    decided_by: str = ""
    """Who approved or refused it; empty while it waits."""
    decided_at: Milliseconds = 0
    answer: str = ""
    """What the second person said."""
    disputes: tuple[Dispute, ...] = ()
    """In the order in which they were recorded; a later one may be recorded after the one before was reviewed."""


class NewestLimits(NamedTuple):
    """The ids of the newest decision on a company, and of the newest approved one: the limit that holds."""

    last: str
    approved: str | None


def decision_id(owner: str, company: str, place: int) -> str:
    """Return the id of a decision. Ids of one company sort by place."""
    return f"{owner}/{company}/{place:06d}"


_LATER = "SELECT 1 FROM limit_decisions WHERE owner = :owner AND company = :company AND id > :id LIMIT 1"


def _saving(decision: LimitDecision, _at: Milliseconds) -> Act[None]:
    """Raise Conflict if there is a later decision on the company, which replaces this one.

    A dispute is reviewed although a later decision was made; what only waits for a second person has none.
    """
    yield Turn(f"{decision.owner}/{decision.company}")
    if not decision.disputes and (yield do(_LATER, owner=decision.owner, company=decision.company, id=decision.id)):
        raise Conflict(decision.id)


LIMIT_DECISIONS = Collection(
    table="limit_decisions",
    type=LimitDecision,
    columns=("owner", "company", "state"),
    owned="owner = :owner",
    saving=_saving,
)

_HISTORY = "SELECT document FROM limit_decisions WHERE owner = :owner AND company = :company ORDER BY id DESC"
_OPEN = """
SELECT document FROM limit_decisions AS one WHERE owner = :owner AND state IN ('approved', 'waiting') AND id > :after
AND NOT EXISTS (SELECT 1 FROM limit_decisions AS later WHERE later.owner = one.owner AND later.company = one.company
AND later.id > one.id AND (later.state = 'approved' OR one.state = 'waiting')) ORDER BY id LIMIT :limit
"""


_LAST = """
SELECT company, max(id), max(CASE WHEN state = 'approved' THEN id END) FROM limit_decisions
WHERE owner = :owner AND company = ANY(:companies::text[]) GROUP BY company
"""


class LimitDecisions(Collections):
    """The part of a store that has decisions about limits."""

    async def limit_decisions_of(self, owner: str, after: str = "", limit: int | None = None) -> list[LimitDecision]:
        """Return every decision of an application with an id above `after`, by company and place."""
        return await self.owned(LIMIT_DECISIONS, owner, after, limit)

    async def limit_history(self, owner: str, company: str) -> list[LimitDecision]:
        """Return the decisions of an application on one company, the newest first."""
        return _decoded(await self._rows(_HISTORY, owner=owner, company=company))

    async def newest_limits(self, owner: str, companies: Sequence[str]) -> dict[str, NewestLimits]:
        """Return the ids of the newest decisions on each of these companies that has any."""
        found: dict[str, NewestLimits] = {}
        for part in in_parts(companies):
            rows = await self._rows(_LAST, owner=owner, companies=list(part))
            found |= {company: NewestLimits(last, approved) for company, last, approved in rows}
        return found

    async def open_limits(self, owner: str, after: str = "", limit: int = EVERY) -> list[LimitDecision]:
        """Return what holds and what waits, with ids above `after`, by company and place.

        Of each company these are its newest approved decision, and the newest one if it waits for a second person.
        """
        return _decoded(await self._rows(_OPEN, owner=owner, after=after, limit=limit))


def _decoded(rows: Sequence[tuple[bytes]]) -> list[LimitDecision]:
    return [_decode(document) for (document,) in rows]


_decode = msgspec.json.Decoder(LimitDecision).decode
