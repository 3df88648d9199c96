"""A machine is lost while it works: all its processes end at once, and its disk is gone. What of it is lost?

What clients were told is in the store. The node's own files are gone: the last minute of the request log is in no shared
block, and of the audit trail only the copies are left, and the refusals, which the store has.
"""

import json
import os
import random
import shutil
import signal
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.nodes import shared
from tests.running import RunningServer, start

ROUNDS = 3
WORKING_SECONDS = 75.0
"""Longer than the minute for which a block of the request log is open."""

SHARED_WITHIN_SECONDS = 66.0
"""A block is closed after a minute, and written within five seconds; one more for the machine."""


@dataclass
class Worked:
    """What a node answered: when, and with which request id and refresh token."""

    at: float
    request_id: str
    refresh: str


@pytest.mark.long
def test_of_a_lost_machine_no_login_is_lost_and_of_the_log_the_last_minute(
    migrated_postgres: str, tmp_path: Path
) -> None:
    figures = []
    for number in range(ROUNDS):
        figures.append(one_machine(migrated_postgres, tmp_path / str(number), random.Random(number)))
        print(json.dumps(figures[-1]))  # for docs/reliability.md: pytest -rP
    for found in figures:
        assert found["logins_lost"] == 0
        assert found["refusals_lost_older_than_2_s"] == 0
        assert found["oldest_request_lost_s"] <= SHARED_WITHIN_SECONDS
        assert found["requests_found"] > 0


def one_machine(database: str, folder: Path, chance: random.Random) -> dict[str, float]:
    """Let a node work, lose it, and return what the other node knows."""
    folder.mkdir()
    copy = folder / "copies-of-the-trail"
    nodes: list[RunningServer] = []
    try:
        for name in ("alpha", "beta"):
            variables = shared(database) | {"CREDENCE_NODE_NAME": f"{name}-{folder.name}"}
            copies = {"CREDENCE_AUDIT_COPIES": f"file://{copy}"} if name == "beta" else {}
            nodes.append(start(folder / name, folder / f"{name}.txt", "--http", **variables, **copies))
        alpha, beta = nodes
        logins, refused = worked(beta, chance)
        os.killpg(beta.process.pid, signal.SIGKILL)
        lost_at = time.time()
        shutil.rmtree(beta.data_dir)
        beta.process.wait()
        return judged(alpha, beta.client_headers, logins, refused, copy, lost_at)
    finally:
        for each in nodes:
            each.stop()


def worked(beta: RunningServer, chance: random.Random) -> tuple[list[Worked], list[Worked]]:
    """Log in and be refused some times a second."""
    logins, refused, until = list[Worked](), list[Worked](), time.monotonic() + WORKING_SECONDS + 10 * chance.random()
    while time.monotonic() < until:
        login = {"username": beta.username, "password": beta.password}
        unknown = {"grant_type": "refresh_token", "refresh_token": f"unknown-{len(refused)}"}
        for body, into, status in ((login, logins, 200), (unknown, refused, 401)):
            reply = beta.client.post("/oauth2/v1/token", headers=beta.client_headers, json=body)
            assert reply.status_code == status, reply.text
            token = reply.json().get("refresh_token", "")
            into.append(Worked(time.time(), reply.headers["x-request-id"], token))
        time.sleep(chance.uniform(0.2, 0.5))
    return logins, refused


def judged(
    alpha: RunningServer,
    headers: dict[str, str],
    logins: list[Worked],
    refused: list[Worked],
    copy: Path,
    lost_at: float,
) -> dict[str, float]:
    """Refresh every login at the other node, and look for every request in its log and in the copies of the trail."""
    refreshed = [
        alpha.client.post(
            "/oauth2/v1/token",
            headers=headers | {"grant_type": "refresh_token", "refresh_token": each.refresh},
        ).status_code
        for each in logins
    ]
    known = logged(alpha)
    copied = copy.read_text() if copy.exists() else ""
    requests = [lost_at - each.at for each in logins if each.request_id not in known]
    refusals = [lost_at - each.at for each in refused if each.request_id not in known]
    trail = [lost_at - each.at for each in refused if each.request_id not in copied]
    return {
        "logins": len(logins),
        "logins_lost": len(logins) - refreshed.count(200),
        "requests_found": len(logins) - len(requests),
        "requests_lost": len(requests),
        "oldest_request_lost_s": round(max(requests, default=0.0), 1),
        "refusals": len(refused),
        "refusals_lost": len(refusals),
        "refusals_lost_older_than_2_s": sum(each > 2 for each in refusals),
        "lines_missing_in_copies": len(trail),
        "oldest_line_missing_s": round(max(trail, default=0.0), 1),
    }


def logged(node: RunningServer) -> set[str]:
    """Return the ids of all requests that the log of a node has, refusals among them."""
    known, page = set[str](), ""
    while True:
        more = ("--page", page) if page else ()
        done = node.command("log", "--json", "--newest", "1000", *more, "path:/oauth2/v1/token")
        assert done.returncode == 0, done.stderr
        found = json.loads(done.stdout)
        known |= {each["request_id"] for each in found["requests"]}
        page = found["next_page_token"]
        if not page:
            return known
