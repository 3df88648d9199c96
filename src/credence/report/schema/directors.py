"""The answers about directors (report schema, field tables, DirectorTargeterResponse and DirectorData).

No address, no date of birth and no conviction has a place here (credit §10): these members are never sent.
"""

import datetime as dt

import msgspec


class FullName(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's FullNameDetail and OutputNameDetail; a body has its name as the surname in a search."""

    Surname: str
    Forename: str | None = None
    MiddleNames: str | None = None
    Prefix: str | None = None


class DirectorSelection(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's DirSelectDetail."""

    Name: FullName


class DirectorFound(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's DirectrSelectionList: one person or body, and whether a director, a secretary or both (Y, N)."""

    DirectorNumber: str
    DirectorFlag: str
    SecretaryFlag: str
    CurrPrevName: str
    DirectorDetails: DirectorSelection


class DirectorSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's DirSearchSummary: the search as it was understood, and the number of results that follow."""

    NumberMatches: int
    Forename: str | None = None
    Surname: str | None = None
    PostTown: str | None = None
    Postcode: str | None = None


class DirectorTargeterResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The results, best first; an empty list when nothing was found."""

    SearchSummary: DirectorSummary
    SearchResults: tuple[DirectorFound, ...]


class CompanyNamed(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's CommDetailsRegNumber."""

    RegNumber: str
    Name: str | None = None


class Post(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's IndvDirCurrDirectorship and its three sisters: one directorship. The length is in whole years."""

    CommercialDetail: CompanyNamed
    AppointmentDate: dt.date | None = None
    AppointmentIndicator: str | None = None
    ResignationDate: dt.date | None = None
    ResignationIndicator: str | None = None
    DissolutionDate: dt.date | None = None
    DirectorshipLength: str | None = None
    LatestReturns: dt.date | None = None
    Occupation: str | None = None
    Position: str | None = None


class SecretaryPost(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's IndvSecCurrSecData and its three sisters: one secretaryship."""

    CommercialDetail: CompanyNamed
    AppointmentDate: dt.date | None = None
    AppointmentIndicator: str | None = None
    ResignationDate: dt.date | None = None
    ResignationIndicator: str | None = None
    DissolutionDate: dt.date | None = None
    SecretaryshipLength: str | None = None
    LatestReturns: dt.date | None = None


class Posts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's Directorships; `Dissolved` means that the company is."""

    CurrentDirector: tuple[Post, ...] = ()
    PreviousDirector: tuple[Post, ...] = ()
    CurrentDissolvedDirector: tuple[Post, ...] = ()
    PreviousDissolvedDirector: tuple[Post, ...] = ()


class SecretaryPosts(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's Secretaryships."""

    CurrentSecretary: tuple[SecretaryPost, ...] = ()
    PreviousSecretary: tuple[SecretaryPost, ...] = ()
    CurrentDissolvedSecretary: tuple[SecretaryPost, ...] = ()
    PreviousDissolvedSecretary: tuple[SecretaryPost, ...] = ()


class BodyNamed(msgspec.Struct, frozen=True):
    """The wire's CommDetail."""

    Name: str


class WhoItIs(msgspec.Struct, frozen=True, omit_defaults=True):
    """The wire's DirDetail."""

    Name: FullName | None = None
    CommercialDetail: BodyNamed | None = None
    Nationality: str | None = None


class DirectorData(msgspec.Struct, frozen=True, omit_defaults=True):
    """One director and where they hold or held office."""

    DirectorNumber: str
    DirectorCompanyFlag: str
    DirectorDetails: WhoItIs
    Directorships: Posts
    Secretaryships: SecretaryPosts
