"""Whether the group's newest accounts are weaker than the company's (D34).

They are if its net assets, tangible net assets or net current assets are lower, or it has a loss that is below the company's
profit or loss. A figure of the group that is negative also counts if the company's is unknown.
"""

from credence.report.build.years import Year

_COMPARED = {
    "net_assets": "net assets",
    "tangible_net_assets": "tangible net assets",
    "net_current_assets": "net current assets",
}
"""Figures of the balance sheet that are compared -> their words."""


def why_weaker(years: tuple[Year, ...], consolidated: tuple[Year, ...]) -> str | None:
    """Return text naming the figures by which the group is weaker in its newest year; None if it is not, or unknown."""
    if not years or not consolidated or consolidated[0].currency != years[0].currency:
        return None
    own, group = years[0], consolidated[0]
    found = [
        _words(words, own, group, name)
        for name, words in _COMPARED.items()
        if _is_lower(group.amount(name), own.amount(name))
    ]
    result = group.amount("profit")
    if result is not None and result < 0 and _is_lower(result, own.amount("profit")):
        found.append(_words("profit", own, group, "profit"))
    if not found:
        return None
    return f"The group is weaker than the company in its accounts of {group.end}: {'; '.join(found)}."


def _is_lower(of_group: float | None, own: float | None) -> bool:
    if of_group is None:
        return False
    return of_group < 0 if own is None else of_group < own


def _words(words: str, own: Year, group: Year, name: str) -> str:
    of_company = own.amount(name)
    known = "not known" if of_company is None else f"{of_company:,}"
    return f"{words} {group.amount(name):,}, the company's {known}"
