"""The published document says what is mounted, all of it and nothing else."""

import gzip
import json
from typing import Any

import pytest
from schemathesis.specs.openapi.definitions import OPENAPI_31_VALIDATOR

from credence import paths
from credence.api.reference.openapi import document
from credence.refusals.refusal import SUPPORT_EMAIL, Refusal
from credence.refusals.table import EVERY_REFUSAL
from credence.settings import Settings
from credence.web.routes import ROUTES
from credence.web.routing.route import Protection
from tests.deployment import Deployment

SETTINGS = Settings(base_url="https://api.example.com/", support_email="help@example.com")
DOCUMENT = json.loads(json.dumps(document(ROUTES, SETTINGS)))
METHODS = {"get", "head", "post", "put", "delete", "options", "patch", "trace"}


def test_it_is_valid_openapi_3_1() -> None:
    assert [error.message for error in OPENAPI_31_VALIDATOR.iter_errors(DOCUMENT)] == []


def test_every_reference_leads_somewhere() -> None:
    for reference in references(DOCUMENT):
        found: Any = DOCUMENT
        for step in reference.removeprefix("#/").split("/"):
            found = found[step]


def test_every_route_is_in_it_and_nothing_else() -> None:
    described = {(path, method) for path, item in DOCUMENT["paths"].items() for method in item if method in METHODS}
    expected = {(route.path, method.lower()) for route in ROUTES for method in route.methods if method != "HEAD"}
    assert described == expected  # HEAD is GET without the body (RFC 9110 §9.3.2), and would double generated clients


def test_operations_have_names_of_their_own() -> None:
    names = [operation["operationId"] for item in DOCUMENT["paths"].values() for operation in item.values()]
    assert len(names) == len(set(names))


def test_operations_say_to_callers_what_they_do() -> None:
    """The docstring of the endpoint without what it raises, which the responses say."""
    operations = [operation for item in DOCUMENT["paths"].values() for operation in item.values()]
    silent = [each["operationId"] for each in operations if not (each["summary"] and each["description"])]
    assert silent == []
    assert [each["operationId"] for each in operations if "Raises" in each["description"]] == []


@pytest.mark.parametrize("route", ROUTES, ids=lambda route: route.path)
def test_it_says_who_may_call(route: Any) -> None:
    security = DOCUMENT["paths"][route.path][route.methods[0].lower()]["security"]
    match route.protection:
        case Protection.PUBLIC | Protection.BROWSER | Protection.PERSON:
            assert security == []
        case Protection.BEARER:
            assert security == [{"accessToken": []}, {"boundToken": []}]
        case Protection.REGISTRATION:
            assert security == [{"registrationToken": []}]
        case Protection.CLIENT:
            assert {"clientId": [], "clientSecret": []} in security
            assert {"clientBasic": []} in security


@pytest.mark.parametrize("refusal", EVERY_REFUSAL)
def test_every_refusal_is_an_example_with_its_exact_message(refusal: Refusal) -> None:
    examples = DOCUMENT["x-refusals"]
    named = (f"{refusal.name}{suffix}" for suffix in ("", "_oauth", "_problem"))
    example = next(examples[name] for name in named if name in examples)
    assert example["x-status"] == refusal.status
    assert refusal.message.replace(SUPPORT_EMAIL, "help@example.com") in json.dumps(example["value"])


def test_path_parameters_are_those_of_the_path() -> None:
    for path, item in DOCUMENT["paths"].items():
        for operation in item.values():
            named = {each["name"] for each in operation.get("parameters", ()) if each["in"] == "path"}
            assert named == {part[1:-1] for part in path.split("/") if part.startswith("{")}


def test_it_moves_with_the_settings_of_the_deployment() -> None:
    assert DOCUMENT["servers"][0]["url"] == "https://api.example.com"
    smoothed = document(ROUTES, Settings(spike_status=429))
    assert "429" in smoothed["paths"]["/oauth2/v1/token"]["post"]["responses"]


@pytest.mark.parametrize("path", ["/openapi.json", "/docs"])
async def test_both_documents_are_cacheable(deployment: Deployment, path: str) -> None:
    first = await deployment.send("GET", path)
    assert first.status == 200
    assert "max-age" in first.headers["cache-control"]
    again = await deployment.send("GET", path, [("If-None-Match", first.headers["etag"])])
    assert (again.status, again.body) == (304, b"")


@pytest.mark.parametrize(
    ("path", "varies"),
    [
        (paths.OPENAPI, "accept-encoding"),
        (paths.DOCS, "accept-encoding"),
        (f"{paths.REFERENCE}/tokens", "accept-encoding, cookie"),  # developers who are signed in get forms
        (paths.MODEL_CARD, "accept-encoding"),
    ],
)
async def test_a_long_public_document_is_compressed_for_whoever_accepts_it(
    deployment: Deployment, path: str, varies: str
) -> None:
    """RFC 9110 §12.5.3, §12.5.5, §8.8.3.3: the two forms have different entity tags."""
    plain = await deployment.send("GET", path)
    coded = await deployment.send("GET", path, [("Accept-Encoding", "br, gzip")])
    assert (coded.headers["content-encoding"], coded.headers["vary"]) == ("gzip", varies)
    assert gzip.decompress(coded.body) == plain.body
    assert "content-encoding" not in plain.headers
    assert plain.headers["etag"] != coded.headers["etag"]


def references(value: object) -> list[str]:
    if isinstance(value, dict):
        own = [value["$ref"]] if isinstance(value.get("$ref"), str) else []
        return own + [each for member in value.values() for each in references(member)]
    if isinstance(value, list):
        return [each for element in value for each in references(element)]
    return []
