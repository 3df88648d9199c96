"""A real server against its own OpenAPI document: made-up requests get documented answers and never a 5xx."""

from collections.abc import Iterator
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from credence.http.reference.openapi import document
from credence.http.route import Protection
from credence.http.routes import ROUTES, mounted
from credence.settings import Settings
from tests.running import RunningServer

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
PROTECTION = {route.path: route.protection for route in ROUTES}
SCHEMA = schemathesis.openapi.from_dict(document(mounted(Settings()), Settings()))


@pytest.fixture(scope="module")
def session() -> Iterator[requests.Session]:
    with requests.Session() as opened:
        opened.trust_env = False
        yield opened


@pytest.fixture(scope="module")
def bearer(sandbox: RunningServer) -> dict[str, str]:
    return {"Authorization": f"Bearer {sandbox.tokens()['access_token']}"}


@SCHEMA.parametrize()
@settings(max_examples=40, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_answer_is_documented(
    case: Case[Any], sandbox: RunningServer, session: requests.Session, bearer: dict[str, str]
) -> None:
    """With good credentials, so that requests come as far as they can."""
    headers = {Protection.PUBLIC: {}, Protection.BEARER: bearer, Protection.CLIENT: sandbox.client_headers}
    ask(case, sandbox, session, headers[PROTECTION[case.path]])


@SCHEMA.include(path_regex="^/(oauth2|risk)").parametrize()
@settings(max_examples=10, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_so_is_every_answer_to_a_stranger(case: Case[Any], sandbox: RunningServer, session: requests.Session) -> None:
    ask(case, sandbox, session, {})


@pytest.mark.parametrize("form", [False, True], ids=["house", "standard"])
def test_tokens_are_answered_as_documented(sandbox: RunningServer, session: requests.Session, form: bool) -> None:
    login = {"username": sandbox.username, "password": sandbox.password}
    url, trusted = f"{sandbox.base_url}/oauth2/v1/token", str(sandbox.ca_file)
    if form:
        basic = (sandbox.client_id, sandbox.client_secret)
        response = session.post(url, auth=basic, data={"grant_type": "password", **login}, verify=trusted)
    else:
        response = session.post(url, headers=sandbox.client_headers, json=login, verify=trusted)
    assert response.status_code == 200
    SCHEMA["/oauth2/v1/token"]["POST"].validate_response(response)


def test_a_report_is_answered_as_documented(
    sandbox: RunningServer, session: requests.Session, bearer: dict[str, str]
) -> None:
    path = "/risk/business/v1/registeredcompanycredit"
    for number in (sandbox.company_number, "99999999"):
        url = f"{sandbox.base_url}{path}/{number}"
        response = session.get(url, headers=bearer, verify=str(sandbox.ca_file))
        assert response.status_code == 200
        SCHEMA[f"{path}/{{company_number}}"]["GET"].validate_response(response)


def ask(case: Case[Any], sandbox: RunningServer, session: requests.Session, headers: dict[str, str]) -> None:
    response = case.call(base_url=sandbox.base_url, session=session, headers=headers, verify=str(sandbox.ca_file))
    case.validate_response(response, checks=CHECKS)
