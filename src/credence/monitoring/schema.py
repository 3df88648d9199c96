"""Portfolios, rules and events as the API sends and reads them."""

from typing import Annotated, Any

import msgspec

from credence.meanings import CURRENCY, Input, meaning
from credence.monitoring.rows import MAX_CHARACTERS, MAX_EXPOSURE
from credence.monitoring.rules import RULES
from credence.store.portfolios import RuleSetting, WatchedCompany

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Reference = Annotated[str, msgspec.Meta(max_length=100)]
Number = Annotated[int, msgspec.Meta(ge=0, le=MAX_EXPOSURE)]
Kinds = Annotated[tuple[Reference, ...], msgspec.Meta(max_length=20)]

MAX_RULES = 50

_CODES = {code: rule.words.rstrip(".").lower() for code, rule in RULES.items()}


class RuleBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """One rule of a portfolio with its parameters; GET /monitoring/v1/rules says which a rule has."""

    rule: Annotated[Reference, meaning("The code of the rule.", example="band")]
    by: Annotated[Number | None, meaning("By how much the value must change.", example=1)] = None
    below: Annotated[Number | None, meaning("The value that it must fall below.", example=40)] = None
    kinds: Annotated[Kinds, meaning("Only these kinds of change.", example=["registered"])] = ()
    policy: Annotated[Reference, meaning("The installed policy whose decisions it watches.", example="")] = ""


Rules = Annotated[tuple[RuleBody, ...], msgspec.Meta(max_length=MAX_RULES)]


class PortfolioBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """A portfolio as its owner writes it."""

    name: Annotated[Name, meaning("Its name.", example="Customers of the north"), Input(argument=True)]
    reference: Annotated[
        Reference, meaning("The owner's own reference.", example="LEDGER-7"), Input(default="none")
    ] = ""
    rules: Annotated[
        Rules | None,
        meaning("What makes events. Without this member the rules are those of a careful credit manager."),
        Input("File with a JSON array of the rules.", file=True, default="those of a careful credit manager"),
    ] = None


class PortfolioState(msgspec.Struct, frozen=True):
    """A portfolio."""

    id: Annotated[str, meaning("Its id.", example="pf_2o6x4hk3tmy7q5c3")]
    name: Annotated[str, meaning("Its name.", example="Customers of the north")]
    reference: Annotated[str, meaning("The owner's own reference.", example="LEDGER-7")]
    rules: Annotated[tuple[RuleBody, ...], meaning("What makes events.")]
    shared: Annotated[bool, meaning("Whether another application made it and the operator shares it.")]
    created_at: Annotated[str, meaning("When it was made, in UTC.", example="2026-11-22T09:30:00Z")]


class Portfolios(msgspec.Struct, frozen=True):
    """A page of portfolios."""

    portfolios: Annotated[tuple[PortfolioState, ...], meaning("The portfolios, ordered by id.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.", example="")]


class CompanyBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The owner's data about a watched company."""

    reference: Annotated[Reference, meaning("The owner's own reference.", example="C-1001")] = ""
    exposure: Annotated[Number | None, meaning("What the owner may lose.", unit=CURRENCY, example=12000)] = None
    currency: Annotated[str, msgspec.Meta(max_length=3), meaning("Its currency (ISO 4217).", example="GBP")] = ""
    note: Annotated[
        str, msgspec.Meta(max_length=MAX_CHARACTERS), meaning("A note of the owner.", example="Terms 30 days")
    ] = ""


class CompanyState(msgspec.Struct, frozen=True, omit_defaults=True):
    """A watched company."""

    company_number: Annotated[str, meaning("Its number.", example="99999901")]
    reference: Annotated[str, meaning("The owner's own reference.", example="C-1001")] = ""
    exposure: Annotated[int | None, meaning("What the owner may lose.", unit=CURRENCY, example=12000)] = None
    currency: Annotated[str, meaning("Its currency (ISO 4217).", example="GBP")] = ""
    note: Annotated[str, meaning("A note of the owner.", example="Terms 30 days")] = ""


def company_state(company: WatchedCompany) -> CompanyState:
    """Return a watched company as it is sent."""
    return CompanyState(company.company, company.reference, company.exposure, company.currency, company.note)


class CompanyPage(msgspec.Struct, frozen=True):
    """A page of watched companies."""

    companies: Annotated[tuple[CompanyState, ...], meaning("The companies, ordered by number.")]
    count: Annotated[int, meaning("How many companies the portfolio has.", example=1)]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.", example="")]


OUTCOMES = {
    "added": "it is watched now",
    "changed": "it was watched already, and what the owner says of it is replaced",
    "unchanged": "it was watched already in these words",
    "removed": "it is no longer watched",
    "absent": "it was not watched",
    "full": "refused: the portfolio has its greatest number of companies",
    "refused": "refused: the row is malformed",
}


class RowResult(msgspec.Struct, frozen=True, omit_defaults=True):
    """The result of one row of a list."""

    row: Annotated[int, meaning("The place of the row, from 1.", example=1)]
    company_number: Annotated[str, meaning("The company number in normal form, or as it was sent.", example="99999901")]
    result: Annotated[str, meaning("What became of it:", values=OUTCOMES)]
    reason: Annotated[str, meaning("Why it was refused.", example="This is not a company number.")] = ""


