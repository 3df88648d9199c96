"""Rules about what the text of the newest accounts says: doubts, support and currency (docs/accounts.md)."""

from collections.abc import Callable

from credence.clock import day_in_words
from credence.companies.facts.accounts import Accounts, FindingKind
from credence.scoring.reservations.judged import Found, Gap, Judged, Measures, ReservationRule, no_figures

_POUND = "GBP"
_KINDS = {
    FindingKind.GOING_CONCERN: "going-concern",
    FindingKind.ADVERSE: "opinion-refused",
    FindingKind.DISCLAIMER: "opinion-refused",
    FindingKind.QUALIFIED: "opinion-qualified",
    FindingKind.OWNER_SUPPORT: "owner-support",
}
"""Kind of a finding -> rule."""


def measure(judged: Judged, into: Measures) -> None:
    """Add the rules that apply to the newest accounts, and to the currency of the newest figures."""
    newest, accounts = _newest(judged), judged.accounts
    for each in (newest.findings or ()) if newest else ():
        if rule := _KINDS.get(each.kind):
            into[rule] = 1
    if accounts is None:
        return
    if accounts.tagged_currency:
        into["currency-conflict"] = 1
    elif accounts.currency not in ("", _POUND):
        into["currency-foreign"] = 1


def _newest(judged: Judged) -> Accounts | None:
    filings = judged.company.accounts.value if judged.company.accounts else ()
    return filings[0] if filings else None


def _says(rule: str) -> Callable[[Judged], Found]:
    def found(judged: Judged) -> Found:
        newest = _newest(judged)
        said = (
            next(each.sentence for each in (newest.findings or ()) if _KINDS.get(each.kind) == rule) if newest else ""
        )
        day = newest.balance_sheet_date if newest else None
        return Found({"day": day_in_words(day) if day else "", "text": said}, day=day)

    return found


def _currency(judged: Judged) -> Found:
    accounts = judged.accounts
    if accounts is None:
        return Found({})
    return Found({"currency": accounts.currency, "tagged": accounts.tagged_currency}, day=accounts.balance_sheet_date)


def _unread(judged: Judged) -> Gap | None:
    newest = _newest(judged)
    if newest is None:
        return Gap("No filed accounts are on record.")
    return Gap("The text of the newest accounts was not read.") if newest.findings is None else None


RULES = {
    **{rule: ReservationRule(_says(rule), _unread) for rule in _KINDS.values()},
    "currency-conflict": ReservationRule(_currency, no_figures),
    "currency-foreign": ReservationRule(_currency, no_figures),
}
"""Name -> rule."""
