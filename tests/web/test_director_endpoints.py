"""The director search and one director behind the bearer token (report schema §1 and §6, credit §10)."""

from typing import NoReturn

import pytest
import structlog

from credence.datasets.credit_data import CreditData
from credence.telemetry import log
from tests.deployment import Deployment, Reply

SEARCH = "/risk/business/v2/directortargeter"
DETAILS = "/risk/business/v2/directordetails"


async def get(deployment: Deployment, target: str) -> Reply:
    """Ask with a good token."""
    token = (await deployment.tokens())["access_token"]
    return await deployment.send("GET", target, [("Authorization", f"Bearer {token}")])


SPECIMEN = f"{SEARCH}?forename=John&middlenames=William&surname=Smith"


async def test_the_specimen_answers_in_the_sandbox(deployment: Deployment) -> None:
    """D24."""
    (found,) = (await get(deployment, SPECIMEN)).json["SearchResults"]
    assert found["DirectorNumber"] == "D99999999"
    details = await get(deployment, f"{DETAILS}/D99999999")
    assert details.status == 200
    assert details.headers["content-type"] == "application/json"
    assert details.headers["cache-control"].startswith("private")
    assert details.json["Directorships"]["CurrentDirector"][0]["CommercialDetail"]["RegNumber"] == "99999999"


@pytest.mark.settings(environment="production", base_url="https://api.example.com")
async def test_the_specimen_is_unknown_in_production(deployment: Deployment) -> None:
    """D24."""
    assert (await get(deployment, SPECIMEN)).json["SearchResults"] == []
    assert (await get(deployment, f"{DETAILS}/D99999999")).status == 404


@pytest.mark.parametrize("number", ["DAAAAAAAAAAAAAAAA", "D1", "", "%20", "D" * 17])
async def test_an_unknown_director_is_404_in_the_form_of_the_credit_api(deployment: Deployment, number: str) -> None:
    reply = await get(deployment, f"{DETAILS}/{number}")
    assert reply.status == 404
    assert reply.json["Error"]["Code"] == 404
    assert reply.json["Error"]["Message"].startswith("No director with this number is on record. This sandbox has ")


async def test_a_search_without_a_surname_is_422(deployment: Deployment) -> None:
    assert (await get(deployment, f"{SEARCH}?forename=Ada")).status == 422


async def test_the_search_is_for_those_with_a_token(deployment: Deployment) -> None:
    assert (await deployment.send("GET", f"{SEARCH}?surname=Specimen")).status == 401
    assert (await deployment.send("GET", f"{DETAILS}/D99999999")).status == 401


async def test_a_name_that_is_searched_for_reaches_no_log(
    deployment: Deployment, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Credit §10: answered, refused or gone wrong."""

    def fail(_credit_data: CreditData, _key: str) -> NoReturn:
        raise OSError("a disk")

    try:
        log.configure(readable=False)
        await get(deployment, f"{SEARCH}?surname=Unmistakable")
        await get(deployment, f"{SEARCH}?surname=Unmistakable&dateofbirth=never")
        await get(deployment, f"{SEARCH}?surname=Unmistakable%3Cscript%3E")
        await deployment.send("GET", f"{SEARCH}?surname=Unmistakable")
        monkeypatch.setattr(CreditData, "appointments", fail)
        assert (await get(deployment, f"{SEARCH}?surname=Unmistakable")).status == 500
    finally:
        log.flush()
        structlog.reset_defaults()
    written = capfd.readouterr().err
    for expected in ("director_search.dateofbirth", "internal_error", "a disk"):
        assert expected in written
    assert "Unmistakable" not in written
