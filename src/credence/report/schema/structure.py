"""Parent, corporate owners and subsidiaries (report schema, field tables, CorporateStructure)."""

import msgspec


class Parent(msgspec.Struct, frozen=True, omit_defaults=True):
    """`ParentDetail`: only the name of another company is sent."""

    CommercialName: str


class CorporateHolder(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CorporateShareholder`: a company with significant control. `Holding` is a band such as `75 to 100`."""

    Name: str
    RegNumber: str | None = None
    Country: str | None = None
    Holding: str | None = None


class Ownership(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CompanyOwnership`."""

    ParRegNumber: str | None = None
    ParCountry: str | None = None
    PrevParRegNumber: str | None = None
    PrevParCountry: str | None = None
    UltParRegNumber: str | None = None
    UltParCountry: str | None = None
    ParentDetail: Parent | None = None
    PrevParName: Parent | None = None
    UltParentDetail: Parent | None = None
    CorporateShareholder: tuple[CorporateHolder, ...] = ()


class Subsidiary(msgspec.Struct, frozen=True, omit_defaults=True):
    """`UKSubsidiaries`; `SubStatus` is L live, D dormant or S dissolved."""

    SubRegNumber: str
    SubName: str | None = None
    SubStatus: str | None = None
    SubLegalStatus: str | None = None


class Tree(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Subsidiaries`: immediate subsidiaries in the United Kingdom; the register has no others."""

    TreePosition: str | None = None
    TotalNumImmediateSubs: int | None = None
    TotalNumUKSubs: int | None = None
    UKSubsidiaries: tuple[Subsidiary, ...] = ()


class CorporateStructure(msgspec.Struct, frozen=True, omit_defaults=True):
    """Who owns the company, and what it owns."""

    CompanyOwnership: Ownership | None = None
    Subsidiaries: Tree | None = None
