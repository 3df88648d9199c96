"""What the audit line of an act says of its object: each member that the act changes, before and after (threats A11, F2).

The members are those that operators see, in the words of the management API. Of secrets and of personal data only the name
of the member is written: the trail keeps its lines, and a line cannot be corrected.
"""

from collections.abc import Mapping
from functools import singledispatch

import msgspec

from credence.identity.applications import resets
from credence.management import accounts, applications
from credence.management.application_fields import options_shown
from credence.monitoring.company_alerts import OpenAlerts
from credence.monitoring.ledger.uploads import Ledger
from credence.monitoring.webhooks.schema import state_of as webhook_state
from credence.store.alerts import Alert
from credence.store.limit_decisions import LimitDecision
from credence.store.portfolios import Portfolio, WatchedCompany
from credence.store.records import Account, Application
from credence.store.signals import SignalStream
from credence.store.webhooks import Webhook

NAMED_ALONE = frozenset({"email", "first_name", "last_name", "password", "authorization", "note"})
"""The members of which the trail does not write the value: personal data and secrets."""

_NOTHING: tuple[object, ...] = (None, "", False, [], 0, {})

Changes = Mapping[str, Mapping[str, object]]
"""Member -> its value `before` and `after`, each absent if it has no value or must not be written."""

NO_CHANGES: Changes = {}
"""Of an act that changes no member, such as the end of a session."""


def changes(before: object | None, after: object | None) -> Changes:
    """Return the members in which two states of an object differ; None is an object that does not exist.

    Of one that is made or deleted, the members that have a value.
    """
    had, has = ({} if each is None else members_of(each) for each in (before, after))
    if before is None or after is None:
        had, has = ({name: value for name, value in each.items() if value not in _NOTHING} for each in (had, has))
    return {
        name: {}
        if name in NAMED_ALONE
        else {when: state[name] for when, state in (("before", had), ("after", has)) if name in state}
        for name in dict.fromkeys((*had, *has))
        if had.get(name) != has.get(name)
    }


@singledispatch
def members_of(state: object) -> Mapping[str, object]:
    """Return the members of an object as the trail names them, in values of JSON; those that nothing was chosen for may be
    absent.
    """
    raise TypeError(f"The audit trail does not know what a {type(state).__name__} is.")


@members_of.register
def _of_application(application: Application) -> Mapping[str, object]:
    shown = msgspec.to_builtins(applications.state_of(application))
    moves = application.clock.moves if application.clock is not None else ()
    return {
        **{name: value for name, value in shown.items() if name not in {"client_id", "created_at", "jwks"}},
        "keys": options_shown(application)["keys"],
        "clock": {"ahead_seconds": moves[-1].ahead // 1000 if moves else 0, "resets": resets(application)},
    }


@members_of.register
def _of_account(account: Account) -> Mapping[str, object]:
    shown = msgspec.to_builtins(accounts.state_of(account))
    return {
        **{name: value for name, value in shown.items() if name not in {"username", "created_at"}},
        "password": account.password_version,
    }


@members_of.register
def _of_webhook(webhook: Webhook) -> Mapping[str, object]:
    shown = msgspec.to_builtins(webhook_state(webhook, 0))
    return {name: value for name, value in shown.items() if name not in {"id", "created_at"}}


@members_of.register
def _of_portfolio(portfolio: Portfolio) -> Mapping[str, object]:
    shown = msgspec.to_builtins(portfolio)
    return {name: shown[name] for name in ("name", "reference", "rules", "shared_with")}


@members_of.register
def _of_watched_company(company: WatchedCompany) -> Mapping[str, object]:
    return {name: getattr(company, name) for name in ("reference", "exposure", "currency", "note")}


@members_of.register
def _of_stream(stream: SignalStream) -> Mapping[str, object]:
    shown = ("method", "endpoint", "events", "description", "status", "reason", "set_by_operator")
    return {name: msgspec.to_builtins(getattr(stream, name)) for name in shown} | {
        "authorization": stream.authorization
    }


@members_of.register
def _of_alert(alert: Alert) -> Mapping[str, object]:
    state = alert.state
    chosen = {"assigned_to": state.assigned_to, "note": state.note, "snoozed_until": state.snoozed_until}
    return {"read": state.read_at > 0, **chosen}


@members_of.register
def _of_company(found: OpenAlerts) -> Mapping[str, object]:
    states = {str(each.number): each.state for each in found.events}
    return {
        "read": [number for number, each in states.items() if each.read_at],
        "assigned_to": {number: each.assigned_to for number, each in states.items() if each.assigned_to},
        "snoozed_until": {number: each.snoozed_until for number, each in states.items() if each.snoozed_until},
    }


@members_of.register
def _of_limit_decision(decision: LimitDecision) -> Mapping[str, object]:
    chosen = ("state", "amount", "terms", "review_on", "authority", "proposed_by", "decided_by", "note")
    disputes = [{"outcome": each.outcome, "reviewed_by": each.reviewed_by} for each in decision.disputes]
    return {name: msgspec.to_builtins(getattr(decision, name)) for name in chosen} | {"disputes": disputes}


@members_of.register
def _of_ledger(ledger: Ledger) -> Mapping[str, object]:
    return {name: msgspec.to_builtins(getattr(ledger.upload, name)) for name in ("state", "digest", "lines", "as_of")}


@members_of.register
def _of_members(state: Mapping) -> Mapping[str, object]:  # type: ignore[type-arg]  # singledispatch reads the class
    return dict(state)
