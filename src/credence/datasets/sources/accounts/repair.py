"""Evident faults of sign are put right by the identities of a balance sheet (credit §3.4).

    FA + CA + prepayments + unpaid capital - CL = TALCL        CA + prepayments - CL = NCA
    FA + NCA + unpaid capital = TALCL                          TALCL - later creditors - provisions - accruals = net assets

A filing that balances is left as it is, and one that cannot be made to balance too. Dividends paid and headcounts stand
in no identity, and can only be positive: filings show dividends as a deduction or as a payment, and tag either sign.
"""

from collections.abc import Iterator, Mapping
from itertools import product

import msgspec

from credence.companies.balance_sheet import BELOW, PARTS_OF_FIXED, Lines
from credence.companies.facts.accounts import Figure, Method

_Values = Mapping[str, int | float]

_NEVER_NEGATIVE = ("fixed_assets", "current_assets", "prepayments", "creditors_within_year")
_POSITIVE_ALONE = ("dividends", "employees")
_SUBTOTALS = ("net_current_assets", "total_assets_less_current_liabilities")


def is_balanced(lines: Lines, tolerance: float) -> bool | None:
    """Return whether the lines down to TALCL agree with each other; None when they do not allow to tell."""
    return _agree({name: figure.value for name, figure in lines.items()}, tolerance)


def repair(lines: Lines, tolerance: float) -> dict[str, Figure]:
    """Return the lines with the signs turned that make them agree; first subtotals alone, then what is never negative.

    The filed value stays beside the repaired one.
    """
    filed = {name: figure.value for name, figure in lines.items()}
    values = dict(filed)
    if _agree(filed, tolerance) is False:
        values = next((each for each in _attempts(filed) if _agree(each, tolerance)), values)
    if _agree(values, tolerance):
        values = _with_net_assets(values, tolerance)
    values = _with_positive_liabilities(values, tolerance)
    values.update({name: abs(values[name]) for name in _POSITIVE_ALONE if name in values})
    return {name: _repaired(figure, values[name]) for name, figure in lines.items()}


def _attempts(values: _Values) -> Iterator[dict[str, int | float]]:
    positive = {name: abs(values[name]) for name in _NEVER_NEGATIVE if name in values}
    for assets in ({}, positive):
        for signs in product((1, -1), repeat=len(_SUBTOTALS)):
            subtotals = {
                name: sign * values[name] for name, sign in zip(_SUBTOTALS, signs, strict=True) if name in values
            }
            yield {**values, **assets, **subtotals}


def _agree(values: _Values, tolerance: float) -> bool | None:
    differences = list(_differences(values))
    return all(abs(each) <= tolerance for each in differences) if differences else None


def _differences(values: _Values) -> Iterator[int | float]:
    """Yield what each identity is out by, of those whose lines are all there. A line that is not shown is nil."""
    fixed = values.get("fixed_assets", sum(values.get(part, 0) for part in PARTS_OF_FIXED))
    beside = values.get("prepayments", 0)
    unpaid = values.get("unpaid_share_capital", 0)
    current, due = values.get("current_assets"), values.get("creditors_within_year")
    net, subtotal = (values.get(name) for name in _SUBTOTALS)
    if current is not None and due is not None and subtotal is not None:
        yield fixed + current + beside + unpaid - due - subtotal
    if current is not None and due is not None and net is not None:
        yield current + beside - due - net
    if net is not None and subtotal is not None:
        yield fixed + net + unpaid - subtotal


def _with_net_assets(values: _Values, tolerance: float) -> dict[str, int | float]:
    """Return the values with the sign of net assets and equity turned where only that reconciles them with TALCL."""
    turned = dict(values)
    if "total_assets_less_current_liabilities" in values:
        left = values["total_assets_less_current_liabilities"] - sum(abs(values.get(name, 0)) for name in BELOW)
        for name in ("net_assets", "equity"):
            if name in values and abs(left - values[name]) > tolerance >= abs(left + values[name]):
                turned[name] = -values[name]
    return turned


def _with_positive_liabilities(values: _Values, tolerance: float) -> dict[str, int | float]:
    """Return the values with creditors and accruals positive, unless an identity holds just because they are negative.

    Provisions turn only where the identity then holds, for a deferred tax asset may stand in their line.
    """
    turned = dict(values)
    if "current_assets" not in values and values.get("creditors_within_year", 0) < 0:
        turned["creditors_within_year"] = -values["creditors_within_year"]
    if _reach_net_assets(values, tolerance):
        return turned
    turned.update({name: abs(values[name]) for name in ("creditors_after_year", "accruals") if name in values})
    provided = {**turned, "provisions": abs(values.get("provisions", 0))}
    return provided if _reach_net_assets(provided, tolerance) else turned


def _reach_net_assets(values: _Values, tolerance: float) -> bool:
    """Return whether TALCL less what lies below it is shown to be the net assets."""
    subtotal = values.get("total_assets_less_current_liabilities")
    net = values.get("net_assets", values.get("equity"))
    below = sum(values.get(name, 0) for name in BELOW)
    return subtotal is not None and net is not None and abs(subtotal - below - net) <= tolerance


def _repaired(figure: Figure, value: float) -> Figure:
    if value == figure.value:
        return figure
    return msgspec.structs.replace(figure, value=value, method=Method.REPAIRED, filed=figure.value)
