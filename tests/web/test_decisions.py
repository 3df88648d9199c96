"""Decisions and batches over HTTP (D42): their forms, their rows, their refusals, and what a batch may not do."""

import asyncio
import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest

from credence import paths
from credence.api.credit.decisions import MAX_BATCH_OCTETS, MAX_COMPANIES
from credence.companies.number import normalise
from credence.policy.companies import Entry
from credence.refusals.refusal import Refused
from credence.sandbox.provision import POLICY
from credence.settings import Settings
from tests.deployment import REPORT_PATH, Deployment, Reply

REAL = "SC109881"
_TWICE = b'{"RegNumber":"99999901","RegNumber":"99999905"}'
"""Two members of one name (threats P2)."""


@pytest.fixture
def policies(tmp_path: Path) -> Path:
    folder = Settings(data_dir=tmp_path).policy_folder
    folder.mkdir()
    (folder / "trade.toml").write_bytes(POLICY.read_bytes())
    return folder


async def post(deployment: Deployment, target: str, body: Any, **headers: str) -> Reply:
    token = (await deployment.tokens())["access_token"]
    fields = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"} | {
        name.replace("_", "-"): value for name, value in headers.items()
    }
    encoded = body if isinstance(body, bytes) else json.dumps(body).encode()
    return await deployment.send("POST", target, list(fields.items()), encoded)


def lines(reply: Reply) -> list[Any]:
    assert reply.status == 200, reply
    assert reply.headers["content-type"] == "application/x-ndjson"
    assert reply.body.endswith(b"\n")
    return [json.loads(line) for line in reply.body.splitlines()]


@pytest.mark.usefixtures("register", "policies")
async def test_a_decision_names_the_rule_and_points_into_the_report(deployment: Deployment) -> None:
    """99999907 is the invented company in liquidation (D24)."""
    reply = await post(deployment, f"{paths.DECISIONS}?policy=trade", {"RegNumber": "99999907", "Amount": 100})
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    first = reply.json["Findings"][0]
    assert (reply.json["Outcome"], first["Outcome"]) == ("decline", "decline")
    token = (await deployment.tokens())["access_token"]
    value = (await deployment.report(token, "/99999907")).json
    for step in first["Member"].split("/")[1:]:
        value = value[int(step)] if isinstance(value, list) else value[step]
    assert str(value) == first["Value"]
    again = await post(deployment, f"{paths.DECISIONS}?policy=trade", {"RegNumber": "99999907", "Amount": 100})
    assert again.json["InputHash"] == reply.json["InputHash"]


@pytest.mark.usefixtures("register")
async def test_a_batch_has_the_scores_of_the_reports_in_the_order_of_its_list(deployment: Deployment) -> None:
    numbers = ["99999902", REAL, "nonsense", "00000001", "99999999", " 99999906"]
    rows = lines(await post(deployment, paths.BATCHES, numbers))
    assert [row["Place"] for row in rows] == [1, 2, 3, 4, 5, 6]
    token = (await deployment.tokens())["access_token"]
    for row, number in zip(rows, numbers, strict=True):
        report = await deployment.send("GET", f"{REPORT_PATH}/{number.strip()}", [("Authorization", f"Bearer {token}")])
        if report.status != 200:
            assert row["Error"]["Code"] == report.json["Error"]["Code"] == report.status
            # A single report of the sandbox also says what the sandbox holds.
            assert report.json["Error"]["Message"].startswith(row["Error"]["Message"])
            continue
        score = report.json["Assessment"].get("Score")
        assert row["RegNumber"] == normalise(number)
        if score is None:
            assert row["NotScored"] == report.json["Assessment"]["NotScored"]["Code"]
        else:
            assert (row["Score"], row["Band"]) == (score["Score"], score["Band"])
            assert row.get("SuggestedLimit") == score["Limit"].get("Amount")


