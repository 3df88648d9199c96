"""`credence portfolio`, `credence webhook` and `credence alert` on a store that no server serves (D31)."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from credence.monitoring.comparing import event_of
from credence.monitoring.loaded import Held, Mark, save_mark
from credence.monitoring.transitions import ObservedChange
from credence.store.sqlite.store import SqliteStore
from credence.store.webhooks import WEBHOOKS, Webhook
from tests.cli.deployment import Deployment

CALLS = {"CREDENCE_CALLS_OUT": "on"}
NOW = 1_793_500_000_000
"""1 November 2026."""

URL = "https://receiver.example/hook"


@pytest.fixture
def client(deployment: Deployment) -> str:
    """The client_id of an application."""
    made: str = deployment.json("app", "create", "Ledger")["client_id"]
    return made


async def in_store(deployment: Deployment, act: Any) -> Any:
    store = SqliteStore(deployment.data_dir / "credence.sqlite")
    try:
        return await act(store)
    finally:
        await store.close()


def with_event(deployment: Deployment, portfolio: str) -> None:
    """Number an event, as a comparison does."""

    async def make(store: SqliteStore) -> None:
        version = await save_mark(store, 0, Mark(held={"band": Held(30, 100, 1)}))
        kept = await store.portfolio(portfolio)
        assert kept is not None
        change = ObservedChange("band", "fell", "B", "C", "2026-11-01", "")
        await store.record(version, [], [event_of("00000001", kept, change, NOW, "1")])

    asyncio.run(in_store(deployment, make))


def activate(deployment: Deployment, identity: str) -> None:
    """Store that the endpoint has answered."""

    async def save(store: SqliteStore) -> None:
        kept = await store.webhook(identity)
        assert kept is not None
        members = {name: getattr(kept, name) for name in kept.__struct_fields__}
        await store.save(WEBHOOKS, Webhook(**members | {"version": kept.version + 1, "state": "active"}))

    asyncio.run(in_store(deployment, save))


def test_a_portfolio_is_made_filled_shared_listed_and_exported(
    deployment: Deployment, client: str, tmp_path: Path
) -> None:
    other = deployment.json("app", "create", "Audit")["client_id"]
    made = deployment.json("portfolio", "make", client, "North")
    assert (made["owner"], made["companies"]) == (client, 0)
    rows = tmp_path / "rows.csv"
    rows.write_text("company_number,reference,exposure,currency,note\n1,C-1,100,GBP,\n00000002,,,,\nx!,,,,\n")
    done = deployment.run("portfolio", "import", made["id"], str(rows), "--json")
    assert (done.returncode, json.loads(done.stdout)) == (1, {"added": 2, "refused": 1})
    assert "Row 3: " in done.stderr
    exported = deployment.run("portfolio", "export", made["id"]).stdout.splitlines()
    assert [line.split(",")[0] for line in exported] == ["company_number", "00000001", "00000002"]
    removed = deployment.run("portfolio", "remove", made["id"], str(rows), "--json")
    assert (removed.returncode, json.loads(removed.stdout)) == (1, {"removed": 2, "refused": 1})
    assert deployment.run("portfolio", "import", made["id"], str(rows)).returncode == 1
    rows.write_bytes("company_number,reference\n1,Café\n".encode("latin-1"))
    not_read = deployment.run("portfolio", "import", made["id"], str(rows))
    assert (not_read.returncode, not_read.stderr) == (6, f"credence: {rows} is not in UTF-8.\n")
    unknown = deployment.run("portfolio", "share", made["id"], "nobody")
    assert (unknown.returncode, unknown.stderr) == (3, "credence: There is no application 'nobody'.\n")
    assert deployment.json("portfolio", "share", made["id"], other)["shared_with"] == [other]
    (listed,) = deployment.json("portfolio", "list")
    assert (listed["companies"], listed["shared_with"]) == (2, [other])
    assert deployment.json("portfolio", "unshare", made["id"], other)["shared_with"] == []
    chosen = tmp_path / "rules.json"
    chosen.write_text('[{"rule": "score", "by": 5}]')
    (rule,) = deployment.json("portfolio", "set", made["id"], "--rules", str(chosen))["rules"]
    assert deployment.json("portfolio", "show", made["id"])["rules"] == [rule]
    assert (rule["rule"], rule["by"]) == ("score", 5)
    chosen.write_text('[{"rule": "decision", "policy": "unknown"}]')
    refusal = deployment.refused("portfolio", "set", made["id"], "--rules", str(chosen))
    assert refusal == "A rule names a policy that is not installed."
    assert deployment.json("portfolio", "show", made["id"])["rules"] == [rule]
    assert deployment.refused("portfolio", "make", "nobody", "North").startswith("There is no application")
    assert deployment.refused("portfolio", "export", "pf_none") == "There is no portfolio 'pf_none'."
    assert deployment.refused("portfolio", "share", made["id"], "none").startswith("There is no application")


def test_held_rules_are_listed_and_released_or_dropped(deployment: Deployment, client: str) -> None:
    made = deployment.json("portfolio", "make", client, "North")
    with_event(deployment, made["id"])
    (held,) = deployment.json("portfolio", "held")
    assert (held["rule"], held["companies"], held["observed"]) == ("band", 30, 100)
    assert deployment.run("portfolio", "release", "band", "--drop").returncode == 0
    assert deployment.refused("portfolio", "release", "score") == "There is no held rule 'score'."
    with closing(sqlite3.connect(deployment.data_dir / "credence.sqlite")) as connection:
        (document,) = connection.execute("SELECT document FROM shared_values WHERE name = 'comparison'").fetchone()
    assert json.loads(document)["dropped"] == ["band"]


def test_a_webhook_is_looked_after_and_its_secret_printed_once(deployment: Deployment, client: str) -> None:
    assert "CREDENCE_CALLS_OUT" in deployment.refused("webhook", "make", client, URL)
    made = json.loads(
        deployment.run("webhook", "make", client, URL, "--signature", "hmac-sha256", "--json", **CALLS).stdout
    )
    identity = made["id"]
    assert made["secret"].startswith("whsec_")
    assert deployment.refused("webhook", "make", client, "http://receiver.example/", **CALLS)
    assert deployment.refused("webhook", "make", client, URL, "--signature", "none", **CALLS)
    assert "whsec_" not in deployment.run("webhook", "show", identity, "--json").stdout
    shown = deployment.json("webhook", "show", identity)
    assert (shown["state"], shown["waiting"], shown["given_up"]) == ("unverified", 1, 0)
    assert deployment.refused("webhook", "test", identity) == "The webhook is not active: have it verified first."
    activate(deployment, identity)
    assert deployment.json("webhook", "test", identity)["webhook_id"].startswith("msg_")
    with_event(deployment, deployment.json("portfolio", "make", client, "North")["id"])
    assert deployment.json("webhook", "replay", identity, "--event", "1") == {"deliveries": 1, "next": 0}
    assert deployment.json("webhook", "replay", identity, "--after", "0", "--until", "9")["deliveries"] == 1
    assert deployment.json("webhook", "replay", identity)["deliveries"] == 0
    assert deployment.refused("webhook", "replay", identity, "--after", "1").startswith("Say `event`")
    assert deployment.json("webhook", "keys", identity)["secret"] != made["secret"]
    assert deployment.json("webhook", "attempts", identity) == []
    assert deployment.json("webhook", "disable", identity)["disabled_reason"] == "by_hand"
    assert deployment.json("webhook", "verify", identity)["state"] == "unverified"
    assert [each["id"] for each in deployment.json("webhook", "list")] == [identity]
    assert deployment.run("webhook", "delete", identity).returncode == 0
    assert deployment.refused("webhook", "show", identity) == f"There is no webhook {identity!r}."


def test_alerts_are_worked_on_and_a_day_is_counted(deployment: Deployment, client: str) -> None:
    portfolio = deployment.json("portfolio", "make", client, "North")["id"]
    with_event(deployment, portfolio)
    (alert,) = deployment.json("alert", "list", client, "--unread")
    assert (alert["number"], alert["company"], alert["before"], alert["after"]) == (1, "00000001", "B", "C")
    changed = deployment.json("alert", "set", client, "1", "--read", "--assigned-to", "Ada", "--note", "Call them")
    assert (changed["read"], changed["assigned_to"], changed["note"]) == (True, "Ada", "Call them")
    assert deployment.json("alert", "list", client, "--unread") == []
    assert deployment.json("alert", "set", client, "1", "--unread")["assigned_to"] == "Ada"
    assert deployment.refused("alert", "set", client, "2", "--read") == "There is no alert '2'."
    today = deployment.json("alert", "digest", client, "--day", "2026-11-01")
    assert today == [{"portfolio": portfolio, "rule": "band", "events": 1, "companies": 1, "first": 1, "last": 1}]
    for day in ("x", "9999-12-31"):  # the second ends in a year without a name
        assert deployment.refused("alert", "digest", client, "--day", day) == "Write the day as 2026-11-21."
    assert deployment.refused("alert", "list", "crd_none") == "There is no application 'crd_none'."


def test_the_limits_that_people_approved_are_read(deployment: Deployment, client: str) -> None:
    assert deployment.json("limit", "list", client) == []
    assert deployment.json("limit", "show", client, "sc123456") == {"company_number": "SC123456", "limits": []}
    assert deployment.refused("limit", "show", client, "x") == "There is no company 'x'."
