"""The answers about directors (report schema, field tables, DirectorTargeterResponse and DirectorData).

Members for addresses, dates of birth and convictions are left out: they are never sent (credit §10).
"""

import datetime as dt

import msgspec


class FullName(msgspec.Struct, frozen=True, omit_defaults=True):
    """`FullNameDetail` and OutputNameDetail; a company has its name as the surname in a search."""

    Surname: str
    Forename: str | None = None
    MiddleNames: str | None = None
    Prefix: str | None = None


class DirectorSelection(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirSelectDetail`."""

    Name: FullName


class DirectorFound(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirectrSelectionList`: one person or company; the flags (Y, N) mark directors and secretaries."""

    DirectorNumber: str
    DirectorFlag: str
    SecretaryFlag: str
    CurrPrevName: str
    DirectorDetails: DirectorSelection


class DirectorSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirSearchSummary`: the search criteria, and the number of results."""

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
    """`CommDetailsRegNumber`."""

    RegNumber: str
    Name: str | None = None


class Post(msgspec.Struct, frozen=True, omit_defaults=True):
    """`IndvDirCurrDirectorship` and the three similar models: one directorship. The length is in whole years."""

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
    """`IndvSecCurrSecData` and the three similar models: one secretaryship."""

    CommercialDetail: CompanyNamed
    AppointmentDate: dt.date | None = None
    AppointmentIndicator: str | None = None
    ResignationDate: dt.date | None = None
    ResignationIndicator: str | None = None
    DissolutionDate: dt.date | None = None
    SecretaryshipLength: str | None = None
    LatestReturns: dt.date | None = None


class Posts(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Directorships`; `Dissolved` refers to the company."""

    CurrentDirector: tuple[Post, ...] = ()
    PreviousDirector: tuple[Post, ...] = ()
    CurrentDissolvedDirector: tuple[Post, ...] = ()
    PreviousDissolvedDirector: tuple[Post, ...] = ()


class SecretaryPosts(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Secretaryships`."""

    CurrentSecretary: tuple[SecretaryPost, ...] = ()
    PreviousSecretary: tuple[SecretaryPost, ...] = ()
    CurrentDissolvedSecretary: tuple[SecretaryPost, ...] = ()
    PreviousDissolvedSecretary: tuple[SecretaryPost, ...] = ()


class BodyNamed(msgspec.Struct, frozen=True):
    """`CommDetail`."""

    Name: str


class WhoItIs(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirDetail`."""

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
