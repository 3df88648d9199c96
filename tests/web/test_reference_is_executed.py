"""Every example of the reference is run as it is printed, against a sandbox, and every answer is in the schemas."""

import html
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.running import RunningServer

STATUS = "\n%{http_code}"
MARK = "program"
_BLOCK = re.compile(r'<pre tabindex="0" aria-label="(\w+)"><code>(.*?)</code></pre>', re.DOTALL)
_COLOUR = re.compile(r"</?span[^>]*>")
_ARTICLE = re.compile(r'<article id="([^"]+)">(.*?)</article>', re.DOTALL)
_SUBJECT = re.compile(r'<a id="[^"]+" href="(/docs/reference/[^"#/]+)">')
SPECIMENS = {
    "company_report",
    "company_report_v2",
    "company_report_by_query",
    "company_report_by_query_v2",
    "director_details_v2",
}
"""Their example is the specimen, which has members of the clients' model that no other answer has."""

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

OF_A_SECOND_TIME = ("open_dispute_v2", "422")
"""What another language has disputed already."""

OF_WHAT_WAS_MADE = re.compile(
    r"/monitoring/v1/(portfolios/|ledgers/|webhooks|events/|alerts/|company-alerts/)|/ssf/v1/"
).search
"""Operations on what a client has made, or that call out: `test_monitoring_portfolios.py`, `test_ledgers.py`,
`test_webhooks.py` and
`test_shared_signals.py`."""


@pytest.fixture(scope="module")
def page(sandbox: RunningServer) -> str:
    return sandbox.client.get("/docs").text


@pytest.fixture(scope="module")
def programs(sandbox: RunningServer, page: str) -> dict[str, dict[str, str]]:
    """Operation -> language -> its program, of those that can be run alone."""
    articles: dict[str, str] = {}
    for subject in _SUBJECT.findall(page):
        if "people-sign-in" not in subject:  # a browser calls these in the order of a sign-in; `tests/sign_in` does
            articles |= dict(_ARTICLE.findall(sandbox.client.get(subject).text))
    found = {
        name: {language: html.unescape(_COLOUR.sub("", text)) for language, text in _BLOCK.findall(article) if text}
        for name, article in articles.items()
        if name not in CHANGING
    }
    return {name: each for name, each in found.items() if not OF_WHAT_WAS_MADE(each["curl"])}


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
    sandbox: RunningServer, programs: dict[str, dict[str, str]], document: dict[str, Any]
) -> None:
    """Status of a success, a body that is not empty, and no member that the schemas do not have."""
    operations = {each["operationId"]: each for item in document["paths"].values() for each in item.values()}
    assert len(programs) >= 15
    wrong: list[object] = []
    for name, in_language in programs.items():
        status, body = run(filled(sandbox, in_language["curl"]))
        expected = [int(each) for each in operations[name]["responses"] if each < "400"]
        if status not in expected or (status == 200 and not body):
            wrong.append((name, status, body[:200]))
            continue
        content = operations[name]["responses"][str(status)].get("content", {}).get("application/json", {})
        if name not in SPECIMENS and content.get("schema", {}).keys() & {"$ref", "anyOf"}:
            undescribed = set(_undescribed(json.loads(body), content["schema"], document["components"]["schemas"]))
            wrong += [(name, "not in the schema", each) for each in sorted(undescribed)]
    assert wrong == [], "\n".join(map(str, wrong))


@pytest.mark.parametrize("language", ["Python", "JavaScript"])
def test_every_program_gets_a_success_as_it_is_printed(
    sandbox: RunningServer, programs: dict[str, dict[str, str]], language: str, tmp_path: Path
) -> None:
    """All in one process, each as it is printed; a program ends by printing the status, then the body."""
    texts = {name: filled(sandbox, in_language[language]) for name, in_language in programs.items()}
    if language == "Python":
        file = tmp_path / "examples.py"
        shown = "\n".join(f"print({MARK!r}, {name!r})\nexec({text!r})" for name, text in texts.items())
        command = [sys.executable, "-I", str(file)]
    else:
        file = tmp_path / "examples.mjs"
        shown = "\n".join(f"console.log('{MARK}', '{name}')\n{{\n{text}\n}}" for name, text in texts.items())
        command = [shutil.which("node") or pytest.skip("node is missing: python -m tests.provision"), str(file)]
    file.write_text(shown)
    trust = {"NODE_EXTRA_CA_CERTS": str(sandbox.ca_file)}
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, env=os.environ | trust)
    assert done.returncode == 0, done.stderr
    printed = re.findall(rf"^{MARK} (\w+)\n(\d+) ?(.*?)$", done.stdout, re.MULTILINE)
    assert [name for name, *_ in printed] == [*texts]
    assert [each for each in printed if each[1] >= "300" and (each[0], each[1]) != OF_A_SECOND_TIME] == []


@pytest.mark.parametrize("number", ["01873499", "SC109881", "99999901", "99999905", "99999906", "99999907", "99999910"])
def test_a_report_has_no_member_that_is_not_explained(
    sandbox: RunningServer, document: dict[str, Any], number: str
) -> None:
    report = sandbox.report(sandbox.tokens()["access_token"], number).json()
    root = {"$ref": "#/components/schemas/LtdCompanyData"}
    assert set(_undescribed(report, root, document["components"]["schemas"])) == set()


def test_the_first_steps_work_as_they_are_pasted(sandbox: RunningServer, page: str) -> None:
    steps = page.partition('id="first-token"')[2].partition("</section>")[0]
    commands = [html.unescape(_COLOUR.sub("", text)) for language, text in _BLOCK.findall(steps) if language == "curl"]
    assert len(commands) == 3
    assert all("--cacert" in command for command in commands)
    assert [run(filled(sandbox, command))[0] for command in commands] == [200, 200, 200]


def test_the_address_alone_leads_to_the_reference(sandbox: RunningServer) -> None:
    reply = sandbox.client.get("/", follow_redirects=False)
    assert (reply.status_code, reply.headers["location"]) == (303, "/docs")


def test_limits_are_explained_with_the_rates_of_this_deployment(sandbox: RunningServer) -> None:
    page = sandbox.client.get("/docs/reference/limits").text
    text = html.unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", page)))
    assert "A 401 with Retry-After means: wait that many seconds and send the same request again" in text
    assert "CREDENCE_SPIKE_STATUS=429" in text
    assert re.search(r"application ?60,000 ?200", text)


def test_a_refusal_in_the_sandbox_carries_its_reason_which_a_page_explains(sandbox: RunningServer) -> None:
    house = sandbox.client.post("/oauth2/v1/token", headers=sandbox.client_headers, json={"username": "demo"})
    assert (house.status_code, house.headers["x-reason"]) == (400, "password.attribute_missing")
    explained = f"{sandbox.base_url}/docs/reference/reasons#password.attribute_missing"
    assert house.headers["link"] == f'<{explained}>; rel="help"'
    standard = sandbox.client.post(
        "/oauth2/v1/token",
        data={"grant_type": "refresh_token", "refresh_token": "no-such-token"},
        auth=(sandbox.client_id, sandbox.client_secret),
    )
    address, _, code = standard.json()["error_uri"].partition("#")
    assert address == f"{sandbox.base_url}/docs/reference/reasons"
    page = sandbox.client.get(address).text
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
