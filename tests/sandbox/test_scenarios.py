"""Every scenario of the sandbox, played against the real program (spec §7, D24)."""

import time
from typing import Any

import httpx
import pytest

from tests.conftest import StartServer
from tests.running import RunningServer

SUPPORT = "support@localhost"

ERROR_TABLE = {
    "§7.1": (401, "Unauthorized", "Access token is Invalid."),
    "§7.2": (400, "Bad Request", "The 'client_id' and 'client_secret' attributes are required."),
    "§7.3": (405, "Method Not Allowed", "The requested method is not allowed."),
    "§7.4": (415, "Unsupported Media Type", "Content-Type header is unsupported."),
    "§7.5": (400, "Bad Request", "The 'username' and 'password' attributes are required."),
    "§7.6": (401, "Unauthorized", "Access is denied due to invalid username or password."),
    "§7.7": (401, "Unauthorized", "Access is denied due to invalid client id or client secret."),
    "§7.8": (
        401,
        "Unauthorized",
        f"Your account is in invalid state. For further assistance, please contact {SUPPORT}",
    ),
    "§7.9": (401, "Unauthorized", "Access to the requested resource is not allowed."),
    "§7.10": (401, "Unauthorized", "Access to the requested resource is not allowed."),
    "§7.11": (403, "Forbidden", "Access to the requested resource is forbidden."),
    "§7.12": (
        500,
        "Internal Server Error",
        f"Internal Server Error. If problems persist, please contact {SUPPORT}",
    ),
}

NAMES = [
    "expired-access-token",
    "client-missing",
    "wrong-method",
    "unsupported-content-type",
    "password-missing",
    "wrong-password",
    "wrong-client-secret",
    "account-suspended",
    "account-locked",
    "account-expired",
    "account-closed",
    "regular-expression-attack",
    "json-threat",
    "spike-arrest",
    "authentication-failure",
    "address-not-allowed",
    "out-of-hours",
    "internal-error",
    "specimen-report",
    "specimen-search",
    "specimen-director-search",
    "specimen-director",
    "director-unknown",
    "score-band-a",
    "score-band-b",
    "score-band-c",
    "score-band-d",
    "score-band-e",
    "not-scored",
    "insolvent",
    "judgments",
    "group",
    "subsidiary",
    "dormant",
    "company-unknown",
    "company-number-malformed",
]


def send(client: httpx.Client, request: dict[str, Any], access_token: str) -> httpx.Response:
    headers = {
        name: value.replace("<ACCESS_TOKEN>", access_token) for name, value in request.get("headers", {}).items()
    }
    return client.request(request["method"], request["path"], headers=headers, content=request.get("body"))


def play(client: httpx.Client, scenario: dict[str, Any]) -> httpx.Response:
    """Send what the scenario says, as a reader of it would."""
    access_token = ""
    for request in scenario.get("first", ()):
        reply = send(client, request, access_token)
        if reply.status_code == 200:
            access_token = reply.json()["access_token"]
    time.sleep(scenario.get("wait_seconds", 0))
    return send(client, scenario["send"], access_token)


def said(reply: httpx.Response) -> tuple[int, str | None, str | None]:
    if reply.status_code == 200:
        return 200, None, None
    body = reply.json()
    if "Error" in body:  # the credit API's own form (D21)
        return reply.status_code, None, body["Error"]["Message"]
    (error,) = body["errors"]
    return reply.status_code, error["errorType"], error["message"]


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_is_answered_as_it_says(sandbox: RunningServer, name: str) -> None:
    (scenario,) = (each for each in sandbox.scenarios if each["name"] == name)
    answer = scenario["answer"]
    reply = play(sandbox.client, scenario)
    assert said(reply) == (answer["status"], answer.get("errorType"), answer.get("message"))


@pytest.mark.parametrize("name", NAMES)
def test_a_scenario_promises_what_the_error_table_says(sandbox: RunningServer, name: str) -> None:
    (scenario,) = (each for each in sandbox.scenarios if each["name"] == name)
    answer = scenario["answer"]
    if scenario["row"].startswith("§"):
        assert (answer["status"], answer["errorType"], answer["message"]) == ERROR_TABLE[scenario["row"]]
    else:
        assert answer["status"] in (200, 404, 422)


def test_the_scenarios_are_these_in_the_order_of_the_error_table(sandbox: RunningServer) -> None:
    assert [each["name"] for each in sandbox.scenarios] == NAMES
    rows = [each["row"] for each in sandbox.scenarios if each["row"].startswith("§")]
    assert list(dict.fromkeys(rows)) == list(ERROR_TABLE)


def test_the_page_lists_what_the_file_holds(sandbox: RunningServer) -> None:
    reply = sandbox.client.get("/sandbox/scenarios")
    assert reply.status_code == 200
    assert reply.headers["content-type"] == "application/json"
    assert reply.json() == {"scenarios": sandbox.scenarios}


def test_the_specimen_report_is_that_of_company_99999999(sandbox: RunningServer) -> None:
    (scenario,) = (each for each in sandbox.scenarios if each["name"] == "specimen-report")
    assert play(sandbox.client, scenario).json()["RegNumber"] == "99999999"


@pytest.mark.parametrize("band", ["A", "B", "C", "D", "E"])
def test_each_band_of_the_score_has_a_company_that_says_it_is_invented(sandbox: RunningServer, band: str) -> None:
    (scenario,) = (each for each in sandbox.scenarios if each["name"] == f"score-band-{band.lower()}")
    report = play(sandbox.client, scenario).json()
    assert report["CommercialDelphi"]["CommDelphiBand"] == band
    assert "INVENTED" in report["CommercialName"]
    assert all("do not exist" in each["Source"] for each in report["Assessment"]["Provenance"])


def test_one_company_is_not_scored_and_says_why(sandbox: RunningServer) -> None:
    (scenario,) = (each for each in sandbox.scenarios if each["name"] == "not-scored")
    report = play(sandbox.client, scenario).json()
    assert "CommercialDelphi" not in report
    assert report["Assessment"]["NotScored"]["Code"] == "unscored.dissolved"


def test_messages_and_statuses_follow_the_settings(start_server: StartServer) -> None:
    server = start_server(CREDENCE_SPIKE_STATUS="429", CREDENCE_SUPPORT_EMAIL="help@example.com")
    by_name = {each["name"]: each for each in server.scenarios}
    assert play(server.client, by_name["spike-arrest"]).status_code == 429
    assert by_name["spike-arrest"]["answer"]["status"] == 429
    assert by_name["account-locked"]["answer"]["message"].endswith("please contact help@example.com")
    assert said(play(server.client, by_name["account-locked"]))[2] == by_name["account-locked"]["answer"]["message"]


def test_no_other_environment_has_the_page(start_server: StartServer) -> None:
    server = start_server(
        "--http",
        CREDENCE_ENVIRONMENT="uat",
        CREDENCE_BASE_URL="https://uat.example.com",
        CREDENCE_KEY_ENCRYPTION_KEY="0123456789abcdef" * 4,
        CREDENCE_PASSWORD_PROFILE="standard",
        CREDENCE_SUPPORT_EMAIL="help@example.com",
    )
    reply = server.client.get("/sandbox/scenarios")
    assert said(reply) == (404, "Not Found", "The requested resource was not found.")
    assert not (server.data_dir / "sandbox.json").exists()
