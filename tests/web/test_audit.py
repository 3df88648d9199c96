"""Every refusal writes one line to the audit trail, and no line stops an answer (D7, threats A11, F2, I12)."""

import asyncio
import json
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import pytest

from credence.access.rules import AccessRules
from credence.service import READINESS_SHARED_MS
from credence.telemetry.audit_files import DEEDS, REFUSALS, files_in_order, newest
from tests.deployment import PASSWORD, REPORT_PATH, TOKEN_PATH, Deployment, OpenDeployment, Reply

JSON = ("Content-Type", "application/json")
FORM = ("Content-Type", "application/x-www-form-urlencoded")
BODY = json.dumps({"username": "ada", "password": PASSWORD}).encode()


def lines(deployment: Deployment) -> list[dict[str, Any]]:
    """Return the lines of both trails. A second passes: the next refusal of an address gets a line of its own."""
    deployment.now += 1_000
    deployment.service.audit.tick(deployment.now)
    deployment.service.audit.flush()
    folder = deployment.service.settings.audit_folder
    files = [*files_in_order(folder, REFUSALS), *files_in_order(folder, DEEDS)]
    return [json.loads(line) for file in files for line in file.read_text("ascii").splitlines()]


def line_of(deployment: Deployment, reply: Reply) -> dict[str, Any]:
    (line,) = [each for each in lines(deployment) if each.get("request_id") == reply.headers["x-request-id"]]
    return line


async def test_a_refusal_says_all_that_was_verified_and_nothing_else(deployment: Deployment) -> None:
    reply = await deployment.send(
        "POST",
        TOKEN_PATH,
        [*deployment.client, JSON, ("X-Correlation-ID", "order-17")],
        json.dumps({"username": "ADA", "password": "wrong horse battery"}).encode(),
    )
    assert line_of(deployment, reply) == {
        "time": "2023-11-14T22:13:20.500Z",
        "event": "refused",
        "request_id": reply.headers["x-request-id"],
        "correlation_id": "order-17",
        "route": TOKEN_PATH,
        "method": "POST",
        "address": "192.0.2.7",
        "status": 401,
        "refusal": "wrong_user",
        "reason": "password.mismatch",
        "application": deployment.application.client_id,
        "account": "ada",
        "environment": "sandbox",
    }


async def test_names_of_what_does_not_exist_are_left_out(deployment: Deployment) -> None:
    """They are the caller's own words, and may be a password in the wrong field."""
    unknown_user = await deployment.login(username="hunter2 my secret")
    assert "account" not in line_of(deployment, unknown_user)
    unknown_client = await deployment.send(
        "POST", TOKEN_PATH, [("client_id", "nobody"), ("client_secret", "x"), JSON], BODY
    )
    assert not {"application", "account"} & line_of(deployment, unknown_client).keys()
    other_method = await deployment.send("HUNTER2", TOKEN_PATH)
    assert (other_method.status, "method" in line_of(deployment, other_method)) == (405, False)
    unknown_path = await deployment.send("GET", "/hunter2")
    assert (unknown_path.status, "route" in line_of(deployment, unknown_path)) == (404, False)
    named = newest(deployment.service.settings.audit_folder, REFUSALS).read_text()
    assert "hunter2" not in named.lower()
    assert "nobody" not in named


async def test_every_kind_of_refusal_names_application_and_account_as_far_as_they_are_known(
    deployment: Deployment,
) -> None:
    client, tokens = deployment.application.client_id, await deployment.tokens()
    both = (client, "ada")

    def said(reply: Reply) -> tuple[Any, Any, Any]:
        line = line_of(deployment, reply)
        assert line["status"] == reply.status
        return line["reason"], line.get("application"), line.get("account")

    wrong_secret = [("client_id", client), ("client_secret", "wrong"), JSON]
    reply = await deployment.send("POST", TOKEN_PATH, wrong_secret, BODY)
    assert said(reply) == ("client.mismatch", client, None)
    assert said(await deployment.report("x")) == ("token.not_compact", None, None)
    assert said(await deployment.report(tokens["access_token"], "/1234567890")) == ("company_number.length", *both)
    await deployment.change_application(disabled=True)
    assert said(await deployment.login()) == ("client.disabled", client, None)
    assert said(await deployment.report(tokens["access_token"]))[0] == "token.application_disabled"
    await deployment.change_application(disabled=False)
    await deployment.change_account(rules=AccessRules(networks=("198.51.100.0/24",)))
    assert said(await deployment.report(tokens["access_token"])) == ("access.network_of_account", *both)
    assert said(await deployment.login()) == ("access.network_of_account", *both)
    await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    assert said(await deployment.report(tokens["access_token"])) == ("access.network_of_application", *both)
    await deployment.change_application(rules=AccessRules(), grants=("password",))
    assert said(await deployment.refresh(tokens["refresh_token"])) == ("grant_type.not_allowed", client, None)
    await deployment.set_status("suspended")
    assert said(await deployment.login()) == ("account.suspended", *both)
    assert said(await deployment.report(tokens["access_token"])) == ("token.account_not_active", *both)
    assert said(await deployment.login(password="wrong horse battery")) == ("password.mismatch", *both)


