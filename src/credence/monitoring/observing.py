"""Makes the observation of a company: the few values of its facts that the rules compare.

An observation maps the name of a value to the value. None means that the company has none: it is not scored, or not in the
register any more. A value whose source is not loaded is absent: unknown is never a change. Score, band and limit are those
of the report on the day of the comparison. Names of people and addresses are stored only as digests (UK GDPR, article 5).
An observation is for comparison only: a rule that is held keeps its old value there.
"""

import datetime as dt
import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from typing import Any

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Company
from credence.companies.facts.events import Charge, InsolvencyCase
from credence.companies.facts.people import Officer
from credence.companies.facts.register import RegisterEntry
from credence.companies.facts.scores import PastScore
from credence.companies.ownership import holds_majority, uk_company_number
from credence.datasets.fact_kinds import (
    ACCOUNTS,
    CHARGES,
    FILINGS,
    INSOLVENCY,
    NOTICES,
    OFFICERS,
    OWNERS,
    PRACTICES,
    REGISTER,
)
from credence.monitoring.standing import BANDS, PARENTS, SECTION, SEEN, past_bands
from credence.monitoring.transitions import NOT_WEAKER, WITHDRAWN
from credence.report.outline import Outline, outline_of
from credence.scoring.basis.sectors import section_of
from credence.scoring.limit import Terms, band_of
from credence.scoring.model import current_model

Observation = dict[str, Any]

DISPUTES = "disputes"
POLICIES = "policies"
MODEL = "model"
"""What is loaded besides the sources: disputes, the policies of the deployment, and the model of the score."""

SOURCE_OF = {
    "name": REGISTER,
    "status": REGISTER,
    "address": REGISTER,
    "activities": REGISTER,
    "accounts_category": REGISTER,
    "accounts_overdue": REGISTER,
    "confirmation_overdue": REGISTER,
    "score": MODEL,
    "band": MODEL,
    "limit": MODEL,
    "group": MODEL,
    "reservations": MODEL,
    "accounts": ACCOUNTS.source,
    "accounts_text": ACCOUNTS.source,
    "notices": NOTICES.source,
    "strike_off": FILINGS.source,
    "insolvency": INSOLVENCY.source,
    "charges": CHARGES.source,
    "officers": OFFICERS.source,
    "owners": OWNERS.source,
    "payment_days": PRACTICES.source,
    "disputes": DISPUTES,
    "decisions": POLICIES,
}
"""Each observed value -> the source whose day an event about it has; that of `MODEL` and `POLICIES` is today."""

DERIVED = ("score", "band", "limit", "reservations", SEEN, BANDS, "group", "decisions")
"""The values that several sources determine, so that they are unknown while one of these cannot be read."""

CUT = "cut"
"""The name of the list of values whose source gave a part of a list only; it is not stored."""

_LISTS = {
    "strike_off": "filings",
    "insolvency": "insolvency",
    "charges": "charges",
    "officers": "officers",
    "owners": "owners",
}
"""Each observed list that may be cut -> the field of `Company`."""

_OF_ENTRY = ("status", "accounts_overdue", "confirmation_overdue")
"""The values that a company does not have any more if it is not in the register; the others keep the last one."""

FORMAT = "format"
"""The name of the number of the format of a stored observation."""

PRESENT_FORMAT = 2
REKEYED = ("insolvency", "accounts", "accounts_text", "officers")
"""Lists whose facts had other ids in the format before, so that they are taken over without an event."""

UNITED = ("notices", "accounts", "accounts_text")
"""Lists to which each load adds: a fact that is missing in a later observation is still known."""

_STRIKE_OFF = {
    "gazette-notice-compulsory": "proposed",
    "gazette-notice-compulsary": "proposed",
    "gazette-notice-voluntary": "proposed",
    "dissolution-application-strike-off-company": "proposed",
    "dissolved-compulsory-strike-off-suspended": "suspended",
    "dissolution-voluntary-strike-off-suspended": "suspended",
    "gazette-filings-brought-up-to-date": "discontinued",
    "dissolution-voluntary-strike-off-discontinued": "discontinued",
    "dissolution-withdrawal-application-strike-off-company": "discontinued",
}
"""The register's description key of a filing -> the state of striking off that it means."""

encode = msgspec.msgpack.Encoder(order="sorted").encode
decode = msgspec.msgpack.Decoder(Observation).decode
decode_outline = msgspec.msgpack.Decoder(list[Any]).decode


def observe(
    company: Company, sources: Collection[str], today: dt.date, score_of: Callable[[str], int | None]
) -> Observation:
    """Return the observation of a company, also of one that no source knows any more.

    `sources` are the names of the loaded sources. `score_of` returns the score of its parent.
    """
    registered, found = REGISTER in sources, Observation({FORMAT: PRESENT_FORMAT})
    found["disputes"] = {each.field: [each.status.value, _day(each.opened)] for each in company.disputes}
    if company.register is not None:
        found |= _of_register(company.register.value, company.register.provenance.as_of, company.newer_accounts)
    elif registered:
        found |= dict.fromkeys(_OF_ENTRY)
    if registered:
        found |= _of_outline(outline_of(company, today))
        found[BANDS] = past_bands(company, current_model().terms)
        found[SECTION] = section_of(company, current_model().sectors) or ""
    if company.accounts is not None:
        found |= _of_accounts(company.accounts.value)
    found |= _of_events(company) | _of_people(company, score_of, found.get("score"))
    cut = [name for name, part in _LISTS.items() if (sourced := getattr(company, part)) is not None and sourced.cut]
    return found | {CUT: cut} if cut else found


