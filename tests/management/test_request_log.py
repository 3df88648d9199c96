"""The request log through the management API: the query line, the way from a refused request to its cause (D30)."""

from urllib.parse import quote

import pytest

from credence.access.rules import AccessRules
from credence.request_log.log_file import LogFile
from credence.request_log.waiting import Waiting
from tests.management.conftest import Managed


async def test_a_refused_request_is_followed_to_its_cause(managed: Managed) -> None:
    token = (await managed.main.tokens())["access_token"]
    await managed.main.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    refused = await managed.main.report(token)
    assert refused.status == 403
    managed.main.write_request_log()
    client = managed.main.application.client_id
    line = quote(f"client:{client} status:4xx from:192.0.2.7 since:1h")
    page = (await managed.call("GET", f"/log?query={line}")).json
    (entry,) = page["requests"]
    assert entry["request_id"] == refused.headers["x-request-id"]
    assert (entry["reason"], entry["account"], entry["status"]) == ("access.network_of_application", "ada", 403)
    assert [each["has"] for each in page["nodes"]] == ["every request"]
    found = (await managed.call("GET", f"/log/{entry['request_id']}")).json
    outcomes = {each["check"]: each["outcome"] for each in found["checks"]}
    assert list(outcomes) == [
        "route", "method", "size and form", "patterns", "token", "key of the token", "rate", "network", "hours", "sign-in",
        "scope", "endpoint",
    ]  # fmt: skip
    assert (outcomes["rate"], outcomes["network"], outcomes["hours"]) == ("passed", "refused", "not reached")
    network = next(each for each in found["checks"] if each["check"] == "network")
    assert (network["value"], network["would_pass"], network["now"]) == ("192.0.2.7", "198.51.100.0/24", "refused")
    await managed.main.change_application(rules=AccessRules())
    found = (await managed.call("GET", f"/log/{entry['request_id']}")).json
    assert next(each for each in found["checks"] if each["check"] == "network")["now"] == "passes"


async def test_nothing_that_a_caller_wrote_is_kept(managed: Managed) -> None:
    secret = "c4n4ry-s3cret"
    for method, target in (
        ("GET", f"/nowhere/{secret}?token={secret}"),
        ("POST", f"/oauth2/v1/token?password={secret}"),
        (secret.upper(), "/docs"),
        ("GET", f"/risk/business/v1/registeredcompanycredit?x={secret}"),
    ):
        headers = [("Authorization", f"Bearer {secret}"), ("X-Forwarded-For", secret), ("client_id", secret)]
        await managed.main.send(method, target, headers, f"username={secret}".encode())
    await managed.main.login(secret, secret)
    managed.main.write_request_log()
    for file in managed.main.service.settings.request_log_file.parent.iterdir():
        assert secret.encode() not in file.read_bytes().lower()
    page = (await managed.call("GET", "/log?query=since:1h")).json
    assert len(page["requests"]) >= 5


async def test_pages_follow_each_other(managed: Managed) -> None:
    for _ in range(5):
        await managed.main.send("GET", "/docs")
    managed.main.write_request_log()
    seen, token = [], ""
    for _ in range(3):
        page = (await managed.call("GET", f"/log?query=path:/docs&page_size=2&page_token={token}")).json
        seen += [each["request_id"] for each in page["requests"]]
        token = page["next_page_token"]
    assert (len(seen), len(set(seen)), token) == (5, 5, "")


@pytest.mark.parametrize(
    "query", ["query=color:red", "query=status:abc", "page_size=0", "page_token=%00", "page_token=AAAA", "other=1"]
)
async def test_a_search_that_cannot_be_is_refused(managed: Managed, query: str) -> None:
    assert (await managed.call("GET", f"/log?{query}")).status in {401, 422}


async def test_an_unknown_request_is_unknown(managed: Managed) -> None:
    for request_id in ("0123456789abcdef-1", "x", "a%20b", "*", "status:403", "%E2%80%AE"):
        assert (await managed.call("GET", f"/log/{request_id}")).status == 404, request_id


async def test_a_log_that_cannot_be_read_is_said(managed: Managed) -> None:
    file = managed.main.service.settings.request_log_file
    file.parent.mkdir(parents=True)
    file.write_bytes(b"no database" * 1_000)
    reply = await managed.call("GET", "/log")
    assert (reply.status, reply.headers["content-type"]) == (500, "application/problem+json")


async def test_a_request_of_the_console_has_its_checks_as_any_other(managed: Managed) -> None:
    """The process of the management API serves the console; a reader without a session is sent to the sign-in."""
    noted = (
        managed.main.now,
        "0123456789abcdef-1",
        None,
        None,
        None,
        "GET",
        "/console/keys",
        303,
        0.001,
        None,
        "192.0.2.7",
        "",
    )
    waiting, log = Waiting(()), LogFile(managed.main.service.settings.request_log_file, 100, 7)
    waiting.add(noted)
    log.write(waiting, waiting.take(), managed.main.now)
    log.close()
    found = (await managed.call("GET", "/log/0123456789abcdef-1")).json
    assert found["request"]["path"] == "/console/keys"
    outcomes = {each["check"]: each["outcome"] for each in found["checks"]}
    assert list(outcomes) == ["route", "method", "size and form", "rate", "network", "hours", "sign-in", "endpoint"]
    assert outcomes["route"] == "passed"


async def test_a_damaged_log_is_the_documented_refusal_for_the_list_and_for_one_request(managed: Managed) -> None:
    managed.main.service.settings.request_log_file.parent.mkdir(exist_ok=True)
    managed.main.service.settings.request_log_file.write_bytes(b"no database" * 1_000)
    for path in ("/log", "/log/ab-1"):
        reply = await managed.call("GET", path)
        assert (reply.status, reply.json["reason"]) == (500, "manage.log_unreadable")
