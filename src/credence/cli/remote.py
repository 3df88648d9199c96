"""Runs commands at a remote deployment: the same names and options, by its management API and the token of a login (D30).

`credence --at https://api.example.com app list` calls the management API that `credence login --manage` named. A
command that the API does not offer fails and says that it must be run on the machine of the service.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode

import msgspec
import typer

from credence import paths
from credence.cli.application_options import typed
from credence.cli.failure import Failure, NotFound, WrongUsage
from credence.cli.log import notes_of
from credence.cli.output import print_many, print_one
from credence.cli.remote_logins import call, default_file, fresh, login_at, members, said, site_of
from credence.cli.why import meaning_of
from credence.clock import system_clock
from credence.companies.number import normalise
from credence.doctor.finding import CheckOutcome
from credence.doctor.site import Reply
from credence.management.log_schema import LogPage
from credence.telemetry.reasons import explanations

PATCH = "application/merge-patch+json"

MAX_ROWS = 1_000
"""The most rows on one page of the API."""

UNREADABLE = "The answer is not one of a management API."

T = TypeVar("T")
ROWS, RULES = list[dict[str, Any]], dict[str, Any]


class Remote:
    """A client of the management API of one deployment, with the token of a stored login."""

    def __init__(self, url: str, file: Path | None = None) -> None:
        """Raises NotFound when the person is not signed in there for management."""
        self._file = file or default_file()
        self._login = login_at(self._file, url.rstrip("/"), paths.MANAGEMENT)

    def get(self, path: str, **query: object) -> dict[str, Any]:
        """Return a resource. Raises NotFound or Failure."""
        return _answered(self._ask("GET", path, query))

    def rows(self, path: str, name: str, **query: object) -> list[dict[str, Any]]:
        """Return the rows of a list that has one page. Raises NotFound, or Failure also for an answer without them."""
        return _part(self.get(path, **query), name, ROWS)

    def all_of(self, path: str, name: str, **query: object) -> list[dict[str, Any]]:
        """Return the rows of every page of a list."""
        rows: list[dict[str, Any]] = []
        page = ""
        while True:
            found = self.get(path, **query, page_token=page)
            rows += _part(found, name, ROWS)
            page = str(found.get("next_page_token") or "")
            if not page:
                return rows

    def send(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Send a request that changes something. Raises NotFound, or Failure with the error message of the deployment."""
        return _answered(self._ask(method, path, {}, body))

    def change(self, path: str, patch: Mapping[str, object]) -> dict[str, Any]:
        """Change a resource with PATCH, conditional on its present version.

        Raises Failure if it is changed by another caller meanwhile.
        """
        return self.act("PATCH", path, patch)

    def act(self, method: str, path: str, body: object = None, *, preview: bool = False) -> dict[str, Any]:
        """Send a request on a resource, conditional on its present version.

        Raises Failure if it is changed by another caller meanwhile.
        """
        found = self._ask("GET", path, {})
        _answered(found)
        headers = {"if-match": found.headers.get("etag", "")}
        media_type = PATCH if method == "PATCH" else "application/json"
        query = {"preview": "true"} if preview else {}
        return _answered(self._ask(method, path, query, body, media_type, headers))

    def _ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, object],
        body: object = None,
        media_type: str = "application/json",
        more: Mapping[str, str] | None = None,
    ) -> Reply:
        login = fresh(self._file, self._login, system_clock())
        site = site_of(login.reached_at or login.url, login.ca_file)
        text = urlencode({name: value for name, value in query.items() if value not in (None, "")})
        headers = {"authorization": f"Bearer {login.access_token}", **(more or {})}
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            headers["content-type"] = media_type
        return call(site, method, f"{paths.MANAGEMENT}{path}{'?' if text else ''}{text}", headers, content)


def _part(found: Mapping[str, Any], name: str, kind: type[T]) -> T:
    try:
        return msgspec.convert(found.get(name), kind)
    except msgspec.ValidationError:
        raise Failure(UNREADABLE) from None


def _answered(reply: Reply) -> dict[str, Any]:
    """Return the members of an answer. Raises NotFound or Failure for a refusal."""
    if reply.status == 204:
        return {"done": True}
    found = members(reply)
    if reply.status < 300 and found:
        return found
    if reply.status == 401:
        raise Failure(f"The deployment refuses the login: {said(reply)} Again: credence login URL --manage ADDRESS")
    text = str(found.get("detail") or found.get("title") or said(reply) or UNREADABLE)
    line = "".join(each for each in text if each.isprintable())[:500]
    raise NotFound(line) if reply.status == 404 else Failure(line)


Values = Mapping[str, Any]
"""The parameters of a command by name, as typed."""


