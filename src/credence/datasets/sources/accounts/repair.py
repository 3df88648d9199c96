"""Corrects wrong signs by the identities of a balance sheet (credit §3.4).

FA + CA + prepayments + unpaid capital - CL = TALCL        CA + prepayments - CL = NCA FA + NCA + unpaid capital = TALCL
TALCL - later creditors - provisions - accruals = net assets

A filing that balances stays as it is, and so does one that no change of signs balances. Dividends paid and headcounts are
in no identity and are always made positive: filings tag dividends with either sign.
"""

from collections.abc import Iterator, Mapping
from itertools import product

import msgspec

from credence.companies.balance_sheet import BELOW, PARTS_OF_FIXED, Lines
from credence.companies.facts.accounts import Figure, Method
from credence.datasets.sources.accounts.fields import LINES_OR_NOTES

_Values = Mapping[str, int | float]

_NEVER_NEGATIVE = ("fixed_assets", "current_assets", "prepayments", "creditors_within_year")
_ALWAYS_POSITIVE = ("dividends", "employees")
_SUBTOTALS = ("net_current_assets", "total_assets_less_current_liabilities")


def is_balanced(lines: Lines, tolerance: float) -> bool | None:
    """Return whether the lines down to TALCL agree within a tolerance; None if too few lines are known."""
    return _agree({name: figure.value for name, figure in lines.items()}, tolerance)


def repair(lines: Lines, tolerance: float) -> dict[str, Figure]:
    """Return the lines with signs that make them agree: subtotals change first, then lines that cannot be negative.

    A repaired figure keeps the filed value in `Figure.filed`.
    """
    filed = {name: figure.value for name, figure in lines.items()}
    values = dict(filed)
    if _agree(filed, tolerance) is False:
        values = next((each for each in _attempts(filed) if _agree(each, tolerance)), values)
    values = _without_notes(values, lines, tolerance)
    if _agree(values, tolerance):
        values = _with_net_assets(values, tolerance)
    values = _with_net_current_assets(values, tolerance)
    values = _with_positive_liabilities(values, tolerance)
    values.update({name: abs(values[name]) for name in _ALWAYS_POSITIVE if name in values})
    return {name: _repaired(lines[name], value) for name, value in values.items()}


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
    """Yield the difference of each identity whose required lines are known; other absent lines count as nil."""
    fixed = values.get("fixed_assets", sum(values.get(part, 0) for part in PARTS_OF_FIXED))
    prepaid = values.get("prepayments", 0)
    unpaid = values.get("unpaid_share_capital", 0)
    current, due = values.get("current_assets"), values.get("creditors_within_year")
    net, subtotal = (values.get(name) for name in _SUBTOTALS)
    if current is not None and due is not None and subtotal is not None:
        yield fixed + current + prepaid + unpaid - due - subtotal
    if current is not None and due is not None and net is not None:
        yield current + prepaid - due - net
    if net is not None and subtotal is not None:
        yield fixed + net + unpaid - subtotal


def _without_notes(values: _Values, lines: Lines, tolerance: float) -> dict[str, int | float]:
    """Return the values without the lines that may be notes, unless TALCL reaches the net assets with them alone.

    The sign of the net assets does not matter here: `_with_net_assets` decides it.
    """
    uncertain = [name for name in BELOW if name in lines and lines[name].tag in LINES_OR_NOTES]
    without = {name: value for name, value in values.items() if name not in uncertain}
    return (
        dict(values)
        if uncertain and _reach_size(values, tolerance) and not _reach_size(without, tolerance)
        else without
    )


def _reach_size(values: _Values, tolerance: float) -> bool:
    """Return whether TALCL less the lines below it equals net assets or equity, without regard to the sign."""
    subtotal = values.get("total_assets_less_current_liabilities")
    if subtotal is None:
        return False
    left = abs(subtotal - sum(abs(values.get(name, 0)) for name in BELOW))
    return any(abs(left - abs(values[name])) <= tolerance for name in ("net_assets", "equity") if name in values)


def _with_net_assets(values: _Values, tolerance: float) -> dict[str, int | float]:
    """Return the values with the sign of net assets and equity changed if only that reconciles them with TALCL."""
    changed = dict(values)
    if "total_assets_less_current_liabilities" in values:
        left = values["total_assets_less_current_liabilities"] - sum(abs(values.get(name, 0)) for name in BELOW)
        for name in ("net_assets", "equity"):
            if name in values and abs(left - values[name]) > tolerance >= abs(left + values[name]):
                changed[name] = -values[name]
    return changed


def _with_net_current_assets(values: _Values, tolerance: float) -> dict[str, int | float]:
    """Return the values with the sign of net current assets changed if only that reconciles them with the net assets.

    This decides where neither current assets nor TALCL are filed: other identities contain them.
    """
    changed = dict(values)
    net = values.get("net_assets", values.get("equity"))
    current = values.get("net_current_assets")
    if net is None or current is None or {"current_assets", _SUBTOTALS[1]} & values.keys():
        return changed
    fixed = values.get("fixed_assets", sum(values.get(part, 0) for part in PARTS_OF_FIXED))
    rest = fixed + values.get("unpaid_share_capital", 0) - sum(abs(values.get(name, 0)) for name in BELOW)
    if abs(rest + current - net) > tolerance >= abs(rest - current - net):
        changed["net_current_assets"] = -current
    return changed


def _with_positive_liabilities(values: _Values, tolerance: float) -> dict[str, int | float]:
    """Return the values with positive creditors and accruals, unless an identity holds because they are negative.

    Provisions become positive only if the identity then holds: their line may be a deferred tax asset.
    """
    changed = dict(values)
    if "current_assets" not in values and values.get("creditors_within_year", 0) < 0:
        changed["creditors_within_year"] = -values["creditors_within_year"]
    if _reach_net_assets(values, tolerance):
        return changed
    changed.update({name: abs(values[name]) for name in ("creditors_after_year", "accruals") if name in values})
    provided = changed | ({"provisions": abs(values["provisions"])} if "provisions" in values else {})
    return provided if _reach_net_assets(provided, tolerance) else changed


def _reach_net_assets(values: _Values, tolerance: float) -> bool:
    """Return whether TALCL less the lines below it equals the net assets."""
    subtotal = values.get("total_assets_less_current_liabilities")
    net = values.get("net_assets", values.get("equity"))
    below = sum(values.get(name, 0) for name in BELOW)
    return subtotal is not None and net is not None and abs(subtotal - below - net) <= tolerance


def _repaired(figure: Figure, value: float) -> Figure:
    if value == figure.value:
        return figure
    return msgspec.structs.replace(figure, value=value, method=Method.REPAIRED, filed=figure.value)