def _of_outline(seen: Outline) -> Observation:
    """Return score, band, limit, and the reservations that the report shows as alerts."""
    table = current_model().reservations.by_code
    held = {each.code: [each.code, ""] for each in seen.reservations if table[each.code][0].alert}
    values = {"score": seen.score, "band": seen.band or None, "limit": seen.limit, "reservations": held}
    return {**values, SEEN: decode_outline(msgspec.msgpack.encode(seen))}


def of_score(past: PastScore, terms: Terms) -> Observation:
    """Return the observed values of the score of one run."""
    return {"score": past.score, "band": band_of(past.score, terms).band, "limit": past.limit}


def _of_register(entry: RegisterEntry, as_of: dt.date | None, newer_accounts: dt.date | None) -> Observation:
    office = msgspec.structs.astuple(entry.office)
    found: Observation = {
        "name": entry.name,
        "status": entry.status,
        "address": _digest(*office),
        "activities": sorted(each.code for each in entry.activities),
    }
    if entry.accounts.category:
        found["accounts_category"] = entry.accounts.category
    if as_of is not None:
        due = entry.accounts.next_due if newer_accounts is None else None
        found["accounts_overdue"] = None if due is None else due < as_of
        due = entry.confirmation_next_due
        found["confirmation_overdue"] = None if due is None else due < as_of
    return found


def _of_events(company: Company) -> Observation:
    found: Observation = {}
    if company.notices is not None:
        ended = {each.fact.id: [WITHDRAWN, _day(each.until)] for each in company.notices.withdrawn}
        found["notices"] = ended | {each.id: [each.code, _day(each.published)] for each in company.notices.value}
    if company.filings is not None:
        filings = ((each, _STRIKE_OFF.get(each.description)) for each in company.filings.value)
        gone = ((each, _STRIKE_OFF.get(each.fact.description)) for each in company.filings.withdrawn)
        ended = {each.fact.id: [WITHDRAWN, _day(each.until)] for each, kind in gone if kind}
        found["strike_off"] = ended | {each.id: [kind, _day(each.date)] for each, kind in filings if kind}
    if company.insolvency is not None:
        ended = {_case_id(each.fact): [WITHDRAWN, _day(each.until)] for each in company.insolvency.withdrawn}
        cases = {
            _case_id(each): [each.type, _day(_first(step.date for step in each.dates))]
            for each in company.insolvency.value
        }
        found["insolvency"] = ended | cases
    if company.charges is not None:
        found["charges"] = dict(map(_charge, company.charges.value))
    if company.payment_practices is not None:
        days = [each.average_days for each in company.payment_practices.value if each.average_days is not None]
        found["payment_days"] = days[0] if days else None
    return found


def _of_people(company: Company, score_of: Callable[[str], int | None], own: int | None) -> Observation:
    found: Observation = {}
    if company.officers is not None:
        found["officers"] = {
            _officer_id(each): _came_or_left(each.appointed, each.resigned) for each in company.officers.value
        }
    if company.owners is not None:
        owners = company.owners.value
        found["owners"] = {_digest(each.id): _came_or_left(each.notified, each.ceased) for each in owners}
        held_by = (uk_company_number(each) for each in owners if each.ceased is None and holds_majority(each))
        parents = [number for number in held_by if number]
        found[PARENTS] = sorted(set(parents))
        scores = [score for parent in parents if (score := score_of(parent)) is not None]
        if own is None or (parents and not scores):
            found["group"] = None
        else:
            found["group"] = "weaker" if scores and min(scores) < own else NOT_WEAKER
    return found


def _of_accounts(filings: tuple[Accounts, ...]) -> Observation:
    """Return the filings by the day of their balance sheet, and amended ones by its place among those of the day.

    So a filing is one in every product and for every version of the reader.
    """
    found: Observation = {"accounts": {}, "accounts_text": {}}
    of_day = Counter[dt.date]()
    for each in filings:
        of_day[each.balance_sheet_date] += 1
        day, place = _day(each.balance_sheet_date), of_day[each.balance_sheet_date]
        found["accounts"][day if place == 1 else f"{day} {place}"] = ["filed", day]
        for finding in each.findings or ():
            found["accounts_text"][f"{day} {finding.kind.value}"] = [finding.kind.value, day]
    return found


def _case_id(case: InsolvencyCase) -> str:
    return f"{case.number} {case.type}"  # two types of case may have one number


def _charge(charge: Charge) -> tuple[str, list[str]]:
    satisfied = charge.satisfied is not None or charge.status in {"satisfied", "fully-satisfied"}
    day = charge.satisfied if satisfied else charge.created or charge.delivered
    return charge.id, ["satisfied" if satisfied else "registered", _day(day)]


def _officer_id(officer: Officer) -> str:
    """Return the digest of the appointment, which is one in an answer and in an event that does not name the person."""
    if officer.appointment:
        return _digest(officer.appointment)
    return _digest(officer.id, officer.role, _day(officer.appointed))


def _came_or_left(came: dt.date | None, left: dt.date | None) -> list[str]:
    return ["appointed", _day(came)] if left is None else ["left", _day(left)]


def _first(days: Iterable[dt.date]) -> dt.date | None:
    return min(days, default=None)


def _day(day: dt.date | None) -> str:
    return day.isoformat() if day else ""


def _digest(*texts: str) -> str:
    return hashlib.sha256("\n".join(texts).encode()).hexdigest()[:24]
