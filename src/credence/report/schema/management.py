"""Officers (report schema, field tables, ManagementInfo).

Members for addresses, dates of birth and convictions are left out: they are never sent (credit §10).
"""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import YES_NO, meaning
from credence.report.schema.codes import EXACTNESS


class PersonName(msgspec.Struct, frozen=True, omit_defaults=True):
    """`NameDetls`."""

    Surname: Annotated[str, meaning("Surname.")]
    Forename: Annotated[str | None, meaning("First forename.")] = None
    MiddleNames: Annotated[str | None, meaning("Further forenames.")] = None
    Prefix: Annotated[str | None, meaning("Title, such as Mr or Dr.")] = None


class Body(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SecCommercialDetail`: a corporate officer."""

    Name: Annotated[str, meaning("Name of the body.", example="INVENTED NOMINEES LIMITED")]


class DirectorDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirectorDetails`. `DirectorAge` is in whole years."""

    Name: Annotated[PersonName | None, meaning("Name of a person.")] = None
    CommercialDetail: Annotated[Body | None, meaning("A body, instead of a name.")] = None
    DirectorAge: Annotated[str | None, meaning("Age, as text; absent in the month of birth.", unit="whole years")] = (
        None
    )
    Title: Annotated[str | None, meaning("Title, such as Mr or Dr.")] = None
    Position: Annotated[str | None, meaning("Role in words.")] = None
    Occupation: Annotated[str | None, meaning("Occupation as stated to the register.")] = None
    Nationality: Annotated[str | None, meaning("Nationality as stated to the register.")] = None


class SecretaryDetail(msgspec.Struct, frozen=True, omit_defaults=True):
    """`SecretaryDetails`."""

    Name: Annotated[PersonName | None, meaning("Name of a person.")] = None
    CommercialDetail: Annotated[Body | None, meaning("A body, instead of a name.")] = None
    Title: Annotated[str | None, meaning("Title, such as Mr or Dr.")] = None


class Directorship(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CurrentDirectors` and, with a resignation, PreviousDirectors. The length is in whole years."""

    DirectorNumber: Annotated[str, meaning("Number of the director, with which the details are requested.")]
    DirectorCompanyFlag: Annotated[str, meaning("Whether the director is a body.", values=YES_NO)]
    DirectorDetails: Annotated[DirectorDetail, meaning("Who it is.")]
    AppointmentDate: Annotated[dt.date | None, meaning("Day of the appointment.")] = None
    AppointmentIndicator: Annotated[
        str | None, meaning("How precise the date of appointment is.", values=EXACTNESS)
    ] = None
    ResignationDate: Annotated[dt.date | None, meaning("Day of the resignation.")] = None
    ResignationIndicator: Annotated[str | None, meaning("How exact the day of resignation is.", values=EXACTNESS)] = (
        None
    )
    DirectorshipLength: Annotated[int | None, meaning("Time in office.", unit="whole years")] = None


class Secretaryship(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CurrentSecretary` and, with a resignation, PreviousSecretary."""

    DirectorNumber: Annotated[str, meaning("Number of the secretary, with which the details are requested.")]
    SecretaryCompanyFlag: Annotated[str, meaning("Whether the secretary is a body.", values=YES_NO)]
    SecretaryDetails: Annotated[SecretaryDetail, meaning("Who it is.")]
    AppointmentDate: Annotated[dt.date | None, meaning("Day of the appointment.")] = None
    AppointmentIndicator: Annotated[
        str | None, meaning("How precise the date of appointment is.", values=EXACTNESS)
    ] = None
    ResignationDate: Annotated[dt.date | None, meaning("Day of the resignation.", example=dt.date(2012, 4, 30))] = None
    ResignationIndicator: Annotated[str | None, meaning("How exact the day of resignation is.", values=EXACTNESS)] = (
        None
    )


class DirectorList(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Directors`."""

    CurrentDirector: Annotated[tuple[Directorship, ...], meaning("In office, the newest first.")] = ()
    PreviousDirector: Annotated[tuple[Directorship, ...], meaning("Resigned, the newest first.")] = ()


class SecretaryList(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Secretaries`."""

    CurrentSecretary: Annotated[tuple[Secretaryship, ...], meaning("In office.")] = ()
    PreviousSecretary: Annotated[tuple[Secretaryship, ...], meaning("Resigned.")] = ()


class ManagementInfo(msgspec.Struct, frozen=True, omit_defaults=True):
    """The officers, counted and listed. Ages and lengths are in whole years."""

    NumDirs: Annotated[int, meaning("Directors, present and former.", unit="directors")]
    NumSecs: Annotated[int, meaning("Secretaries, present and former.", unit="secretaries")]
    NumCurrDirs: Annotated[int, meaning("Directors in office.", unit="directors")]
    NumPrevDirs: Annotated[int, meaning("Directors who resigned.", unit="directors")]
    LatestReturns: Annotated[dt.date | None, meaning("Date of the last confirmation statement.")] = None
    DirectorAvgAge: Annotated[
        int | None,
        meaning("Average age of the directors in office; absent unless all ages are known.", unit="whole years"),
    ] = None
    DirectorAvgLength: Annotated[
        int | None, meaning("Average time in office; absent unless all are known.", unit="whole years")
    ] = None
    NumAppointmentsLast12: Annotated[
        int | None, meaning("Directors appointed in the last 12 months.", unit="directors")
    ] = None
    NumResignationsLast12: Annotated[
        int | None, meaning("Directors who resigned in the last 12 months.", unit="directors")
    ] = None
    Directors: Annotated[DirectorList | None, meaning("The directors.")] = None
    Secretaries: Annotated[SecretaryList | None, meaning("The secretaries.")] = None
