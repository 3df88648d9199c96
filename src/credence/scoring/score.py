"""The score of one company: the base of its sector, the points of each factor, and the overriding rules (credit §7).

The lines add up to the score exactly. A factor with an unknown value gives no points and widens the interval by its worst
and best points; unknown never counts as zero.
"""

import datetime as dt
from collections.abc import Iterator
from typing import Literal

import msgspec

from credence.clock import day_in_words
from credence.companies.facts.accounts import Accounts, Figures
from credence.companies.facts.company import Company
from credence.computed_once import computed_once
from credence.scoring.conduct import CONDUCT, DAYS_A_MONTH, OF_ACCOUNTS
from credence.scoring.day import Days, days_of
from credence.scoring.eligibility import UNREADABLE_CASE, Unscored, unscored
from credence.scoring.inputs import DatedInput, dated_inputs, newest_day
from credence.scoring.legal import LegalRule, ceilings_of, day_of_rule, failure_of
from credence.scoring.limit import Band, Limit, band_of, limit_of
from credence.scoring.model import Model, current_model
from credence.scoring.points import Factor, Unknown, pair_words
from credence.scoring.ratios import RATIOS, unfit
from credence.scoring.scale import probability_of, within
from credence.scoring.sectors import base_of, divisions_of
from credence.scoring.sentences import pair_sentence, sentence

Layer = Literal["base", "ratios", "conduct", "legal", "scale"]

LEVEL = "typical-accounts"
"""The code of the line with the points of a company with typical accounts relative to the average company."""
_LEVEL_WORDS = "Level of a company with typical accounts"
_LEVEL_SENTENCE = (
    "Companies with typical accounts fail less often than the average: the weakest make most of the failures."
)

_OWN = frozenset({"ratios", "conduct"})
"""Layers of the company's own factors."""


class Input(msgspec.Struct, frozen=True):
    """One of the two factors of a pair, with its value."""

    code: str
    words: str
    value: float


class Line(msgspec.Struct, frozen=True):
    """One summand of a score."""

    layer: Layer
    code: str
    words: str
    points: int
    sentence: str
    value: float | None = None
    unit: str = ""
    origin: str = ""
    """`fitted` or `expert-set`, for a factor."""
    day: dt.date | None = None
    """The day of the fact; None if the line is not about one fact."""
    inputs: tuple[Input, ...] = ()
    """Both factors of a pair."""


PREPAID = "Prepaid"
"""The payment terms of the lowest band, which has no limit."""


class Score(msgspec.Struct, frozen=True, dict=True):
    """A score and all its parts; the points of `lines` add up to `score`."""

    score: int
    low: int
    high: int
    """Bounds of the interval: every unknown factor at its worst and at its best, wider for old accounts."""
    probability: float | None
    """Probability of failure within a year; None for a company that has failed."""
    band: Band
    limit: Limit
    failed: bool
    lines: tuple[Line, ...]
    unknown: tuple[Unknown, ...]
    notes: tuple[str, ...]
    """Codes of inputs that were left out, such as `ratios.dormant`."""
    day: dt.date
    """The day of the newest input (`newest_day`)."""
    inputs: tuple[DatedInput, ...] = ()
    """The day of each input with a known one."""

    @computed_once
    def reasons(self) -> tuple[Line, ...]:
        """The legal rules, then the factors with points, largest effect first; only lines can be reasons (credit §10).

        A legal rule comes first even if it took no points, because it limits what other factors could add.
        """
        moved = [line for line in self.lines if line.layer == "legal" or (line.points and line.layer in _OWN)]
        return tuple(sorted(moved, key=lambda line: (line.layer != "legal", -abs(line.points), line.code)))

    @property
    def payment_terms(self) -> str:
        """The payment terms of the band; a company with a limit of 0 pays in advance, whatever its band."""
        return PREPAID if self.limit.amount == 0 else self.band.terms

    @property
    def overridden(self) -> bool:
        """Whether a rule about the legal state applied (report schema §9)."""
        return "legal" in [line.layer for line in self.lines]


class ScoringResult(msgspec.Struct, frozen=True):
    """The score of a company, or the reason why it has none, with the model and the day of the newest input."""

    outcome: Score | Unscored
    model: Model
    day: dt.date

    @property
    def score(self) -> Score | None:
        """The score; None for a company that is not scored."""
        return self.outcome if isinstance(self.outcome, Score) else None


def score_company(company: Company, today: dt.date) -> ScoringResult:
    """Score a company with the current model; `today` is the day of judgement."""
    model = current_model()
    outcome = assess(company, model, today)
    if isinstance(outcome, Score):
        return ScoringResult(outcome, model, outcome.day)
    days = days_of(company, today)
    return ScoringResult(outcome, model, newest_day(dated_inputs(company, model.legal, days), days))