def _application(values: Values) -> str:
    return f"/applications/{quote(values['client_id'], safe='')}"


def _account(values: Values) -> str:
    return f"/accounts/{quote(values['username'], safe='')}"


def _fields(values: Values) -> dict[str, object]:
    """Return the given options of an application as members of the API's body."""
    found = typed({name: Path(value) if name == "keys" and value else value for name, value in values.items()})
    found = {name: list(value) if isinstance(value, tuple) else value for name, value in found.items()}
    if "keys" in found:
        try:
            found["jwks"] = msgspec.json.decode(found.pop("keys"))
        except msgspec.DecodeError:
            raise WrongUsage("--jwks names a file with a JWK Set, which is JSON.") from None
    return found


def _rules(values: Values) -> dict[str, object]:
    """Return the given parts of access rules as members of the API's body."""
    parts = {name: values.get(name) for name in ("networks", "windows", "time_zone", "max_age")}
    parts["authentication_class"] = values.get("weakest_class")
    wanted: dict[str, object] = {}
    for name, value in parts.items():
        if value is None:
            continue
        if name in ("networks", "windows"):
            wanted[name] = [each.strip() for each in str(value).split(",") if each.strip()]
        else:
            wanted[name] = value or None
    return {"rules": wanted} if wanted else {}


def _changed(there: Remote, path: str, patch: Mapping[str, object]) -> dict[str, Any]:
    return there.change(path, patch) if patch else there.get(path)


def _create_application(there: Remote, values: Values) -> object:
    made = there.send("POST", "/applications", {"name": values["name"], **_fields(values)})
    return {name: made[name] for name in ("client_id", "client_secret") if name in made}


def _set_application(there: Remote, values: Values) -> object:
    patch = _fields(values) | dict.fromkeys(values.get("inherit") or ())
    if values.get("enable") is not None:
        patch["disabled"] = not values["enable"]
    return _changed(there, _application(values), patch)


def _rotate(there: Remote, values: Values) -> object:
    made = there.send("POST", f"{_application(values)}/secrets", {"keep_old_seconds": values["keep_old"]})
    return {name: made.get(name) for name in ("client_id", "client_secret")}


def _invite(there: Remote, values: Values) -> object:
    limits = {name: list(values[name]) for name in ("grants", "scopes", "audiences") if values.get(name)}
    return there.send("POST", "/invitations", {"uses": values["uses"], "expires_in": values["expires"], **limits})


def _create_account(there: Remote, values: Values) -> object:
    if values.get("password_stdin"):
        raise WrongUsage("A password is not sent to a remote deployment: it makes one, which is printed here.")
    names = {name: values[name] for name in ("email", "first_name", "last_name") if values.get(name)}
    return there.send("POST", "/accounts", {"username": values["username"], "type": values["account_type"], **names})


def _log(there: Remote, values: Values) -> object:
    line = " ".join(values.get("query") or ())
    found = there.get("/log", query=line, page_size=values["newest"], page_token=values["page"])
    if values["as_json"]:
        return found
    try:
        notes = notes_of(msgspec.convert(found, LogPage))
    except msgspec.ValidationError:
        raise Failure(UNREADABLE) from None
    for note in notes:
        typer.echo(note, err=True)
    return _part(found, "requests", ROWS)


def _why(there: Remote, values: Values) -> object:
    refused = values["refused"]
    return meaning_of(refused) if refused in explanations() else there.get(f"/log/{quote(refused, safe='')}")


def _disputes(there: Remote, values: Values) -> object:
    found, number = there.rows("/disputes", "disputes"), values.get("number")
    return [each for each in found if number is None or each.get("company") == normalise(number)]


def _doctor(there: Remote, values: Values) -> object:
    found = there.rows("/doctor", "findings")
    print_many(found, as_json=bool(values.get("as_json")))
    if any(each.get("outcome") == CheckOutcome.FAILURE.value for each in found):
        raise typer.Exit(1)
    return None


def _refusals(there: Remote, values: Values) -> object:
    """Return the newest refusals; a search of a long trail ends early, and goes on with the next page."""
    wanted = {name: values.get(name) for name in ("application", "account", "address", "reason")}
    rows: list[dict[str, Any]] = []
    before, most = "", min(values["newest"], MAX_ROWS)
    while True:
        found = there.get("/audit", trail="refusals", page_size=most - len(rows), before=before, **wanted)
        rows += _part(found, "lines", ROWS)
        before = str(found.get("next_before") or "")
        if not (before and found.get("is_partial") is True and len(rows) < most):
            return rows


def _hold(values: Values) -> str:
    return f"/data/sources/{quote(values['source'], safe='')}/hold"


