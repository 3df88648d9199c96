"""`Mortgages`: the register's counts, and each charge if the charges are loaded (report schema §8, row 15)."""

import datetime as dt

from credence.companies.facts.company import Company
from credence.companies.facts.events import Charge
from credence.companies.facts.register import Charges
from credence.report.schema import legal_notices

_SATISFIED = frozenset({"fully-satisfied", "satisfied"})


def mortgages(company: Company) -> legal_notices.Mortgages | None:
    """Return the member; None if neither counts nor charges are known."""
    charges = company.charges.value if company.charges else None
    counts = company.register.value.charges if company.register else Charges()
    if charges is not None and (counts.total is None or counts.total < len(charges)):
        # The list of charges is newer than the counts of the register entry.
        satisfied = sum(is_satisfied(each) for each in charges)
        counts = Charges(len(charges), outstanding=len(charges) - satisfied, part_satisfied=0, satisfied=satisfied)
    if counts.total is None:
        return None
    latest = _latest(charges or ())
    return legal_notices.Mortgages(
        NumMortgages=counts.total,
        NumSatMortgages=counts.satisfied,
        NumUnsatMortgages=unsatisfied(counts),
        DateMostRecentMort=begun(latest) if latest else None,
        RecMortDateFlag=None if latest is None else "C" if latest.created else "R",
        DateMostRecentSat=max((each.satisfied for each in charges or () if each.satisfied), default=None),
        MortgageDetail=tuple(_detail(each) for each in charges or ()),
    )


def unsatisfied(counts: Charges) -> int | None:
    """Return the number of charges outstanding or satisfied in part; None unless both are counted."""
    if counts.outstanding is None or counts.part_satisfied is None:
        return None
    return counts.outstanding + counts.part_satisfied


def is_satisfied(charge: Charge) -> bool:
    """Return whether a charge is fully satisfied."""
    return charge.status in _SATISFIED


def begun(charge: Charge) -> dt.date | None:
    """Return the date of creation of a charge or, if unknown, of its registration."""
    return charge.created or charge.delivered


def _latest(charges: tuple[Charge, ...]) -> Charge | None:
    dated = [each for each in charges if begun(each)]
    return max(dated, key=lambda each: (begun(each) or dt.date.min, each.id), default=None)


def _detail(charge: Charge) -> legal_notices.ChargeDetail:
    """Return one charge without its particulars, which may describe a person's home (credit §10)."""
    return legal_notices.ChargeDetail(
        ChargeNumber=charge.id,
        ChargeType=_type(charge),
        CreationDate=charge.created,
        RegistrationDate=charge.delivered,
        DateFullySatisfied=charge.satisfied,
        FullySatisfiedIndicator="F" if is_satisfied(charge) else "N",
        AmountSecured=charge.secured or None,
        LenderDetails=tuple(legal_notices.Lender(each) for each in charge.holders),
        NumberLenders=len(charge.holders) or None,
    )


def _type(charge: Charge) -> str | None:
    if not charge.floating or "floating" in charge.classification.lower():
        return charge.classification or None
    floating = "floating charge over the whole undertaking" if charge.covers_all else "floating charge"
    return f"{charge.classification}, with {floating}" if charge.classification else floating.capitalize()
