"""`credence --at URL`: commands at a remote deployment, by its management API and the login of a person (D30)."""

import json
import os
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

import pytest

from credence.cli.remote_logins import RemoteLogin, keep
from tests.cli.test_login import DEVICE, sign_in
from tests.ports import free_port
from tests.running import PROGRAM, Done, RunningServer, clean_environment, run_command, start
from tests.waiting import wait_until

SCOPES = ("manage:read", "manage:applications", "manage:accounts", "manage:keys", "manage:data")


@dataclass
class There:
    """A deployment that is managed from elsewhere: neither its folder nor its variables are known here."""

    server: RunningServer
    home: Path

    def command(self, *arguments: str, stdin: str = "") -> Done:
        return run_command("--at", self.server.base_url, *arguments, stdin=stdin, XDG_CONFIG_HOME=str(self.home))

    def told(self, *arguments: str) -> Any:
        done = self.command(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)


@pytest.fixture(scope="module")
def there(tmp_path_factory: pytest.TempPathFactory) -> Iterator[There]:
    """A sandbox with its management API, and the login of its operator at it."""
    folder: Path = tmp_path_factory.mktemp("remote")
    port = free_port()
    server = start(folder / "data", folder / "output.txt", CREDENCE_MANAGE_PORT=str(port))
    try:
        grants = ("--authentication", "none", "--grant", DEVICE, "--grant", "refresh_token")
        scopes = [part for scope in ("openid", *SCOPES) for part in ("--scope", scope)]
        made = server.command("app", "create", "Command line", *grants, *scopes, "--json")
        client_id = json.loads(made.stdout)["client_id"]
        home = folder / "home"
        file = home / "credence" / "logins.json"
        file.parent.mkdir(parents=True)
        options = ("--manage", f"https://localhost:{port}")
        code, printed = sign_in(server, client_id, file, *options, username="operator")
        assert (code, f"credence --at {server.base_url} app list" in printed) == (0, True), printed
        there = There(server, home)
        wait_until(lambda: there.command("keys", "list").returncode == 0, seconds=60)
        yield there
    finally:
        server.stop()


def test_an_application_is_made_shown_changed_and_given_another_secret(there: There) -> None:
    made = there.told("app", "create", "Ledger", "--grant", "client_credentials", "--scope", "credit:report")
    client_id = made["client_id"]
    assert made["client_secret"].startswith("crd_sbx_sec_")
    assert there.told("app", "show", client_id)["scopes"] == ["credit:report"]
    told = there.told("app", "set", client_id, "--spike-per-minute", "120", "--disable")
    assert (told["spike_per_minute"], told["disabled"]) == (120, True)
    assert there.told("app", "set", client_id, "--enable", "--inherit", "spike-per-minute")["spike_per_minute"] is None
    rules = there.told("app", "rules", client_id, "--networks", "192.0.2.0/24", "--windows", "Mon-Fri 08:00-18:00")[
        "rules"
    ]
    assert (rules["networks"], rules["windows"]) == (["192.0.2.0/24"], ["Mon-Fri 08:00-18:00"])
    assert there.told("app", "rules", client_id)["rules"]["networks"] == ["192.0.2.0/24"]
    assert there.told("app", "rotate-secret", client_id)["client_secret"] != made["client_secret"]
    listed = {row["client_id"]: row["name"] for row in there.told("app", "list")}
    assert listed[client_id] == "Ledger"
    local = json.loads(there.server.command("app", "show", client_id, "--json").stdout)
    assert local == there.told("app", "show", client_id)
    trail = (there.server.data_dir / "audit").glob("*")
    lines = [
        json.loads(line) for file in trail for line in file.read_text().splitlines() if "app rotate-secret" in line
    ]
    assert [line["operator"] for line in lines] == ["operator"]


