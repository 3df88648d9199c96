"""The access log and the lines on issued tokens, which the operator chooses; the levels of the log (threats A11)."""

import json
import logging
import logging.config

import jwt
import pytest

from credence.telemetry import log
from tests.deployment import TOKEN_PATH, OpenDeployment


async def lines_of(capfd: pytest.CaptureFixture[str], *events: str) -> list[dict[str, object]]:
    log.flush()
    return [line for line in map(json.loads, capfd.readouterr().err.splitlines()) if line["event"] in events]


@pytest.mark.parametrize(("choice", "statuses"), [("off", []), ("errors", [404]), ("all", [200, 404])])
async def test_the_access_log_has_the_answers_that_were_chosen(
    open_deployment: OpenDeployment, capfd: pytest.CaptureFixture[str], choice: str, statuses: list[int]
) -> None:
    log.configure(readable=False, node="node-7")
    deployment = await open_deployment(access_log=choice)
    assert (await deployment.send("GET", "/livez")).status == 200
    missing = await deployment.send("GET", "/nowhere?secret=canary")
    found = await lines_of(capfd, "answered")
    assert [line["status"] for line in found] == statuses
    for line in found:
        assert (line["node"], line["level"], line["method"]) == ("node-7", "info", "GET")
        assert "canary" not in json.dumps(line)
        assert isinstance(line["milliseconds"], float)
    if statuses:
        assert found[-1]["request_id"] == missing.headers["x-request-id"]


@pytest.mark.parametrize("chosen", [False, True])
async def test_each_issued_token_has_a_line_in_the_trail_if_that_was_chosen(
    open_deployment: OpenDeployment, chosen: bool
) -> None:
    deployment = await open_deployment(audit_issued_tokens=chosen)
    first = await deployment.tokens()
    second = (await deployment.refresh(first["refresh_token"])).json
    deployment.service.audit.flush()
    folder = deployment.service.settings.audit_folder
    trail = (folder / "audit.jsonl").read_text() if (folder / "audit.jsonl").exists() else ""
    lines = [line for line in map(json.loads, trail.splitlines()) if line["event"] == "issued"]
    claims = [jwt.decode(each["access_token"], options={"verify_signature": False}) for each in (first, second)]
    assert [line["jti"] for line in lines] == ([each["jti"] for each in claims] if chosen else [])
    for line in lines:
        assert (line["application"], line["account"]) == (deployment.application.client_id, "ada")
        assert (line["address"], line["route"]) == ("192.0.2.7", TOKEN_PATH)
        assert line["scope"] == claims[0]["scope"]
    for secret in (deployment.secret, first["access_token"], first["refresh_token"]):
        assert secret not in trail


def test_lower_levels_are_left_out_and_each_line_has_its_level(capfd: pytest.CaptureFixture[str]) -> None:
    log.configure(readable=False, level="warning", node="node-7")
    log.event("refused")
    log.warning("refresh_token_reused")
    log.error("revocation_state_stale")
    log.flush()
    lines = [json.loads(line) for line in capfd.readouterr().err.splitlines()]
    assert [(line["event"], line["level"], line["node"]) for line in lines] == [
        ("refresh_token_reused", "warning", "node-7"),
        ("revocation_state_stale", "error", "node-7"),
    ]


@pytest.mark.parametrize("logger", ["_granian", "asyncio", "concurrent.futures"])
def test_a_line_of_the_http_server_or_of_a_library_is_json_with_its_traceback_inside(
    capfd: pytest.CaptureFixture[str], logger: str
) -> None:
    """`logging` is configured as the HTTP server does it (`granian.log`)."""
    root, granian = logging.getLogger(), logging.getLogger("_granian")
    handlers, level = root.handlers[:], root.level
    ours = log.server_logging(readable=False, node="node-7")
    logging.config.dictConfig({"version": 1, "disable_existing_loggers": False, **ours})
    try:
        logging.getLogger(logger).error("Worker-%d failed", 1, exc_info=RuntimeError("gone"))
    finally:
        root.handlers[:], granian.handlers[:] = handlers, []
        root.setLevel(level)
    (written,) = capfd.readouterr().err.splitlines()
    line = json.loads(written)
    assert (line["event"], line["message"], line["level"]) == ("server", "Worker-1 failed", "error")
    assert "RuntimeError: gone" in line["exception"]
