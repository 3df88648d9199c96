"""A node that no longer hears the change log lets no token pass: it cannot know which live (threats L9, §7 Staleness)."""

import json
import time
from pathlib import Path

from tests.metrics import figures
from tests.nodes import nodes
from tests.ports import free_port
from tests.postgres import database, postgres_server
from tests.replication import replicated
from tests.running import RunningServer, start
from tests.waiting import wait_until
from tests.wire import wire

BOUND = 4
"""Seconds a node may be without news."""

LOOK = 1 + 2 + 2
"""Seconds between two looks at most, the deadlines of the first included: so much later it may be heard again."""

A_BUSY_MACHINE = 2

PUBLISHED = (
    "/livez",
    "/oauth2/v1/keys",
    "/.well-known/openid-configuration",
    "/.well-known/oauth-authorization-server",
)


def revoke(node: RunningServer, token: str) -> None:
    headers = {**node.client_headers, "token": token}
    assert node.client.post("/oauth2/v1/revokeToken", headers=headers).status_code == 200


def said(output: Path) -> list[str]:
    """What the log says of the change log, in order."""
    events = [json.loads(line)["event"] for line in output.read_text().splitlines() if line.startswith("{")]
    return [event for event in events if event.startswith("revocation_state_")]


def test_a_node_that_is_cut_off_answers_for_a_while_then_nobody_and_recovers_by_itself(tmp_path: Path) -> None:
    """Nothing is closed: the packets simply do not arrive. What was revoked meanwhile never passes again."""
    metrics = free_port()
    with postgres_server() as server, wire(server.port) as path, nodes(tmp_path, server.url, 1) as (other,):
        variables = {
            **other.variables,
            "CREDENCE_MAX_REVOCATION_STALENESS_SECONDS": str(BOUND),
            "CREDENCE_METRICS_PORT": str(metrics),
        }
        variables["CREDENCE_STORE"] = server.url.replace(f":{server.port}/", f":{path.port}/")
        for own in ("CREDENCE_DATA_DIR", "CREDENCE_PORT"):
            del variables[own]
        output = tmp_path / "output-cut-off.txt"
        node = start(tmp_path / "data", output, "--http", **variables)
        try:
            live, dead = other.tokens()["access_token"], other.tokens()["access_token"]
            assert [node.report(token).status_code for token in (live, dead)] == [200, 200]
            path.silent = True
            revoke(other, dead)
            cut_at = time.monotonic()
            assert node.report(live).status_code == 200
            wait_until(lambda: node.report(live).status_code == 500, BOUND + A_BUSY_MACHINE)
            assert time.monotonic() - cut_at > BOUND - 1 - A_BUSY_MACHINE / 2  # its last read of the log was earlier
            time.sleep(1.1)  # of a caller that cannot be authenticated the trail has the first refusal of a second
            refused = node.report(live)
            assert refused.json()["errors"][0]["errorType"] == "Internal Server Error"
            assert node.report(dead).status_code == 500
            assert [node.client.get(each).status_code for each in PUBLISHED] == [200] * len(PUBLISHED)
            ready = node.client.get("/readyz")
            assert (ready.status_code, ready.json()) == (503, {"status": "revocation state stale"})
            told = figures(metrics)
            assert told["credence_revocation_state_age_seconds"] > BOUND
            assert told['credence_refusals_total{reason="revocation_state.stale"}'] >= 3
            assert other.report(live).status_code == 200
            why = node.command("why", refused.headers["x-request-id"])
            assert "CREDENCE_MAX_REVOCATION_STALENESS_SECONDS" in why.stdout
            path.silent = False
            wait_until(lambda: node.report(live).status_code == 200, LOOK + A_BUSY_MACHINE)
            assert node.report(dead).status_code == 401
            wait_until(lambda: node.client.get("/readyz").status_code == 200, LOOK + A_BUSY_MACHINE)
            wait_until(
                lambda: said(output)[:2] == ["revocation_state_stale", "revocation_state_current"], A_BUSY_MACHINE
            )
        finally:
            node.stop()


def test_a_primary_that_cannot_tell_whether_it_was_replaced_is_not_relied_upon(tmp_path: Path) -> None:
    """Cut off from its standby it still answers every read: another may have taken its place and take revocations."""
    with (
        replicated() as pair,
        database(pair.url) as url,
        nodes(tmp_path, url, 1, CREDENCE_MAX_REVOCATION_STALENESS_SECONDS=str(BOUND)) as (node,),
    ):
        token = node.tokens()["access_token"]
        with pair.apart():
            assert node.report(token).status_code == 200
            wait_until(lambda: node.report(token).status_code == 500, BOUND + A_BUSY_MACHINE)
            assert node.client.get("/readyz").json() == {"status": "revocation state stale"}
        wait_until(lambda: node.report(token).status_code == 200, LOOK + A_BUSY_MACHINE)
        output = tmp_path / "output-0.txt"
        wait_until(lambda: said(output)[:2] == ["revocation_state_stale", "revocation_state_current"], A_BUSY_MACHINE)
