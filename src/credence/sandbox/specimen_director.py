"""The specimen's director, John William Smith with the number D99999999 (D24, report schema §1): fixed and fictitious."""

import datetime as dt

from credence.companies.words import words
from credence.report.schema import directors as wire
from credence.report.search.director_query import DirectorQuery
from credence.report.search.directors import answer
from credence.sandbox import specimen

NUMBER = "D99999999"
SURNAME, FORENAME, MIDDLE = "Smith", "John", "William"

_NAME = wire.FullName(SURNAME, FORENAME, MIDDLE, "Mr")

DATA = wire.DirectorData(
    DirectorNumber=NUMBER,
    DirectorCompanyFlag="N",
    DirectorDetails=wire.WhoItIs(Name=_NAME, Nationality="British"),
    Directorships=wire.Posts(
        CurrentDirector=(
            wire.Post(
                wire.CompanyNamed(specimen.NUMBER, "TEST SPECIMEN TRADING LIMITED"),
                AppointmentDate=dt.date(2010, 3, 1),
                AppointmentIndicator="E",
                DirectorshipLength="16",
                LatestReturns=dt.date(2026, 3, 1),
                Occupation="Director",
                Position="Director",
            ),
        ),
        PreviousDissolvedDirector=(
            wire.Post(
                wire.CompanyNamed("99999997", "PLACEHOLDER VENTURES LIMITED"),
                AppointmentDate=dt.date(2004, 5, 10),
                AppointmentIndicator="E",
                ResignationDate=dt.date(2008, 8, 31),
                ResignationIndicator="E",
                DissolutionDate=dt.date(2009, 2, 17),
                DirectorshipLength="4",
                Occupation="Director",
                Position="Director",
            ),
        ),
    ),
    Secretaryships=wire.SecretaryPosts(
        PreviousSecretary=(
            wire.SecretaryPost(
                wire.CompanyNamed(specimen.NUMBER, "TEST SPECIMEN TRADING LIMITED"),
                AppointmentDate=dt.date(2010, 3, 1),
                AppointmentIndicator="E",
                ResignationDate=dt.date(2012, 4, 30),
                ResignationIndicator="E",
                SecretaryshipLength="2",
            ),
        ),
    ),
)


def search(query: DirectorQuery) -> wire.DirectorTargeterResponse | None:
    """Return the specimen's search answer; None for a query without the whole name."""
    names = [*words(query.forename), *words(query.middle_names), *words(query.surname)]
    if names != words(f"{FORENAME} {MIDDLE} {SURNAME}"):
        return None
    found = wire.DirectorFound(NUMBER, "Y", "Y", "C", wire.DirectorSelection(_NAME))
    return answer(query, (found,))
