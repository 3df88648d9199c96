"""Decides which companies have no score, and why; "not scored" is a valid answer (credit §7.4, §2.1)."""

import msgspec

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.scoring.basis.day import Days
from credence.scoring.legal import in_solvent_liquidation

_FILE_ELSEWHERE = ("IP", "SP", "NP", "NO", "RS", "RC", "SR", "NR", "CE", "CS", "FE", "AC", "SA", "NA", "ZC", "SZ", "NZ")
_PARTNERSHIPS = ("LP", "SL", "NL", "SG")
_ABROAD = ("FC", "SF", "NF", "BR", "OE")
_FUNDS = ("IC", "SI", "NV", "PC")
_GROUPINGS = ("GE", "GS", "GN", "SE", "ES", "EN")


class Unscored(msgspec.Struct, frozen=True):
    """The reason why a company has no score."""

    code: str
    sentence: str
    to_load: str = ""
    """What to load for a score; empty if nothing that can be loaded gives one."""


_REGISTER = "A snapshot of the register (credence data load register) with this company."

NO_REGISTER = Unscored(
    "unscored.no-register", "No register entry is on record, so whether the company is live is unknown.", _REGISTER
)
DISSOLVED = Unscored("unscored.dissolved", "The company no longer exists.")
SOLVENT_LIQUIDATION = Unscored(
    "unscored.solvent-liquidation",
    "Its members were winding the company up: such a company pays its debts and takes on no more.",
)
NO_STATUS = Unscored(
    "unscored.no-status", "The company's status is not on record, so whether it is live is unknown.", _REGISTER
)
UNKNOWN_STATUS = Unscored("unscored.status", "The register gave a status whose meaning is not known.")
FINANCIAL = Unscored(
    "unscored.financial",
    "Financial companies (SIC 64 to 66, except holding companies) are not scored: their balance sheets are not comparable "
    "with those of others.",
)
UNREADABLE_CASE = Unscored(
    "unscored.insolvency",
    "A case of insolvency cannot be read, so whether the company has failed is unknown.",
    "The company's insolvency cases (credence data load insolvency) again.",
)
_BY_PREFIX = (
    (_FILE_ELSEWHERE, Unscored("unscored.entity", "The register holds little about this type of entity.")),
    (_PARTNERSHIPS, Unscored("unscored.partnership", "Partnerships are not scored.")),
    (_ABROAD, Unscored("unscored.overseas", "The company is registered abroad and files its accounts there.")),
    (_FUNDS, Unscored("unscored.fund", "The entity holds investments for others.")),
    (_GROUPINGS, Unscored("unscored.grouping", "The entity serves its members and files no comparable accounts.")),
)


def unscored(company: Company, days: Days) -> Unscored | None:
    """Return the reason why the company is not scored; None if it can be scored."""
    for prefixes, reason in _BY_PREFIX:
        if company.number.startswith(prefixes):
            return reason
    if company.register is None:
        return NO_REGISTER
    entry = company.register.value
    if codes.is_dissolved(entry):
        return DISSOLVED
    if in_solvent_liquidation(company, days):
        return SOLVENT_LIQUIDATION
    if not entry.status:
        return NO_STATUS
    return None if entry.status.lower() in codes.KNOWN_STATUSES else UNKNOWN_STATUS
