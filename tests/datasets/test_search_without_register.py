"""Companies that the register does not have are found by what their accounts say, in every environment (D23)."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from credence.datasets.credit_data import CreditData
from credence.datasets.loading.load import load, load_register
from credence.datasets.register import CurrentRegister
from credence.datasets.search.query import company_query
from credence.datasets.sources import accounts
from credence.report.search.threads import Searches
from credence.sandbox.provision import REGISTER_SAMPLE
from tests.datasets.accounts.filings import amount, context, filing
from tests.datasets.snapshots import NOW

IN_REGISTER = "SC109881"
OFFICE = (("EntityContactTypeDimension", "RegisteredOffice"),)
AGENT = (("EntityContactTypeDimension", "EntityAccountantsOrAuditors"),)


def document(folder: Path, number: str, name: str, postcode: str = "", agents: str = "") -> Path:
    def text(tag: str, value: str, where: str = "now") -> str:
        return f'<ix:nonNumeric name="bus:{tag}" contextRef="{where}">{value}</ix:nonNumeric>' if value else ""

    body = (
        text("EntityCurrentLegalOrRegisteredName", name),
        text("PostalCodeZip", agents, "agent"),
        text("PostalCodeZip", postcode, "office"),
        amount("CurrentAssets", 5),
    )
    file = folder / f"{number}.html"
    file.write_bytes(filing(*body, contexts=context("office", OFFICE) + context("agent", AGENT), number=number))
    return file


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample of the register, and accounts of companies that it does not have, and of one that it has."""
    made = tmp_path_factory.mktemp("credit")
    files = [
        document(made, "01000001", "MADE UP PUMPS LIMITED", "ZZ99 9ZZ", agents="ZY1 1YZ"),
        document(made, "01000002", "MADE UP PUMPS (NORTH) LTD", "ZZ98 8ZZ"),
        document(made, "01000003", "ENTIRELY INVENTED PLC"),
        document(made, IN_REGISTER, "MADE UP PUMPS IN THE REGISTER LTD", "ZZ99 9ZZ"),
    ]
    load_register([REGISTER_SAMPLE], made, now=NOW)
    load(accounts.SOURCE, files, made, NOW)
    return made


@pytest.fixture
def searches(folder: Path) -> Iterator[Searches]:
    opened = Searches(lambda: CurrentRegister(folder), lambda: CreditData(folder))
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"businessref": "1000001"}, ["01000001"]),
        ({"name": "made up pumps"}, ["01000001", "01000002"]),
        ({"name": "pump"}, ["01000001", "01000002"]),
        ({"name": "north made up pumps"}, ["01000002"]),
        ({"name": "invented entirely plc"}, ["01000003"]),
        ({"postcode": "zz99 9zz"}, ["01000001"]),
        ({"postcode": "ZZ98"}, ["01000002"]),
        ({"name": "made", "postcode": "ZZ98"}, ["01000002"]),
        ({"postcode": "ZY1 1YZ"}, []),
        ({"name": "made up pumps", "town": "Nowhere"}, []),
        ({"name": "made up pumps", "searchcorporates": "false"}, []),
        ({"name": "pumps in the register"}, []),
    ],
)
async def test_a_company_known_by_its_accounts_alone_is_found_by_number_name_and_postcode(
    searches: Searches, parameters: dict[str, str], expected: list[str]
) -> None:
    """The register's own name counts for a company that it has, and an agent's postcode is not the company's."""
    answer = msgspec.json.decode(await searches.find(company_query(parameters)))
    assert [each["BusinessRef"] for each in answer["SearchResults"] if each["BusinessRef"] < "02"] == expected
    assert IN_REGISTER not in [each["BusinessRef"] for each in answer["SearchResults"]]
    assert answer["SearchSummary"]["NumberMatches"] == len(answer["SearchResults"])
