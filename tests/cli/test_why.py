"""`credence why`, and the operator's own lines in the audit trail."""

import json
from pathlib import Path
from typing import Any

from tests.cli.deployment import PASSWORD, Deployment
from tests.running import RunningServer
from tests.waiting import wait_until


def trail(folder: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in (folder / "audit" / "audit.jsonl").read_text().splitlines()]


def _wrong_password(sandbox: RunningServer) -> str:
    """Send a wrong password and return the request id."""
    body = {"username": sandbox.username, "password": "wrong horse battery"}
    return sandbox.client.post("/oauth2/v1/token", headers=sandbox.client_headers, json=body).headers["x-request-id"]


def test_a_refusal_of_a_running_server_is_explained(sandbox: RunningServer) -> None:
    said = dict[str, Any]()

    def is_in_the_trail() -> bool:  # not if another test's refusal was the first of its second
        sandbox.command("account", "unlock", sandbox.username)  # each attempt is one of few that are checked
        done = sandbox.command("why", _wrong_password(sandbox), "--json")
        said.update(json.loads(done.stdout or "{}"))
        return done.returncode == 0

    wait_until(is_in_the_trail, 60)
    assert said.pop("when").endswith("Z")
    said.pop("checks", None)  # the log has the request a second later
    assert said == {
        "environment": "sandbox",
        "request": "POST /oauth2/v1/token",
        "application": sandbox.client_id,
        "account": sandbox.username,
        "address": "127.0.0.1",
        "reason": "password.mismatch",
        "rule": "The password is wrong, or no account has this username (spec §7.6).",
        "the_caller_saw": "401 Access is denied due to invalid username or password.",
        "read": "docs/specification.md",
        "what_to_do": "If the entry names an account, it exists: have its owner check the password, or use credence account "
        "set-password.",
    }


def test_the_checks_of_a_refused_request_are_printed_in_their_order(sandbox: RunningServer) -> None:
    request_id, checks = _wrong_password(sandbox), dict[str, str]()

    def is_logged() -> bool:
        printed = (
            sandbox.command("why", request_id, "--json").stdout or "{}"
        )  # nothing before the request is in the log
        for each in json.loads(printed).get("checks", []):
            checks[each["check"]] = each["outcome"]
        return bool(checks)

    wait_until(is_logged, 60)
    refusing = list(checks.values()).index("refused")
    assert list(checks)[refusing] == "password, code or token"
    assert set(list(checks.values())[:refusing]) == {"passed"}
    assert set(list(checks.values())[refusing + 1 :]) == {"not reached"}
    printed = sandbox.command("why", request_id).stdout
    assert "what would come of it now" in printed
    assert printed.index("media type") < printed.index("password, code or token") < printed.index("hours")


def test_an_unknown_request_id_is_one_line(deployment: Deployment) -> None:
    said = deployment.refused("why", "0-1")
    assert said == (
        f"No refusal with the request id '0-1' is in the audit trail {deployment.data_dir / 'audit'}. Of a caller "
        "without credentials it has the first refusal of each second; the log has all, with the reason, which "
        "credence why explains too."
    )


def test_a_reason_code_is_explained_without_a_request(deployment: Deployment) -> None:
    """The log has it, and the sandbox sends it in X-Reason."""
    told = deployment.json("why", "header.repeated")
    assert (told["reason"], told["read"]) == ("header.repeated", "docs/spec-decisions.md, docs/threats.md")
    assert "sent twice (D2, threats P9)" in told["rule"]
    assert told["what_to_do"]


def test_part_of_a_request_id_explains_nothing(deployment: Deployment) -> None:
    (deployment.data_dir / "audit").mkdir(parents=True)
    line = {"time": "2026-11-19T12:00:00.000Z", "event": "refused", "request_id": "ab-12", "reason": "surprise"}
    (deployment.data_dir / "audit" / "audit.jsonl").write_text(json.dumps(line) + "\n")
    assert deployment.refused("why", "ab-1").startswith("No refusal")
    assert deployment.json("why", "ab-12")["reason"] == "surprise"


def test_what_the_operator_does_is_in_the_trail_without_a_secret(deployment: Deployment) -> None:
    client = deployment.json("app", "create", "Shop")
    deployment.create_account("ada", "--email", "ada@example.com")
    deployment.json("account", "status", "ada", "suspended")
    deployment.json("account", "rules", "ada", "--networks", "10.0.0.0/8")
    deployment.json("account", "set-password", "ada", "--password-stdin", stdin=PASSWORD + "!")
    deployment.json("app", "set", client["client_id"], "--disable")
    deployment.json("app", "rules", client["client_id"], "--windows", "never")
    rotated = deployment.json("app", "rotate-secret", client["client_id"])
    done = [(line["act"], line.get("account") or line.get("application")) for line in trail(deployment.data_dir)]
    assert done == [
        ("app create", client["client_id"]),
        ("account create", "ada"),
        ("account set", "ada"),
        ("account set", "ada"),
        ("account set-password", "ada"),
        ("app set", client["client_id"]),
        ("app set", client["client_id"]),
        ("app rotate-secret", client["client_id"]),
    ]
    assert all(line["event"] == "operator" and line["operator"] for line in trail(deployment.data_dir))
    text = (deployment.data_dir / "audit" / "audit.jsonl").read_text()
    for secret in (client["client_secret"], rotated["client_secret"], PASSWORD, "ada@example.com"):
        assert secret not in text


def test_looking_leaves_no_line(deployment: Deployment) -> None:
    client = deployment.json("app", "create", "Shop")
    deployment.json("app", "show", client["client_id"])
    deployment.json("app", "list")
    deployment.json("app", "rules", client["client_id"])
    assert [line["act"] for line in trail(deployment.data_dir)] == ["app create"]


def test_what_cannot_be_recorded_is_not_done(deployment: Deployment) -> None:
    """threats F2: the trail cannot be skipped."""
    client = deployment.json("app", "create", "Shop")
    file = deployment.data_dir / "audit" / "audit.jsonl"
    file.unlink()
    file.symlink_to("/dev/full")
    said = deployment.refused("app", "set", client["client_id"], "--disable")
    assert said == (
        f"The audit trail {deployment.data_dir / 'audit'} cannot be written: No space left on device. "
        "Nothing was changed."
    )
    assert deployment.json("app", "show", client["client_id"])["disabled"] is False
