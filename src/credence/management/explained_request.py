"""The checks that a logged request passed, the one that refused it, and the result of each now (D3, D15).

The order is that of `web/pipeline.py` and of the endpoints. The log has no credentials, so the result of checking them now
is unknown; rules of an application or account are compared with its present configuration.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from ipaddress import ip_address
from typing import Literal

from credence.access.rules import AccessRules, decide, local_time
from credence.access.text import format_rules
from credence.clock import Milliseconds
from credence.identity.applications import application_time
from credence.management.check_order import CHECKS, HEAD, CheckKind
from credence.management.log_schema import Check, ExplainedRequest, LogEntry
from credence.settings import Settings
from credence.store.records import Account, Application
from credence.telemetry.reasons import explanations

Now = Literal["passes", "refused"]


@dataclass(frozen=True, slots=True)
class RequestedRoute:
    """The properties of the request's route, from the table of routes."""

    protection: str
    """The protection in lower case: public, client, bearer, browser, person or registration."""
    methods: tuple[str, ...] = ()
    scope: str | None = None


@dataclass(frozen=True, slots=True)
class CurrentRecords:
    """The present configuration of the request's application and account; None if unknown."""

    application: Application | None
    account: Account | None


def explain_request(
    entry: LogEntry, route: RequestedRoute | None, current: CurrentRecords, settings: Settings, now: Milliseconds
) -> ExplainedRequest:
    """Return every check of the request in order; `route` is None if no route has its path."""
    steps = CHECKS[route.protection] if route is not None else HEAD
    now = now if current.application is None else application_time(current.application, now)
    refusing = _refusing(steps, entry.reason) if entry.reason else len(steps)
    checks = [
        _check(step, number - refusing, entry, route, current, settings, now) for number, step in enumerate(steps)
    ]
    explained = explanations().get(entry.reason or "")
    if explained is None:
        return ExplainedRequest(entry, checks)
    return ExplainedRequest(entry, checks, explained.rule, explained.remedy)


def _refusing(steps: Sequence[CheckKind], reason: str) -> int:
    """Return the index of the check with the longest prefix of the reason code: `token.bound` goes before `token.`."""
    lengths = [max((len(each) for each in step.reasons if reason.startswith(each)), default=-1) for step in steps]
    return lengths.index(max(lengths))


def _check(
    step: CheckKind,
    after: int,
    entry: LogEntry,
    route: RequestedRoute | None,
    current: CurrentRecords,
    settings: Settings,
    now: Milliseconds,
) -> Check:
    value, would_pass, verdict = _facts(step.name, entry, route, current, settings, now)
    outcome: Literal["passed", "refused", "not reached"] = (
        "refused" if after == 0 else "passed" if after < 0 else "not reached"
    )
    return Check(step.name, step.rule, outcome, value, would_pass, verdict)


def _facts(
    name: str,
    entry: LogEntry,
    route: RequestedRoute | None,
    current: CurrentRecords,
    settings: Settings,
    now: Milliseconds,
) -> tuple[str | None, str | None, Now | None]:
    """Return what the request had, what the check accepts, and its result now; None for what is unknown."""
    application, account = current.application, current.account
    owners = [each.rules for each in (application, account) if each is not None]
    match name:
        case "route":
            return entry.path, None, "passes" if route is not None else "refused"
        case "method" if route is not None:
            return entry.method, ", ".join(route.methods), _verdict(entry.method in route.methods)
        case "rate" if application is not None:
            rate = settings.spike_per_minute if application.spike_per_minute is None else application.spike_per_minute
            return None, f"{rate} a minute for the application" if rate else "any rate of the application", None
        case "client" if application is not None:
            state = "disabled" if application.disabled else f"enabled, by {application.authentication}"
            return state, "enabled", "refused" if application.disabled else None
        case "grant" if application is not None:
            return None, ", ".join(application.grants), None
        case "account" if account is not None:
            return account.status, "active", _verdict(account.status == "active")
        case "network" if owners:
            return entry.address, _networks(owners), _network_verdict(owners, entry.address)
        case "hours" if owners:
            local = ", ".join(
                f"{local_time(rules, now):%a %H:%M} {rules.time_zone}" for rules in owners if rules.windows
            )
            windows = "; ".join(", ".join(format_rules(rules)[1]) for rules in owners if rules.windows) or "every hour"
            open_now = all(not rules.windows or decide(_hours_alone(rules), _ANY, now) is None for rules in owners)
            return f"now {local}" if local else None, windows, _verdict(open_now)
        case "scope" if route is not None:
            return None, route.scope or "any", None
        case "scope and resource" if application is not None:
            return None, "every scope" if application.scopes is None else " ".join(application.scopes), None
    return None, None, None


_ANY = ip_address("0.0.0.0")  # noqa: S104 - only a placeholder, not a listening address


def _hours_alone(rules: AccessRules) -> AccessRules:
    return AccessRules(windows=rules.windows, time_zone=rules.time_zone)


def _networks(owners: Sequence[AccessRules]) -> str:
    return "; ".join(", ".join(rules.networks) for rules in owners if rules.networks) or "every address"


def _network_verdict(owners: Sequence[AccessRules], address: str | None) -> Now | None:
    if address is None:
        return None
    return _verdict(
        all(decide(AccessRules(networks=rules.networks), ip_address(address), 0) is None for rules in owners)
    )


def _verdict(passes: bool) -> Now:
    return "passes" if passes else "refused"
