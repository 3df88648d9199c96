"""The rules: the value that each one watches, its parameters, and whether a change fires it.

A rule without parameters fires at every change of its value. Of several parameters, any one is sufficient.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from credence.companies.facts.accounts import FindingKind
from credence.monitoring.transitions import (
    CLOSED,
    ENDED,
    ENDS,
    NOT_WEAKER,
    WITHDRAWN,
    Changes,
    of_band,
    of_decisions,
    of_digest,
    of_list,
    of_number,
    of_parent,
    of_state,
    of_status,
    of_text,
)
from credence.store.portfolios import RuleSetting

ParameterName = Literal["by", "below", "kinds", "policy"]


class Rule(msgspec.Struct, frozen=True):
    """One rule. `value` is the name of the observed value, `member` its place in the report (RFC 6901)."""

    code: str
    value: str
    member: str
    words: str
    changes: Changes
    parameters: Mapping[ParameterName, str] = {}
    kinds: tuple[str, ...] = ()
    """The kinds of change that a setting of the rule may select; empty if the source defines the kinds."""
    end: str = ""
    """What happened, if the kind of the change is one of `ENDS`; empty if the rule has no such kind."""
    holds: str = ""
    """What an event says of a condition that held when the company was added; empty if it has none (`conditions.py`)."""
    news_from_nothing: bool = False
    """Whether a fact counts as a change although nothing was known before, as filed accounts do.

    A first observation makes no event.
    """


_UNSCORED = "The company is no longer scored."
_FALLS = "Fires when the value falls by at least this"
_KINDS: Mapping[ParameterName, str] = {"kinds": "Only these kinds."}

_ALL = (
    Rule(
        "band",
        "band",
        "/CommercialDelphi/CommDelphiBand",
        "The band of the score changed.",
        of_band,
        {
            "by": "Fires when it falls by at least this many bands.",
            "kinds": "Fires when it becomes one of these bands.",
        },
        kinds=("A", "B", "C", "D", "E"),
        end=_UNSCORED,
    ),
    Rule(
        "score",
        "score",
        "/CommercialDelphi/CommDelphiScore",
        "The score changed.",
        of_number,
        {"by": f"{_FALLS} many points.", "below": "Fires when it falls below this score."},
        end=_UNSCORED,
    ),
    Rule(
        "limit",
        "limit",
        "/CommercialDelphi/CreditLimit",
        "The suggested limit changed.",
        of_number,
        {"by": f"{_FALLS} many per cent.", "below": "Fires when it falls below this amount, in pounds."},
        end="A limit is no longer suggested.",
    ),
    Rule(
        "status",
        "status",
        "/Assessment/CompanyStatus",
        "The status in the register changed.",
        of_status,
        {"kinds": "Only these statuses, in the register's words and lower case, or `ended`."},
        end="The company is no longer in the register.",
        holds="Status in the register.",
    ),
    Rule(
        "strike-off",
        "strike_off",
        "/Alerts",
        "Striking off was proposed, suspended or discontinued.",
        of_list(gone=WITHDRAWN),
        _KINDS,
        ("proposed", "suspended", "discontinued", WITHDRAWN),
        end="A filing about striking off was withdrawn.",
        news_from_nothing=True,
    ),
    Rule(
        "notice",
        "notices",
        "/LegalNotices",
        "The Gazette published a notice.",
        of_list(),
        {"kinds": "Only notices with these codes of the Gazette, such as 2450, or `withdrawn`."},
        end="A notice of the Gazette was withdrawn.",
        news_from_nothing=True,
    ),
    Rule(
        "insolvency",
        "insolvency",
        "/Assessment/Insolvency",
        "An insolvency case began.",
        of_list(gone=WITHDRAWN),
        {
            "kinds": "Only cases of these types, in the register's words, such as creditors-voluntary-liquidation, or "
            "`withdrawn`."
        },
        end="An insolvency case was withdrawn.",
        news_from_nothing=True,
    ),
    Rule(
        "accounts-filed",
        "accounts",
        "/Financials/Accounts",
        "Accounts were filed.",
        of_list(),
        news_from_nothing=True,
    ),
    Rule(
        "accounts-overdue",
        "accounts_overdue",
        "/Assessment/AccountsNextDue",
        "Accounts became overdue.",
        of_state,
        _KINDS,
        ("began", ENDED),
        end="Accounts are no longer overdue.",
        holds="Accounts are overdue.",
    ),
    Rule(
        "accounts-category",
        "accounts_category",
        "/ScoringData/LatestAccountsType",
        "The category of the accounts changed.",
        of_text,
    ),
    Rule(
        "accounts-text",
        "accounts_text",
        "/Assessment/AccountsText",
        "The text of accounts says something about going concern, the audit or later events.",
        of_list(),
        _KINDS,
        tuple(each.value for each in FindingKind),
        news_from_nothing=True,
    ),
    Rule(
        "confirmation-overdue",
        "confirmation_overdue",
        "/Assessment/ConfirmationStatementNextDue",
        "The confirmation statement became overdue.",
        of_state,
        _KINDS,
        ("began", ENDED),
        end="The confirmation statement is no longer overdue.",
        holds="The confirmation statement is overdue.",
    ),
    Rule(
        "charge",
        "charges",
        "/Mortgages",
        "A charge was registered or satisfied.",
        of_list(gone=WITHDRAWN),
        _KINDS,
        ("registered", "satisfied", WITHDRAWN),
        end="A charge was withdrawn.",
    ),
    Rule(
        "officer",
        "officers",
        "/ManagementInfo/Directors",
        "An officer came or left. The event has no name.",
        of_list(gone=WITHDRAWN),
        _KINDS,
        ("appointed", "left", WITHDRAWN),
        end="The entry of an officer was withdrawn. The event has no name.",
    ),
    Rule(
        "owner",
        "owners",
        "/CorporateStructure/CompanyOwnership",
        "A person with significant control came or left. The event has no name.",
        of_list(gone=WITHDRAWN),
        _KINDS,
        ("appointed", "left", WITHDRAWN),
        end="The entry of a person with significant control was withdrawn. The event has no name.",
    ),
    Rule("name", "name", "/CommercialName", "The name changed.", of_text),
    Rule("address", "address", "/Identification/RegisteredOffice", "The registered office changed.", of_digest),
    Rule("activity", "activities", "/Identification/SICInformation1992", "The activities (SIC) changed.", of_text),
    Rule(
        "payment-practice",
        "payment_days",
        "/Assessment/PaymentPractices",
        "The average days to pay suppliers changed.",
        of_number,
        {"by": "Fires when they rise by at least this many days."},
    ),
    Rule(
        "group",
        "group",
        "/Assessment/Score",
        "The score of the parent company fell below the company's own.",
        of_parent,
        _KINDS,
        ("weaker", NOT_WEAKER, ENDED),
        end="The score of the parent company is no longer below the company's own.",
        holds="The score of the parent company is below the company's own.",
    ),
    Rule(
        "reservation",
        "reservations",
        "/Assessment/Headline/Reservations",
        "New reason for caution.",
        of_list(gone=ENDED),
        {"kinds": "Only reasons for caution with these codes, such as GOING-CONCERN, or `ended`."},
        end="A reason for caution no longer applies.",
        holds="Reason for caution.",
    ),
    Rule(
        "decision",
        "decisions",
        "/Assessment",
        "The decision of a policy changed.",
        of_decisions,
        {"policy": "The name of an installed policy; it must be given.", **_KINDS},
        ("accept", "refer", "decline"),
    ),
    Rule("digest", "", "", "A day with events is over. The event has their number.", of_text),
    Rule(
        "dispute",
        "disputes",
        "/NoticeOfCorrection",
        "A field of the report is disputed, or the dispute moved on.",
        of_list(gone=CLOSED),
        news_from_nothing=True,
        end="A dispute was closed.",
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
    RuleSetting("accounts-overdue", kinds=("began",)),
    RuleSetting(
        "accounts-text", kinds=("going-concern", "adverse-opinion", "disclaimer-of-opinion", "qualified-opinion")
    ),
    RuleSetting("confirmation-overdue", kinds=("began",)),
    RuleSetting("charge", kinds=("registered",)),
    RuleSetting("group", kinds=("weaker",)),
    RuleSetting("reservation"),
)
"""The rules of a portfolio whose owner chooses none: changes after which a credit manager may reduce or stop credit."""


def happened(code: str, kind: str, day: str) -> str:
    """Return what an event of this rule and kind says, as a sentence; the code of a rule that does not exist any more.

    `day` is that of the event: an event without one is about what held when the company was added, and is no change.
    """
    rule = RULES.get(code)
    if rule is None:
        return code
    if rule.end and kind in ENDS:
        return rule.end
    return rule.words if day or not rule.holds else rule.holds


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
