"""Prometheus with the configuration of docs/two-nodes.md: a node is read, alerts load, the queries of the dashboard run."""

import json
import re
import shutil
from pathlib import Path

import httpx
import pytest
import yaml

from credence.sandbox.certificates import ensure_certificates
from credence.tls import authority_file
from tests.conftest import StartServer
from tests.deploy.test_prometheus import ALERTS, FOLDER, ROOT
from tests.ports import free_port
from tests.strangers.programs import needs, running
from tests.waiting import wait_until

PAGE = (ROOT / "docs" / "two-nodes.md").read_text(encoding="utf-8")
PANELS = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))["panels"]


def as_grafana_fills(query: str) -> str:
    """Return a query of the dashboard with all nodes and a rate over four scrapes, as Grafana sends it."""
    return query.replace("$__rate_interval", "1m").replace("$instance", ".*")


@needs("prometheus")
@pytest.mark.when_changed("deploy/prometheus/*", "docs/two-nodes.md", "tests/deploy/test_prometheus_of_two_nodes.py")
def test_prometheus_runs_with_the_printed_configuration_and_answers_every_panel(
    start_server: StartServer, tmp_path: Path
) -> None:
    metrics = free_port()
    start_server("--http", CREDENCE_METRICS_PORT=str(metrics))
    (block,) = re.findall(r"```yaml\n(scrape_configs:.+?)```", PAGE, re.DOTALL)
    ensure_certificates(tmp_path / "tls", "127.0.0.1")  # Patroni is not here, so its targets are down
    printed = block.replace("10.0.0.11:9464", f"127.0.0.1:{metrics}").replace("10.0.0.", "127.0.0.")
    printed = printed.replace("/etc/prometheus/nodes-ca.pem", str(authority_file(tmp_path / "tls")))
    (tmp_path / "prometheus.yml").write_text(f"global: {{scrape_interval: 1s, evaluation_interval: 1s}}\n{printed}")
    shutil.copy(FOLDER / "rules.yml", tmp_path)
    url = f"http://127.0.0.1:{free_port()}"
    command = [
        "prometheus",
        f"--config.file={tmp_path / 'prometheus.yml'}",
        f"--storage.tsdb.path={tmp_path / 'series'}",
        f"--web.listen-address={url.removeprefix('http://')}",
    ]
    with httpx.Client(base_url=url, trust_env=False, timeout=10) as client:

        def answered(query: str) -> dict[str, object]:
            found: dict[str, object] = client.get("/api/v1/query", params={"query": query}).json()
            return found

        def reads_the_node() -> bool:
            try:
                is_ready = client.get("/-/ready").status_code == 200
                return is_ready and "credence_ready" in str(answered('credence_ready{job="credence"} == 1'))
            except httpx.TransportError:
                return False

        with running(command, reads_the_node, tmp_path / "output.txt"):
            groups = client.get("/api/v1/rules").json()["data"]["groups"]
            assert {rule["name"] for group in groups for rule in group["rules"] if rule["type"] == "alerting"} == set(
                ALERTS
            )
            targets = client.get("/api/v1/targets").json()["data"]["activeTargets"]
            expected = yaml.safe_load(block)["scrape_configs"]
            assert len(targets) == sum(len(each["static_configs"][0]["targets"]) for each in expected)
            queries = [target["expr"] for panel in PANELS for target in panel["targets"]]
            assert len(queries) > 20
            for query in queries:
                assert answered(as_grafana_fills(query))["status"] == "success", query
            wait_until(lambda: "CredenceNodeDown" in str(client.get("/api/v1/alerts").json()), 60)
