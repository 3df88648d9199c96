"""Rules about the newest figures: net liabilities, losses, and debts that assets do not cover or cover barely."""

from credence.clock import day_in_words
from credence.companies.durations import annual, days_in, is_year
from credence.companies.facts.accounts import Figures, Period
from credence.companies.invariants import WORDS, fails_a_check
from credence.scoring.basis.amounts import amount_in_words
from credence.scoring.basis.ratios import RATIOS, amount, net_assets, stocks_of
from credence.scoring.reservations.judged import Found, Gap, Judged, Measures, ReservationRule, no_figures

_DEEPEST = 1_000.0
"""The depth of net liabilities of a company without assets."""

THIN = 0.2
"""Net assets below this share of total assets are thin, and current assets that exceed what is due within a year by less."""


EARNING = 0.05
"""A profit before tax of at least this share of total assets is a good one."""

LIQUID = 0.25
"""Current assets without stocks below this share of what is due within a year leave a supplier to wait for sales."""


def measure(judged: Judged, period: Period, into: Measures) -> None:
    """Add the rules that apply to the newest figures."""
    figures = period.figures
    working, net, result = amount(figures.net_current_assets), net_assets(figures), result_of(figures)
    short = working is not None and working < 0
    if short:
        into[f"no-cover{_result_of_uncovered(period, result)}"] = 1
    else:
        if _shares(figures) is not None:
            into["thin"] = 1
        if _stocks_only(figures):
            equity = RATIOS["equity"](figures)
            into["stocks-and-thin" if equity is not None and equity < THIN else "stocks"] = 1
    if result is not None and result < 0:
        into["loss"] = 1
        if net is not None and net >= 0:
            into.update(_consumed(period))
        if short:
            into["uncovered-loss"] = 1
        if (before := _before(judged)) is not None and before < 0:
            into["losses"] = 1
    if net is not None and net < 0:
        total = amount(figures.total_assets) or 0
        state = "" if result is None else "-with-loss" if result < 0 else "-with-profit"
        into[f"net-liabilities{state}"] = -net / total if total > 0 else _DEEPEST
    if fails_a_check(period.balanced, period.contradictions):
        into["fails-check"] = 1


def result_of(figures: Figures) -> float | None:
    """Return the profit before tax, without it the profit; a loss is negative."""
    before_tax = amount(figures.profit_before_tax)
    return amount(figures.profit) if before_tax is None else before_tax


def earns(figures: Figures) -> bool:
    """Return whether profit before tax and net assets are good enough for a limit in spite of net current liabilities.

    Retailers and others that are paid before they pay have net current liabilities as long as they trade. Those with a good
    profit and net assets of a fifth fail no more often than companies with a profit and net current assets.
    """
    profit, equity = RATIOS["profit-before-tax"](figures), RATIOS["equity"](figures)
    return profit is not None and equity is not None and profit >= EARNING and equity >= THIN


def _result_of_uncovered(period: Period, result: float | None) -> str:
    if result is None or result < 0:
        return ""
    return "-but-earning" if earns(annual(period)) else "-with-profit"


def _shares(figures: Figures) -> tuple[float, float] | None:
    """Return net assets over total assets and the current ratio if both are thin."""
    equity, cover = RATIOS["equity"](figures), RATIOS["current-ratio"](figures)
    if equity is None or cover is None or not 0 <= equity < THIN or not 1 <= cover < 1 + THIN:
        return None
    return equity, cover


def _stocks_only(figures: Figures) -> bool:
    """Return whether current assets cover what is due within a year, but without stocks hardly any of it.

    Stocks have to be known: current assets besides debtors and cash may be investments too.
    """
    cover, quick = RATIOS["current-ratio"](figures), RATIOS["quick-ratio"](figures)
    known = stocks_of(figures) is not None
    return known and cover is not None and quick is not None and cover >= 1 and quick < LIQUID


def _consumed(period: Period) -> Measures:
    """Return the rule about a year's loss and the tangible net assets that are left, or net assets without these."""
    figures = annual(period)
    left, loss = _left(figures), -(result_of(figures) or 0)
    if left is None or loss <= 0:
        return {}
    return {"consuming-loss": round(loss / left, 6)} if left > 0 else {"loss-left-nothing": 1}


def _left(figures: Figures) -> float | None:
    tangible = amount(figures.tangible_net_assets)
    return net_assets(figures) if tangible is None else tangible


def _before(judged: Judged) -> float | None:
    """Return the result of the period before the newest."""
    periods = judged.accounts.periods if judged.accounts else ()
    return result_of(periods[1].figures) if len(periods) > 1 else None


def _net_liabilities(judged: Judged) -> Found:
    return _found(judged, net_assets(_figures(judged)))


def _loss(judged: Judged) -> Found:
    return _found(judged, result_of(_figures(judged)))


def _losses(judged: Judged) -> Found:
    found = _loss(judged)
    return found._replace(values={**found.values, "before": _amount(judged, _before(judged) or 0)})


