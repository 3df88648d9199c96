"""Rules about what related parties owe, and about what a partnership owes to its members (`companies.related`)."""

from collections.abc import Mapping

from credence.clock import day_in_words
from credence.companies.facts.accounts import Period
from credence.companies.related import PARTNERSHIPS, stressed
from credence.scoring.basis.amounts import amount_in_words
from credence.scoring.basis.ratios import amount, net_assets
from credence.scoring.reservations.judged import Found, Gap, Judged, Measures, ReservationRule, no_figures


def measure(judged: Judged, period: Period, into: Measures) -> None:
    """Add the rules that apply to the newest figures."""
    figures = period.figures
    net, current = net_assets(figures), amount(figures.net_current_assets)
    if judged.company.number.startswith(PARTNERSHIPS) and figures.owed_to_members is None and net and net > 0:
        into["members-unknown"] = 1
    left = stressed(figures)
    if left is None:
        return
    if left.owed:
        if net is not None and net >= 0 and left.net_assets is not None and left.net_assets < 0:
            into["related-net"] = 1
        if current is not None and 0 <= current < left.owed:
            into["related-cover"] = 1
        assets = amount(figures.current_assets)
        if assets:
            into["related-debtors"] = left.owed / assets
    if net and 0 < net <= left.to_members:
        into["members-all"] = 1


def _related(judged: Judged) -> Found:
    left = stressed(judged.period.figures) if judged.period else None
    current = amount(judged.period.figures.net_current_assets) if judged.period else None
    return _found(judged, left.owed if left else 0, {"short": (left.owed if left else 0) - (current or 0)})


def _members(judged: Judged) -> Found:
    left = stressed(judged.period.figures) if judged.period else None
    net = net_assets(judged.period.figures) if judged.period else None
    return _found(judged, left.to_members if left else 0, {"net": net or 0})


def _found(judged: Judged, value: float, others: Mapping[str, float]) -> Found:
    currency, period = judged.accounts.currency if judged.accounts else "", judged.period
    values = {
        **{name: amount_in_words(other, currency) for name, other in others.items()},
        "amount": amount_in_words(value, currency),
        "day": day_in_words(period.end) if period else "",
    }
    return Found(values, round(value), period.end if period else None)


def _no_figures_of_members(judged: Judged) -> Gap | None:
    return no_figures(judged) if judged.company.number.startswith(PARTNERSHIPS) else None


RULES = {
    **{rule: ReservationRule(_related, no_figures) for rule in ("related-net", "related-cover", "related-debtors")},
    **{rule: ReservationRule(_members, _no_figures_of_members) for rule in ("members-all", "members-unknown")},
}
"""Name -> rule."""
