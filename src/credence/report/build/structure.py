"""`CorporateStructure`: parent, corporate owners and subsidiaries (report schema §8, row 4)."""

from credence.companies import codes
from credence.companies.facts.company import Company
from credence.companies.facts.people import Owner
from credence.companies.ownership import bands, holds_majority, uk_company_number
from credence.report.build.group import Group, parent
from credence.report.schema import structure as wire

_INDEPENDENT, _SUBSIDIARY, _PARENT, _INTERMEDIATE = "1", "2", "3", "4"


def corporate_structure(company: Company, group: Group) -> wire.CorporateStructure | None:
    """Return the member; None if neither owners nor subsidiaries are loaded."""
    if company.owners is None and group.subsidiaries is None:
        return None
    return wire.CorporateStructure(_ownership(company, group), _subsidiaries(company, group))


def company_name(company: Company) -> str | None:
    """Return the name of a company from the register, or else from its newest accounts."""
    if company.register is not None:
        return company.register.value.name
    filings = company.accounts.value if company.accounts else ()
    return next((each.name for each in filings if each.name), None)


def _ownership(company: Company, group: Group) -> wire.Ownership | None:
    if company.owners is None:
        return None
    above, former = parent(company), _former_parent(company.owners.value)
    top_name = company_name(group.top) if group.top else None
    return wire.Ownership(
        ParRegNumber=_number(above) if above else None,
        ParCountry=above.country or None if above else None,
        PrevParRegNumber=_number(former) if former else None,
        PrevParCountry=former.country or None if former else None,
        UltParRegNumber=group.top.number if group.top else None,
        UltParCountry="United Kingdom" if group.top else None,
        ParentDetail=wire.Parent(above.name) if above else None,
        PrevParName=wire.Parent(former.name) if former else None,
        UltParentDetail=wire.Parent(top_name) if top_name else None,
        CorporateShareholder=tuple(
            _holder(each) for each in company.owners.value if each.corporate and not each.ceased
        ),
    )


def _former_parent(owners: tuple[Owner, ...]) -> Owner | None:
    former = [each for each in owners if each.corporate and each.ceased and holds_majority(each)]
    return max(former, key=lambda each: (each.ceased, each.id), default=None)


def _holder(owner: Owner) -> wire.CorporateHolder:
    shares = bands(owner)
    return wire.CorporateHolder(
        Name=owner.name,
        RegNumber=_number(owner),
        Country=owner.country or None,
        Holding=f"{shares[0][0]} to {shares[0][1]}" if shares else None,
    )


def _number(owner: Owner) -> str | None:
    return uk_company_number(owner) or owner.registration_number or None


def _subsidiaries(company: Company, group: Group) -> wire.Tree | None:
    if group.subsidiaries is None:
        return None
    return wire.Tree(
        TreePosition=_position(company, group),
        TotalNumImmediateSubs=group.subsidiaries_in_all,
        TotalNumUKSubs=group.subsidiaries_in_all,
        UKSubsidiaries=tuple(_subsidiary(each) for each in group.subsidiaries),
    )


def _position(company: Company, group: Group) -> str | None:
    if company.owners is None:
        return None
    if parent(company):
        return _INTERMEDIATE if group.subsidiaries else _SUBSIDIARY
    return _PARENT if group.subsidiaries else _INDEPENDENT


def _subsidiary(company: Company) -> wire.Subsidiary:
    entry = company.register.value if company.register else None
    form = codes.legal_form(entry.category) if entry else None
    return wire.Subsidiary(
        SubRegNumber=company.number,
        SubName=company_name(company),
        SubStatus=_status(company),
        SubLegalStatus=form.code if form else None,
    )


def _status(company: Company) -> str | None:
    if company.register is None:
        return None
    if codes.is_dissolved(company.register.value):
        return "S"
    return "D" if company.accounts and company.accounts.value and company.accounts.value[0].dormant else "L"
