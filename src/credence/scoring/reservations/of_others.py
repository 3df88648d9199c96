"""Rules about the group, the published models and the remarks of the register."""

from collections.abc import Callable

from credence.clock import day_in_words
from credence.companies.facts.accounts import Figures, Period
from credence.scoring.basis.amounts import amount_in_words
from credence.scoring.basis.ratios import amount, net_assets
from credence.scoring.reservations.judged import Found, Gap, Judged, Measures, ReservationRule
from credence.scoring.reservations.of_figures import result_of

_MINUS = "\u2212"

DISTRESS = frozenset({"distress", "at risk"})
"""Zones of published models that indicate distress."""


def measure(judged: Judged, into: Measures) -> None:
    """Add the rules that apply to the group, for a company with accounts."""
    if both := _group(judged):
        net = net_assets(both[1].figures)
        if net is not None and net < 0:
            into["group-net-liabilities"] = 1
        if _uncovered_loss(both[1].figures):
            into["group-uncovered-loss"] = 1
        if _differences(*both):
            into["group-weaker"] = 1


def measure_models(judged: Judged, into: Measures) -> None:
    """Add the rule that applies to the published models."""
    if names := _say_distress(judged):
        into["models"] = len(names)


def measure_remarks(judged: Judged, into: Measures) -> None:
    """Add the rules that apply to the register's remarks."""
    remarks = judged.company.remarks
    if remarks.office_undeliverable or remarks.office_in_dispute:
        into["office"] = 1
    if remarks.insolvency_history and not (judged.company.insolvency and judged.company.insolvency.value):
        into["insolvency-history"] = 1


def _group(judged: Judged) -> tuple[Period, Period, str] | None:
    """Return the newest figures of company and group, and their currency; None unless both are known in one currency."""
    accounts, of_group = judged.accounts, judged.company.accounts_of_group
    if accounts is None or of_group is None or not of_group.periods or accounts.currency != of_group.currency:
        return None
    return accounts.periods[0], of_group.group_periods[0], accounts.currency


def _group_owes(judged: Judged) -> Found:
    return _of_group(judged, net_assets)


def _group_loses(judged: Judged) -> Found:
    return _of_group(judged, result_of)


def _of_group(judged: Judged, read: Callable[[Figures], float | None]) -> Found:
    """Return what was found about a negative amount of the group, with the figures by which it is weaker."""
    both = _group(judged)
    if both is None:
        return Found({})
    _, group, currency = both
    size = -(read(group.figures) or 0)
    differences = _differences(*both)
    values = {
        "amount": amount_in_words(size, currency),
        "day": day_in_words(group.end),
        "weaker": f" The group was weaker than the company: {differences}." if differences else "",
    }
    return Found(values, round(size), group.end)


def _uncovered_loss(group: Figures) -> bool:
    """Return whether a group made a loss and its current assets do not cover what is due within a year."""
    result, working = result_of(group), amount(group.net_current_assets)
    return result is not None and result < 0 and working is not None and working < 0


def _group_weaker(judged: Judged) -> Found:
    both = _group(judged)
    if both is None:
        return Found({})
    day = both[1].end
    return Found({"differences": _differences(*both), "day": day_in_words(day)}, day=day)


def _differences(own: Period, group: Period, currency: str) -> str:
    """Return the figures by which the group is weaker, as text; empty without any."""
    found = []
    for words, of_group, of_company in (
        ("net assets", net_assets(group.figures), net_assets(own.figures)),
        *((name.replace("_", " "), *_both(group, own, name)) for name in ("tangible_net_assets", "net_current_assets")),
        ("profit", *_losses(group.figures, own.figures)),
    ):
        if of_group is not None and (of_group < 0 if of_company is None else of_group < of_company):
            known = "not known" if of_company is None else _signed(of_company, currency)
            found.append(f"{words} {_signed(of_group, currency)}, the company's {known}")
    return "; ".join(found)


def _both(group: Period, own: Period, name: str) -> tuple[float | None, float | None]:
    return amount(getattr(group.figures, name)), amount(getattr(own.figures, name))


def _losses(group: Figures, own: Figures) -> tuple[float | None, float | None]:
    """Return the group's loss, if it has one, and the company's profit or loss."""
    result = amount(group.profit)
    return result if result is not None and result < 0 else None, amount(own.profit)


def _signed(value: float, currency: str) -> str:
    return f"{_MINUS if value < 0 else ''}{amount_in_words(value, currency)}"


def _no_sheet_of_group(judged: Judged) -> Gap | None:
    both = _group(judged)
    untagged = both is not None and net_assets(both[1].figures) is None
    return Gap("The balance sheet of the group is not tagged.", whole=False) if untagged else None


def _say_distress(judged: Judged) -> list[str]:
    """Return the names of the models that indicate distress; each of them with a zone needs a profit or a turnover."""
    if judged.period is None:
        return []
    figures = judged.period.figures
    if figures.operating_profit is None and figures.profit_before_tax is None and figures.profit is None:
        return []
    return [each.model.name for each in judged.models if each.verdict and each.verdict.zone in DISTRESS]


def _models(judged: Judged) -> Found:
    names, zoned = _say_distress(judged), [each for each in judged.models if each.verdict and each.verdict.zone]
    one = len(names) == 1
    values = {
        "number": "a" if one else str(len(names)),
        "indicate": "model indicates" if one else "models indicate",
        "count": str(len(names)),
        "of": str(len(zoned)),
        "names": ", ".join(names),
    }
    return Found(values, day=judged.period.end if judged.period else None)


def _no_model(judged: Judged) -> Gap | None:
    known = any(each.verdict and each.verdict.zone for each in judged.models)
    return None if known else Gap("No published model with a zone can be computed.")


def _no_history(judged: Judged) -> Gap | None:
    company = judged.company
    known = company.insolvency is not None or company.remarks.insolvency_history is not None
    return None if known else Gap("Neither a profile nor a list of insolvency cases is on record.")


def _office(judged: Judged) -> Found:
    remarks = judged.company.remarks
    said = ("undeliverable", remarks.office_undeliverable), ("in dispute", remarks.office_in_dispute)
    return Found({"state": " and ".join(words for words, so in said if so)})


def _no_remarks(judged: Judged) -> Gap | None:
    remarks = judged.company.remarks
    missing = [remarks.office_undeliverable, remarks.office_in_dispute].count(None)
    return Gap("No profile with this remark is on record.", whole=missing > 1) if missing else None


RULES = {
    "group-net-liabilities": ReservationRule(_group_owes, _no_sheet_of_group),
    "group-uncovered-loss": ReservationRule(_group_loses, _no_sheet_of_group),
    "group-weaker": ReservationRule(_group_weaker, _no_sheet_of_group),
    "models": ReservationRule(_models, _no_model),
    "insolvency-history": ReservationRule(lambda _: Found({}), _no_history),
    "office": ReservationRule(_office, _no_remarks),
}
"""Name -> rule."""
