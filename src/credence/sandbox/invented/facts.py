"""The facts of the invented companies, in the same form as loaded facts, from what their file says of them (D24)."""

import datetime as dt
from collections.abc import Mapping
from typing import TypeVar

import msgspec

from credence.companies.facts import register
from credence.companies.facts.accounts import Accounts, Figure, Figures, Method, Period
from credence.companies.facts.company import Company, Profile, Provenance, Sourced
from credence.companies.facts.events import CaseDate, Charge, Filing, InsolvencyCase, Notice
from credence.companies.facts.people import Officer, Owner
from credence.companies.facts.register import AccountsFiling, Charges, Office, RegisterEntry
from credence.sandbox.invented import companies_file
from credence.sandbox.invented.companies_file import Appointment, Invented, Year, invented_file

T = TypeVar("T")

OFFICE = Office(line_1="1 Invented Street", town="NOWHERE", postcode="ZZ99 9ZZ")


def day() -> dt.date:
    """Return the date of the facts. A sandbox dates them from the day on which it is made (`dating`)."""
    return invented_file().day


def facts_of(company: Invented) -> Company:
    """Return the facts of a company; without a balance sheet only those of register, officers and owners."""
    known = Company(
        number=company.number,
        register=_sourced(_entry(company)),
        officers=_sourced(tuple(_officer(each) for each in company.officers)),
        owners=_sourced(_owners(company)),
        profile=_sourced((Profile(bool(company.insolvency), company.office_undeliverable, False),)),
    )
    if company.balance_sheet is None:
        return known
    end = _made_up(company)
    return Company(
        number=company.number,
        register=known.register,
        accounts=_sourced((_accounts(company, *_scaled(company), end),)),
        officers=known.officers,
        owners=known.owners,
        charges=_sourced(tuple(_charge(each) for each in company.charges)),
        insolvency=_sourced(tuple(_case(number, each) for number, each in enumerate(company.insolvency, 1))),
        notices=_sourced(tuple(Notice(each.id, each.code, each.day, each.title) for each in company.notices)),
        filings=_sourced(_filings(company, end)),
        profile=known.profile,
    )


def document_of(number: str, end: dt.date) -> str:
    """Return the name of the accounts of a company that are made up to `end`."""
    return f"Invented_{number}_{end:%Y%m%d}"


def _sourced(value: T) -> Sourced[T]:
    """Return a part of the facts with the provenance that marks it as invented."""
    return Sourced(value, Provenance("Invented for the sandbox; these companies do not exist", day(), day()))


def _made_up(company: Invented) -> dt.date:
    return company.accounts_made_up or dt.date(day().year - 1, 12, 31)


def _entry(company: Invented) -> RegisterEntry:
    end, dissolved = _made_up(company), company.dissolved
    satisfied = sum(each.satisfied is not None for each in company.charges)
    charges = company.registered_charges or companies_file.RegisteredCharges(
        len(company.charges) - satisfied, satisfied
    )
    due = company.accounts_due or (None if dissolved else dt.date(end.year + 1, 9, 30))
    return RegisterEntry(
        number=company.number,
        name=company.name,
        category="Private Limited Company",
        status=company.status,
        country_of_origin="United Kingdom",
        incorporated=company.incorporated,
        dissolved=dissolved,
        office=OFFICE,
        activities=tuple(register.Activity(each.code, each.description) for each in company.activities),
        former_names=tuple(register.FormerName(each.name, each.until) for each in company.former_names),
        accounts=AccountsFiling(31, 12, due, end, company.accounts_category),
        confirmation_next_due=None if dissolved else dt.date(day().year + 1, 1, 31),
        confirmation_last_made_up=dt.date((dissolved or day()).year, 1, 17),
        annual_return_last_made_up=None,
        charges=Charges(charges.outstanding + charges.satisfied, charges.outstanding, 0, charges.satisfied),
    )


def _scaled(company: Invented) -> tuple[Year, Year]:
    """Return the balance sheets of a company at its scale, in whole pounds."""
    now, before = invented_file().balance_sheets[company.balance_sheet or ""]
    return _at_scale(now, company.scale), _at_scale(before, company.scale)


