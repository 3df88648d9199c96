"""The rules: the value that each one watches, its parameters, and whether a change fires it.

A rule without parameters fires at every change of its value. Of several parameters, any one is sufficient.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple

import msgspec

from credence.companies.facts.accounts import FindingKind
from credence.store.monitoring import RuleSetting

ParameterName = Literal["by", "below", "kinds", "policy"]


class ObservedChange(NamedTuple):
    """One difference between two observations."""

    rule: str
    kind: str
    before: Any
    after: Any
    day: str
    """The day of the fact in its source; empty if it has none."""
    fact: str
    """The id of the fact, if the rule is about a list; empty otherwise."""


class Rule(msgspec.Struct, frozen=True):
    """One rule. `value` is the name of the observed value, `member` its place in the report (RFC 6901)."""

    code: str
    value: str
    member: str
    words: str
    changes: Callable[["Rule", Any, Any], Iterable[ObservedChange]]
    parameters: Mapping[ParameterName, str] = {}
    kinds: tuple[str, ...] = ()
    """The kinds of change that a setting of the rule may select; empty if the source defines the kinds."""
    repeats: bool = False
    """Whether the same change may happen to one fact again, so that the event's key includes values and day."""
    news_from_nothing: bool = False
    """Whether a fact counts as a change although nothing was known before, as filed accounts do.

    A first observation makes no event.
    """


def _value(rule: Rule, before: Any, after: Any) -> Iterator[ObservedChange]:
    if before is not None:
        yield ObservedChange(rule.code, "changed", before, after, "", "")


def _status(rule: Rule, before: Any, after: Any) -> Iterator[ObservedChange]:
    if before is not None:
        yield ObservedChange(rule.code, str(after).lower(), before, after, "", "")


def _hidden(rule: Rule, before: Any, _after: Any) -> Iterator[ObservedChange]:
    """Yield a change without values, because they are digests, which mean nothing to a reader."""
    if before is not None:
        yield ObservedChange(rule.code, "changed", None, None, "", "")


def _number(rule: Rule, before: Any, after: Any) -> Iterator[ObservedChange]:
    if before is not None:
        yield ObservedChange(rule.code, "fell" if after < before else "rose", before, after, "", "")


def _band(rule: Rule, before: Any, after: Any) -> Iterator[ObservedChange]:
    if before is not None:
        yield ObservedChange(rule.code, "fell" if after > before else "rose", before, after, "", "")


def _began(rule: Rule, before: Any, after: Any) -> Iterator[ObservedChange]:
    if before is not None and after:
        yield ObservedChange(rule.code, "began", before, after, "", "")


def _weaker(rule: Rule, before: Any, after: Any) -> Iterator[ObservedChange]:
    if before is not None and after == "weaker":
        yield ObservedChange(rule.code, "weaker", before, after, "", "")


def _elements(rule: Rule, before: Any, after: Any) -> Iterator[ObservedChange]:
    if before is None and not rule.news_from_nothing:
        return
    known = before or {}
    for fact, (kind, day) in sorted(after.items()):
        old = known[fact][0] if fact in known else None
        if old != kind:
            yield ObservedChange(rule.code, kind, old, kind, day, fact)


def _decision(rule: Rule, before: Any, after: Any) -> Iterator[ObservedChange]:
    """Yield changes of the outcome.

    A decision is an outcome and the hash of its policy; another version of a policy counts as a first decision.
    """
    known = before or {}
    for policy, (outcome, version) in sorted(after.items()):
        old, old_version = known.get(policy, (outcome, version))
        if old != outcome and old_version == version:
            yield ObservedChange(rule.code, outcome, old, outcome, "", policy)


_FALLS = "Fires when the value falls by at least this"
_KINDS: Mapping[ParameterName, str] = {"kinds": "Only these kinds."}

