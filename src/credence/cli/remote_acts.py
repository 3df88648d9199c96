"""What each command calls at a remote management API, and what it returns of the answer (D30)."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import msgspec
import typer

from credence.cli.failure import Failure
from credence.cli.log import notes_of
from credence.cli.output import print_many
from credence.cli.remote_api import ROWS, UNREADABLE, Remote, part
from credence.cli.why import meaning_of
from credence.doctor.finding import CheckOutcome
from credence.management.log_schema import LogPage
from credence.telemetry.reasons import explanations

MAX_ROWS = 1_000
"""The most rows on one page of the API."""

Values = Mapping[str, Any]
"""The parameters of a command by name, as typed."""


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
    "log": _log,
    "why": _why,
    "audit refusals": _refusals,
    "score compare": lambda there, values: there.get(
        f"/data/runs/{quote(values['number'] or 'newest', safe='')}", since=values["since"]
    ),
    "config show": lambda there, _: there.rows("/settings", "settings"),
    "doctor": _doctor,
}
"""Command -> function that calls the management API and returns the answer; None if the function has printed it."""