@pytest.mark.usefixtures("register", "policies")
async def test_a_batch_with_a_policy_decides_as_single_decisions_do(deployment: Deployment) -> None:
    asked = [{"RegNumber": "99999901", "Amount": 1_000}, {"RegNumber": REAL}]
    rows = lines(await post(deployment, f"{paths.BATCHES}?policy=trade", {"Companies": asked}))
    for place, (row, one) in enumerate(zip(rows, asked, strict=True), start=1):
        assert row == {"Place": place} | (await post(deployment, f"{paths.DECISIONS}?policy=trade", one)).json


@pytest.mark.usefixtures("register", "policies")
async def test_a_batch_of_csv_is_answered_as_csv_on_request(deployment: Deployment) -> None:
    body = "\ufeffName,RegNumber,Amount\r\nx,99999901,10\r\ny,99999907,\r\nz,SC109881,ten\r\n".encode()
    reply = await post(
        deployment, f"{paths.BATCHES}?policy=trade", body, Content_Type="text/csv; charset=utf-8", Accept="text/csv"
    )
    assert reply.headers["content-type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(reply.body.decode())))
    assert [(row["RegNumber"], row["Amount"]) for row in rows] == [("99999901", "10"), ("99999907", ""), ("", "")]
    assert rows[1]["Outcome"] == "decline"
    assert "whole pounds" in rows[2]["Error"]
    without_header = await post(deployment, paths.BATCHES, b"99999901\n\n99999907\n", Content_Type="text/csv")
    assert [row["RegNumber"] for row in lines(without_header)] == ["99999901", "99999907"]


@pytest.mark.usefixtures("register")
async def test_a_batch_of_thousands_is_answered_whole(deployment: Deployment) -> None:
    numbers = [f"{number:08}" for number in range(1, 3_001)]
    rows = lines(await post(deployment, paths.BATCHES, numbers))
    assert [row["Place"] for row in rows] == list(range(1, 3_001))


@pytest.mark.usefixtures("policies")
@pytest.mark.parametrize(
    ("target", "body", "content_type", "status", "says"),
    [
        (paths.DECISIONS, {"RegNumber": "99999901"}, "application/json", 422, "'policy' must be the name"),
        (f"{paths.DECISIONS}?policy=none", {"RegNumber": "99999901"}, "application/json", 404, "No policy"),
        (f"{paths.DECISIONS}?policy=../x", {"RegNumber": "99999901"}, "application/json", 401, ""),
        (f"{paths.DECISIONS}?policy=trade&x=1", {"RegNumber": "99999901"}, "application/json", 422, "but 'policy'"),
        (f"{paths.DECISIONS}?policy=trade", {"RegNumber": "abc"}, "application/json", 422, "prefix of the register"),
        (f"{paths.DECISIONS}?policy=trade", {"RegNumber": "00000001"}, "application/json", 404, "No company"),
        (f"{paths.DECISIONS}?policy=trade", {"Number": "1"}, "application/json", 422, "RegNumber"),
        (f"{paths.DECISIONS}?policy=trade", {"RegNumber": 1}, "application/json", 422, "RegNumber"),
        (f"{paths.DECISIONS}?policy=trade", {"RegNumber": "1", "Amount": -1}, "application/json", 422, "Amount"),
        (f"{paths.DECISIONS}?policy=trade", _TWICE, "application/json", 422, "RegNumber"),
        (f"{paths.DECISIONS}?policy=trade", b"", "application/json", 422, "RegNumber"),
        (f"{paths.DECISIONS}?policy=trade", b"<a/>", "application/xml", 415, ""),
        (paths.BATCHES, [], "application/json", 422, "1 to 10,000"),
        (paths.BATCHES, ["1"] * (MAX_COMPANIES + 1), "application/json", 422, "1 to 10,000"),
        (paths.BATCHES, b"[%s]" % _TWICE, "application/json", 422, "CSV"),
        (paths.BATCHES, {"Companies": "1"}, "application/json", 422, "CSV"),
        (paths.BATCHES, b"[" * 100_000, "application/json", 422, "CSV"),
        (paths.BATCHES, b"\xff\xfe", "text/csv", 422, "CSV"),
        (paths.BATCHES, b"1", "text/plain", 415, ""),
        (paths.BATCHES, b"1" * (MAX_BATCH_OCTETS + 1), "text/csv", 401, ""),
        (f"{paths.BATCHES}?limit=1", ["1"], "application/json", 422, "but 'policy'"),
    ],
)
async def test_what_is_not_a_decision_or_a_batch_is_refused(
    deployment: Deployment, target: str, body: Any, content_type: str, status: int, says: str
) -> None:
    reply = await post(deployment, target, body, Content_Type=content_type)
    assert reply.status == status, reply
    if says:
        assert says in reply.json["Error"]["Message"]


async def test_a_policy_that_cannot_be_read_judges_nobody(deployment: Deployment, policies: Path) -> None:
    decide = f"{paths.DECISIONS}?policy=trade"
    assert (await post(deployment, decide, {"RegNumber": "99999901"})).status == 200
    (policies / "trade.toml").write_text("name = 1", encoding="utf-8")
    assert (await post(deployment, decide, {"RegNumber": "99999901"})).status == 500
    (policies / "trade.toml").write_bytes(POLICY.read_bytes())
    assert (await post(deployment, decide, {"RegNumber": "99999901"})).status == 200


async def test_a_large_body_is_read_for_a_valid_token_alone(deployment: Deployment) -> None:
    """Threats P1: an unknown caller cannot make the service keep more than the body of a login."""
    asked = False

    async def receive() -> dict[str, Any]:
        nonlocal asked
        asked = True
        return {"type": "http.request", "body": b"", "more_body": False}

    sent: list[dict[str, Any]] = []

    async def keep(message: Any) -> None:
        sent.append(dict(message))

    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": "POST",
        "raw_path": paths.BATCHES.encode(),
        "query_string": b"",
        "headers": [(b"host", b"localhost"), (b"authorization", b"Bearer x"), (b"content-length", b"100000")],
        "client": ("192.0.2.7", 1),
    }
    await deployment.asgi(scope, receive, keep)
    assert (sent[0]["status"], asked) == (401, False)


