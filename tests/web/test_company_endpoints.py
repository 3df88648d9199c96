"""The credit-risk API behind its bearer token (spec §1.1, §1.5, §4.5, §9.1, D19, D20, D21, D23)."""

import pytest

from tests.deployment import REPORT_PATH, Deployment, Reply

REAL = "SC109881"
SEARCH = "/risk/business/v2/businesstargeter"


async def get(deployment: Deployment, target: str) -> Reply:
    token = (await deployment.tokens())["access_token"]
    headers = [
        ("Authorization", f"Bearer {token}"),
        ("Accept", "application/json"),
        ("Content-Type", "application/json"),
    ]
    return await deployment.send("GET", target, headers)


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize(
    "target",
    [
        f"{REPORT_PATH}/{REAL}",
        f"{REPORT_PATH}/sc109881",
        f"{REPORT_PATH}/%53C109881",
        f"{REPORT_PATH.replace('/v1/', '/v2/')}/{REAL}",
        f"{REPORT_PATH}?RegNumber={REAL}",
        f"{REPORT_PATH}/?RegNumber={REAL}",
        f"{REPORT_PATH.replace('/v1/', '/v2/')}?RegNumber=SC%20109881",
    ],
)
async def test_a_report_is_found_in_every_form_of_its_number(deployment: Deployment, target: str) -> None:
    """D19, spec §4.5: exactly application/json, as the official client checks."""
    reply = await get(deployment, target)
    assert reply.status == 200, reply
    assert reply.headers["content-type"] == "application/json"
    assert reply.json["RegNumber"] == REAL


@pytest.mark.parametrize("target", [REPORT_PATH, f"{REPORT_PATH}/", f"{REPORT_PATH}?RegNumber=", f"{REPORT_PATH}/%20"])
async def test_without_a_number_the_answer_says_that_it_is_required(deployment: Deployment, target: str) -> None:
    """D19."""
    assert (await get(deployment, target)).said == (400, "Bad Request", "The company number is required.")


async def test_an_unknown_company_is_404_in_the_form_of_the_credit_api(deployment: Deployment) -> None:
    """D21."""
    reply = await get(deployment, f"{REPORT_PATH}/00000001")
    assert reply.status == 404
    assert reply.json == {"Error": {"Code": 404, "Message": "No company with this number is held."}}


@pytest.mark.parametrize("number", ["123456789", "ABCDEFGH", "12-34", "SC", "%C3%A9"])
async def test_a_number_of_the_wrong_form_is_422_in_the_form_of_the_credit_api(
    deployment: Deployment, number: str
) -> None:
    """D21."""
    reply = await get(deployment, f"{REPORT_PATH}/{number}")
    assert reply.status == 422
    assert reply.json["Error"]["Code"] == 422
    assert "error" not in reply.json


@pytest.mark.usefixtures("register")
async def test_a_search_finds_the_number_by_name(deployment: Deployment) -> None:
    """D23."""
    name = (await get(deployment, f"{REPORT_PATH}/{REAL}")).json["CommercialName"]
    reply = await get(deployment, f"{SEARCH}?name={name.replace(' ', '+').replace('&', '%26')}")
    assert reply.status == 200
    assert REAL in [found["BusinessRef"] for found in reply.json["SearchResults"]]


async def test_a_search_for_nothing_is_422(deployment: Deployment) -> None:
    assert (await get(deployment, SEARCH)).status == 422


async def test_specimen_and_invented_companies_answer_in_the_sandbox(deployment: Deployment) -> None:
    """D24."""
    assert (await get(deployment, f"{REPORT_PATH}/99999999")).json["RegNumber"] == "99999999"
    assert (await get(deployment, f"{REPORT_PATH}/99999901")).json["RegNumber"] == "99999901"
    assert (await get(deployment, f"{SEARCH}?name=TEST")).json["SearchSummary"]["NumberMatches"] == 1


@pytest.mark.settings(environment="production", base_url="https://api.example.com")
async def test_specimen_and_invented_companies_are_unknown_in_production(deployment: Deployment) -> None:
    """D24."""
    for number in ("99999999", "99999500", "99999901"):
        assert (await get(deployment, f"{REPORT_PATH}/{number}")).status == 404
    assert (await get(deployment, f"{SEARCH}?name=TEST")).json["SearchResults"] == []


async def test_a_token_in_the_query_is_not_a_token(deployment: Deployment) -> None:
    """spec §5.3: the header is used so that the token is not stored in logs."""
    token = (await deployment.tokens())["access_token"]
    reply = await deployment.send("GET", f"{REPORT_PATH}/{REAL}?access_token={token}")
    assert reply.said == (401, "Unauthorized", "Access to the requested resource is not allowed.")