def _consuming_loss(judged: Judged) -> Found:
    found, figures, before = _losses(judged), _figures(judged), _before(judged)
    amounts = {**found.values, "amount": f"{found.values['amount']}{_in_a_year(judged)}"}
    words, after = "a loss of {amount}", ""
    if before is not None and before < 0:
        words, after = (
            "losses of {amount} and, in the period before, {before}",
            ", after one of {before} in the period before",
        )
    values = {
        "losses": words.format_map(amounts),
        "after": after.format_map(amounts),
        "kind": "net assets" if figures.tangible_net_assets is None else "tangible net assets",
        "left": _amount(judged, _left(figures) or 0),
    }
    return found._replace(values={**amounts, **values})


def _in_a_year(judged: Judged) -> str:
    """Return what the loss of a shorter or longer period is in a year; empty for that of a year."""
    period = judged.period
    if period is None or is_year(days_in(period)):
        return ""
    return f" ({_amount(judged, abs(result_of(annual(period)) or 0))} a year)"


def _no_cover(judged: Judged) -> Found:
    return _found(judged, amount(_figures(judged).net_current_assets))


def _thin(judged: Judged) -> Found:
    period = judged.period
    equity, cover = _shares(_figures(judged)) or (0.0, 0.0)
    values = {"equity": f"{equity:.0%}", "cover": f"{cover:.0%}", "day": _day(period)}
    return Found(values, day=period.end if period else None)


def _stocks(judged: Judged) -> Found:
    period = judged.period
    quick = RATIOS["quick-ratio"](_figures(judged)) or 0.0
    return Found({"quick": f"{quick:.0%}", "day": _day(period)}, day=period.end if period else None)


def _fails_check(judged: Judged) -> Found:
    period = judged.period
    failed = "; ".join(WORDS[code] for code in period.contradictions) if period else ""
    values = {"day": _day(period), "unmet": f" It does not hold that {failed}." if failed else ""}
    return Found(values, day=period.end if period else None)


def _figures(judged: Judged) -> Figures:
    return judged.period.figures if judged.period else Figures()


def _found(judged: Judged, value: float | None) -> Found:
    size, period = abs(value or 0), judged.period
    values = {"amount": _amount(judged, size), "day": _day(period)}
    return Found(values, round(size), period.end if period else None)


def _amount(judged: Judged, value: float) -> str:
    return amount_in_words(value, judged.accounts.currency if judged.accounts else "")


def _day(period: Period | None) -> str:
    return day_in_words(period.end) if period else ""


def _no_result(judged: Judged) -> Gap | None:
    if judged.period is None or result_of(judged.period.figures) is not None:
        return no_figures(judged)
    return Gap("The newest accounts have no profit and loss account of the company.")


def _no_net_assets(judged: Judged) -> Gap | None:
    unknown = judged.period is not None and net_assets(judged.period.figures) is None
    return Gap("The net assets are not known.") if unknown else no_figures(judged)


def _no_working_capital(judged: Judged) -> Gap | None:
    unknown = judged.period is not None and judged.period.figures.net_current_assets is None
    return Gap("The working capital is not known.") if unknown else no_figures(judged)


def _no_quick_assets(judged: Judged) -> Gap | None:
    figures = _figures(judged)
    unknown = judged.period is not None and (stocks_of(figures) is None or RATIOS["quick-ratio"](figures) is None)
    return Gap("Current assets without stocks are not known.") if unknown else no_figures(judged)


def _unchecked(judged: Judged) -> Gap | None:
    unknown = judged.period is not None and judged.period.balanced is None
    return Gap("Too few lines are filed to check them.") if unknown else no_figures(judged)


RULES = {
    "net-liabilities-with-loss": ReservationRule(_net_liabilities, _no_net_assets),
    "net-liabilities-with-profit": ReservationRule(_net_liabilities, _no_net_assets),
    "net-liabilities": ReservationRule(_net_liabilities, _no_net_assets),
    "uncovered-loss": ReservationRule(_loss, _no_result),
    "losses": ReservationRule(_losses, _no_result),
    "loss": ReservationRule(_loss, _no_result),
    "consuming-loss": ReservationRule(_consuming_loss, _no_result),
    "loss-left-nothing": ReservationRule(_consuming_loss, _no_result),
    "no-cover-but-earning": ReservationRule(_no_cover, _no_working_capital),
    "no-cover-with-profit": ReservationRule(_no_cover, _no_working_capital),
    "no-cover": ReservationRule(_no_cover, _no_working_capital),
    "thin": ReservationRule(_thin, _no_working_capital),
    "stocks": ReservationRule(_stocks, _no_quick_assets),
    "stocks-and-thin": ReservationRule(_stocks, _no_quick_assets),
    "fails-check": ReservationRule(_fails_check, _unchecked),
}
"""Name -> rule."""