async def test_a_client_id_alone_gives_no_caller_a_line_for_every_refusal(deployment: Deployment) -> None:
    """threats A12: a wrong secret, and one in a form, which is refused before it is read."""
    client_id = deployment.application.client_id
    form = f"grant_type=password&username=ada&password=x&client_id={client_id}&client_secret=x".encode()
    for wrong in ([("client_id", client_id), ("client_secret", "x"), JSON], [FORM]):
        replies = [await deployment.send("POST", TOKEN_PATH, wrong, form if FORM in wrong else BODY) for _ in range(5)]
        ids = {each.headers["x-request-id"] for each in replies}
        (line,) = [each for each in lines(deployment) if each.get("request_id") in ids]
        assert line["application"] == client_id


async def test_one_network_has_one_line_a_second(deployment: Deployment) -> None:
    """threats A12: the owner of an IPv6 /48 has 65,536 address prefixes."""
    for group in range(5):
        await deployment.send("GET", "/nowhere", peer=f"2001:db8:0:{group}::1")
    found = [each for each in lines(deployment) if each.get("address", "").startswith("2001:db8")]
    assert [(each["event"], each.get("refusals")) for each in found] == [("refused", None), ("refused_more", 4)]


async def test_reuse_of_a_refresh_token_and_a_revocation_are_in_the_trail(deployment: Deployment) -> None:
    """D7, D11. A revocation without effect is no event."""
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    await deployment.refresh(second["refresh_token"])
    spent = line_of(deployment, await deployment.refresh(first["refresh_token"]))
    assert (spent["reason"], spent["account"]) == ("refresh_token.already_used", "ada")
    assert spent["application"] == deployment.application.client_id
    await deployment.revoke("nothing")
    assert [line["event"] for line in lines(deployment)] == ["refused"]
    revoked = line_of(deployment, await deployment.revoke((await deployment.tokens())["refresh_token"]))
    assert (revoked["event"], revoked["application"]) == ("revoked", deployment.application.client_id)


@pytest.mark.settings(trusted_proxies=(ip_network("10.0.0.0/8"),))
async def test_behind_a_trusted_proxy_both_the_caller_and_the_proxy_are_named(deployment: Deployment) -> None:
    """threats A9: also when the refusal comes before the headers were read, and over several header lines."""
    forwarded = [("X-Forwarded-For", "203.0.113.66"), ("X-Forwarded-For", "198.51.100.9, 10.0.0.2")]
    for target in (f"{REPORT_PATH}/1", "/nowhere"):
        line = line_of(deployment, await deployment.send("GET", target, forwarded, peer="10.0.0.1"))
        assert (line["address"], line["peer"]) == ("198.51.100.9", "10.0.0.1")
        line = line_of(deployment, await deployment.send("GET", target, forwarded, peer="192.0.2.1"))
        assert (line["address"], "peer" in line) == ("192.0.2.1", False)


async def test_answers_stay_as_documented_while_the_trail_cannot_be_written_and_readiness_tells(
    deployment: Deployment,
) -> None:
    """threats F2: a full disk makes no 5xx of a refusal, is not silent, and is over without a restart."""
    folder = deployment.service.settings.audit_folder
    await deployment.send("GET", "/nowhere")
    assert len(lines(deployment)) == 1
    newest(folder, REFUSALS).rename(folder / "kept")
    newest(folder, REFUSALS).symlink_to("/dev/full")
    assert (await deployment.send("GET", "/nowhere")).status == 404
    assert (await deployment.login(password="wrong horse battery")).status == 401
    await asyncio.to_thread(deployment.service.audit.flush)
    deployment.now += READINESS_SHARED_MS
    reply = await deployment.send("GET", "/readyz")
    assert (reply.status, reply.body) == (503, b'{"status":"audit trail unavailable"}')
    assert (await deployment.send("GET", "/livez")).status == 200
    assert (await deployment.login()).status == 200
    newest(folder, REFUSALS).unlink()
    (folder / "kept").rename(newest(folder, REFUSALS))
    deployment.now += READINESS_SHARED_MS
    assert (await deployment.send("GET", "/readyz")).status == 200
    assert [(line["event"], line.get("lines")) for line in lines(deployment)] == [
        ("refused", None),
        ("log_lines_lost", 2),
    ]


async def test_a_folder_that_cannot_be_made_stops_no_answer(open_deployment: OpenDeployment, tmp_path: Path) -> None:
    """threats F2."""
    (tmp_path / "audit").write_bytes(b"")

    deployment = await open_deployment()
    assert (await deployment.send("GET", "/nowhere")).status == 404
    await asyncio.to_thread(deployment.service.audit.flush)
    assert (await deployment.send("GET", "/readyz")).status == 503