def test_what_only_the_machine_could_do_with_applications_is_done_from_elsewhere(there: There) -> None:
    made = there.told("app", "create", "Clerk", "--grant", "client_credentials")
    client_id, old = made["client_id"], made["secrets"][0]["id"]
    there.told("app", "rotate-secret", client_id)
    assert old not in [each["id"] for each in there.told("app", "end-secret", client_id, old)["secrets"]]
    assert there.told("app", "end-logins", client_id)["tokens_valid_from"] is not None
    assert there.told("app", "disable", client_id, "--preview")["disabled"] is True
    assert there.told("app", "show", client_id)["disabled"] is False
    assert there.told("app", "rate", client_id, "30")["spike_per_minute"] == 30
    assert there.told("app", "invite", "--uses", "2")["initial_access_token"]
    assert there.told("app", "host", "app.example", "block")["verdict"] == "block"
    assert {row["host"]: row["verdict"] for row in there.told("app", "hosts")} == {"app.example": "block"}


def test_an_account_is_made_and_suspended(there: There) -> None:
    made = there.told("account", "create", "Grace", "--type", "user", "--email", "grace@example.com")
    assert (made["username"], bool(made["password"])) == ("grace", True)
    assert there.told("account", "status", "grace", "suspended")["status"] == "suspended"
    assert "grace" in {row["username"] for row in there.told("account", "list")}
    done = there.command("account", "create", "h", "--type", "user", "--password-stdin", stdin="secret")
    assert (done.returncode, "is not sent" in done.stderr) == (2, True)


def test_what_is_only_read(there: There) -> None:
    """The log has a request a second after its answer."""
    assert "signing" in {row["state"] for row in there.told("keys", "list")}
    assert "register" in {row["source"] for row in there.told("data", "status")}
    assert {"setting", "value", "source"} == set(there.told("config", "show")[0])
    there.server.report("nonsense")
    wait_until(lambda: bool(there.told("log", "status:401", "since:5m")["requests"]), seconds=60)
    entry = there.told("log", "status:401", "since:5m")["requests"][0]
    assert there.told("why", entry["request_id"])["request"]["request_id"] == entry["request_id"]
    assert entry["request_id"] in there.command("log", "status:401", "since:5m").stdout
    refused = there.told("audit", "refusals", "--newest", "1")
    assert [set(each) >= {"time", "node", "reason"} for each in refused] == [True]
    assert there.told("audit", "deeds", "--act", "no such act") == []
    assert there.told("health")["status"] == "ready"


def test_disputes_are_those_of_the_company_that_is_named(there: There) -> None:
    for number in ("00000001", "00000002"):
        done = there.server.command("data", "dispute", number, "open", "--field", "Name", "--note", "n")
        assert done.returncode == 0, done.stderr
    assert [row["company"] for row in there.told("data", "disputes", "2")] == ["00000002"]
    assert [row["company"] for row in there.told("data", "disputes")] == ["00000001", "00000002"]