def _move(to: str) -> dict[str, str]:
    return {"to": to} if "-" in to else {"by": to}


ACTS: Mapping[str, Callable[[Remote, Values], Any]] = {
    "app create": _create_application,
    "app list": lambda there, _: there.all_of("/applications", "applications"),
    "app show": lambda there, values: there.get(_application(values)),
    "app set": _set_application,
    "app rotate-secret": _rotate,
    "app rules": lambda there, values: _part(_changed(there, _application(values), _rules(values)), "rules", RULES),
    "app invite": _invite,
    "account create": _create_account,
    "account list": lambda there, _: there.all_of("/accounts", "accounts"),
    "account show": lambda there, values: there.get(_account(values)),
    "account status": lambda there, values: there.change(_account(values), {"status": values["status"]}),
    "account sign-in": lambda there, values: there.change(_account(values), {"sign_in": values["policy"]}),
    "account rules": lambda there, values: _part(_changed(there, _account(values), _rules(values)), "rules", RULES),
    "clock show": lambda there, values: there.get(f"{_application(values)}/clock"),
    "clock advance": lambda there, values: there.send("POST", f"{_application(values)}/clock", _move(values["to"])),
    "clock reset": lambda there, values: there.act("DELETE", f"{_application(values)}/clock"),
    "keys list": lambda there, _: there.rows("/keys", "keys"),
    "keys roll": lambda there, values: there.send("POST", f"/keys/{quote(values['algorithm'], safe='')}/roll"),
    "log": _log,
    "why": _why,
    "audit refusals": _refusals,
    "data status": lambda there, _: there.rows("/data", "sources"),
    "score runs": lambda there, _: there.rows("/data/runs", "runs"),
    "score compare": lambda there, values: there.get(
        f"/data/runs/{quote(values['number'] or 'newest', safe='')}", since=values["since"]
    ),
    "data loads": lambda there, _: there.rows("/data/loads", "loads"),
    "data hold": lambda there, values: there.act(
        "PUT", _hold(values), {"reason": values["reason"]}, preview=values["preview"]
    ),
    "data release": lambda there, values: there.act("DELETE", _hold(values), preview=values["preview"]),
    "data disputes": _disputes,
    "config show": lambda there, _: there.rows("/settings", "settings"),
    "doctor": _doctor,
}
"""Command -> function that calls the management API and returns the answer; None if the function has printed it."""

OF_THE_MACHINE: Mapping[str, tuple[str, ...]] = {
    "audit refusals": ("node",),
    "doctor": ("url", "resolve", "ca_file"),
}
"""Command -> options that the management API does not support."""

HERE = ("login", "whoami", "logout", "mcp")
"""Commands that have the address of their deployment as an argument of their own."""


COLUMNS: Mapping[str, tuple[str, ...]] = {
    "app list": ("client_id", "name", "disabled", "grants", "created_at"),
    "account list": ("username", "type", "status", "email", "created_at"),
    "log": (
        *("at", "request_id", "node", "status", "milliseconds", "method", "path", "reason", "client_id", "account"),
        "address",
    ),
    "audit refusals": ("time", "request_id", "status", "reason", "route", "application", "account", "address"),
    "config show": ("setting", "value", "source"),
}
"""Command -> members that its list prints; for any other command the members of the first row."""


def at(url: str, name: str, command: Any) -> Any:
    """Return the command, or the group of commands, in a form that runs at the remote deployment."""
    if name in HERE:
        return command
    for each, part in getattr(command, "commands", {}).items():
        command.commands[each] = at(url, f"{name} {each}", part)
    if not hasattr(command, "commands"):
        command.callback = lambda **values: _run(url, name, values)
    return command


def _run(url: str, name: str, values: Values) -> None:
    act = ACTS.get(name)
    if act is None:
        raise WrongUsage(
            f"`credence {name}` needs the machine of the service: the management API has no such act. "
            "Without --at and CREDENCE_AT it is done on this machine."
        )
    if values.get("data_dir") is not None:
        raise WrongUsage(
            "--data-dir is a folder of this machine, and --at is a deployment elsewhere: name one of them."
        )
    for name_of_option in OF_THE_MACHINE.get(name, ()):
        if values.get(name_of_option) is not None:
            option = name_of_option.replace("_", "-")
            raise WrongUsage(f"The deployment answers for itself, by the node that is asked: leave out --{option}.")
    found, as_json = act(Remote(url), values), bool(values.get("as_json"))
    if found is None:
        return
    if isinstance(found, list):
        columns = COLUMNS.get(name, tuple(found[0]) if found else ())
        print_many([{column: row.get(column) for column in columns} for row in found], as_json=as_json)
    else:
        print_one(found, as_json=as_json)
