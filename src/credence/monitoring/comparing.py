"""Compares two observations of a company and makes the events of the portfolios that watch it, by the rules of each."""

import datetime as dt
import hashlib
from collections.abc import Collection, Iterator, Mapping, Sequence

import msgspec

from credence.clock import Milliseconds
from credence.monitoring.observing import CUT, FORMAT, PRESENT_FORMAT, REKEYED, SOURCE_OF, UNITED, Observation
from credence.monitoring.rules import RULES
from credence.monitoring.transitions import ObservedChange
from credence.store.events import KEPT_MS, NewEvent
from credence.store.portfolios import Portfolio, RuleSetting


def fires(change: ObservedChange, setting: RuleSetting) -> bool:
    """Return whether a change fires a rule with these parameters."""
    if change.rule != setting.rule:
        return False
    match change.rule:
        case "score" | "limit" | "band" if change.after is None:
            return True
        case "band":
            return _band_fires(change, setting)
        case "payment-practice":
            rose = None not in (change.before, change.after) and change.after - change.before >= (setting.by or 0)
            return setting.by is None or rose
        case "score" | "limit":
            return _falls(change, setting)
        case "decision" if change.fact != setting.policy:
            return False
    return not setting.kinds or change.kind in setting.kinds


def _band_fires(change: ObservedChange, setting: RuleSetting) -> bool:
    if setting.by is None and not setting.kinds:
        return True
    if change.before is None:
        return change.after in setting.kinds
    fallen = ord(change.after) - ord(change.before)
    return (setting.by is not None and fallen >= setting.by) or (fallen > 0 and change.after in setting.kinds)


def _falls(change: ObservedChange, setting: RuleSetting) -> bool:
    if setting.by is None and setting.below is None:
        return True
    below = setting.below is not None and change.after < setting.below
    if change.before is None:
        return below
    fallen = change.before - change.after
    least = None if setting.by is None else setting.by if change.rule == "score" else change.before * setting.by / 100
    return (least is not None and fallen > 0 and fallen >= least) or (below and change.before >= (setting.below or 0))


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
    kept: Collection[str] = frozenset(),
    policies: frozenset[str] = frozenset(),
) -> Observation:
    """Return the observation to store: values that are absent now, and those in `kept`, keep their old state.

    A list that is cut, or to which loads only add, keeps its facts. Only the decisions of `policies` are kept, because no
    rule uses the others any more.
    """
    found = {name: value for name, value in new.items() if name not in kept}
    for name in (*UNITED, *found.pop(CUT, ())):
        if name in found and name in old and not _is_rekeyed(old, name):
            found[name] = {**old[name], **found[name]}
    decisions = {**old.get("decisions", {}), **found.pop("decisions", {})}
    selected = {policy: decision for policy, decision in decisions.items() if policy in policies}
    found = {**old, **found} | {"decisions": selected}
    return found if selected else {name: value for name, value in found.items() if name != "decisions"}


def _is_rekeyed(old: Observation, name: str) -> bool:
    return name in REKEYED and old.get(FORMAT) != PRESENT_FORMAT


def changes(old: Observation, new: Observation, days: Mapping[str, dt.date | None]) -> list[ObservedChange]:
    """Return the changes that any rule detects, in the order of the rules. `days` maps each source to its day."""
    found: list[ObservedChange] = []
    for rule in RULES.values():
        name = rule.value
        if name not in new or not (name in old or rule.news_from_nothing) or _is_rekeyed(old, name):
            continue
        before, after = old.get(name), new[name]
        if before == after:
            continue
        day = days.get(SOURCE_OF[name])
        of_source = day.isoformat() if day else ""
        found += (each if each.day else each._replace(day=of_source) for each in rule.changes(rule.code, before, after))
    return found


def fired(
    found: Sequence[ObservedChange], portfolios: Sequence[Portfolio]
) -> Iterator[tuple[Portfolio, ObservedChange]]:
    """Yield each pair of portfolio and change in which the change fires a rule of the portfolio, once."""
    for portfolio in portfolios:
        for change in found:
            if any(fires(change, setting) for setting in portfolio.rules):
                yield portfolio, change


def event_of(company: str, portfolio: Portfolio, change: ObservedChange, now: Milliseconds, write: str) -> NewEvent:
    """Return the event of a change.

    Its key is that of a transition: `write` names the write in which the event is stored together with the observation after
    it, so that the same change on the same day is another event, and a write that is repeated makes it once.
    """
    before, after = msgspec.Raw(_encode(change.before)), msgspec.Raw(_encode(change.after))
    said = (write, portfolio.id, change.rule, company, change.kind, change.fact)
    key = hashlib.sha256("\n".join(said).encode()).digest()
    document = EventDocument(change.kind, now, change.day, before, after, change.fact)
    return NewEvent(key, portfolio.id, change.rule, company, now + KEPT_MS, _encode(document))


def document_of(stored: bytes) -> EventDocument:
    """Return the document of a stored event."""
    return _decode(stored)
