"""Every example of `/docs` is run as it is printed, in a shell against a sandbox, and every answer is in the schemas."""

import html
import json
import re
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest

from tests.running import RunningServer

STATUS = "\n%{http_code}"
_BLOCK = re.compile(r"<pre[^>]*><code>(curl .*?)</code></pre>", re.DOTALL)
_ARTICLE = re.compile(r'<article id="([^"]+)">(.*?)</article>', re.DOTALL)
SPECIMENS = {
    "company_report",
    "company_report_v2",
    "company_report_by_query",
    "company_report_by_query_v2",
    "director_details_v2",
}
"""Their example is the specimen, which has members of the clients' model that no other answer has."""

FOR_BROWSERS = "People sign in"
"""Operations that a browser calls in the order of a sign-in; `tests/signin` does."""

NAMED = {
    "<ACCESS_TOKEN_WITH_OPENID>": {"scope": "openid"},
    "<ACCESS_TOKEN_WITH_CREDIT_DISPUTES>": {"scope": "credit:disputes"},
    "<ACCESS_TOKEN_WITH_CREDIT_MONITOR>": {"scope": "credit:monitor"},
    "<ACCESS_TOKEN_WITH_SSF_MANAGE>": {"scope": "ssf.manage"},
    "<ACCESS_TOKEN_FOR_AGENTS>": {"resource": "{base_url}/mcp"},
}
"""Tokens with a scope, or for a resource, that only a request that names it gets."""

CHANGING = {"register_application", "read_registration", "change_registration", "end_registration"}
"""Only with the setting of registration, which needs an invitation."""

OF_WHAT_WAS_MADE = re.compile(r"/monitoring/v1/(portfolios/|webhooks|events/|alerts/)|/ssf/v1/").search
"""Operations on what a client has made, or that call out: `test_monitoring_portfolios.py`, `test_webhooks.py` and
`test_shared_signals.py`."""


@pytest.fixture(scope="module")
def page(sandbox: RunningServer) -> str:
    return sandbox.client.get("/docs").text


@pytest.fixture(scope="module")
def document(sandbox: RunningServer) -> dict[str, Any]:
    found: dict[str, Any] = sandbox.client.get("/openapi.json").json()
    return found


def filled(sandbox: RunningServer, command: str) -> str:
    """The command with the sandbox's credentials in the place of placeholders."""
    tokens = sandbox.tokens()
    values = {
        "<CLIENT_ID>": sandbox.client_id,
        "<CLIENT_SECRET>": sandbox.client_secret,
        "ada@example.com": sandbox.username,
        "<PASSWORD>": sandbox.password,
        "<ACCESS_TOKEN>": tokens["access_token"],
        "<REFRESH_TOKEN>": tokens["refresh_token"],
    }
    for placeholder, named in NAMED.items():
        if placeholder in command:
            form = {
                "grant_type": "password",
                "username": sandbox.username,
                "password": sandbox.password,
                **{name: value.format(base_url=sandbox.base_url) for name, value in named.items()},
            }
            reply = sandbox.client.post("/oauth2/v1/token", data=form, auth=(sandbox.client_id, sandbox.client_secret))
            values[placeholder] = reply.json()["access_token"]
    for placeholder, value in values.items():
        command = command.replace(placeholder, value)
    assert not re.search(r"<[A-Z_]+>", command), command
    return command


def run(command: str) -> tuple[int, str]:
    """Status and body of a pasted command."""
    done = subprocess.run(
        ["bash", "-c", command.replace("curl -sS", f"curl -sS -w '{STATUS}'", 1)],
        capture_output=True,
        timeout=30,
        check=True,
    )
    body, _, status = done.stdout.decode("utf-8", "replace").rpartition("\n")
    return int(status), body


