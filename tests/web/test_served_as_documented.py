"""A real server against its own OpenAPI document: made-up requests get documented answers and never a 5xx."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from credence.api.reference.openapi import document
from credence.settings import Settings
from credence.web.routes import mounted
from credence.web.routing.route import Protection
from tests.running import RunningServer
from tests.sweeps import LONG, sweep

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
MOUNTED = mounted(Settings(registration=True))
"""As the sandbox of the tests has it."""
PROTECTION = {route.path: route.protection for route in MOUNTED}

OPERATIONS = schemathesis.pytest.from_fixture("schema")
"""Reads the document when a test needs it: each process that runs tests imports this file, but one runs its tests."""


@pytest.fixture(autouse=True)
def node_id(request: pytest.FixtureRequest) -> None:
    """Give the test the attribute that pytest 9.2 has no more and Schemathesis 4.32 reads."""
    request.node._nodeid = request.node.nodeid


@pytest.fixture(scope="module")
def schema() -> BaseSchema:
    return schema_of(document(MOUNTED, Settings(registration=True)))


def schema_of(described: dict[str, Any]) -> BaseSchema:
    """Return a document as Schemathesis reads it."""
    read: BaseSchema = schemathesis.openapi.from_dict(described)
    read.config.phases.coverage.enabled = (
        LONG  # two thousand cases at the edges of every schema, made before the first test
    )
    return read


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as opened:
        opened.trust_env = False
        yield opened


@pytest.fixture(scope="module")
def bearer(sandbox: RunningServer) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.tokens()['access_token']}"}


@pytest.fixture(scope="module")
def invitation(sandbox: RunningServer) -> dict[str, str]:
    return invited(sandbox, uses=20)


def invited(sandbox: RunningServer, uses: int = 1) -> dict[str, str]:
    made = sandbox.command("app", "invite", "--uses", str(uses), "--json")
    return {"Authorization": f"Bearer {json.loads(made.stdout)['initial_access_token']}"}


@OPERATIONS.parametrize()
@sweep(4, long=375)
def test_every_answer_is_documented(
    case: Case[Any],
    sandbox: RunningServer,
    session: requests.Session,
    bearer: dict[str, str],
    invitation: dict[str, str],
) -> None:
    """With good credentials, so that requests come as far as they can."""
    headers = {
        Protection.PUBLIC: {},
        Protection.BROWSER: {},
        Protection.PERSON: {},
        Protection.BEARER: bearer,
        Protection.CLIENT: sandbox.client_headers,
        Protection.REGISTRATION: invitation,
    }
    ask(case, sandbox, session, headers[PROTECTION[case.path]])


@OPERATIONS.include(path_regex="^/(oauth2|risk)").parametrize()
@sweep(2, long=125)
def test_so_is_every_answer_to_a_stranger(case: Case[Any], sandbox: RunningServer, session: requests.Session) -> None:
    ask(case, sandbox, session, {})


@pytest.mark.long
@OPERATIONS.include(path_regex="^/risk/business/v2/(decisions|disputes|directordetails|registered)").parametrize()
@sweep(10, long=40)
def test_what_the_document_excludes_is_refused(
    case: Case[Any], sandbox: RunningServer, session: requests.Session, bearer: dict[str, str]
) -> None:
    ask(case, sandbox, session, bearer, [negative_data_rejection])


@pytest.mark.parametrize("form", [False, True], ids=["house", "standard"])
def test_tokens_are_answered_as_documented(
    sandbox: RunningServer, session: requests.Session, schema: BaseSchema, form: bool
) -> None:
    login = {"username": sandbox.username, "password": sandbox.password}
    url, trusted = f"{sandbox.base_url}/oauth2/v1/token", str(sandbox.ca_file)
    if form:
        basic = (sandbox.client_id, sandbox.client_secret)
        response = session.post(url, auth=basic, data={"grant_type": "password", **login}, verify=trusted)
    else:
        response = session.post(url, headers=sandbox.client_headers, json=login, verify=trusted)
    assert response.status_code == 200
    schema["/oauth2/v1/token"]["POST"].validate_response(response)


def test_a_registration_is_answered_as_documented_from_its_beginning_to_its_end(
    sandbox: RunningServer, session: requests.Session, schema: BaseSchema
) -> None:
    def answered(method: str, path: str, headers: dict[str, str], body: dict[str, str] | None) -> requests.Response:
        url, trusted = f"{sandbox.base_url}{path}", str(sandbox.ca_file)
        response = session.request(method, url, headers=headers, json=body, verify=trusted)
        place = "/oauth2/v1/register" + ("" if method == "POST" else "/{client_id}")
        schema[place][method].validate_response(response)
        return response

    made = answered("POST", "/oauth2/v1/register", invited(sandbox), {"client_name": "Ledger"}).json()
    path = f"/oauth2/v1/register/{made['client_id']}"
    own = {"Authorization": f"Bearer {made['registration_access_token']}"}
    assert answered("GET", path, own, None).json()["client_name"] == "Ledger"
    changed = answered("PUT", path, own, {"client_id": made["client_id"]}).json()
    own = {"Authorization": f"Bearer {changed['registration_access_token']}"}
    assert answered("DELETE", path, own, None).status_code == 204


def test_a_report_is_answered_as_documented(
    sandbox: RunningServer, session: requests.Session, schema: BaseSchema, bearer: dict[str, str]
) -> None:
    path = "/risk/business/v1/registeredcompanycredit"
    for number in (sandbox.company_number, "99999999"):
        url = f"{sandbox.base_url}{path}/{number}"
        response = session.get(url, headers=bearer, verify=str(sandbox.ca_file))
        assert response.status_code == 200
        schema[f"{path}/{{company_number}}"]["GET"].validate_response(response)


def ask(
    case: Case[Any], sandbox: RunningServer, session: requests.Session, headers: dict[str, str], checks: Any = CHECKS
) -> None:
    response = case.call(base_url=sandbox.base_url, session=session, headers=headers, verify=str(sandbox.ca_file))
    case.validate_response(response, checks=checks)
