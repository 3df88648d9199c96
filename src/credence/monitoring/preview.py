"""Counts the events that the rules of a portfolio would have made of the loaded history."""

import datetime as dt
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import msgspec

from credence.companies.facts.company import Company
from credence.datasets.credit_data import CreditData
from credence.monitoring import observing
from credence.monitoring.comparing import changes, fires
from credence.monitoring.observing import Observation, observe, of_score
from credence.monitoring.rules import RULES
from credence.monitoring.transitions import ObservedChange
from credence.scoring.limit import Terms
from credence.scoring.model import current_model
from credence.store.portfolios import RuleSetting

MAX_COMPANIES = 2_000
"""Maximum number of companies in a preview; only the first ones of a larger portfolio are used."""

YEAR_DAYS = 365


class Count(msgspec.Struct, frozen=True):
    """How often one rule would have fired."""

    rule: str
    events: int
    of_last_year: int
    companies: int


def preview(folder: Path, companies: Sequence[str], settings: Sequence[RuleSetting], today: dt.date) -> list[Count]:
    """Return the counts of each rule over these companies.

    Reads the data sets; takes some tenths of a millisecond per company.
    """
    events, last_year, concerned = Counter[str](), Counter[str](), Counter[str]()
    since = (today - dt.timedelta(days=YEAR_DAYS)).isoformat()
    terms = current_model().terms
    with closing(CreditData(folder)) as data:
        for number in companies:
            company = data.company(number)
            found = [
                each for each in history(company, terms, today) if any(fires(each, setting) for setting in settings)
            ]
            events.update(each.rule for each in found)
            last_year.update(each.rule for each in found if each.day >= since)
            concerned.update({each.rule for each in found})
    rules = dict.fromkeys(setting.rule for setting in settings)
    return [Count(rule, events[rule], last_year[rule], concerned[rule]) for rule in rules]


def history(company: Company | None, terms: Terms, today: dt.date) -> Iterator[ObservedChange]:
    """Yield the changes that are still visible in the facts of a company: dated facts, scoring runs, former names."""
    if company is None:
        return
    now = observe(company, (), today, lambda _: None)
    nothing: Observation = {observing.FORMAT: observing.PRESENT_FORMAT}
    nothing |= {rule.value: {} for rule in RULES.values() if isinstance(now.get(rule.value), dict)}
    yield from changes(nothing, {name: now[name] for name in nothing}, {})
    runs = reversed(company.scores.past) if company.scores else ()
    for before, after in pairwise(runs):
        yield from changes(of_score(before, terms), of_score(after, terms), {observing.MODEL: after.run})
    names = company.register.value.former_names if company.register else ()
    for former in names:
        yield ObservedChange(
            "name", "changed", former.name, None, former.changed.isoformat() if former.changed else "", ""
        )
