"""Compares two observations of a company and makes the events of the portfolios that watch it."""

import datetime as dt
import hashlib
from collections.abc import Iterator, Mapping, Sequence

import msgspec

from credence.clock import Milliseconds
from credence.monitoring.observing import SOURCE_OF, Observation
from credence.monitoring.rules import RULES, ObservedChange, fires
from credence.store.monitoring import KEPT_MS, NewEvent, Portfolio


class EventDocument(msgspec.Struct, frozen=True, omit_defaults=True):
    """The part of a stored event that is one document; number, portfolio, rule and company are columns."""

    kind: str
    at: Milliseconds
    """When the event was made."""
    day: str
    """The day of the fact, or of its source if the fact has no day."""
    before: msgspec.Raw
    after: msgspec.Raw
    fact: str = ""


_encode = msgspec.json.Encoder().encode
_decode = msgspec.json.Decoder(EventDocument).decode


def merged(
    old: Observation,
    new: Observation,
    kept: frozenset[str] = frozenset(),
    policies: frozenset[str] = frozenset(),
) -> Observation:
    """Return the observation to store: values that are unknown now, and those in `kept`, keep their old state.

    Only the decisions of `policies` are kept, because no rule uses the others any more.
    """
    found = {**old, **{name: value for name, value in new.items() if name not in kept}}
    decisions = {**old.get("decisions", {}), **found.pop("decisions", {})}
    wanted = {policy: decision for policy, decision in decisions.items() if policy in policies}
    return found | {"decisions": wanted} if wanted else found


def changes(old: Observation, new: Observation, days: Mapping[str, dt.date | None]) -> list[ObservedChange]:
    """Return the changes that any rule detects, in the order of the rules. `days` maps each source to its day."""
    found: list[ObservedChange] = []
    for rule in RULES.values():
        before, after = old.get(rule.value), new.get(rule.value)
        if after is None or before == after:
            continue
        day = days.get(SOURCE_OF[rule.value])
        of_source = day.isoformat() if day else ""
        found += (each if each.day else each._replace(day=of_source) for each in rule.changes(rule, before, after))
    return found


def fired(
    found: Sequence[ObservedChange], portfolios: Sequence[Portfolio]
) -> Iterator[tuple[Portfolio, ObservedChange]]:
    """Yield each pair of portfolio and change in which the change fires a rule of the portfolio, once."""
    for portfolio in portfolios:
        for change in found:
            if any(fires(change, setting) for setting in portfolio.rules):
                yield portfolio, change


def event_of(company: str, portfolio: Portfolio, change: ObservedChange, now: Milliseconds) -> NewEvent:
    """Return the event of a change. Its key depends on what happened, not on when it was found: reloads do not repeat it.

    A fact has the same key in every order of loads; the change of a value, or of a decision, has that of its day.
    """
    before, after = msgspec.Raw(_encode(change.before)), msgspec.Raw(_encode(change.after))
    of_fact = change.fact and not RULES[change.rule].repeats
    values = () if of_fact else (change.day, bytes(before).decode(), bytes(after).decode())
    said = (portfolio.id, change.rule, company, change.kind, change.fact, *values)
    key = hashlib.sha256("\n".join(said).encode()).digest()
    document = EventDocument(change.kind, now, change.day, before, after, change.fact)
    return NewEvent(key, portfolio.id, change.rule, company, now + KEPT_MS, _encode(document))


def document_of(stored: bytes) -> EventDocument:
    """Return the document of a stored event."""
    return _decode(stored)
