"""Disputes over HTTP (D43): the clock, what reports show, who may read a claim, and the notice to readers."""

import json
from pathlib import Path
from typing import Any

import pytest

from credence import paths
from credence.clock import date_of
from credence.companies.facts.dispute import DisputeStatus
from credence.datasets import disputes
from tests.deployment import NOW, REPORT_PATH, Deployment, Reply
from tests.oauth.standard import log_in

REAL = "SC109881"
CLAIM = {"RegNumber": REAL, "Field": "NumberOfEmployees", "Claim": "The company employs 12."}
DAY_MS = 86_400_000


async def call(deployment: Deployment, method: str, path: str, body: Any = None) -> Reply:
    scope = "credit:report credit:disputes"
    token = (await log_in(deployment, scope=scope)).json["access_token"]
    fields = [("Authorization", f"Bearer {token}"), ("Content-Type", "application/json")]
    sent = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
    return await deployment.send(method, path, fields, sent)


async def test_a_dispute_is_received_with_its_clock_and_shown_once_it_is_accepted(
    deployment: Deployment, register: Path
) -> None:
    """Consumer Credit Act 1974 s. 159(2): 28 days. NOW is 14 November 2023."""
    reply = await call(deployment, "POST", paths.DISPUTES, CLAIM)
    assert (reply.status, reply.json) == (
        201,
        CLAIM | {"Status": "received", "Received": "2023-11-14", "AnswerDue": "2023-12-12"},
    )
    assert (await call(deployment, "GET", f"{REPORT_PATH}/{REAL}")).json["NoticeOfCorrection"]["NumCorrections"] == 0
    disputes.record(register, REAL, CLAIM["Field"], "", DisputeStatus.OPEN, date_of(NOW), by="data desk")
    notice = (await call(deployment, "GET", f"{REPORT_PATH}/{REAL}")).json["NoticeOfCorrection"]
    assert (notice["NumCorrections"], notice["NOCDetail"][0]["Reference"]) == (1, "NumberOfEmployees")
    (state,) = (await call(deployment, "GET", f"{paths.DISPUTES}/{REAL}")).json["Disputes"]
    assert (state["Status"], state["Received"]) == ("open", "2023-11-14")


async def test_a_decision_names_its_day_and_author_and_readers_get_notice_for_six_months(
    deployment: Deployment, register: Path
) -> None:
    await call(deployment, "POST", paths.DISPUTES, CLAIM)
    assert (await call(deployment, "GET", paths.CORRECTIONS)).json == {"Corrections": []}
    decided = date_of(NOW + 5 * DAY_MS)
    disputes.record(register, REAL, CLAIM["Field"], "", DisputeStatus.CORRECTED, decided, by="data desk")
    deployment.now += 5 * DAY_MS
    (state,) = (await call(deployment, "GET", f"{paths.DISPUTES}/{REAL}")).json["Disputes"]
    assert (state["Status"], state["Decided"], state["DecidedBy"]) == ("corrected", "2023-11-19", "data desk")
    expected = {"RegNumber": REAL, "Field": "NumberOfEmployees", "Status": "corrected", "Decided": "2023-11-19"}
    assert (await call(deployment, "GET", paths.CORRECTIONS)).json == {"Corrections": []}  # it has not read the report
    assert (await call(deployment, "GET", f"{paths.CORRECTIONS}?all=true")).json == {"Corrections": [expected]}
    await call(deployment, "GET", f"{REPORT_PATH}/{REAL}")
    assert (await call(deployment, "GET", paths.CORRECTIONS)).json == {"Corrections": [expected]}
    deployment.now += 183 * DAY_MS
    assert (await call(deployment, "GET", paths.CORRECTIONS)).json == {"Corrections": [expected]}
    deployment.now += DAY_MS
    assert (await call(deployment, "GET", paths.CORRECTIONS)).json == {"Corrections": []}