class ImportResult(msgspec.Struct, frozen=True):
    """The result of a list: the count of each outcome and every row."""

    counts: Annotated[dict[str, int], meaning("Outcome -> rows.", example={"added": 1})]
    rows: Annotated[tuple[RowResult, ...], meaning("Every row in its order.")]


class RuleDescription(msgspec.Struct, frozen=True):
    """A rule that portfolios may have."""

    rule: Annotated[str, meaning("Its code:", values=_CODES)]
    description: Annotated[str, meaning("What it fires at.", example="The score changed.")]
    member: Annotated[
        str, meaning("Where the report shows it (RFC 6901).", example="/CommercialDelphi/CommDelphiScore")
    ]
    parameters: Annotated[dict[str, str], meaning("Its parameters and what they mean.", example={"by": "Points."})]
    kinds: Annotated[tuple[str, ...], meaning("The kinds it knows, where they are listed.", example=["registered"])]


class RuleCatalogue(msgspec.Struct, frozen=True):
    """Every rule, and those of a portfolio whose owner chooses none."""

    rules: Annotated[tuple[RuleDescription, ...], meaning("Every rule.")]
    default: Annotated[tuple[RuleBody, ...], meaning("The rules of a portfolio that is made without rules.")]


class PreviewBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The rules to try; without them those of the portfolio."""

    rules: Annotated[Rules | None, meaning("The rules to try.")] = None


class PreviewCount(msgspec.Struct, frozen=True):
    """How often one rule would have fired."""

    rule: Annotated[str, meaning("The code of the rule.", example="accounts-filed")]
    events: Annotated[int, meaning("Events in all that is loaded.", example=14)]
    of_last_year: Annotated[int, meaning("Those of them whose day is in the last 365 days.", example=3)]
    companies: Annotated[int, meaning("The companies that they are about.", example=9)]


class PreviewResult(msgspec.Struct, frozen=True):
    """A preview: dated facts, runs of the score and former names that are loaded, judged by rules."""

    companies: Annotated[int, meaning("How many companies were judged; at most 2,000.", example=120)]
    complete: Annotated[bool, meaning("Whether these are all companies of the portfolio.")]
    counts: Annotated[tuple[PreviewCount, ...], meaning("One entry for each rule.")]


class EventHead(msgspec.Struct, frozen=True):
    """What happened, when, and its number."""

    type: Annotated[str, meaning("`monitoring.` and the code of the rule.", example="monitoring.band")]
    published_at: Annotated[str, meaning("When it was made, in UTC.", example="2026-11-22T09:30:00Z")]
    timepoint: Annotated[int, meaning("Its number: the next request says `after` this.", example=57)]
    fields_changed: Annotated[
        tuple[str, ...], meaning("The members of the report (RFC 6901).", example=["/CommercialDelphi/CommDelphiBand"])
    ]


_VALUE = msgspec.Meta(extra_json_schema={"type": ["string", "number", "boolean", "array", "null"], "items": {}})
"""What the values of a report may be."""


class EventData(msgspec.Struct, frozen=True, omit_defaults=True):
    """What changed."""

    portfolio: Annotated[str, meaning("The portfolio that watches the company.", example="pf_2o6x4hk3tmy7q5c3")]
    rule: Annotated[str, meaning("The rule that fired.", example="band")]
    kind: Annotated[str, meaning("The kind of change.", example="fell")]
    before: Annotated[
        Any, _VALUE, meaning("The value before; null if there was none, or if it would name a person.", example="B")
    ]
    after: Annotated[Any, _VALUE, meaning("The value after.", example="C")]
    source_day: Annotated[str, meaning("The day of the fact or of its source; empty if unknown.", example="2026-11-01")]
    fact: Annotated[str, meaning("The id of the fact in its source, or the name of the policy.", example="")] = ""


class MonitoringEvent(msgspec.Struct, frozen=True):
    """One event of the feed."""

    resource_kind: Annotated[str, meaning("`company`, or `portfolio` for the daily digest.", example="company")]
    resource_id: Annotated[str, meaning("The company number, or the id of the portfolio.", example="99999901")]
    resource_uri: Annotated[
        str, meaning("The report, or the digest.", example="/risk/business/v2/registeredcompanycredit/99999901")
    ]
    event: Annotated[EventHead, meaning("What happened.")]
    data: Annotated[EventData, meaning("What changed.")]


class EventPage(msgspec.Struct, frozen=True):
    """Events after a number, in order."""

    events: Annotated[tuple[MonitoringEvent, ...], meaning("The events.")]
    next: Annotated[
        int, meaning("The number to say `after` in the next request. Numbers in between are other owners'.", example=57)
    ]


def settings_of(rules: tuple[RuleBody, ...]) -> tuple[RuleSetting, ...]:
    """Return the rules as they are stored."""
    return tuple(RuleSetting(each.rule, each.by, each.below, each.kinds, each.policy) for each in rules)


def bodies_of(rules: tuple[RuleSetting, ...]) -> tuple[RuleBody, ...]:
    """Return the rules as they are sent."""
    return tuple(RuleBody(each.rule, each.by, each.below, each.kinds, each.policy) for each in rules)
