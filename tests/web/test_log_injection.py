"""What a caller sends forges no line of log or audit trail, wherever it is sent (threats A11)."""

import base64
import json
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import pytest
import structlog

from credence.telemetry import log
from credence.telemetry.audit_files import REFUSALS, newest
from tests.deployment import PASSWORD, REPORT_PATH, REVOKE_PATH, TOKEN_PATH, Deployment

FORGED = [
    'x\r\n{"event": "forged"}\r\n',
    'x", "event": "forged", "y": "',
    "x\u2028forged\u2029forged\x85forged",
    "\x1b[2Jforged\x1b]0;forged\x07\x9b31mforged",
    "x\x00forged\x0b\x0cforged",
    "\\u000aforged\\",
]
INPUTS = ("client_id", "client_secret", "grant_type", "username", "password", "refresh_token", "token", "other")

Sent = tuple[str, str, list[tuple[str, str]], bytes]


def requests(deployment: Deployment, text: str) -> Iterator[Sent]:
    """The text as every input of every endpoint, in every place where one may stand."""
    header = text.encode().decode("latin-1")
    good = {"username": "ada", "password": PASSWORD, **dict(deployment.client)}
    for path in (TOKEN_PATH, REVOKE_PATH):
        for name in INPUTS:
            fields = {**good, name: text}
            yield "POST", path, [(name, header)], json.dumps(good).encode()
            yield "POST", path, [("content-type", "application/json")], json.dumps(fields).encode()
            yield "POST", path, [("content-type", "application/json")], json.dumps(fields, ensure_ascii=False).encode()
            xml = "".join(f"<{key}>{value}</{key}>" for key, value in fields.items())
            yield "POST", path, [("content-type", "application/xml")], f"<r>{xml}</r>".encode()
            form = urlencode({"grant_type": "password", **fields}).encode()
            yield "POST", path, [deployment.basic, ("content-type", "application/x-www-form-urlencoded")], form
            yield "POST", f"{path}?{urlencode({name: text})}", [("content-type", "application/json")], b"{}"
        pair = base64.b64encode(f"{text}:{text}".encode()).decode()
        yield "POST", path, [("authorization", f"Basic {pair}")], b""
        yield "POST", path, [("content-type", header)], b"{}"
        yield "POST", path, [("content-type", "application/json")], text.encode()
    for value in (header, f"Bearer {header}"):
        yield "GET", f"{REPORT_PATH}/00000001", [("authorization", value)], b""
    yield "GET", f"{REPORT_PATH}/{quote(text, safe='')}", [], b""
    yield "GET", f"{REPORT_PATH}?{urlencode({'RegNumber': text, text: text})}", [], b""
    yield "GET", f"/{quote(text, safe='')}", [], b""
    for name in (
        "x-correlation-id",
        "x-forwarded-for",
        "forwarded",
        "host",
        "accept",
        "user-agent",
        "cookie",
        "x-other",
    ):
        yield "GET", "/nowhere", [(name, header)], b""
    yield text.encode().decode("latin-1"), TOKEN_PATH, [], b""


@pytest.mark.parametrize("readable", [False, True])
async def test_no_input_forges_a_line(
    deployment: Deployment, capfd: pytest.CaptureFixture[str], readable: bool
) -> None:
    try:
        log.configure(readable=readable)
        refused = 0
        for text in FORGED:
            for method, target, headers, body in requests(deployment, text):
                deployment.service.audit.tick(deployment.now + 1_000)  # so that each refusal has a line
                refused += (await deployment.send(method, target, headers, body)).status != 200
        deployment.service.audit.flush()
        log.flush()
        assert refused > 300
        trail = newest(deployment.service.settings.audit_folder, REFUSALS).read_bytes()
        written = capfd.readouterr().err
        for said in (trail.decode("ascii"), written):
            assert "forged" not in said
            assert all(character == "\n" or character.isprintable() for character in said)
            assert len(said.splitlines()) == refused
        assert {json.loads(line)["event"] for line in trail.splitlines()} == {"refused"}
        if not readable:
            assert {json.loads(line)["event"] for line in written.splitlines()} == {"refused"}
    finally:
        structlog.reset_defaults()