def assess(company: Company, model: Model, day: dt.date) -> Score | Unscored:
    """Return the company's score on `day`, the day of judgement, or the reason why it has none.

    Register facts refer to the day of the snapshot. Facts newer than the register are included; facts after `day` are not.
    """
    days = days_of(company, day)
    reason = unscored(company, days)
    if reason is not None:
        return reason
    base = base_of(company, model.sectors)
    lines = [
        Line(
            layer="base",
            code="base",
            words=f"Failure rate of the sector: {base.words}",
            points=base.points,
            sentence="",
            value=base.probability,
            unit="share",
            day=model.sectors.as_of,
        )
    ]
    unknown: list[Unknown] = []
    notes: list[str] = []
    accounts = company.accounts_with_figures
    why_not = _no_ratios(company, accounts)
    if why_not:
        notes.append(why_not)
    sheet_day = accounts.periods[0].end if accounts else days.register
    if accounts is not None and not why_not:
        _add_ratios(accounts.periods[0].figures, model, sheet_day, lines, unknown)
    else:
        unknown.extend([factor.unknown for factor in model.ratios[0].factors])
    for factor in model.conduct.factors:
        of_day = sheet_day if factor.code in OF_ACCOUNTS else days.register
        _add("conduct", factor, CONDUCT[factor.code](company, days.register), of_day, lines, unknown)
    total = sum([line.points for line in lines])
    failure = failure_of(company, model.legal, days)
    if failure is None and "insolvency" in company.unreadable:
        return UNREADABLE_CASE
    ceilings = () if failure else ceilings_of(company, model.legal, days)
    lines.extend(_overrides(company, days, total, failure, ceilings))
    score = sum([line.points for line in lines])
    low, high = _interval(score, unknown, _staleness(accounts, model, days.register))
    high = min([high, *(rule.at_most for rule in ceilings)])
    band = band_of(score, model.terms)
    inputs = dated_inputs(company, model.legal, days)
    return Score(
        score=score,
        low=0 if failure else low,
        high=0 if failure else high,
        probability=None if failure else probability_of(score),
        band=band,
        limit=limit_of(band, accounts, model.terms, days.register, company.accounts_of_group),
        failed=failure is not None,
        lines=tuple(lines),
        unknown=tuple(unknown),
        notes=tuple(notes),
        day=newest_day(inputs, days),
        inputs=inputs,
    )


def _no_ratios(company: Company, accounts: Accounts | None) -> str | None:
    """Return the code of the reason why the newest accounts get no ratio points; None if they get them."""
    if accounts is None:
        return "ratios.no-accounts" if company.accounts_of_group is None else "ratios.group-only"
    divisions = frozenset(divisions_of(company))
    return unfit(accounts.periods[0], dormant=accounts.dormant, divisions=divisions)


def _add_ratios(figures: Figures, model: Model, day: dt.date, lines: list[Line], unknown: list[Unknown]) -> None:
    """Add the level, a line for each known factor of the tables that apply, and one for each pair that gives points.

    The first table always applies, another one if one of its factors is known.
    """
    values = {code: value for code, ratio in RATIOS.items() if (value := ratio(figures)) is not None}
    first, *others = model.ratios
    tables = [first, *(table for table in others if any(factor.code in values for factor in table.factors))]
    level = sum(table.level for table in tables)
    lines.append(Line("base", LEVEL, _LEVEL_WORDS, level, _LEVEL_SENTENCE, day=day, origin="fitted"))
    known: dict[str, Line] = {}
    for table in tables:
        for factor in table.factors:
            if _add("ratios", factor, values.get(factor.code), day, lines, unknown):
                known[factor.code] = lines[-1]
        for pair in table.pairs:
            if pair.first in known and pair.second in known:
                points = pair.points_of(values[pair.first], values[pair.second])
                if points:
                    lines.append(_pair(pair.code, points, (known[pair.first], known[pair.second]), day))


def _pair(code: str, points: int, lines: tuple[Line, Line], day: dt.date) -> Line:
    first, second = lines
    inputs = tuple(Input(each.code, each.words, each.value or 0.0) for each in lines)
    words = pair_words(first.words, second.words)
    text = pair_sentence((first.words, inputs[0].value), (second.words, inputs[1].value), points)
    return Line("ratios", code, words, points, text, unit="ratio", origin="fitted", day=day, inputs=inputs)


def _add(
    layer: Layer, factor: Factor, value: float | None, day: dt.date, lines: list[Line], unknown: list[Unknown]
) -> bool:
    """Add the line of a factor, or an entry in `unknown` if its value is unknown; return whether it is known."""
    if value is None:
        unknown.append(factor.unknown)
        return False
    points = factor.bin_of(value).points
    text = sentence(factor.code, factor.words, factor.unit, value, day)
    lines.append(Line(layer, factor.code, factor.words, points, text, value, factor.unit, factor.origin, day))
    return True


def _overrides(
    company: Company, days: Days, total: int, failure: LegalRule | None, ceilings: tuple[LegalRule, ...]
) -> Iterator[Line]:
    """Yield a line for each rule that applies, then one for the points beyond the ends of the scale."""
    if failure is not None:
        yield _legal(company, failure, days, -total)
        return
    for rule in ceilings:
        points = min(total, rule.at_most) - total
        # A rule gets a line even if a lower ceiling applies and it takes no points, because it is a reason.
        yield _legal(company, rule, days, points)
        total += points
    if cut := within(total) - total:
        yield Line("scale", "scale", "The scale runs from 0 to 100", cut, "")


def _legal(company: Company, rule: LegalRule, days: Days, points: int) -> Line:
    day = day_of_rule(company, rule, days)
    text = rule.sentence.format(day=day_in_words(day), at_most=rule.at_most)
    return Line("legal", rule.code, "Legal state", points, text, day=day)


def _interval(score: int, unknown: list[Unknown], staleness: int) -> tuple[int, int]:
    low = score + sum([factor.worst for factor in unknown]) - staleness
    high = score + sum([factor.best for factor in unknown]) + staleness
    return within(low), within(high)


def _staleness(accounts: Accounts | None, model: Model, day: dt.date) -> int:
    if accounts is None:
        return 0
    months = (day - accounts.periods[0].end).days / DAYS_A_MONTH - model.terms.interval.fresh_months
    return round(max(months, 0) * model.terms.interval.points_a_month)
