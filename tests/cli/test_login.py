"""`credence login`: an operator signs in to a remote deployment with a browser, and the commands use the token."""

import json
import os
import ssl
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.forked import ForkedProcess
from tests.mcp.messages import request, stateless
from tests.running import Done, RunningServer, clean_environment, run_command, run_process
from tests.sign_in.browsing import form_of_text
from tests.waiting import wait_until

DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
OPTIONS = ("--authentication", "none", "--grant", DEVICE, "--grant", "refresh_token")


@pytest.fixture(scope="module")
def client_id(sandbox: RunningServer) -> str:
    made = sandbox.command("app", "create", "Command line", *OPTIONS, "--access-token-lifetime", "900", "--json")
    found: str = json.loads(made.stdout)["client_id"]
    return found


def decide(sandbox: RunningServer, printed: str, decision: str, username: str = "") -> None:
    """Do with the printed lines what a person does."""
    code = printed.partition("enter the code ")[2].split()[0]
    trust = ssl.create_default_context(cafile=sandbox.ca_file)
    with httpx.Client(base_url=sandbox.base_url, verify=trust, timeout=60, follow_redirects=True) as browser:
        page = browser.get("/device", params={"user_code": code})
        login = {"username": username or sandbox.username, "password": sandbox.password}
        for typed in (login, {"user_code": code}, {"decision": decision}):
            action, hidden = form_of_text(page.text)
            page = browser.post(action, data={**hidden, **typed})


def sign_in(
    sandbox: RunningServer, client_id: str, file: Path, *options: str, decision: str = "allow", username: str = ""
) -> tuple[int, str]:
    """Run `credence login` as a process while a person decides; return its exit code and what it printed."""
    shown = file.with_name("shown")
    arguments = ("login", sandbox.base_url, "--client", client_id, "--ca-file", str(sandbox.ca_file))
    shown.unlink(missing_ok=True)
    shown.touch()
    started = ForkedProcess([*arguments, "--login-file", str(file), *options], clean_environment(), shown)
    try:
        wait_until(lambda: "compare it" in shown.read_text(), seconds=60)
        decide(sandbox, shown.read_text(), decision, username)
        return started.wait(timeout=120), shown.read_text()
    finally:
        started.kill()
        started.wait()


def with_file(file: Path, *arguments: str) -> Done:
    return run_command(*arguments, "--login-file", str(file))


def test_an_operator_signs_in_uses_the_token_and_signs_out(
    sandbox: RunningServer, client_id: str, tmp_path: Path
) -> None:
    file = tmp_path / "own" / "logins.json"
    file.parent.mkdir()
    code, printed = sign_in(sandbox, client_id, file)
    assert code == 0, printed
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    (kept,) = json.loads(file.read_text())
    told = json.loads(with_file(file, "whoami", "--json").stdout)
    assert (told["account"], told["deployment"]) == (sandbox.username, sandbox.base_url)
    assert sandbox.report(kept["access_token"]).status_code == 200
    file.write_text(json.dumps([kept | {"expires_at": 0}]))
    assert with_file(file, "whoami").returncode == 0  # with a new token
    (renewed,) = json.loads(file.read_text())
    assert renewed["access_token"] != kept["access_token"]
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert with_file(file, "logout").returncode == 0
    assert json.loads(file.read_text()) == []
    assert sandbox.report(renewed["access_token"]).status_code == 401
    assert with_file(file, "whoami").returncode == 3


def test_an_agent_reads_a_remote_deployment_with_the_login(
    sandbox: RunningServer, client_id: str, tmp_path: Path
) -> None:
    file = tmp_path / "logins.json"
    code, printed = sign_in(sandbox, client_id, file, "--agents")
    assert (code, f"credence mcp --url {sandbox.base_url}" in printed) == (0, True), printed
    (kept,) = json.loads(file.read_text())
    assert sandbox.report(kept["access_token"]).status_code == 401  # another resource
    begin = request(
        "initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo={"name": "x", "version": "1"}
    )
    asked = [
        begin,
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        request("tools/list"),
        stateless("tools/call", name="company_summary", arguments={"number": sandbox.company_number}),
        request("tools/call", name="portfolio_events", arguments={}),
    ]
    lines = "".join(json.dumps(each) + "\n" for each in asked) + "not JSON\n"
    done = run_process("mcp", "--url", sandbox.base_url, "--login-file", str(file), stdin=lines)
    begun, listed, summed, refused, unread = (json.loads(line) for line in done.stdout.splitlines())
    assert begun["result"]["protocolVersion"] == "2025-06-18"
    assert "company_summary" in {each["name"] for each in listed["result"]["tools"]}
    assert summed["result"]["structuredContent"]["RegNumber"] == sandbox.company_number
    scopes = "openid credit:report credit:search credit:directors credit:monitor"
    assert refused["error"]["message"] == (
        f"The login lacks credit:monitor. Again: credence login {sandbox.base_url} --agents --scope '{scopes}'"
    )
    assert unread["error"]["code"] == -32700
    assert with_file(file, "logout", "--agents").returncode == 0
    assert with_file(file, "mcp", "--url", sandbox.base_url).returncode == 3


def test_a_person_who_refuses_leaves_nothing_in_the_file(
    sandbox: RunningServer, client_id: str, tmp_path: Path
) -> None:
    file = tmp_path / "logins.json"
    code, printed = sign_in(sandbox, client_id, file, decision="refuse")
    assert (code, "did not allow" in printed) == (4, True), printed
    assert not file.exists()


def written(file: Path, **changes: Any) -> None:
    login = {
        "url": "https://localhost:1",
        "resource": "",
        "client_id": "crd_sbx_app_a",
        "ca_file": None,
        "scope": "openid",
        "access_token": "a",
        "refresh_token": "r",
        "expires_at": 0,
        **changes,
    }
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "w") as stream:
        json.dump([login], stream)


def test_a_file_that_others_can_read_is_not_used(tmp_path: Path) -> None:
    """threats A11."""
    file = tmp_path / "logins.json"
    written(file)
    file.chmod(0o644)
    done = with_file(file, "whoami")
    assert (done.returncode, "chmod 600" in done.stderr) == (4, True)


def test_a_login_stays_when_the_deployment_does_not_answer_unless_it_is_deleted_here_only(tmp_path: Path) -> None:
    file = tmp_path / "logins.json"
    written(file)
    assert with_file(file, "logout").returncode == 4
    assert len(json.loads(file.read_text())) == 1
    assert with_file(file, "logout", "--here-only").returncode == 0
    assert json.loads(file.read_text()) == []


@pytest.mark.parametrize("address", ["http://api.example.com", "api.example.com", "ftp://localhost"])
def test_an_address_without_tls_is_refused(tmp_path: Path, address: str) -> None:
    done = with_file(tmp_path / "logins.json", "login", address, "--client", "crd_sbx_app_a")
    assert done.returncode == 2
    assert "https://" in done.stderr


def test_the_deployment_proves_that_it_is_the_issuer(sandbox: RunningServer, tmp_path: Path) -> None:
    """RFC 8414 §3.3: no code of another issuer is shown, and no token sent to it."""
    address = sandbox.base_url.replace("localhost", "127.0.0.1")
    arguments = ("login", address, "--client", "crd_sbx_app_a", "--ca-file", str(sandbox.ca_file))
    done = with_file(tmp_path / "logins.json", *arguments)
    assert done.returncode == 4
    assert "another issuer" in done.stderr
