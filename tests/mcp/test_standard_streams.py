"""`credence mcp`: an agent on the same machine speaks to it over standard input and output."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.mcp.messages import request, stateless
from tests.running import run_process


@pytest.fixture(scope="module")
def folder(loaded_register: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data folder of a deployment with the register's sample."""
    found = tmp_path_factory.mktemp("agents")
    (found / "credit").symlink_to(loaded_register)
    return found


def spoken(folder: Path, *messages: object) -> list[Any]:
    """What is answered to these messages, `bytes` as they are, and nothing else is printed."""
    lines = [each if isinstance(each, bytes) else json.dumps(each).encode() for each in messages]
    done = run_process("mcp", "--data-dir", str(folder), stdin=b"".join(line + b"\n" for line in lines))
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_each_line_is_answered_by_a_line_and_a_notification_by_none(folder: Path) -> None:
    begun, refused, unread, found, summed = spoken(
        folder,
        request("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "x", "version": "1"}),
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("sampling/createMessage"),
        b"not JSON",
        stateless("tools/call", name="search_companies", arguments={"number": "00026091"}),
        stateless("tools/call", name="explain_score", arguments={"number": "00026091"}),
    )
    assert begun["result"]["serverInfo"]["name"] == "credence"
    assert refused["error"]["code"] == -32601
    assert (unread["id"], unread["error"]["code"]) == (None, -32700)
    (company,) = found["result"]["structuredContent"]["Companies"]
    assert company["RegNumber"] == "00026091"
    explained = summed["result"]["structuredContent"]
    assert sum(line["Points"] for line in explained["Lines"]) == explained["Score"]


def test_a_report_is_read_page_by_page_without_a_gap(folder: Path) -> None:
    def call(page: int) -> dict[str, Any]:
        arguments = {"number": "99999999", "sections": ["Financials", "Assessment"], "page": page}
        return stateless("tools/call", name="company_report", arguments=arguments)

    pages = [each["result"]["structuredContent"] for each in spoken(folder, *map(call, range(1, 9)))]
    count = pages[0]["Pages"]
    members = [fact["Member"] for page in pages for fact in page["Facts"]]
    assert 1 < count < 8
    assert len(members) == len(set(members))
    assert members[0] == "/RegNumber"
    assert {member.split("/")[1] for member in members} == {"RegNumber", "Financials", "Assessment"}
    assert pages[count]["Facts"] == []
    assert all(len(json.dumps(page)) < 25_000 for page in pages)