@pytest.mark.parametrize(("days_before", "listed"), [(0, True), (150, True), (183, True), (250, False)])
async def test_notice_goes_to_the_applications_that_read_the_report_in_the_six_months_before(
    deployment: Deployment, register: Path, days_before: int, listed: bool
) -> None:
    """Months count whole, so a read is remembered up to a month longer; another application gets no notice."""
    other = await deployment.another_application()
    await call(deployment, "GET", f"{REPORT_PATH}/{REAL}?sections=Financials")
    await deployment.service.unsaved_reads.store(deployment.service.authority.store, deployment.now)
    deployment.now += days_before * DAY_MS
    decided = date_of(deployment.now)
    disputes.record(register, REAL, CLAIM["Field"], "It employs 12.", DisputeStatus.UPHELD, decided, by="data desk")
    found = (await call(deployment, "GET", paths.CORRECTIONS)).json["Corrections"]
    assert [each["RegNumber"] for each in found] == ([REAL] if listed else [])
    assert (await call(other, "GET", paths.CORRECTIONS)).json == {"Corrections": []}
    for text in ("perhaps", "TRUE", "", "%20true"):
        assert (await call(other, "GET", f"{paths.CORRECTIONS}?all={text}")).status == 422


@pytest.mark.usefixtures("register")
async def test_a_received_claim_is_shown_to_its_application_alone(deployment: Deployment) -> None:
    await call(deployment, "POST", paths.DISPUTES, CLAIM)
    other = await deployment.another_application()
    assert (await call(other, "GET", f"{paths.DISPUTES}/{REAL}")).json == {"Disputes": []}
    assert len((await call(deployment, "GET", f"{paths.DISPUTES}/{REAL}")).json["Disputes"]) == 1


@pytest.mark.usefixtures("register")
@pytest.mark.parametrize(
    ("change", "status", "says"),
    [
        ({"RegNumber": "00000001"}, 404, "No company"),
        ({"RegNumber": "abc"}, 422, "prefix of the register"),
        ({"Field": ""}, 422, "Field"),
        ({"Claim": "x" * 501}, 422, "Claim"),
        ({"Claim": "two\nlines"}, 422, "one line"),
        ({"Other": "x"}, 422, "Field"),
    ],
)
async def test_what_is_not_a_dispute_is_refused(
    deployment: Deployment, change: dict[str, str], status: int, says: str
) -> None:
    reply = await call(deployment, "POST", paths.DISPUTES, CLAIM | change)
    assert reply.status == status
    assert says in reply.json["Error"]["Message"]


@pytest.mark.usefixtures("register")
async def test_a_dispute_with_two_claims_is_refused(deployment: Deployment) -> None:
    """threats P2: a reader on the way may have seen the other one."""
    twice = json.dumps(CLAIM)[:-1] + ', "Claim": "The company employs 13."}'
    reply = await call(deployment, "POST", paths.DISPUTES, twice.encode())
    assert (reply.status, "Claim" in reply.json["Error"]["Message"]) == (422, True)


@pytest.mark.usefixtures("register")
async def test_a_field_has_one_undecided_dispute(deployment: Deployment) -> None:
    assert (await call(deployment, "POST", paths.DISPUTES, CLAIM)).status == 201
    again = await call(deployment, "POST", paths.DISPUTES, CLAIM | {"Claim": "It employs 13."})
    assert (again.status, "disputed already" in again.json["Error"]["Message"]) == (422, True)


@pytest.mark.usefixtures("register")
async def test_a_dispute_with_an_attack_pattern_is_refused(deployment: Deployment) -> None:
    """D17."""
    assert (
        await call(deployment, "POST", paths.DISPUTES, CLAIM | {"Claim": "<script>alert(1)</script>"})
    ).status == 401


@pytest.mark.usefixtures("register")
async def test_a_token_of_a_plain_login_cannot_dispute(deployment: Deployment) -> None:
    """The scope must be requested: reading a report does not imply the right to contest it."""
    token = (await deployment.tokens())["access_token"]
    fields = [("Authorization", f"Bearer {token}"), ("Content-Type", "application/json")]
    assert (await deployment.send("POST", paths.DISPUTES, fields, json.dumps(CLAIM).encode())).status == 403


async def test_too_many_received_disputes_wait_for_the_operator(
    deployment: Deployment, register: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disputes, "MAX_RECEIVED", 1)
    await call(deployment, "POST", paths.DISPUTES, CLAIM)
    reply = await call(deployment, "POST", paths.DISPUTES, CLAIM | {"Field": "Status"})
    assert (reply.status, reply.headers["retry-after"]) == (401, "3600")
    assert sum(map(len, disputes.read(register).values())) == 1
