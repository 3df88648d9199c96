"""What the faces print, show and record changes only on purpose (`freezing.py`). The help is frozen by docs/credence.1."""

import json
import shlex
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.api.reference.documented import documented
from credence.api.reference.openapi import document
from credence.settings import Settings
from credence.sites.console.table import SCREENS
from credence.web.routes import mounted
from credence.web.routes_for_management import MANAGEMENT
from tests.cli.deployment import Deployment
from tests.console.conftest import Console, console
from tests.developers.conftest import Portal, portal
from tests.management.conftest import Managed, managed
from tests.operations.freezing import Pages, parts_of, require_unchanged, steady
from tests.web.test_webhooks import URL

__all__ = ["console", "managed", "portal"]

SETTINGS = Settings(base_url="https://api.example.com/", support_email="help@example.com", data_dir=Path("/nowhere"))

COMMANDS = """
app create Ledger --grant client_credentials --scope credit:report --scope credit:monitor
app create Page --grant authorization_code --redirect-uri https://app.example/back --authentication none
app show $client
app set $client --disable --spike-per-minute 5 --algorithm ES256
app set $client --enable --inherit spike-per-minute
app rules $client --networks 192.0.2.0/24 --windows 'Mon-Fri 08:00-18:00' --time-zone Europe/London
app rotate-secret $client --keep-old 60
app invite --uses 2 --scope credit:report
app host app.example block
app hosts
account create bob --type user --email bob@example.com --first-name Bob
account create job --type service
account show bob
account list
account status bob suspended
account status bob active
account sign-in bob factor
account rules bob --networks 192.0.2.0/24
account role bob support
account workbench bob $client
account developer bob
account unlock bob
account factors bob
account remove-factors bob
account invite grace --email grace@example.com
account reset-link grace
clock show $client
clock advance $client 1d
clock reset $client
data hold register --reason 'It is incomplete.' --preview
data hold register --reason 'It is incomplete.'
data status
data release register
data loads
data disputes
portfolio make $client Customers
portfolio list
portfolio show $portfolio
portfolio share $portfolio $page
portfolio unshare $portfolio $page
portfolio held
webhook make $client https://receiver.example/hook --signature hmac-sha256
webhook list
webhook show $webhook
webhook verify $webhook
webhook disable $webhook
webhook keys $webhook
webhook replay $webhook
webhook attempts $webhook
webhook delete $webhook
signal list
alert list $client
account status bob closed
"""


def deeds(folder: Path) -> list[dict[str, Any]]:
    """Return the lines of acts, without the members that each line has."""
    written = (folder / "audit.jsonl").read_text("ascii").splitlines()
    common = {"time", "event", "previous", "environment", "request_id", "route", "method", "address"}
    return [
        {name: value for name, value in line.items() if name not in common}
        for each in written
        if (line := json.loads(each))["event"] == "operator"
    ]


def acts_of(folder: Path) -> str:
    lines = [{**line, "operator": "<user>"} if "through" not in line else line for line in deeds(folder)]
    return steady("\n".join(json.dumps(line, sort_keys=True) for line in lines) + "\n")


def test_the_documents_describe_what_they_described() -> None:
    public = json.loads(json.dumps(document(documented(mounted(SETTINGS), SETTINGS), SETTINGS)))
    require_unchanged("openapi", parts_of({**public, "x-reasons": {}}))
    management = json.loads(json.dumps(document(MANAGEMENT, SETTINGS, nulls=True)))
    require_unchanged("openapi_management", parts_of({**management, "x-reasons": {}}))


def test_the_commands_print_what_they_printed(tmp_path: Path) -> None:
    deployment = Deployment(tmp_path / "data")
    known: dict[str, str] = {}
    printed = []
    for line in COMMANDS.strip().splitlines():
        words = [known.get(each, each) for each in shlex.split(line)]
        done = deployment.run(*words, "--json", CREDENCE_CALLS_OUT="true")
        printed += [
            f"$ credence {line}",
            f"exit {done.returncode}" if done.returncode else "",
            done.stdout.rstrip(),
            done.stderr,
        ]
        made = json.loads(done.stdout) if done.stdout.startswith("{") else {}
        if "Ledger" in words:
            known["$client"] = made["client_id"]
        elif "Page" in words:
            known["$page"] = made["client_id"]
        elif line.startswith(("portfolio make", "webhook make")):
            known[f"${line.split()[0]}"] = made["id"]
    require_unchanged("commands", steady("\n".join(filter(None, printed)) + "\n").replace(str(tmp_path), "<folder>"))
    require_unchanged("acts_by_command", acts_of(tmp_path / "data" / "audit"))