def test_every_example_is_answered_as_the_page_says(
    sandbox: RunningServer, page: str, document: dict[str, Any]
) -> None:
    """Status of a success, a body that is not empty, and no member that the schemas do not have."""
    operations = {each["operationId"]: each for item in document["paths"].values() for each in item.values()}
    articles = dict(_ARTICLE.findall(page))
    assert len(articles) >= 15
    wrong: list[object] = []
    for name, article in articles.items():
        if name in CHANGING or FOR_BROWSERS in operations[name]["tags"]:
            continue
        block = _BLOCK.search(article)
        assert block is not None, name
        if OF_WHAT_WAS_MADE(block[1]):
            continue
        status, body = run(filled(sandbox, html.unescape(block[1])))
        expected = [int(each) for each in operations[name]["responses"] if each < "400"]
        if status not in expected or (status == 200 and not body):
            wrong.append((name, status, body[:200]))
            continue
        content = operations[name]["responses"][str(status)].get("content", {}).get("application/json", {})
        if name not in SPECIMENS and content.get("schema", {}).keys() & {"$ref", "anyOf"}:
            undescribed = set(_undescribed(json.loads(body), content["schema"], document["components"]["schemas"]))
            wrong += [(name, "not in the schema", each) for each in sorted(undescribed)]
    assert wrong == [], "\n".join(map(str, wrong))


@pytest.mark.parametrize("number", ["01873499", "SC109881", "99999901", "99999905", "99999906", "99999907", "99999910"])
def test_a_report_has_no_member_that_is_not_explained(
    sandbox: RunningServer, document: dict[str, Any], number: str
) -> None:
    report = sandbox.report(sandbox.tokens()["access_token"], number).json()
    root = {"$ref": "#/components/schemas/LtdCompanyData"}
    assert set(_undescribed(report, root, document["components"]["schemas"])) == set()


def test_the_first_steps_work_as_they_are_pasted(sandbox: RunningServer, page: str) -> None:
    steps = page.partition('id="first-token"')[2].partition("</section>")[0]
    commands = [html.unescape(each) for each in _BLOCK.findall(steps)]
    assert len(commands) == 3
    assert all("--cacert" in command for command in commands)
    assert [run(filled(sandbox, command))[0] for command in commands] == [200, 200, 200]


def test_the_address_alone_leads_to_the_reference(sandbox: RunningServer) -> None:
    reply = sandbox.client.get("/", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/docs")


def test_limits_are_explained_with_the_rates_of_this_deployment(page: str) -> None:
    text = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page)))
    assert "A 401 with Retry-After means: wait that many seconds and send the same request again" in text
    assert "CREDENCE_SPIKE_STATUS=429" in text
    assert re.search(r"application ?60,000 ?200", text)


def test_a_refusal_in_the_sandbox_carries_its_reason_which_the_page_explains(sandbox: RunningServer, page: str) -> None:
    house = sandbox.client.post("/oauth2/v1/token", headers=sandbox.client_headers, json={"username": "demo"})
    assert (house.status_code, house.headers["x-reason"]) == (400, "password.attribute_missing")
    standard = sandbox.client.post(
        "/oauth2/v1/token",
        data={"grant_type": "refresh_token", "refresh_token": "no-such-token"},
        auth=(sandbox.client_id, sandbox.client_secret),
    )
    address, _, code = standard.json()["error_uri"].partition("#")
    assert address == f"{sandbox.base_url}/docs"
    assert code == standard.headers["x-reason"]
    for reason in ("password.attribute_missing", code):
        assert f'<tr id="{reason}">' in page


def _undescribed(value: Any, schema: dict[str, Any], models: dict[str, Any], path: str = "") -> Iterator[str]:
    """The members of a body that its model does not have; of several models, those that none has."""
    if "anyOf" in schema:
        found = [set(_undescribed(value, each, models, path)) for each in schema["anyOf"]]
        yield from min(found, key=len)
    elif "$ref" in schema:
        model = models[schema["$ref"].rpartition("/")[2]]
        for name, each in value.items():
            if name not in model.get("properties", {}):
                yield f"{path}.{name}"
            else:
                yield from _undescribed(each, model["properties"][name], models, f"{path}.{name}")
    elif schema.get("type") == "array" and "items" in schema:
        for each in value:
            yield from _undescribed(each, schema["items"], models, path)
