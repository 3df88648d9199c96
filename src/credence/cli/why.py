"""`credence why`: the reason of a refused request, whose caller got only the message of the specification (spec §7)."""

import asyncio
from collections.abc import Mapping
from typing import Annotated, Any
from urllib.parse import quote

import msgspec
import typer

from credence.cli.command_parameters import Values
from credence.cli.deployment import AsJson, DataDir, opened, settings_of, time_of
from credence.cli.failure import NotFound
from credence.cli.output import print_many, print_one, say
from credence.cli.remote_api import Remote, part
from credence.management.explained_request import CurrentRecords, explain_request
from credence.management.request_log import find_request
from credence.refusals.refusal import SUPPORT_EMAIL
from credence.refusals.table import named
from credence.settings import Settings
from credence.store.contract import StoreUnavailable
from credence.store.shared_refusals import SharedRefusal
from credence.telemetry.audit_files import DEEDS, REFUSALS, read_newest_first
from credence.telemetry.reasons import explanations, pages

Line = Mapping[str, Any]
"""A line of the trail; one from a shared store has the name of its node as a further field."""


def why(
    refused: Annotated[
        str,
        typer.Argument(
            help="The X-Request-ID of the answer, or a reason code of the log or of the sandbox's X-Reason."
        ),
    ],
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Explain why a request was refused: caller, address, deciding rule and remedy."""
    settings = settings_of(data_dir)
    if refused in explanations():
        print_one(meaning_of(refused), as_json=as_json)
        return
    line = line_of_request(settings, refused)
    checks = [] if line is None else asyncio.run(_checks(settings, refused))
    if line is None:
        elsewhere = " or, for three days, of any node in the shared store" if settings.store else ""
        raise NotFound(
            f"No refusal with the request id {refused!r} is in the audit trail {settings.audit_folder}{elsewhere}. Of a "
            "caller without credentials it has the first refusal of each second; the log has all, with the reason, which "
            "credence why explains too."
        )
    told = _explained(settings, line)
    if as_json:
        print_one({**told, "checks": checks} if checks else told, as_json=True)
        return
    print_one(told, as_json=False)
    if checks:
        say("\nEvery check in its order, and what would come of it now:\n")
        print_many([{name: each[name] for name in _COLUMNS} for each in checks], as_json=False)


def _why_there(there: Remote, values: Values) -> object:
    refused = values["refused"]
    if refused in explanations():
        return meaning_of(refused)
    found = there.get(f"/log/{quote(refused, safe='')}")
    part(found, "request", dict)
    return found


why.run_there = _why_there  # type: ignore[attr-defined]  # `remote.py` calls it

_COLUMNS = ("check", "outcome", "value", "would_pass", "now")


async def _checks(settings: Settings, request_id: str) -> list[dict[str, object]]:
    """Return the checks of a request from the request log; none if the log is off or the store does not answer.

    The audit trail can be read without either.
    """
    # Imported late: the table of routes imports the whole program.
    from credence.web.route_lookup import EVERY_ROUTE
    from credence.web.routing.requested_route import requested_route

    try:
        async with opened(settings) as store:
            now = time_of(store)
            entry = await find_request(settings, store, request_id, now)
            if entry is None:
                return []
            application = await store.application(entry.client_id) if entry.client_id else None
            account = await store.account(entry.account) if entry.account else None
            route = requested_route(EVERY_ROUTE, entry)
            found = explain_request(entry, route, CurrentRecords(application, account), settings, now)
            return [msgspec.to_builtins(each) for each in found.checks]
    except (NotFound, OSError, StoreUnavailable):
        return []


def _explained(settings: Settings, line: Line) -> dict[str, object]:
    request = [str(line[name]) for name in ("method", "route") if line.get(name)]
    refusal = named(str(line.get("refusal")))
    told = {
        "when": line.get("time"),
        "node": line.get("node"),
        "environment": line.get("environment"),
        "request": " ".join(request) or None,
        "application": line.get("application"),
        "account": line.get("account"),
        "address": line.get("address"),
        "by_way_of": line.get("peer"),
        "correlation_id": line.get("correlation_id"),
        "the_caller_saw": _seen(line, refusal.message if refusal else "", settings.support_email),
        **meaning_of(str(line["reason"])),
    }
    return {name: value for name, value in told.items() if value is not None}


def meaning_of(reason: str) -> dict[str, object]:
    """Return what this version knows of a reason code: its rule, the remedy, and where it is documented."""
    explanation = explanations().get(reason)
    if explanation is None:
        return {"reason": reason, "rule": "This version does not know the reason; another one wrote it."}
    return {
        "reason": reason,
        "rule": explanation.rule,
        "what_to_do": explanation.remedy,
        "read": ", ".join(pages(explanation.rule)),
    }


def _seen(line: Line, message: str, support_email: str) -> str:
    return f"{line.get('status')} {message.replace(SUPPORT_EMAIL, support_email)}".strip()


def line_of_request(settings: Settings, request_id: str) -> Line | None:
    """Return the refusal of the request with this id, from the trail or the store; None if neither has it.

    Raises StoreUnavailable.
    """
    lines = (
        line
        for trail in (REFUSALS, DEEDS)  # version 0.2 wrote refusals into the trail of acts
        for line in read_newest_first(settings.audit_folder, trail, request_id.encode())
    )
    found = next((line for line in lines if line.get("request_id") == request_id and "reason" in line), None)
    if not settings.store:
        return found
    return {**found, "node": settings.node} if found else asyncio.run(_shared_line(settings, request_id))


async def _shared_line(settings: Settings, request_id: str) -> Line | None:
    async with opened(settings) as store:
        refusal = await store.refusals.of_request(request_id) if store.refusals else None
        return _line(refusal) if refusal else None


def _line(refusal: SharedRefusal) -> Line:
    return {**msgspec.json.decode(refusal.line), "node": refusal.node}
