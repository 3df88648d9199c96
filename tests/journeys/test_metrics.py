"""What a running server tells Prometheus (threats E1, A11, A12)."""

import os
import platform
import shutil
import signal
import socket
import subprocess
from pathlib import Path

import httpx
import pytest

from credence import __version__
from credence.commit import running_commit
from tests.conftest import StartServer
from tests.metrics import figures, text
from tests.nodes import shared
from tests.ports import free_port
from tests.running import RunningServer, run_command
from tests.waiting import wait_until

PATIENCE = 60.0

CANARY = "canary-of-the-metrics"


@pytest.fixture
def port() -> int:
    return free_port()


@pytest.fixture
def server(start_server: StartServer, port: int) -> RunningServer:
    return start_server("--http", CREDENCE_METRICS_PORT=str(port), CREDENCE_SPIKE_ADDRESS_PER_MINUTE="60000")


def test_answers_and_refusals_are_counted(server: RunningServer, port: int) -> None:
    token = server.tokens()["access_token"]
    for _ in range(3):
        assert server.report(token).status_code == 200
    assert server.report("no.token.this").status_code == 401
    assert server.client.get("/nowhere").status_code == 404
    found = figures(port)
    report = "/risk/business/v1/registeredcompanycredit/{company_number}"
    assert found[f'credence_http_responses_total{{route="{report}",status="2xx"}}'] == 3
    assert found[f'credence_http_responses_total{{route="{report}",status="4xx"}}'] == 1
    assert found['credence_http_responses_total{route="/oauth2/v1/token",status="2xx"}'] == 1
    assert found['credence_http_responses_total{route="none",status="4xx"}'] == 1
    assert found['credence_refusals_total{reason="path.unknown"}'] == 1
    assert found["credence_password_queue_length"] == 0
    assert found["credence_audit_lines_lost_total"] == 0
    assert found["credence_event_loop_lag_seconds_total"] >= 0
    assert found["credence_sweep_lag_seconds"] >= 0
    assert found["process_resident_memory_bytes"] > 0
    assert "credence_shared_counters_up" not in found  # none are shared: unknown is left out


def test_durations_ages_and_readiness_are_measured(server: RunningServer, port: int, tmp_path: Path) -> None:
    token = server.tokens()["access_token"]
    assert server.report(token).status_code == 200
    assert "credence_backup_age_seconds" not in figures(port)  # none was made yet: unknown is left out
    assert server.command("backup", "create", str(tmp_path / "kept")).returncode == 0
    wait_until(lambda: figures(port).get("credence_ready") == 1, PATIENCE)
    found = figures(port)
    report = 'route="/risk/business/v1/registeredcompanycredit/{company_number}",status="2xx"'
    for labels in (report, 'route="/oauth2/v1/token",status="2xx"'):
        assert found[f"credence_http_response_seconds_count{{{labels}}}"] == 1
        assert found[f"credence_http_response_seconds_sum{{{labels}}}"] > 0
        assert found[f'credence_http_response_seconds_bucket{{le="+Inf",{labels}}}'] == 1
    assert found["credence_password_hash_seconds_count"] == 1
    assert found["credence_store_seconds_count"] >= 1
    build = f'commit="{running_commit()}",python="{platform.python_version()}",version="{__version__}"'
    assert found[f"credence_build_info{{{build}}}"] == 1
    assert 0 <= found["credence_backup_age_seconds"] < PATIENCE
    assert found['credence_signing_key_age_seconds{algorithm="RS256"}'] >= 0
    assert found['credence_data_set_age_seconds{source="register"}'] > 0
    assert found["credence_workers"] == 1


def test_several_workers_are_read_at_one_address_and_a_frozen_one_is_not_ready(
    start_server: StartServer, postgres: str, port: int
) -> None:
    server = start_server(
        "--http", data_dir=None, CREDENCE_METRICS_PORT=str(port), CREDENCE_WORKERS="2", **shared(postgres)
    )
    wait_until(lambda: figures(port)["credence_workers"] == 2, PATIENCE)
    for _ in range(4):
        assert server.client.get("/livez").status_code == 200
    found = figures(port)
    answered = [
        found.get(f'credence_http_responses_total{{route="/livez",status="2xx",worker="{n}"}}', 0) for n in (0, 1)
    ]
    assert sum(answered) == 4
    assert {n for n in (0, 1) if f'credence_store_connections{{use="idle",worker="{n}"}}' in found} == {0, 1}
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    os.kill(int(children[-1]), signal.SIGSTOP)
    try:
        found = figures(port)
    finally:
        os.kill(int(children[-1]), signal.SIGCONT)
    assert found["credence_workers"] == 1
    assert 0 in {found.get('credence_ready{worker="0"}'), found.get('credence_ready{worker="1"}')}


def test_promtool_finds_no_fault(server: RunningServer, port: int) -> None:
    if shutil.which("promtool") is None:
        pytest.skip("promtool is missing: python -m tests.provision")
    server.tokens()
    done = subprocess.run(
        ["promtool", "check", "metrics"], input=text(port), text=True, capture_output=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_address_may_be_one_that_other_machines_reach(start_server: StartServer, port: int) -> None:
    start_server("--http", CREDENCE_METRICS_PORT=str(port), CREDENCE_METRICS_HOST="127.0.0.2")
    assert httpx.get(f"http://127.0.0.2:{port}/metrics", trust_env=False).status_code == 200
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False)


def test_what_callers_choose_makes_no_label(server: RunningServer, port: int) -> None:
    """threats A12: the number of lines has a bound, and nothing a caller sent stands in them."""
    server.client.get("/nowhere")
    server.client.post("/oauth2/v1/token", headers={"client_id": CANARY, "client_secret": CANARY}, json={})
    server.client.post(
        "/oauth2/v1/token",
        headers={"client_id": CANARY, "client_secret": CANARY},
        json={"username": CANARY, "password": CANARY},
    )
    before = set(figures(port))
    for n in range(20):
        server.client.get(f"/{CANARY}-{n}")
        server.client.post(
            "/oauth2/v1/token",
            headers={"client_id": f"{CANARY}-{n}", "client_secret": CANARY},
            json={"username": f"{CANARY}-{n}", "password": CANARY},
        )
    assert set(figures(port)) == before
    assert CANARY not in text(port)


def test_by_default_they_are_told_on_the_loopback_address_alone(server: RunningServer, port: int) -> None:
    """threats E1: another listener than the service's, whose routes do not know them."""
    assert server.client.get("/metrics").status_code == 404
    assert not any(name.startswith("credence_") for name in server.client.get("/openapi.json").json()["paths"])
    listening = [line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if " 0A " in line]
    assert [each for each in listening if each.endswith(f":{port:04X}")] == [f"0100007F:{port:04X}"]


def test_by_default_nobody_listens(start_server: StartServer, port: int) -> None:
    start_server("--http")
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"http://127.0.0.1:{port}/metrics", trust_env=False)


def test_a_taken_port_is_said_before_anything_is_made(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        number = str(taken.getsockname()[1])
        refused = run_command(
            "serve", "--http", CREDENCE_METRICS_PORT=number, CREDENCE_DATA_DIR=str(tmp_path / "data"),
            CREDENCE_PORT=str(free_port()),
        )  # fmt: skip
    assert refused.returncode == 4
    assert number in refused.stderr
    assert not (tmp_path / "data").exists()
