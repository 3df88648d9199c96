"""Arithmetic on the lines of a balance sheet (credit §3.4).

Few filings tag every line. An absent line counts as nil only if the lines shown add up without it; otherwise it is unknown.
"""

from collections.abc import Mapping

from credence.companies.facts.accounts import Figure, Method

Lines = Mapping[str, Figure]
"""Field of `Figures` -> figure, for each known line."""

BELOW = ("creditors_after_year", "provisions", "accruals")
"""The lines between total assets less current liabilities and net assets."""
PARTS_OF_FIXED = ("tangible_assets", "intangible_assets", "investments")

_Terms = tuple[tuple[int, str], ...]

_PARTS: tuple[tuple[str, _Terms], ...] = (
    ("net_assets", ((1, "equity"),)),
    ("creditors_within_year", ((1, "current_assets"), (1, "prepayments"), (-1, "net_current_assets"))),
    ("current_assets", ((1, "net_current_assets"), (-1, "prepayments"), (1, "creditors_within_year"))),
)
_TOTALS: tuple[tuple[str, _Terms], ...] = (
    ("net_current_assets", ((1, "current_assets"), (1, "prepayments"), (-1, "creditors_within_year"))),
    (
        "fixed_assets",
        ((1, "total_assets_less_current_liabilities"), (-1, "net_current_assets"), (-1, "unpaid_share_capital")),
    ),
    (
        "total_assets_less_current_liabilities",
        ((1, "fixed_assets"), (1, "net_current_assets"), (1, "unpaid_share_capital")),
    ),
    ("total_assets", ((1, "fixed_assets"), (1, "current_assets"), (1, "prepayments"), (1, "unpaid_share_capital"))),
    ("total_liabilities", ((1, "total_assets"), (-1, "net_assets"))),
    ("tangible_net_assets", ((1, "net_assets"), (-1, "intangible_assets"))),
)
"""Field -> the terms that add up to it. The order matters: later entries use the results of earlier ones."""
_RETAINED: tuple[tuple[str, _Terms], ...] = (("retained_earnings", ((1, "net_assets"), (-1, "share_capital"))),)

_IF_SHOWN = {"prepayments", "unpaid_share_capital"}
"""Lines that few balance sheets have: an absent one counts as nil."""
_PARTS_OF_CURRENT = ("stocks", "debtors", "cash")


def derive(lines: Lines, *, other_equity: bool = False) -> dict[str, Figure]:
    """Return the lines with every line that can be computed from them; a filed line is never replaced.

    `other_equity` says that a class of equity other than share capital and retained earnings is filed, such as a share
    premium. Net assets less share capital are then not the retained earnings, which stay unknown.
    """
    known = dict(lines)
    _apply(known, _PARTS)
    if _owes_nothing(known):
        _add(known, "current_assets", tuple((1, name) for name in _PARTS_OF_CURRENT))
        _add(known, "total_assets", _assets_shown(known))
        _add(known, "creditors_within_year", ((1, "total_assets"), (-1, "net_assets")))
    elif _shows_no_current_assets(known):
        _add(known, "creditors_within_year", ((-1, "net_current_assets"),))
    if "fixed_assets" not in known and _adds_up_from_below(known):
        _add(known, "total_assets_less_current_liabilities", ((1, "net_assets"), *((1, name) for name in BELOW)))
    if not other_equity:
        _apply(known, _RETAINED)
    return with_totals(known)


def with_totals(lines: Lines) -> dict[str, Figure]:
    """Return the lines with the subtotals and totals that are sums of known lines."""
    known = dict(lines)
    _apply(known, _TOTALS)
    if _shows_no_intangible_assets(known):
        _add(known, "tangible_net_assets", ((1, "net_assets"),))
    return known


def _apply(known: dict[str, Figure], rules: tuple[tuple[str, _Terms], ...]) -> None:
    for field, terms in rules:
        if all(name in known or name in _IF_SHOWN for _, name in terms):
            _add(known, field, terms)


def _add(known: dict[str, Figure], field: str, terms: _Terms) -> None:
    used = [(sign, name) for sign, name in terms if name in known]
    if used and field not in known:
        arithmetic = " ".join(f"{'+' if sign > 0 else '-'} {name}" for sign, name in used).removeprefix("+ ")
        known[field] = Figure(sum(sign * known[name].value for sign, name in used), Method.DERIVED, arithmetic)


def _owes_nothing(known: Lines) -> bool:
    """Return whether the assets shown equal the net assets, and no creditors nor a subtotal of them are shown."""
    if {"creditors_within_year", "net_current_assets", *BELOW} & known.keys() or "net_assets" not in known:
        return False
    assets = _assets_shown(known)
    return bool(assets) and sum(known[name].value for _, name in assets) == known["net_assets"].value


def _assets_shown(known: Lines) -> _Terms:
    """Return the asset lines shown; if a total is absent, its parts are used instead."""
    fixed = ("fixed_assets",) if "fixed_assets" in known else PARTS_OF_FIXED
    current = ("current_assets",) if "current_assets" in known else _PARTS_OF_CURRENT
    lines = (*fixed, *current, "prepayments", "unpaid_share_capital")
    return tuple((1, name) for name in lines if name in known)


def _shows_no_current_assets(known: Lines) -> bool:
    """Return whether net current liabilities are the only current line, so that they are the creditors."""
    if {"current_assets", "creditors_within_year", "prepayments", *_PARTS_OF_CURRENT} & known.keys():
        return False
    return "net_current_assets" in known and known["net_current_assets"].value < 0


def _adds_up_from_below(known: Lines) -> bool:
    """Return whether net assets and later liabilities equal net current assets and the fixed assets shown."""
    if not {"net_assets", "net_current_assets"} <= known.keys():
        return False
    above = ("net_current_assets", "unpaid_share_capital", *PARTS_OF_FIXED)
    return _total(known, above) == _total(known, ("net_assets", *BELOW))


def _shows_no_intangible_assets(known: Lines) -> bool:
    """Return whether the tangible assets and investments shown add up to the fixed assets."""
    if not {"fixed_assets", "net_assets"} <= known.keys():
        return False
    return known["fixed_assets"].value == _total(known, ("tangible_assets", "investments"))


def _total(known: Lines, names: tuple[str, ...]) -> int | float:
    return sum(known[name].value for name in names if name in known)
