"""Officers (report schema, field tables, ManagementInfo).

Members for addresses, dates of birth and convictions are left out: they are never sent (credit §10).
"""

import datetime as dt

import msgspec


class PersonName(msgspec.Struct, frozen=True, omit_defaults=True):
    """`NameDetls`."""

    Surname: str
    Forename: str | None = None
    MiddleNames: str | None = None
    Prefix: str | None = None


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SecCommercialDetail`: a corporate officer."""

    Name: str


class DirectorDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirectorDetails`. `DirectorAge` is in whole years."""

    Name: PersonName | None = None
    CommercialDetail: Body | None = None
    DirectorAge: str | None = None
    Title: str | None = None
    Position: str | None = None
    Occupation: str | None = None
    Nationality: str | None = None


class SecretaryDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SecretaryDetails`."""

    Name: PersonName | None = None
    CommercialDetail: Body | None = None
    Title: str | None = None


class Directorship(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CurrentDirectors` and, with a resignation, PreviousDirectors. The length is in whole years."""

    DirectorNumber: str
    DirectorCompanyFlag: str
    DirectorDetails: DirectorDetail
    AppointmentDate: dt.date | None = None
    AppointmentIndicator: str | None = None
    ResignationDate: dt.date | None = None
    ResignationIndicator: str | None = None
    DirectorshipLength: int | None = None


class Secretaryship(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CurrentSecretary` and, with a resignation, PreviousSecretary."""

    DirectorNumber: str
    SecretaryCompanyFlag: str
    SecretaryDetails: SecretaryDetail
    AppointmentDate: dt.date | None = None
    AppointmentIndicator: str | None = None
    ResignationDate: dt.date | None = None
    ResignationIndicator: str | None = None


class DirectorList(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Directors`."""

    CurrentDirector: tuple[Directorship, ...] = ()
    PreviousDirector: tuple[Directorship, ...] = ()


class SecretaryList(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Secretaries`."""

    CurrentSecretary: tuple[Secretaryship, ...] = ()
    PreviousSecretary: tuple[Secretaryship, ...] = ()


class ManagementInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The officers, counted and listed. Ages and lengths are in whole years."""

    NumDirs: int
    NumSecs: int
    NumCurrDirs: int
    NumPrevDirs: int
    LatestReturns: dt.date | None = None
    DirectorAvgAge: int | None = None
    DirectorAvgLength: int | None = None
    NumAppointmentsLast12: int | None = None
    NumResignationsLast12: int | None = None
    Directors: DirectorList | None = None
    Secretaries: SecretaryList | None = None