class Answering(BaseHTTPRequestHandler):
    """A deployment that answers each path with the document of its name, or with those of a list in turn."""

    documents: ClassVar[dict[str, object]] = {}

    def do_GET(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        found = self.documents[self.path.partition("?")[0]]
        body = json.dumps(found.pop(0) if isinstance(found, list) else found).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@contextmanager
def answering(folder: Path, path: str, document: object) -> Iterator[tuple[str, Path]]:
    """A deployment elsewhere that answers one path, and the folder with a login at it."""
    methods = dict.fromkeys(("do_POST", "do_PUT", "do_PATCH", "do_DELETE"), Answering.do_GET)
    handler = type("Handler", (Answering,), {"documents": {f"/manage/v1{path}": document}, **methods})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        serving = threading.Thread(target=server.serve_forever)
        serving.start()
        url = f"http://127.0.0.1:{server.server_address[1]}"
        file = folder / "credence" / "logins.json"
        login = RemoteLogin(url, "/manage/v1", "c", None, "manage:read", "t", None, 2**52)
        keep(file, login)
        try:
            yield url, folder
        finally:
            server.shutdown()
            serving.join()


@pytest.mark.parametrize(("outcome", "code"), [("ok", 0), ("failure", 1)])
def test_the_exit_code_of_the_doctor_says_whether_something_is_wrong(tmp_path: Path, outcome: str, code: int) -> None:
    findings = {"findings": [{"check": "names", "outcome": outcome, "seen": "", "to_do": []}]}
    with answering(tmp_path, "/doctor", findings) as (url, home):
        done = run_command("--at", url, "doctor", "--json", XDG_CONFIG_HOME=str(home))
    assert (done.returncode, json.loads(done.stdout)) == (code, findings["findings"]), done.stderr


@pytest.mark.parametrize("document", [{"other": 1}, {"keys": {}}, {"keys": ["k"]}])
def test_an_answer_without_the_rows_of_a_list_is_no_answer_of_a_management_api(
    tmp_path: Path, document: dict[str, object]
) -> None:
    with answering(tmp_path, "/keys", document) as (url, home):
        done = run_command("--at", url, "keys", "list", XDG_CONFIG_HOME=str(home))
    assert (done.returncode, done.stdout, "not one of this API" in done.stderr) == (4, "", True)


OBJECTS = {
    "/applications": (("app", "create", "A"),),
    "/applications/a": (("app", "show", "a"), ("app", "set", "a", "--enable")),
    "/applications/a/secrets": (("app", "rotate-secret", "a"),),
    "/invitations": (("app", "invite"),),
    "/accounts": (("account", "create", "a", "--type", "user"),),
    "/accounts/a": (
        ("account", "show", "a"),
        ("account", "status", "a", "active"),
        ("account", "sign-in", "a", "password"),
    ),
    "/applications/a/clock": (("clock", "show", "a"), ("clock", "advance", "a", "1h"), ("clock", "reset", "a")),
    "/keys/ES256/roll": (("keys", "roll", "ES256"),),
    "/log": (("log", "--json"),),
    "/log/a": (("why", "a"),),
    "/data/runs/newest": (("score", "compare"),),
    "/data/sources/psc/hold": (("data", "hold", "psc", "--reason", "r"), ("data", "release", "psc")),
}
"""Path -> commands whose answer is one object."""


@pytest.mark.parametrize(
    ("path", "arguments"), [(path, each) for path, commands in OBJECTS.items() for each in commands], ids=str
)
def test_an_object_that_is_none_of_a_management_api_is_not_printed(
    tmp_path: Path, path: str, arguments: tuple[str, ...]
) -> None:
    with answering(tmp_path, path, {"other": 1}) as (url, home):
        done = run_command("--at", url, *arguments, XDG_CONFIG_HOME=str(home))
    assert (done.returncode, done.stdout, "not one of this API" in done.stderr) == (4, "", True), done


def test_an_answer_without_the_rules_of_an_application_is_not_printed_as_no_rules(tmp_path: Path) -> None:
    with answering(tmp_path, "/applications/a", {"other": 1}) as (url, home):
        done = run_command("--at", url, "app", "rules", "a", XDG_CONFIG_HOME=str(home))
    assert (done.returncode, done.stdout, "not one of this API" in done.stderr) == (4, "", True)


def test_a_log_that_was_not_searched_to_its_end_says_so(tmp_path: Path) -> None:
    """A search ends when its time has passed; requests are lost while a disk is full; others share with a delay."""
    page = {
        "requests": [],
        "next_page_token": "abc",
        "is_partial": True,
        "looked_back_to": "2026-11-22T09:30:00Z",
        "lost": 3,
        "nodes": [{"node": "b", "has": "shared"}],
        "unreadable": 2,
    }
    with answering(tmp_path, "/log", page) as (url, home):
        done = run_command("--at", url, "log", XDG_CONFIG_HOME=str(home))
    assert done.returncode == 0, done.stderr
    for text in (
        "Looked back to 2026-11-22T09:30:00Z only: go on with --page abc",
        "3 requests",
        "Up to 2,048 requests to other nodes cannot be read here",
        "Of b the last minute",
    ):
        assert text in done.stderr


def test_a_search_of_refusals_that_ended_early_goes_on(tmp_path: Path) -> None:
    """The deployment ends each search after a second, with or without a line (D30)."""
    pages = [
        {"lines": [], "next_before": "2026-11-22T09:30:00.125Z", "is_partial": True},
        {"lines": [{"reason": "b"}], "next_before": "2026-11-21T09:30:00.125Z", "is_partial": True},
        {"lines": [{"reason": "a"}], "next_before": "2026-11-20T09:30:00.125Z", "is_partial": False},
    ]
    with answering(tmp_path, "/audit", pages) as (url, home):
        done = run_command("--at", url, "audit", "refusals", "--json", XDG_CONFIG_HOME=str(home))
    assert done.returncode == 0, done.stderr
    assert [row["reason"] for row in json.loads(done.stdout)] == ["b", "a"]


def test_a_reason_code_is_explained_without_the_deployment(there: There) -> None:
    assert there.told("why", "token.expired")["reason"] == "token.expired"


def test_a_source_is_held_and_a_clock_reset_with_the_version_that_was_read(there: There) -> None:
    """Both change a resource with an entity tag, so the command reads it first."""
    assert there.told("data", "hold", "psc", "--reason", "Owners are missing.", "--preview")["held"] is True
    assert there.told("data", "release", "psc")["held"] is False
    held = there.told("data", "hold", "psc", "--reason", "Owners are missing.")
    assert (held["by"], held["reason"]) == ("operator", "Owners are missing.")
    rows = {row["source"]: row["hold_reason"] for row in there.told("data", "status")}
    assert rows["psc"] == "Owners are missing."
    assert there.told("data", "release", "psc")["held"] is False
    assert "register" in {row["source"] for row in there.told("data", "loads")}
    client_id = there.server.client_id
    assert there.told("clock", "reset", client_id)["ahead_seconds"] == 0


def test_another_process_is_told_by_a_variable_where_it_works(there: There) -> None:
    variables = {"CREDENCE_AT": there.server.base_url, "XDG_CONFIG_HOME": str(there.home), "HOME": os.environ["HOME"]}
    done = subprocess.run(
        [*PROGRAM, "app", "show", there.server.client_id],
        env={**clean_environment(), **variables},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, there.server.client_id in done.stdout) == (0, True), done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("keys", "export", "kid"), 2, "needs the machine of the service"),
        (("serve",), 2, "needs the machine of the service"),
        (("app", "show", "nobody"), 3, ""),
        (("app", "list", "--data-dir", "elsewhere"), 2, "name one of them"),
        (("doctor", "--url", "https://other.example"), 2, "leave out --url"),
        (("app", "create", "X", "--grant", "sorcery"), 2, "sorcery"),
    ],
)
def test_what_cannot_be_done_there_is_said_plainly(
    there: There, arguments: tuple[str, ...], code: int, words: str
) -> None:
    done = there.command(*arguments)
    assert (done.returncode, done.stdout) == (code, ""), done
    assert words in done.stderr


