"""What each command calls at a remote management API, and what it returns of the answer (D30)."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import typer

from credence.cli.application_options import typed
from credence.cli.failure import Failure, WrongUsage
from credence.cli.log import notes_of
from credence.cli.output import print_many
from credence.cli.remote_api import ROWS, RULES, UNREADABLE, Remote, part
from credence.cli.why import meaning_of
from credence.companies.number import normalise
from credence.doctor.finding import CheckOutcome
from credence.management.log_schema import LogPage
from credence.telemetry.reasons import explanations

MAX_ROWS = 1_000
"""The most rows on one page of the API."""

Values = Mapping[str, Any]
"""The parameters of a command by name, as typed."""


def _application(values: Values) -> str:
    return f"/applications/{quote(values['client_id'], safe='')}"


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


def _log(there: Remote, values: Values) -> object:
    line = " ".join(values.get("query") or ())
    found = there.get("/log", query=line, page_size=values["newest"], page_token=values["page"])
    rows = part(found, "requests", ROWS)
    if values["as_json"]:
        return found
    try:
        notes = notes_of(msgspec.convert(found, LogPage))
    except msgspec.ValidationError:
        raise Failure(UNREADABLE) from None
    for note in notes:
        typer.echo(note, err=True)
    return rows


def _why(there: Remote, values: Values) -> object:
    refused = values["refused"]
    if refused in explanations():
        return meaning_of(refused)
    found = there.get(f"/log/{quote(refused, safe='')}")
    part(found, "request", dict)
    return found


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
        rows += part(found, "lines", ROWS)
        before = str(found.get("next_before") or "")
        if not (before and found.get("is_partial") is True and len(rows) < most):
            return rows


ACTS: Mapping[str, Callable[[Remote, Values], Any]] = {
    "app create": _create_application,
    "app list": lambda there, _: there.all_of("/applications", "applications"),
    "app show": lambda there, values: there.get(_application(values)),
    "app set": _set_application,
    "app rotate-secret": _rotate,
    "app rules": lambda there, values: part(_changed(there, _application(values), _rules(values)), "rules", RULES),
    "app invite": _invite,
    "log": _log,
    "why": _why,
    "audit refusals": _refusals,
    "data status": lambda there, _: there.rows("/data", "sources"),
    "score runs": lambda there, _: there.rows("/data/runs", "runs"),
    "score compare": lambda there, values: there.get(
        f"/data/runs/{quote(values['number'] or 'newest', safe='')}", since=values["since"]
    ),
    "data loads": lambda there, _: there.rows("/data/loads", "loads"),
    "data disputes": _disputes,
    "config show": lambda there, _: there.rows("/settings", "settings"),
    "doctor": _doctor,
}
"""Command -> function that calls the management API and returns the answer; None if the function has printed it."""