@pytest.mark.usefixtures("register")
async def test_a_batch_ends_when_its_caller_disconnects(deployment: Deployment) -> None:
    gone = asyncio.Event()
    gone.set()
    token = (await deployment.tokens())["access_token"]
    fields = [("Content-Type", "application/json"), ("Authorization", f"Bearer {token}")]
    numbers = json.dumps([f"{number:08}" for number in range(1, 1_001)]).encode()
    with pytest.raises(AssertionError):  # the helper finds that the body has no end
        await deployment.send("POST", paths.BATCHES, fields, numbers, gone=gone)
    assert not deployment.service.batches._in_progress


@pytest.mark.usefixtures("register")
async def test_one_application_leaves_half_of_the_places_to_others(deployment: Deployment) -> None:
    """threats A5: sixteen batches that one caller read slowly kept everybody else from theirs."""
    begun, refused = [], []
    for client_id in ["greedy"] * 9 + ["other"] * 9:
        batch = deployment.service.batches.stream(client_id, [Entry("99999901")], None, "csv", deployment.now)
        try:
            await anext(batch)
        except Refused as late:
            refused.append((client_id, late.reason))
        else:
            begun.append(batch)
    assert refused == [("greedy", "batch.too_many"), ("other", "batch.too_many")]
    for batch in begun:
        await batch.aclose()
    assert not deployment.service.batches._in_progress


async def test_a_batch_needs_the_scope_of_reports(deployment: Deployment) -> None:
    await deployment.change_application(scopes=("credit:search",))
    assert (await post(deployment, paths.BATCHES, ["99999901"])).status == 403
