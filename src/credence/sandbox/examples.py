"""The specimen as the examples of the API reference, the same in every environment (D24)."""

import msgspec

from credence.datasets.search.query import CompanyQuery
from credence.report.schema.directors import DirectorData
from credence.report.schema.report import LtdCompanyData
from credence.report.search.director_query import DirectorQuery
from credence.report.search.directors import search_directors
from credence.sandbox import specimen, specimen_director
from credence.sandbox.sandbox_data import InventedCompanies

COMPANY_NUMBER = specimen.NUMBER
COMPANY_NAME = specimen.SEARCH_NAME
REPORT = msgspec.to_builtins(msgspec.json.decode(specimen.report().body, type=LtdCompanyData))
REPORT_XML = specimen.report_xml().body[:1_000].decode() + "…"
COMPANY_SEARCH = msgspec.to_builtins(specimen.search(CompanyQuery(name=specimen.SEARCH_NAME)))

DIRECTOR_NUMBER = specimen_director.NUMBER
SURNAME, FORENAME, MIDDLE = specimen_director.SURNAME, specimen_director.FORENAME, specimen_director.MIDDLE
DIRECTOR = msgspec.to_builtins(msgspec.json.decode(specimen_director.details(), type=DirectorData))
DIRECTOR_SEARCH = msgspec.to_builtins(search_directors(InventedCompanies(), DirectorQuery(SURNAME, FORENAME, MIDDLE)))
