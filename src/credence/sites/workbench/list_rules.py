"""The name and the rules of a list, with a preview of the events that the rules would have made."""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import msgspec

from credence.api.monitoring.rules import counts_of
from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Cell, Note, Table
from credence.monitoring.portfolios import checked_rules, state_of
from credence.monitoring.rules import RULES
from credence.monitoring.schema import PortfolioBody, PortfolioState, RuleBody, bodies_of, settings_of
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.portfolios import change_portfolio, delete_portfolio
from credence.refusals.refusal import Refused
from credence.refusals.requests import SPIKE_ARREST
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.sites.workbench.acting import TAG, perform_as_read, state_tag
from credence.sites.workbench.figures import number_cell
from credence.sites.workbench.lists import LISTS, WORDS, address_of_list, portfolio_at
from credence.sites.workbench.one_list import PATH
from credence.sites.workbench.reader import reader_of
from credence.sites.workbench.texts import converted, text_in, whole_number_in
from credence.store.portfolios import Portfolio

_TOO_MUCH = dict.fromkeys(("by", "below"), "This number is too large.") | {
    "kinds": "There are too many, or they are too long.",
    "policy": "This name is too long.",
}
_LABELS = {"by": "by at least", "below": "when below", "kinds": "only these kinds", "policy": "of this policy"}


async def read(visit: Visit) -> Page:
    """Return the form with the present rules."""
    portfolio = await portfolio_at(visit)
    tag = state_tag(state_of(portfolio, reader_of(visit).client_id))
    away = Form(
        "delete",
        "Delete the list",
        "Delete",
        "Its companies are no longer watched. Its events stay in the feed for a year.",
        fields=(Field("sure", "Delete it", kind="box"),),
        hidden=[(TAG, tag)],
        dangerous=True,
    )
    return _page(portfolio, _form(portfolio, tag, portfolio), away)


async def change(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Change name, reference and rules.

    Raises Changed if another person changed them since the form was opened.
    """
    portfolio = await portfolio_at(visit)
    await perform_as_read(visit, change_portfolio, portfolio.id, _body(visit, portfolio, values), values, _as_it_is)
    return ActResult("List updated.")


async def preview(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Count the events that the rules of the form would have made; nothing is stored."""
    portfolio = await portfolio_at(visit)
    body = _body(visit, portfolio, values)
    shown = msgspec.structs.replace(
        portfolio, name=body.name, reference=body.reference, rules=settings_of(body.rules or ())
    )
    try:
        found = await counts_of(visit.service, portfolio, shown.rules, visit.request.now)
    except Refused as refused:
        if refused.refusal is not SPIKE_ARREST:
            raise
        raise InvalidForm("Another preview is running. Try again in a few seconds.") from None
    rows = [
        [
            Cell(RULES[each.rule].words),
            number_cell(each.events),
            number_cell(each.of_last_year),
            number_cell(each.companies),
        ]
        for each in found.counts
    ]
    columns = ("Rule", "Events in total", "In the last year", "Companies")
    whole = "" if found.complete else " The list is longer: these are its first companies."
    blocks: list[Block] = [
        Note(f"Judged by what is loaded of {found.companies:,} companies.{whole} Nothing is saved yet."),
        Table(
            "Alerts these rules would have created", columns, rows, "No rule is chosen.", numbers=frozenset({1, 2, 3})
        ),
        _form(portfolio, values.get(TAG, ""), shown),
    ]
    return ActResult("This is a preview.", page=_page(shown, *blocks))


async def delete(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Delete the list and its companies. Its events are kept."""
    portfolio = await portfolio_at(visit)
    if not values.get("sure"):
        raise InvalidForm("Select the box to delete the list.", "sure")
    await perform_as_read(visit, delete_portfolio, portfolio.id, None, values, _as_it_is)
    return ActResult("List deleted.", next_url=LISTS)


def _page(portfolio: Portfolio, *blocks: Block) -> Page:
    return Page("Rules and name", blocks, "", above=(portfolio.name, address_of_list(portfolio.id)))


def _form(kept: Portfolio, tag: str, shown: Portfolio) -> Form:
    fields = [Field("name", "Name", shown.name, required=True), Field("reference", "Your reference", shown.reference)]
    first = {each.rule: each for each in reversed(shown.rules)}
    for code, rule in RULES.items():
        setting = first.get(code)
        fields.append(Field(f"rule-{code}", rule.words.rstrip("."), "1" if setting else "", kind="box"))
        for name, words in rule.parameters.items():
            value = getattr(setting, name) if setting else None
            text = ", ".join(value) if isinstance(value, tuple) else "" if value is None else str(value)
            hint = f"{words} {', '.join(rule.kinds)}".strip() if name == "kinds" else words
            fields.append(Field(f"{name}-{code}", f"{rule.words.rstrip('.')}: {_LABELS[name]}", text, hint))
    more = len(kept.rules) - len({each.rule for each in kept.rules})
    text = f"A program has set {more} further rules of the same kinds; they stay." if more else ""
    return Form(
        "change",
        "Alert me when",
        "Save",
        text,
        fields=fields,
        hidden=[(TAG, tag)],
        also=(("preview", "Preview"),),
        wide=True,
    )


def _body(visit: Visit, portfolio: Portfolio, values: Mapping[str, str]) -> PortfolioBody:
    """Return what the form makes of the list. Raises InvalidForm with the field that is invalid."""
    members: dict[str, Any] = {name: text_in(values, name) for name in WORDS}
    body = converted(members, PortfolioBody, WORDS)
    installed = visit.service.policies.names()
    later: dict[str, list[RuleBody]] = {}
    for each in bodies_of(portfolio.rules):
        later.setdefault(each.rule, []).append(each)
    rules: list[RuleBody] = []
    for code in RULES:
        if values.get(f"rule-{code}"):
            rules += [_rule_in(values, code, installed), *later.get(code, [])[1:]]
    _require_usable(rules, installed, "")
    return msgspec.structs.replace(body, rules=tuple(rules))


def _rule_in(values: Mapping[str, str], code: str, installed: Collection[str]) -> RuleBody:
    kinds = [each for each in text_in(values, f"kinds-{code}").replace(",", " ").split() if each]
    found = {name: whole_number_in(values, f"{name}-{code}") for name in ("by", "below")}
    policy = text_in(values, f"policy-{code}")
    try:
        rule = converted({"rule": code, "kinds": kinds, "policy": policy, **found}, RuleBody, _TOO_MUCH)
    except InvalidForm as wrong:
        raise InvalidForm(wrong.message, f"{wrong.field}-{code}") from None
    for name in RULES[code].parameters:
        only = RuleBody(code, **{"policy": policy, name: getattr(rule, name)})
        _require_usable((only,), installed, f"{name}-{code}")
    return rule


def _require_usable(rules: Sequence[RuleBody], installed: Collection[str], field: str) -> None:
    """Raise InvalidForm at a field unless these rules can be used."""
    try:
        checked_rules(tuple(rules), installed)
    except Refused as refused:
        raise InvalidForm(refused.refusal.message, field) from None


def _as_it_is(portfolio: PortfolioState) -> str:
    rules = ", ".join(dict.fromkeys(each.rule for each in portfolio.rules)) or "no rules"
    return (
        f"Someone else changed this list while you were working on it. It is now called {portfolio.name}, with the rules "
        f"{rules}. If you save again, your version replaces it."
    )


LIST_RULES = Screen(
    f"{PATH}/rules",
    "Rules and name",
    MONITOR,
    read,
    (Act("change", MONITOR, change), Act("preview", MONITOR, preview), Act("delete", MONITOR, delete)),
    listed=False,
)