@pytest.mark.parametrize(
    "arguments",
    [
        ("app", "rate", "CLIENT", "abc"),
        ("app", "rules", "CLIENT", "--networks", "nonsense"),
        ("app", "set", "CLIENT", "--redirect-uri", "nonsense"),
        ("app", "end-secret", "CLIENT", "123"),
        ("account", "status", "nobody", "active"),
        ("keys", "revoke", "unknown"),
        ("portfolio", "release", "band"),
        ("data", "dispute", "01234567", "open", "--field", "Status"),
        ("outbox", "retry", "nobody"),
        ("signal", "show", "unknown"),
        ("token", "revoke", "nonsense"),
    ],
)
def test_a_refused_act_says_the_same_here_and_there_and_leaves_no_line(
    there: There, arguments: tuple[str, ...]
) -> None:
    (client_id,) = [each["client_id"] for each in there.told("app", "list") if each["name"] == "Command line"]
    named = [client_id if each == "CLIENT" else each for each in arguments]
    before = there.server.command("audit", "verify", "--json").stdout
    here = there.server.command(*named)
    elsewhere = there.command(*named)
    assert (here.returncode, here.stderr) == (elsewhere.returncode, elsewhere.stderr)
    assert here.returncode in {2, 3}, here
    assert there.server.command("audit", "verify", "--json").stdout == before


def test_without_a_login_there_nothing_is_sent(tmp_path: Path) -> None:
    done = run_command("--at", "https://api.example.com", "app", "list", XDG_CONFIG_HOME=str(tmp_path))
    assert (done.returncode, "credence login https://api.example.com --manage" in done.stderr) == (3, True)
