"""The answers about directors (report schema, field tables, DirectorTargeterResponse and DirectorData).

Members for addresses, dates of birth and convictions are left out: they are never sent (credit §10).
"""

import datetime as dt
from typing import Annotated

import msgspec

from credence.meanings import YES_NO, meaning
from credence.report.schema.codes import CURRENT_PREVIOUS, EXACTNESS


class FullName(msgspec.Struct, frozen=True, omit_defaults=True):
    """`FullNameDetail` and OutputNameDetail; a company has its name as the surname in a search."""

    Surname: Annotated[str, meaning("Surname; in a search the name of a body.")]
    Forename: Annotated[str | None, meaning("First forename.")] = None
    MiddleNames: Annotated[str | None, meaning("Further forenames.")] = None
    Prefix: Annotated[str | None, meaning("Title, such as Mr or Dr.")] = None


class DirectorSelection(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirSelectDetail`."""

    Name: Annotated[FullName, meaning("Name of the person or body.")]


class DirectorFound(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirectrSelectionList`: one person or company; the flags (Y, N) mark directors and secretaries."""

    DirectorNumber: Annotated[str, meaning("Number of the director, with which the details are requested.")]
    DirectorFlag: Annotated[str, meaning("Whether a director.", values=YES_NO)]
    SecretaryFlag: Annotated[
        str, meaning("Whether a secretary. `N` also if the search did not include secretaries.", values=YES_NO)
    ]
    CurrPrevName: Annotated[str, meaning("Which name matched.", values=CURRENT_PREVIOUS)]
    DirectorDetails: Annotated[DirectorSelection, meaning("Who it is.")]


class DirectorSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirSearchSummary`: the search criteria, and the number of results."""

    NumberMatches: Annotated[int, meaning("Number of results, at most 50.", unit="results")]
    Forename: Annotated[str | None, meaning("The forename of the search.")] = None
    Surname: Annotated[str | None, meaning("The surname of the search.")] = None
    PostTown: Annotated[
        str | None, meaning("The town of the search, which does not restrict it.", example="NOWHERE")
    ] = None
    Postcode: Annotated[
        str | None, meaning("The postcode of the search, which does not restrict it.", example="ZZ99 9ZZ")
    ] = None


class DirectorTargeterResponse(msgspec.Struct, frozen=True, omit_defaults=True):
    """The results, best first; an empty list when nothing was found."""

    SearchSummary: Annotated[DirectorSummary, meaning("The search, and how many results it has.")]
    SearchResults: Annotated[
        tuple[DirectorFound, ...], meaning("The results, best first; empty when nothing was found.")
    ]


class CompanyNamed(msgspec.Struct, frozen=True, omit_defaults=True):
    """`CommDetailsRegNumber`."""

    RegNumber: Annotated[str, meaning("Company number.")]
    Name: Annotated[str | None, meaning("Name of the company.")] = None


class Post(msgspec.Struct, frozen=True, omit_defaults=True):
    """`IndvDirCurrDirectorship` and the three similar models: one directorship. The length is in whole years."""

    CommercialDetail: Annotated[CompanyNamed, meaning("The company.")]
    AppointmentDate: Annotated[dt.date | None, meaning("Day of the appointment.")] = None
    AppointmentIndicator: Annotated[str | None, meaning("How exact the day of appointment is.", values=EXACTNESS)] = (
        None
    )
    ResignationDate: Annotated[dt.date | None, meaning("Day of the resignation.")] = None
    ResignationIndicator: Annotated[str | None, meaning("How exact the day of resignation is.", values=EXACTNESS)] = (
        None
    )
    DissolutionDate: Annotated[dt.date | None, meaning("Day on which the company was dissolved.")] = None
    DirectorshipLength: Annotated[str | None, meaning("Time in office, as text.", unit="whole years")] = None
    LatestReturns: Annotated[dt.date | None, meaning("Date of the company's last confirmation statement.")] = None
    Occupation: Annotated[str | None, meaning("Occupation as stated to the register.")] = None
    Position: Annotated[str | None, meaning("Role in words.")] = None


class SecretaryPost(msgspec.Struct, frozen=True, omit_defaults=True):
    """`IndvSecCurrSecData` and the three similar models: one secretaryship."""

    CommercialDetail: Annotated[CompanyNamed, meaning("The company.")]
    AppointmentDate: Annotated[dt.date | None, meaning("Day of the appointment.")] = None
    AppointmentIndicator: Annotated[str | None, meaning("How exact the day of appointment is.", values=EXACTNESS)] = (
        None
    )
    ResignationDate: Annotated[dt.date | None, meaning("Day of the resignation.")] = None
    ResignationIndicator: Annotated[str | None, meaning("How exact the day of resignation is.", values=EXACTNESS)] = (
        None
    )
    DissolutionDate: Annotated[
        dt.date | None, meaning("Day on which the company was dissolved.", example=dt.date(2009, 2, 17))
    ] = None
    SecretaryshipLength: Annotated[str | None, meaning("Time in office, as text.", unit="whole years")] = None
    LatestReturns: Annotated[dt.date | None, meaning("Date of the company's last confirmation statement.")] = None


class Posts(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Directorships`; `Dissolved` refers to the company."""

    CurrentDirector: Annotated[tuple[Post, ...], meaning("In office, at existing companies.")] = ()
    PreviousDirector: Annotated[tuple[Post, ...], meaning("Resigned, at existing companies.")] = ()
    CurrentDissolvedDirector: Annotated[tuple[Post, ...], meaning("In office when the company was dissolved.")] = ()
    PreviousDissolvedDirector: Annotated[tuple[Post, ...], meaning("Resigned before the company was dissolved.")] = ()


class SecretaryPosts(msgspec.Struct, frozen=True, omit_defaults=True):
    """`Secretaryships`."""

    CurrentSecretary: Annotated[tuple[SecretaryPost, ...], meaning("In office, at existing companies.")] = ()
    PreviousSecretary: Annotated[tuple[SecretaryPost, ...], meaning("Resigned, at existing companies.")] = ()
    CurrentDissolvedSecretary: Annotated[
        tuple[SecretaryPost, ...], meaning("In office when the company was dissolved.")
    ] = ()
    PreviousDissolvedSecretary: Annotated[
        tuple[SecretaryPost, ...], meaning("Resigned before the company was dissolved.")
    ] = ()


class BodyNamed(msgspec.Struct, frozen=True):
    """`CommDetail`."""

    Name: Annotated[str, meaning("Name of the body.", example="INVENTED NOMINEES LIMITED")]


class WhoItIs(msgspec.Struct, frozen=True, omit_defaults=True):
    """`DirDetail`."""

    Name: Annotated[FullName | None, meaning("Name of a person.")] = None
    CommercialDetail: Annotated[BodyNamed | None, meaning("A body, instead of a name.")] = None
    Nationality: Annotated[str | None, meaning("Nationality as stated to the register.")] = None


class DirectorData(msgspec.Struct, frozen=True, omit_defaults=True):
    """One director and where they hold or held office."""

    DirectorNumber: Annotated[
        str, meaning("Number of the director: `D` and sixteen letters and digits, the same at every company.")
    ]
    DirectorCompanyFlag: Annotated[str, meaning("Whether the director is a body.", values=YES_NO)]
    DirectorDetails: Annotated[WhoItIs, meaning("Who it is.")]
    Directorships: Annotated[Posts, meaning("Offices as a director.")]
    Secretaryships: Annotated[SecretaryPosts, meaning("Offices as a secretary.")]
