"""Every member of every answer has a meaning and an example, in OpenAPI, in the JSON Schemas and on the page."""

import html
import json
from typing import Any

from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

from credence import paths
from credence.api.reference.openapi import document
from credence.sandbox import specimen
from credence.settings import Settings
from credence.web.routes import ROUTES
from tests.deployment import Deployment

DOCUMENT = json.loads(json.dumps(document(ROUTES, Settings())))
MODELS: dict[str, Any] = DOCUMENT["components"]["schemas"]
MEMBERS = {
    f"{model}.{name}": member
    for model, schema in MODELS.items()
    for name, member in schema.get("properties", {}).items()
}


def test_every_member_has_a_meaning() -> None:
    assert [name for name, member in MEMBERS.items() if not member.get("description")] == []


def test_every_member_has_a_type() -> None:
    known = {"type", "$ref", "enum", "const"}
    assert [name for name, member in MEMBERS.items() if not known & member.keys()] == []


def test_every_value_has_an_example_unless_its_values_are_listed() -> None:
    """A member that is a model, or a list of one, has the examples of its own members."""
    without = [
        name
        for name, member in MEMBERS.items()
        if not {"examples", "enum", "const", "$ref"} & member.keys()
        and "$ref" not in member.get("items", {})
        and member.get("type") != "boolean"
    ]
    assert without == []


def test_an_example_is_a_value_that_the_member_may_have() -> None:
    wrong = [
        name
        for name, member in MEMBERS.items()
        for example in member.get("examples", ())
        if not Draft202012Validator(member).is_valid(example)
    ]
    assert wrong == []


def test_amounts_and_shares_have_a_unit() -> None:
    assert MEMBERS["Sheet.NetAssets"]["x-unit"] == "units of the currency"
    assert MEMBERS["Ratios.EquityGearing"]["x-unit"] == "per cent"
    assert MEMBERS["ScoringData.TimeSinceLastWindUpOrder"]["x-unit"] == "whole months"


def test_codes_are_listed_with_their_words() -> None:
    """Report schema §4."""
    assert MEMBERS["SearchResult.BusinessStatus"]["enum"] == ["A", "D", " "]
    assert "`E` winding-up petition" in MEMBERS["EventLine.EventType"]["description"]
    assert "PROCEEDINGS" in MEMBERS["SearchAssessment.Reservations"]["items"]["enum"]  # of a list, those of an element
    assert "`2` private limited by shares" in MEMBERS["LtdIdentification.LegalStatus"]["description"]


async def test_the_page_shows_meaning_and_example_of_each_member(deployment: Deployment) -> None:
    texts = {"Sheet": "Equity less intangible assets", "LtdCommercialDelphi": "Odds against a failure within one year"}
    for model, text in texts.items():
        page = await deployment.send("GET", f"{paths.REFERENCE}/models/{model}")
        assert text in html.unescape(page.body.decode())
    assert "<code>5355:1</code>" in page.body.decode()


async def test_the_report_is_published_as_a_json_schema_that_accepts_the_specimen(deployment: Deployment) -> None:
    reply = await deployment.send("GET", f"{paths.SCHEMAS}/LtdCompanyData")
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/schema+json"
    schema = reply.json
    assert schema["$id"] == "https://localhost:8443/schemas/LtdCompanyData"
    Draft202012Validator.check_schema(schema)
    Draft202012Validator(schema).validate(json.loads(specimen.report().body))
    assert not Draft202012Validator(schema).is_valid({"RegNumber": 99999999})


async def test_an_unknown_model_is_404(deployment: Deployment) -> None:
    assert (await deployment.send("GET", f"{paths.SCHEMAS}/Nobody")).status == 404
