"""The credit-risk API behind its bearer token (spec §1.1, §1.5, §4.5, §9.1, D19, D20, D21, D23)."""

from xml.etree import ElementTree as ET

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
        f"{REPORT_PATH}/{REAL}?RegNumber={REAL}",
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
    assert reply.json["Error"]["Code"] == 404
    assert reply.json["Error"]["Message"].startswith("No company with this number is on record. This sandbox has ")


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


async def test_a_search_says_what_the_report_says_about_risk_if_it_is_asked_to(deployment: Deployment) -> None:
    """An addition, so only on request; 99999907 is invented and insolvent."""
    insolvent = f"{SEARCH}?businessref=99999907"
    (plain,) = (await get(deployment, insolvent)).json["SearchResults"]
    (found,) = (await get(deployment, f"{insolvent}&assessment=true")).json["SearchResults"]
    assert plain.items() <= found.items()
    said = (await get(deployment, f"{REPORT_PATH}/99999907")).json["Assessment"]
    assert found["Assessment"]["Insolvency"] == said["Insolvency"]["State"] == "failed"
    assert found["Assessment"]["Band"] == said["Score"]["Band"]
    assert (await get(deployment, f"{insolvent}&assessment=perhaps")).status == 422


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


@pytest.mark.parametrize(
    ("target", "names"),
    [
        (f"{REPORT_PATH}/abc", "a prefix of the register before digits"),
        (f"{REPORT_PATH}/123456789", "at most 8 characters"),
        (f"{REPORT_PATH}/12-34", "letters and digits only"),
        (f"{REPORT_PATH}/{REAL}?sections=Assessment,Score", "'sections' is a list of members"),
        (f"{REPORT_PATH}/{REAL}?fields=Assessment", "'RegNumber' and 'sections'"),
        (f"{REPORT_PATH}/{REAL}?section=Assessment", "'RegNumber' and 'sections'"),
        (f"{REPORT_PATH}?regNumber={REAL}&RegNumber={REAL}", "'RegNumber' and 'sections'"),
        (f"{REPORT_PATH}?regnumber={REAL}", "'RegNumber' and 'sections'"),
        (f"{REPORT_PATH}/{REAL}?RegNumber=99999901", "name different companies"),
        (SEARCH, "'name', 'postcode', 'town', 'phonenumber', 'businessref' is required"),
        (f"{SEARCH}?postcode=ZZ99-9ZZ", "'postcode' must be up to 8 letters, digits and spaces"),
        (f"{SEARCH}?name=-", "'name' must be up to 160 characters, with a letter or digit"),
        (f"{SEARCH}?name=acorn&excludedissolved=perhaps", "'excludedissolved' must be true or false"),
        (f"{SEARCH}?businessref=XX12", "'businessref' must be a company number"),
        ("/risk/business/v2/directortargeter?forename=Ada", "'surname' is required"),
        ("/risk/business/v2/directortargeter?surname=%25", "'surname' is required, with a letter or digit"),
        ("/risk/business/v2/directortargeter?surname=Byron&dateofbirth=1815", "'dateofbirth' must be a month or a day"),
    ],
)
async def test_a_422_names_the_parameter_and_its_form(deployment: Deployment, target: str, names: str) -> None:
    """D21: the message never repeats what was sent."""
    reply = await get(deployment, target)
    assert (reply.status, reply.json["Error"]["Code"]) == (422, 422)
    assert names in reply.json["Error"]["Message"]


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize("foreign", ["_=1700000000000", "trace=on&utm_source=crm"])
async def test_a_foreign_parameter_is_ignored_and_counted_in_the_sandbox(deployment: Deployment, foreign: str) -> None:
    """D21, threats P6: the header counts what was sent and does not repeat it."""
    whole = await get(deployment, f"{REPORT_PATH}/{REAL}")
    reply = await get(deployment, f"{REPORT_PATH}/{REAL}?{foreign}")
    assert (reply.status, reply.json) == (200, whole.json)
    assert reply.headers["x-ignored-parameters"] == str(foreign.count("="))
    assert "x-ignored-parameters" not in whole.headers


@pytest.mark.parametrize(
    "search",
    [f"{SEARCH}?name=acorn&poscode=SW1&nmae=x", "/risk/business/v2/directortargeter?surname=Byron&Town=x&dob=1815"],
)
async def test_a_misspelt_filter_of_a_search_is_counted_in_the_sandbox(deployment: Deployment, search: str) -> None:
    """D21: it would silently find more than was meant."""
    reply = await get(deployment, search)
    assert (reply.status, reply.headers["x-ignored-parameters"]) == (200, "2")


@pytest.mark.usefixtures("register")
@pytest.mark.settings(environment="production", base_url="https://api.example.com")
async def test_a_foreign_parameter_is_ignored_in_production_without_a_word(deployment: Deployment) -> None:
    reply = await get(deployment, f"{REPORT_PATH}/{REAL}?utm_source=crm")
    assert reply.status == 200
    assert "x-ignored-parameters" not in reply.headers


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize("number", [REAL, "99999901", "99999999"])
async def test_a_part_of_a_report_has_the_members_of_the_whole_one(deployment: Deployment, number: str) -> None:
    """D21, report schema §8: a member without a source, such as CCJs of a real company, is a section and absent."""
    whole = (await get(deployment, f"{REPORT_PATH}/{number}")).json
    part = await get(deployment, f"{REPORT_PATH}/{number}?sections=CommercialDelphi,%20CCJs,Mortgages")
    sections = ("RegNumber", "CommercialDelphi", "CCJs", "Mortgages")
    assert part.json == {name: value for name, value in whole.items() if name in sections}
    assert len(part.json) >= 3
    again = await get(deployment, f"{REPORT_PATH}/{number}?sections=Mortgages,CCJs,CommercialDelphi")
    assert again.headers["etag"] == part.headers["etag"]
    assert (await get(deployment, f"{REPORT_PATH}/{number}?sections=")).json == whole


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize("number", [REAL, "99999999"])
async def test_a_part_of_a_report_is_xml_on_request_and_never_a_page(deployment: Deployment, number: str) -> None:
    token = (await deployment.tokens())["access_token"]
    replies = [
        await deployment.send("GET", target, [("Authorization", f"Bearer {token}"), ("Accept", accept)])
        for target, accept in (
            (f"{REPORT_PATH}/{number}", "application/xml"),
            (f"{REPORT_PATH}/{number}?sections=Mortgages", "application/xml"),
            (f"{REPORT_PATH}/{number}?sections=Mortgages", "text/html"),
        )
    ]
    whole, part = (ET.fromstring(reply.body) for reply in replies[:2])
    assert part.attrib == whole.attrib
    assert [ET.tostring(each) for each in part] == [
        ET.tostring(each) for each in whole if each.tag in {"RegNumber", "Mortgages"}
    ]
    assert replies[2].headers["content-type"] == "application/json"
