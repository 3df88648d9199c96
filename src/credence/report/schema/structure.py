"""Parent, corporate owners and subsidiaries (report schema, field tables, CorporateStructure)."""

from typing import Annotated

import msgspec

from credence.meanings import PER_CENT, meaning
from credence.report.schema.codes import LEGAL_STATUS, SUBSIDIARY_STATUS, TREE_POSITION


class Parent(msgspec.Struct, frozen=True, omit_defaults=True):
    """`ParentDetail`: only the name of another company is sent."""

    CommercialName: Annotated[str, meaning("Name of the company.")]


class CorporateHolder(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CorporateShareholder`: a company with significant control. `Holding` is a band such as `75 to 100`."""

    Name: Annotated[str, meaning("Name of the company with significant control.")]
    RegNumber: Annotated[str | None, meaning("Its number in its register.")] = None
    Country: Annotated[str | None, meaning("Its country in the register's words.")] = None
    Holding: Annotated[str | None, meaning("Band of shares or votes, such as `75 to 100`.", unit=PER_CENT)] = None


class Ownership(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CompanyOwnership`."""

    ParRegNumber: Annotated[
        str | None, meaning("Number of the parent: the one body with more than half of shares or votes.")
    ] = None
    ParCountry: Annotated[str | None, meaning("Country of the parent.")] = None
    PrevParRegNumber: Annotated[str | None, meaning("Number of the former parent.", example="99999998")] = None
    PrevParCountry: Annotated[str | None, meaning("Country of the former parent.", example="United Kingdom")] = None
    UltParRegNumber: Annotated[
        str | None, meaning("Number of the ultimate parent; absent unless every link of the chain is known.")
    ] = None
    UltParCountry: Annotated[str | None, meaning("Country of the ultimate parent.")] = None
    ParentDetail: Annotated[Parent | None, meaning("Name of the parent.")] = None
    PrevParName: Annotated[Parent | None, meaning("Name of the former parent.")] = None
    UltParentDetail: Annotated[Parent | None, meaning("Name of the ultimate parent.")] = None
    CorporateShareholder: Annotated[tuple[CorporateHolder, ...], meaning("Companies with significant control.")] = ()


class Subsidiary(msgspec.Struct, frozen=True, omit_defaults=True):
    """`UKSubsidiaries`; `SubStatus` is L live, D dormant or S dissolved."""

    SubRegNumber: Annotated[str, meaning("Company number of the subsidiary.")]
    SubName: Annotated[str | None, meaning("Its name.")] = None
    SubStatus: Annotated[str | None, meaning("Its state.", values=SUBSIDIARY_STATUS)] = None
    SubLegalStatus: Annotated[str | None, meaning("Its legal form.", values=LEGAL_STATUS)] = None


class Tree(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Subsidiaries`: immediate subsidiaries in the United Kingdom; the register has no others."""

    TreePosition: Annotated[str | None, meaning("Position in the group.", values=TREE_POSITION)] = None
    TotalNumImmediateSubs: Annotated[int | None, meaning("Immediate subsidiaries.", unit="companies")] = None
    TotalNumUKSubs: Annotated[
        int | None,
        meaning(
            "Subsidiaries in the United Kingdom: the immediate ones, because the register has no others.",
            unit="companies",
        ),
    ] = None
    UKSubsidiaries: Annotated[tuple[Subsidiary, ...], meaning("The subsidiaries, at most 100.")] = ()


class CorporateStructure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who owns the company, and what it owns."""

    CompanyOwnership: Annotated[Ownership | None, meaning("Who owns the company.")] = None
    Subsidiaries: Annotated[Tree | None, meaning("What the company owns.")] = None
