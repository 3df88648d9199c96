"""Requests are recorded as traces, sent to a collector over OTLP (W3C Trace Context, threats A11, A12)."""

import json
import time

from tests.collector import DELIVERED_WITHIN, Received, collector
from tests.conftest import StartServer
from tests.ports import free_port
from tests.running import RunningServer
from tests.waiting import wait_until

STRANGER = "0af7651916cd43dd8448eb211c80319c"
"""The example of W3C Trace Context §3.2.2."""

SPAN = "b7ad6b7169203331"


def parent(flags: str) -> dict[str, str]:
    return {"traceparent": f"00-{STRANGER}-{SPAN}-{flags}"}


def names(tree: list[Received]) -> list[str]:
    return sorted(each.name for each in tree)


def lines_of(server: RunningServer, trace_id: str) -> list[dict[str, object]]:
    printed = (line for line in server.output.read_text().splitlines() if line.startswith("{"))
    return [line for line in map(json.loads, printed) if line.get("trace_id") == trace_id]


def test_a_request_is_one_tree_whose_id_is_in_the_log_and_in_the_answer(start_server: StartServer) -> None:
    with collector() as found:
        server = start_server(
            CREDENCE_TRACES_URL=found.url,
            CREDENCE_TRACES_SHARE="1",
            CREDENCE_TRACES_PER_SECOND="1000",
            CREDENCE_ACCESS_LOG="all",
        )
        login = server.client.post(
            "/oauth2/v1/token",
            headers={**server.client_headers, **parent("01")},
            json={"username": server.username, "password": server.password},
        )
        tokens = login.json()
        refreshed = server.client.post(
            "/oauth2/v1/token", headers={**server.client_headers, "refresh_token": tokens["refresh_token"]}
        )
        report = server.report(tokens["access_token"])
        missing = server.client.get("/no/such/path")
        assert [each.status_code for each in (login, refreshed, report, missing)] == [200, 200, 200, 404]

        ids = [each.headers["traceresponse"].split("-")[1] for each in (login, refreshed, report, missing)]
        trees = [found.tree(each) for each in ids]
        for tree in trees:
            (root,) = (each for each in tree if not each.parent)
            assert {each.parent for each in tree if each is not root} <= {root.span_id}
        roots = [next(each for each in tree if not each.parent) for tree in trees]
        assert [each.name for each in roots] == [
            "POST /oauth2/v1/token",
            "POST /oauth2/v1/token",
            "GET /risk/business/v1/registeredcompanycredit/{company_number}",
            "GET none",
        ]
        assert [each.attributes["http.response.status_code"] for each in roots] == [200, 200, 200, 404]
        assert roots[0].attributes["credence.request_id"] == login.headers["x-request-id"]
        assert {"hash password", "store open_family", "sign RS256"} <= set(names(trees[0]))
        assert {"store rotate", "sign RS256"} <= set(names(trees[1]))

        # A stranger's trace is not continued; ours names it.
        assert (roots[0].links, roots[1].links) == ([STRANGER], [])
        assert not any(each.trace_id == STRANGER for each in found.spans)

        for each in ids:
            wait_until(lambda each=each: bool(lines_of(server, each)), DELIVERED_WITHIN)  # type: ignore[misc]  # mypy infers no lambda with a default
        (line, *_) = lines_of(server, ids[0])
        assert line["request_id"] == login.headers["x-request-id"]
        (resource, *_) = found.resources
        assert (resource["service.name"], resource["deployment.environment.name"]) == ("credence", "sandbox")

        sent = b"".join(found.bytes_).decode("latin-1")
        secrets = (
            server.password,
            server.username,
            server.client_secret,
            tokens["refresh_token"],
            server.company_number,
        )
        assert not [each for each in secrets if each in sent]


def test_a_followed_peer_decides_within_the_bound_and_a_dead_collector_has_no_effect(start_server: StartServer) -> None:
    port = free_port()
    with collector(port) as found:
        server = start_server(
            CREDENCE_TRACES_URL=found.url,
            CREDENCE_TRACES_SHARE="0",
            CREDENCE_TRACES_PER_SECOND="1",
            CREDENCE_TRACES_FOLLOW="127.0.0.0/8, ::1/128",
        )
        assert server.client.get("/livez").headers["traceresponse"][-2:] in ("00", "02")  # not recorded (§3.2.2.5)
        began = time.monotonic()
        answers = [server.client.get("/livez", headers=parent("01")) for _ in range(50)]
        seconds = time.monotonic() - began
        assert {each.headers["traceresponse"].split("-")[1] for each in answers} == {STRANGER}
        (first, *_) = found.tree(STRANGER)
        assert first.parent == SPAN
        assert server.client.get("/livez", headers=parent("00")).headers["traceresponse"].endswith("00")
        recorded = [each for each in answers if each.headers["traceresponse"].endswith("01")]
        assert 1 <= len(recorded) <= seconds + 2
    tokens = server.tokens()
    for _ in range(3):
        assert server.report(tokens["access_token"]).status_code == 200
    assert server.client.get("/livez", headers=parent("01")).status_code == 200

    def said() -> int:
        return server.output.read_text().count("traces_not_delivered")

    def asked_and_said() -> bool:
        server.client.get("/livez", headers=parent("01"))
        return said() > 0

    wait_until(asked_and_said, DELIVERED_WITHIN)
    assert said() == 1
    assert "Traceback" not in server.output.read_text()
