"""What each command calls at a remote management API, and what it returns of the answer (D30)."""

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

import typer

from credence.cli.output import print_many
from credence.cli.remote_api import Remote, part
from credence.cli.why import meaning_of
from credence.doctor.finding import CheckOutcome
from credence.telemetry.reasons import explanations

Values = Mapping[str, Any]
"""The parameters of a command by name, as typed."""


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


ACTS: Mapping[str, Callable[[Remote, Values], Any]] = {
    "why": _why,
    "config show": lambda there, _: there.rows("/settings", "settings"),
    "doctor": _doctor,
}
"""Command -> function that calls the management API and returns the answer; None if the function has printed it."""