async def test_the_management_api_answers_and_records_as_before(managed: Managed) -> None:
    said = []

    async def call(method: str, path: str, body: Any = None, **fields: str) -> Any:
        tag = ""
        if method in {"PUT", "PATCH", "DELETE"}:
            found = await managed.call("GET", path.partition("?")[0])
            tag = found.headers.get("etag", "*") if found.status == 200 else "*"
        reply = await managed.call(method, path, body, tag=tag, **fields)
        said.append(f"{method} {path} -> {reply.status}\n{_indented(reply.body)}")
        return reply.json if reply.body else None

    made = await call("POST", "/applications", {"name": "Ledger", "scopes": ["credit:report"]}, Idempotency_Key="k")
    await call("POST", "/applications", {"name": "Ledger", "scopes": ["credit:report"]}, Idempotency_Key="k")
    path = f"/applications/{made['client_id']}"
    await call("PATCH", path, {"disabled": True})
    await call("PATCH", path, {"disabled": True})
    await call("PUT", path, {"name": "Books", "grants": ["client_credentials"]})
    await call("PATCH", path, {"redirect_uris": ["nonsense"]})
    added = await call("POST", f"{path}/secrets", {"keep_old_seconds": 60})
    await call("POST", f"{path}/secrets?preview=true")
    await call("DELETE", f"{path}/secrets/{added['secrets'][-1]['id']}")
    await call("POST", f"{path}/clock", {"by": "1d"})
    await call("GET", f"{path}/clock")
    await call("DELETE", f"{path}/clock")
    await call("POST", "/accounts", {"username": "Bob", "type": "user", "email": "bob@example.com"})
    await call("PATCH", "/accounts/bob", {"status": "suspended"})
    await call("PUT", "/accounts/bob", {"type": "user"})
    await call("PUT", "/accounts/job", {"type": "service"})
    await call("PATCH", "/accounts/bob", {"status": "closed"})
    for part in ("sessions", "families", "consents"):
        await call("GET", f"/accounts/bob/{part}")
        await call("DELETE", f"/accounts/bob/{part}/unknown")
    await call("POST", "/keys/RS256/roll")
    await call("POST", "/invitations", {"uses": 2})
    await call("PUT", "/data/sources/register/hold", {"reason": "It is incomplete."})
    await call("DELETE", "/data/sources/register/hold")
    await call("GET", "/applications/unknown")
    for name in ("scopes", "limits", "data", "data/loads", "data/runs", "disputes", "policies", "health"):
        await call("GET", f"/{name}")
    require_unchanged("management", steady("\n".join(said) + "\n"))
    require_unchanged("acts_by_api", acts_of(managed.main.service.settings.audit_folder))


def _indented(body: bytes) -> str:
    return msgspec.json.format(body, indent=1).decode() if body[:1] in {b"{", b"["} else body.decode()


_LEFT_OUT = {"/console", "/console/settings", "/console/applications", "/console/keys"}
"""Screens without acts, and those whose order follows from random ids."""


async def test_the_screens_of_the_console_show_and_record_as_before(console: Console) -> None:
    owner, client_id, pages = await console.operator("owner"), console.main.application.client_id, Pages()

    async def do(path: str, act: str, **values: str) -> None:
        reply = await owner.do(path, act, **values)
        pages.add(path, reply.status, reply.body, act, values)

    for screen in SCREENS:
        if screen.path not in _LEFT_OUT:
            path = screen.path.format(client_id=client_id, username="ada", request_id="unknown", id="unknown")
            reply = await owner.browser.get(path)
            pages.add(path, reply.status, reply.body)
    application, account = f"/console/applications/{client_id}", "/console/accounts/ada"
    await do(application, "app-rotate-secret", keep_old_seconds="3600")
    for act in ("app-disable", "app-disable", "app-enable", "clock-advance", "clock-reset"):
        await do(application, act, **({"to": "1d"} if act == "clock-advance" else {}))
    await do("/console/accounts", "account-invite", username="Grace", email="grace@example.com")
    for status in ("suspended", "active", "nonsense"):
        await do(account, "account-status", status=status)
    for act in ("account-unlock", "account-reset-link", "account-remove-factors", "account-end-all"):
        await do(account, act)
    await do(account, "account-close", confirm="bob")
    await do(account, "account-close", confirm="ada")
    await do("/console/limits", "app-rate", client_id=client_id, per_minute="60")
    await do("/console/tokens", "app-end-logins", client_id=client_id)
    await do(
        "/console/registrations", "app-invite", uses="2", expires_in="86400", grants="client_credentials", scopes=""
    )
    await do("/console/registrations", "app-host", host="app.example", verdict="block")
    await do("/console/data", "data-hold-effect", source="register", reason="It is incomplete.")
    await do("/console/data", "data-hold", source="register", reason="It is incomplete.")
    await do("/console/data", "data-release", source="register")
    await owner.do("/console/keys", "keys-roll", algorithm="RS256")
    require_unchanged("console", pages.text)
    require_unchanged("acts_in_console", acts_of(console.main.service.settings.audit_folder))


@pytest.mark.settings(calls_out=True)
async def test_the_screens_of_the_portal_show_and_record_as_before(portal: Portal) -> None:
    ada = await portal.developer("ada")
    client_id, _ = await ada.create()
    pages = Pages()

    async def show(path: str, act: str = "", **values: str) -> None:
        reply = await (ada.do(path, act, **values) if act else ada.browser.get(path))
        pages.add(path, reply.status, reply.body, act, values)

    path = f"/developers/applications/{client_id}"
    for each in ("/developers", "/developers/new", path, f"{path}/webhooks"):
        await show(each)
    await show("/developers/new", "app-create", name="", kind="machine")
    await show("/developers/new", "app-create", name="Web", kind="web", redirect_uris="https://app.example/back")
    await show(path, "app-rotate-secret", keep_old_seconds="86400")
    await show(path, "clock-advance", to="1d")
    await show(path, "clock-reset")
    await show(f"{path}/webhooks", "webhook-make", url=URL, signature="hmac-sha256")
    (kept,) = await portal.main.store.webhooks_of(client_id, "", 2)
    for act in ("verify", "disable"):
        await show(f"{path}/webhooks/{kept.id}", f"webhook-{act}")
    for _ in range(2):
        await show(path, "app-disable")
    require_unchanged("portal", pages.text)
    require_unchanged("acts_in_portal", acts_of(portal.main.service.settings.audit_folder))
