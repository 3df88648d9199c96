"""The management API of a running server against its own OpenAPI document: no 5xx, no answer that it does not name (D30)."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import schemathesis
from schemathesis import Case
from schemathesis.schemas import BaseSchema

from credence.api.reference.openapi import document
from credence.settings import Settings
from credence.web.routes_for_management import MANAGEMENT
from tests.journeys.test_management_address import PATIENCE, answers, operator_token
from tests.ports import free_port
from tests.running import start
from tests.sweeps import sweep
from tests.waiting import wait_until
from tests.web.test_served_as_documented import CHECKS, schema_of
from tests.web.test_served_as_documented import node_id as node_id

OPERATIONS = schemathesis.pytest.from_fixture("schema")


@pytest.fixture(scope="module")
def schema() -> BaseSchema:
    return schema_of(document(MANAGEMENT, Settings(manage_port=8444), nulls=True))


@pytest.fixture(scope="module")
def operator(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, dict[str, str]]]:
    """The address of the management API of a server of its own, and the credentials of an operator."""
    folder: Path = tmp_path_factory.mktemp("managed")
    port = free_port()
    server = start(folder / "data", folder / "output.txt", "--http", CREDENCE_MANAGE_PORT=str(port))
    address = f"http://127.0.0.1:{port}"
    wait_until(lambda: answers(address), PATIENCE)
    yield address, {"Authorization": f"Bearer {operator_token(server)}"}
    server.stop()


@OPERATIONS.parametrize()
@sweep(2, long=100)
def test_every_answer_is_documented(case: Case[Any], operator: tuple[str, dict[str, str]]) -> None:
    """With a token that may read and change applications; the rest is refused with 403."""
    address, headers = operator
    with requests.Session() as session:
        session.trust_env = False
        case.call_and_validate(base_url=address, session=session, headers=headers, checks=CHECKS)
