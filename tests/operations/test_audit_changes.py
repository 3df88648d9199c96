"""The audit line of an act says what it changed, and an act that changes nothing has no line (D30, D41, threats A11, F2)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cli.deployment import Deployment
from tests.console.conftest import Console, console
from tests.management.conftest import Managed, managed

__all__ = ["console", "managed"]


@pytest.fixture
def deployment(tmp_path: Path) -> Deployment:
    return Deployment(tmp_path / "data")


def lines(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of the acts of operators, the oldest first."""
    written = (folder / "audit.jsonl").read_text("ascii").splitlines() if folder.exists() else []
    return [line for each in written if (line := json.loads(each))["event"] == "operator"]


def changes(folder: Path) -> list[tuple[str, Any]]:
    return [(line["act"], line.get("changes")) for line in lines(folder)]


def test_a_command_says_each_member_that_it_changes_with_both_values(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Ledger", "--grant", "client_credentials")["client_id"]
    deployment.json("app", "set", client_id, "--disable", "--scope", "credit:report", "--spike-per-minute", "5")
    made, changed = lines(deployment.data_dir / "audit")
    assert (made["application"], changed["application"]) == (client_id, client_id)
    assert made["changes"]["grants"] == {"after": ["client_credentials"]}
    assert "redirect_uris" not in made["changes"]  # nothing was chosen for it
    assert changed["changes"].pop("tokens_valid_from")["before"] is None
    assert changed["changes"] == {
        "disabled": {"before": False, "after": True},
        "scopes": {"before": None, "after": ["credit:report"]},
        "spike_per_minute": {"before": None, "after": 5},
    }


def test_closing_an_account_for_good_can_be_seen(deployment: Deployment) -> None:
    deployment.create_account("bob")
    deployment.json("account", "status", "bob", "closed")
    assert lines(deployment.data_dir / "audit")[-1]["changes"]["status"] == {"before": "active", "after": "closed"}


def test_a_refused_command_leaves_no_line(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Ledger")["client_id"]
    deployment.create_account("bob")
    deployment.json("account", "status", "bob", "closed")
    before = len(lines(deployment.data_dir / "audit"))
    for refused in (
        ("app", "set", client_id, "--redirect-uri", "nonsense"),
        ("app", "set", client_id, "--authentication", "none"),
        ("app", "set", client_id, "--jwks-uri", "http://keys.example"),
        ("account", "status", "bob", "active"),
        ("keys", "revoke", "unknown"),
        ("keys", "roll", "ES256"),
        ("portfolio", "release", "band"),
        ("webhook", "disable", "wh_unknown"),
    ):
        deployment.refused(*refused)
    assert len(lines(deployment.data_dir / "audit")) == before


def test_a_command_that_changes_nothing_is_done_and_leaves_no_line(deployment: Deployment) -> None:
    client_id = deployment.json("app", "create", "Ledger")["client_id"]
    deployment.create_account("bob")
    other = deployment.json("app", "create", "Other")["client_id"]
    portfolio = deployment.json("portfolio", "make", client_id, "Customers")["id"]
    acts: tuple[tuple[str, ...], ...] = (
        ("app", "set", client_id, "--disable"),
        ("account", "status", "bob", "suspended"),
        ("data", "hold", "register", "--reason", "It is incomplete."),
        ("portfolio", "share", portfolio, other),
    )
    for act in acts:
        deployment.json(*act)
    before = len(lines(deployment.data_dir / "audit"))
    for act in (*acts, ("data", "release", "gazette"), ("portfolio", "unshare", portfolio, client_id)):
        deployment.json(*act)
    assert len(lines(deployment.data_dir / "audit")) == before


def test_no_secret_and_no_personal_data_is_written(deployment: Deployment) -> None:
    """threats A11: a member of this kind is named, and its value is left out."""
    password = deployment.json("account", "create", "bob", "--type", "user", "--email", "bob@example.com")["password"]
    app = deployment.json("app", "create", "Ledger")
    secret = deployment.json("app", "rotate-secret", app["client_id"])["client_secret"]
    written = (deployment.data_dir / "audit" / "audit.jsonl").read_text()
    for each in (password, app["client_secret"], secret, "bob@example.com"):
        assert each not in written
    account, _, rotated = lines(deployment.data_dir / "audit")
    assert (account["changes"]["email"], account["changes"]["password"]) == ({}, {})
    assert [len(rotated["changes"]["secrets"][when]) for when in ("before", "after")] == [1, 2]


async def test_management_api_and_console_say_the_same_and_a_repetition_has_no_line(
    managed: Managed, console: Console
) -> None:
    """Two deployments in one folder, so that one trail has the lines of both."""
    tag = (await managed.call("GET", "/accounts/ada")).headers["etag"]
    for _ in range(2):
        closed = await managed.call("PATCH", "/accounts/ada", {"status": "closed"}, tag=tag)
        assert closed.status == 200
        tag = closed.headers["etag"]
    await (await console.operator("operator")).do("/console/accounts/ada", "account-close", confirm="ada")
    said = changes(managed.main.service.settings.audit_folder)
    assert [act for act, _ in said] == ["account set", "account set"]
    for _, changed in said:
        assert changed.pop("tokens_valid_from")["before"] is None
        assert changed == {"status": {"before": "active", "after": "closed"}}
