"""Alerts, objectives and dashboard: judged by promtool, and held against the pages and the program's metrics."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
import yaml

from credence.paths import LIVE, READY
from credence.request_log.query import read_query

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "deploy" / "prometheus"
RULES = yaml.safe_load((FOLDER / "rules.yml").read_text(encoding="utf-8"))
ALERTS: dict[str, Any] = {
    rule["alert"]: rule for group in RULES["groups"] for rule in group["rules"] if "alert" in rule
}
SUFFIXES = ("_bucket", "_count", "_sum", "_total")


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "rules", "rules.yml"),
        ("check", "config", "prometheus.yml"),
        pytest.param(("test", "rules", "tests.yml"), marks=pytest.mark.when_changed("deploy/prometheus/*")),
    ],
)
def test_promtool_finds_no_fault(arguments: tuple[str, ...]) -> None:
    """The last runs each alert over invented series: none on a quiet node, all of them on a faulty one."""
    if shutil.which("promtool") is None:
        pytest.skip("promtool is missing: python -m tests.provision")
    done = subprocess.run(["promtool", *arguments], cwd=FOLDER, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tests_expect_as_many_alerts_as_there_are() -> None:
    assert f"value: {len(ALERTS)}}}" in (FOLDER / "tests.yml").read_text(encoding="utf-8")


def test_every_alert_has_a_runbook_and_every_runbook_an_alert() -> None:
    page = (ROOT / "docs" / "alerts.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^## (Credence\w+)$", page, re.MULTILINE))
    assert sections == set(ALERTS)
    for name, rule in ALERTS.items():
        assert rule["annotations"]["runbook"] == f"docs/alerts.md#{name.lower()}"
        assert rule["labels"]["severity"] in {"critical", "warning"}


def test_rules_and_dashboard_use_metrics_that_the_program_has() -> None:
    dashboard = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += [rule["expr"] for group in RULES["groups"] for rule in group["rules"]]
    used = {name for query in queries for name in re.findall(r"\b(?:credence|process)_[a-z_]+", query)}
    source = "".join(
        file.read_text(encoding="utf-8")
        for folder in ("telemetry", "background")
        for file in (ROOT / "src" / "credence" / folder).glob("*.py")
    )
    exported = set(re.findall(r'"(credence_[a-z_]+)"', source)) | {
        "credence_build_info",
        "process_resident_memory_bytes",
    }
    assert len(used) > 20
    assert {name for name in used if name not in exported and without_suffix(name) not in exported} == set()


def test_no_share_or_time_of_answers_counts_probes() -> None:
    dashboard = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    queries = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    queries += [rule["expr"] for group in RULES["groups"] for rule in group["rules"]]
    selectors = [each for query in queries for each in re.findall(r"credence_http_\w+(\{[^}]*\}|)", query)]
    assert len(selectors) > 10
    for each in selectors:
        left_out = re.search(r'route!~"([^"]+)"', each)
        taken = re.search(r'route=~"([^"]+)"', each)
        for path in (LIVE, READY):
            assert (left_out and re.fullmatch(left_out[1], path)) or (taken and not re.fullmatch(taken[1], path)), each


def test_every_reason_in_a_rule_is_a_reason_code() -> None:
    codes = re.findall(r'reason="([^"]+)"', (FOLDER / "rules.yml").read_text(encoding="utf-8"))
    known = (ROOT / "src" / "credence" / "telemetry" / "reasons.toml").read_text(encoding="utf-8")
    assert [code for code in codes if f'"{code}"' not in known] == []


def test_every_log_query_of_an_alert_or_a_panel_is_one_that_the_log_reads() -> None:
    dashboard = json.loads((FOLDER / "dashboard.json").read_text(encoding="utf-8"))
    links = [link["url"] for panel in dashboard["panels"] for link in panel.get("links", ())]
    queries = [parse_qs(urlsplit(link).query)["q"][0] for link in links if link.startswith("${console}/console/log?")]
    queries += [query for rule in ALERTS.values() if (query := rule["annotations"].get("log_query"))]
    assert len(queries) > 10
    known = (ROOT / "src" / "credence" / "telemetry" / "reasons.toml").read_text(encoding="utf-8")
    for query in queries:
        read_query(query, 1_700_000_000_000)
        for reason in re.findall(r"reason:([\w.]+)", query):
            assert f'"{reason}' in known, reason
    runbooks = {link.rpartition("#")[2] for link in links if "/docs/alerts.md#" in link}
    assert runbooks <= {name.lower() for name in ALERTS}
    assert len(runbooks) > 3


def without_suffix(name: str) -> str:
    return next((name.removesuffix(suffix) for suffix in SUFFIXES if name.endswith(suffix)), name)