def _at_scale(year: Year, percent: int) -> Year:
    fields = msgspec.structs.asdict(year).items()
    return msgspec.structs.replace(
        year, **{name: amount * percent // 100 for name, amount in fields if amount is not None}
    )


def _accounts(company: Invented, now: Year, before: Year, end: dt.date) -> Accounts:
    """Return the accounts of two years; the earlier figures are the comparative column of the later accounts."""
    periods = tuple(
        Period(
            end=last,
            start=dt.date(last.year, 1, 1),
            figures=Figures(**{name: Figure(amount, Method.REPORTED) for name, amount in amounts(year).items()}),
            balanced=True,
        )
        for last, year in ((end, now), (dt.date(end.year - 1, 12, 31), before))
    )
    return Accounts(
        company=company.number,
        document=document_of(company.number, end),
        filed=dt.date(end.year + 1, 4, 1),
        balance_sheet_date=end,
        currency="GBP",
        periods=periods,
        group_periods=(),
        layout="frc",
        taxonomy="",
        standard="SmallEntities",
        dormant=company.dormant,
    )


def _filings(company: Invented, end: dt.date) -> tuple[Filing, ...]:
    """Return the filings of the accounts of two years and of the changes of the register, newest first."""
    accounts = (
        Filing(
            f"accounts-{year}",
            dt.date(year + 1, 4, 1),
            "accounts",
            "AA",
            "accounts-with-accounts-type-total-exemption-full",
            dt.date(year, 12, 31),
        )
        for year in (end.year, end.year - 1)
    )
    changes = (Filing(each.id, each.day, each.category, each.type, each.description) for each in company.filings)
    return tuple(sorted((*changes, *accounts), key=lambda each: each.date, reverse=True))


def _officer(appointment: Appointment) -> Officer:
    person = invented_file().people[appointment.person]
    is_secretary = appointment.role == "secretary"
    year, month = (None, None) if is_secretary or person.born is None else person.born
    return Officer(
        id=appointment.person,
        role=appointment.role,
        surname=person.surname,
        forenames=person.forenames,
        title=person.title,
        appointed=appointment.appointed,
        resigned=appointment.resigned,
        birth_year=year,
        birth_month=month,
        nationality="" if is_secretary else "British",
        occupation="" if is_secretary else "Director",
    )


def _owners(company: Invented) -> tuple[Owner, ...]:
    """Return the parent as the owner of more than three quarters of the shares."""
    if company.parent is None:
        return ()
    number = company.parent.number
    owner = Owner(
        id=f"owner-{number}",
        kind="corporate-entity-person-with-significant-control",
        name=invented_file().companies[number].name,
        natures=("ownership-of-shares-75-to-100-percent", "voting-rights-75-to-100-percent"),
        corporate=True,
        registration_number=number,
        country="United Kingdom",
        notified=company.parent.since,
    )
    return (owner,)


def _charge(charge: companies_file.Charge) -> Charge:
    """Return a charge of an invented bank."""
    return Charge(
        id=charge.number,
        status="fully-satisfied" if charge.satisfied else "outstanding",
        classification="A registered charge",
        created=charge.created,
        delivered=charge.created + dt.timedelta(days=7),
        satisfied=charge.satisfied,
        holders=("IMAGINARY BANK PLC",),
        floating=True,
        covers_all=True,
    )


def _case(number: int, case: companies_file.Case) -> InsolvencyCase:
    return InsolvencyCase(str(number), case.type, tuple(CaseDate(step, at) for step, at in case.dates.items()))


Amounts = Mapping[str, int]
"""Figure of `facts.accounts.Figures` -> amount in pounds; employees are a number."""


def amounts(year: Year) -> Amounts:
    """Return the figures of a balance sheet, and of the profit and loss account if there is one."""
    current = year.stocks + year.debtors + year.cash
    total = year.tangible_assets + current
    net = total - year.creditors_within_year - year.creditors_after_year
    return {
        "fixed_assets": year.tangible_assets,
        "tangible_assets": year.tangible_assets,
        "current_assets": current,
        "stocks": year.stocks,
        "debtors": year.debtors,
        "cash": year.cash,
        "creditors_within_year": year.creditors_within_year,
        "net_current_assets": current - year.creditors_within_year,
        "total_assets_less_current_liabilities": total - year.creditors_within_year,
        "creditors_after_year": year.creditors_after_year,
        "net_assets": net,
        "equity": net,
        "share_capital": year.share_capital,
        "retained_earnings": net - year.share_capital,
        "total_assets": total,
        "total_liabilities": year.creditors_within_year + year.creditors_after_year,
        "tangible_net_assets": net,
        "employees": year.employees,
        **({} if year.turnover is None else _profit_and_loss(year, year.turnover)),
    }


def _profit_and_loss(year: Year, turnover: int) -> Amounts:
    before_tax = year.operating_profit - year.interest_payable
    return {
        "turnover": turnover,
        "cost_of_sales": year.cost_of_sales,
        "gross_profit": turnover - year.cost_of_sales,
        "operating_profit": year.operating_profit,
        "depreciation": year.depreciation,
        "interest_payable": year.interest_payable,
        "profit_before_tax": before_tax,
        "tax": year.tax,
        "profit": before_tax - year.tax,
    }