_ALL = (
    Rule(
        "band",
        "band",
        "/CommercialDelphi/CommDelphiBand",
        "The band of the score changed.",
        _band,
        {
            "by": "Fires when it falls by at least this many bands.",
            "kinds": "Fires when it becomes one of these bands.",
        },
        kinds=("A", "B", "C", "D", "E"),
    ),
    Rule(
        "score",
        "score",
        "/CommercialDelphi/CommDelphiScore",
        "The score changed.",
        _number,
        {"by": f"{_FALLS} many points.", "below": "Fires when it falls below this score."},
    ),
    Rule(
        "limit",
        "limit",
        "/CommercialDelphi/CreditLimit",
        "The suggested limit changed.",
        _number,
        {"by": f"{_FALLS} many per cent.", "below": "Fires when it falls below this amount, in pounds."},
    ),
    Rule(
        "status",
        "status",
        "/Assessment/CompanyStatus",
        "The status in the register changed.",
        _status,
        {"kinds": "Only these statuses, in the register's words and lower case."},
    ),
    Rule(
        "strike-off",
        "strike_off",
        "/Alerts",
        "Striking off was proposed, suspended or discontinued.",
        _elements,
        _KINDS,
        ("proposed", "suspended", "discontinued"),
        news_from_nothing=True,
    ),
    Rule(
        "notice",
        "notices",
        "/LegalNotices",
        "The Gazette published a notice.",
        _elements,
        {"kinds": "Only notices with these codes of the Gazette, such as 2450."},
        news_from_nothing=True,
    ),
    Rule(
        "insolvency",
        "insolvency",
        "/Assessment/Insolvency",
        "An insolvency case began.",
        _elements,
        {"kinds": "Only cases of these types, in the register's words, such as creditors-voluntary-liquidation."},
        news_from_nothing=True,
    ),
    Rule(
        "accounts-filed",
        "accounts",
        "/Financials/Accounts",
        "Accounts were filed.",
        _elements,
        news_from_nothing=True,
    ),
    Rule("accounts-overdue", "accounts_overdue", "/Assessment/AccountsNextDue", "Accounts became overdue.", _began),
    Rule(
        "accounts-category",
        "accounts_category",
        "/ScoringData/LatestAccountsType",
        "The category of the accounts changed.",
        _value,
    ),
    Rule(
        "accounts-text",
        "accounts_text",
        "/Assessment/AccountsText",
        "The text of accounts says something about going concern, the audit or later events.",
        _elements,
        _KINDS,
        tuple(each.value for each in FindingKind),
        news_from_nothing=True,
    ),
    Rule(
        "confirmation-overdue",
        "confirmation_overdue",
        "/Assessment/ConfirmationStatementNextDue",
        "The confirmation statement became overdue.",
        _began,
    ),
    Rule(
        "charge",
        "charges",
        "/Mortgages",
        "A charge was registered or satisfied.",
        _elements,
        _KINDS,
        ("registered", "satisfied"),
    ),
    Rule(
        "officer",
        "officers",
        "/ManagementInfo/Directors",
        "An officer came or left. The event has no name.",
        _elements,
        _KINDS,
        ("appointed", "left"),
    ),
    Rule(
        "owner",
        "owners",
        "/CorporateStructure/CompanyOwnership",
        "A person with significant control came or left. The event has no name.",
        _elements,
        _KINDS,
        ("appointed", "left"),
    ),
    Rule("name", "name", "/CommercialName", "The name changed.", _value),
    Rule("address", "address", "/Identification/RegisteredOffice", "The registered office changed.", _hidden),
    Rule("activity", "activities", "/Identification/SICInformation1992", "The activities (SIC) changed.", _value),
    Rule(
        "payment-practice",
        "payment_days",
        "/Assessment/PaymentPractices",
        "The average days to pay suppliers changed.",
        _number,
        {"by": "Fires when they rise by at least this many days."},
    ),
    Rule(
        "group", "group", "/Assessment/Score", "The score of the parent company fell below the company's own.", _weaker
    ),
    Rule(
        "decision",
        "decisions",
        "/Assessment",
        "The decision of a policy changed.",
        _decision,
        {"policy": "The name of an installed policy; it must be given.", **_KINDS},
        ("accept", "refer", "decline"),
        repeats=True,
    ),
    Rule("digest", "", "", "A day with events is over. The event has their number.", _value),
    Rule(
        "dispute",
        "disputes",
        "/NoticeOfCorrection",
        "A field of the report is disputed, or the dispute moved on.",
        _elements,
        news_from_nothing=True,
    ),
)

DIGEST = "digest"
"""The code of the rule that fires after a day with events; it has no observed value."""

RULES: Mapping[str, Rule] = {rule.code: rule for rule in _ALL}
"""Every rule by its code."""

DEFAULT_RULES = (
    RuleSetting("band", by=1),
    RuleSetting("score", by=10),
    RuleSetting("limit", by=20),
    RuleSetting("status"),
    RuleSetting("strike-off", kinds=("proposed",)),
    RuleSetting("notice"),
    RuleSetting("insolvency"),
    RuleSetting("accounts-overdue"),
    RuleSetting(
        "accounts-text", kinds=("going-concern", "adverse-opinion", "disclaimer-of-opinion", "qualified-opinion")
    ),
    RuleSetting("confirmation-overdue"),
    RuleSetting("charge", kinds=("registered",)),
    RuleSetting("group"),
)
"""The rules of a portfolio whose owner chooses none: changes after which a credit manager may reduce or stop credit."""


def fires(change: ObservedChange, setting: RuleSetting) -> bool:
    """Return whether a change fires a rule with these parameters."""
    if change.rule != setting.rule:
        return False
    match change.rule:
        case "band":
            if setting.by is None and not setting.kinds:
                return True
            fallen = ord(change.after) - ord(change.before)
            return (setting.by is not None and fallen >= setting.by) or (fallen > 0 and change.after in setting.kinds)
        case "payment-practice":
            return setting.by is None or change.after - change.before >= setting.by
        case "score" | "limit":
            return _falls(change, setting)
        case "decision" if change.fact != setting.policy:
            return False
    return not setting.kinds or change.kind in setting.kinds


def _falls(change: ObservedChange, setting: RuleSetting) -> bool:
    if setting.by is None and setting.below is None:
        return True
    fallen = change.before - change.after
    if setting.by is not None:
        least = setting.by if change.rule == "score" else change.before * setting.by / 100
        if fallen > 0 and fallen >= least:
            return True
    return setting.below is not None and change.after < setting.below <= change.before


def fault_of(setting: RuleSetting) -> str | None:
    """Return what is wrong with a rule of a portfolio, as a sentence; None if the rule can be used."""
    rule = RULES.get(setting.rule)
    if rule is None:
        return "A rule has an unknown code; GET /monitoring/v1/rules lists all."
    given: dict[ParameterName, object] = {
        "by": setting.by,
        "below": setting.below,
        "kinds": setting.kinds or None,
        "policy": setting.policy or None,
    }
    for name, value in given.items():
        if value is not None and name not in rule.parameters:
            return f"The rule {rule.code} has no parameter {name}."
    if "policy" in rule.parameters and not setting.policy:
        return f"The rule {rule.code} needs the name of a policy."
    if rule.kinds and not set(setting.kinds) <= set(rule.kinds):
        return f"The kinds of the rule {rule.code} are {', '.join(rule.kinds)}."
    return None
