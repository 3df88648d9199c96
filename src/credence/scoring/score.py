"""The score of one company: the base of its sector, the points of each factor, and the overriding rules (credit §7).

The lines add up to the score exactly. A factor with an unknown value gives no points and widens the interval by its worst
and best points; unknown never counts as zero.
"""

import datetime as dt

import msgspec

from credence.companies.durations import annual
from credence.companies.facts.accounts import Accounts, Figures
from credence.companies.facts.company import Company
from credence.computed_once import computed_once
from credence.scoring.basis.day import days_of
from credence.scoring.basis.ratios import RATIOS, unfit
from credence.scoring.basis.scale import probability_of, within
from credence.scoring.basis.sectors import base_of, is_financial
from credence.scoring.conduct import CONDUCT, OF_ACCOUNTS, OF_REGISTER
from credence.scoring.eligibility import DISSOLVED, FINANCIAL, UNREADABLE_CASE, Unscored, unscored
from credence.scoring.inputs import DatedInput, dated_inputs, newest_day
from credence.scoring.legal import ceilings_of, failure_of
from credence.scoring.limit import Band, Limit, band_of, limit_of
from credence.scoring.model import Model, current_model
from credence.scoring.points import Factor, Unknown, failure_line, hold_down, legal_line, pair_words, scale_line
from credence.scoring.reservations.found import reservation, reservations_of, with_models
from credence.scoring.reservations.judged import Found, Judged
from credence.scoring.reservations.table import Reservation
from credence.scoring.sentences import Input, Layer, Line

LEVEL = "typical-accounts"
"""The code of the line with the points of a company with typical accounts relative to the average company."""
_LEVEL_WORDS = "Level of a company with typical accounts"
_LEVEL_SENTENCE = (
    "Companies with typical accounts fail less often than the average: the weakest make most of the failures."
)

_OVERRIDING = ("legal", "judgement")
"""Layers of ceilings, which come first among the reasons."""
_OWN = frozenset({"ratios", "conduct"})
"""Layers of the company's own factors."""

LOW_RISK = "B"
"""The worst band that says low risk."""

NO_LIMIT = "NO-LIMIT"
"""The code of the reservation that the limit of a band of low risk is 0."""

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
    reservations: tuple[Reservation, ...] = ()
    """What is held against the company and may change score, limit or terms; `ScoringResult.reservations` has all."""
    payment_terms: str = PREPAID
    """The strictest payment terms of the band and of the reservations; a company with a limit of 0 pays in advance."""

    @computed_once
    def reasons(self) -> tuple[Line, ...]:
        """The legal rules and ceilings, then the factors with points, largest effect first; only lines can be reasons.

        A legal rule comes first even if it took no points, because it limits what other factors could add (credit §10).
        """
        moved = [line for line in self.lines if line.layer in _OVERRIDING or (line.points and line.layer in _OWN)]
        order = {layer: place for place, layer in enumerate(_OVERRIDING)}
        return tuple(sorted(moved, key=lambda line: (order.get(line.layer, 9), -abs(line.points), line.code)))

    @property
    def overridden(self) -> bool:
        """Whether a rule about the legal state applied (report schema §9)."""
        return "legal" in [line.layer for line in self.lines]


class ScoringResult(msgspec.Struct, frozen=True, dict=True):
    """The score of a company, or the reason why it has none, with the model and the day of the newest input."""

    outcome: Score | Unscored
    model: Model
    day: dt.date
    judged: Judged

    @computed_once
    def reservations(self) -> tuple[Reservation, ...]:
        """What is held against the company, scored or not; nothing against one that no longer exists."""
        if self.outcome is DISSOLVED:
            return ()
        table = self.model.reservations
        score = self.score
        found = score.reservations if score else reservations_of(self.judged, table)
        return with_models(found, self.judged, table)

    @property
    def score(self) -> Score | None:
        """The score; None for a company that is not scored."""
        return self.outcome if isinstance(self.outcome, Score) else None


def score_company(company: Company, today: dt.date) -> ScoringResult:
    """Score a company with the current model; `today` is the day of judgement."""
    model = current_model()
    judged = Judged(company, days_of(company, today))
    outcome = _assess(judged, model)
    if isinstance(outcome, Score):
        return ScoringResult(outcome, model, outcome.day, judged)
    day = newest_day(dated_inputs(company, model.legal, judged.days), judged.days)
    return ScoringResult(outcome, model, day, judged)


def assess(company: Company, model: Model, day: dt.date) -> Score | Unscored:
    """Return the company's score on `day`, the day of judgement, or the reason why it has none.

    Ages count to `day` (D39). What is overdue refers to the day of the register's snapshot. Facts newer than the register
    are included; facts after `day` are not.
    """
    return _assess(Judged(company, days_of(company, day)), model)


def _assess(judged: Judged, model: Model) -> Score | Unscored:
    company, days = judged.company, judged.days
    reason = unscored(company, days)
    if reason is not None:
        return reason
    lines, unknown, notes = _points(judged, model)
    total = sum([line.points for line in lines])
    failure = failure_of(company, model.legal, days)
    if failure is None and "insolvency" in company.unreadable:
        return UNREADABLE_CASE
    if failure is None and is_financial(company):
        return FINANCIAL
    ceilings = () if failure else ceilings_of(company, model.legal, days)
    reservations = reservations_of(judged, model.reservations)
    if failure is not None:
        lines.append(failure_line(company, failure, days, total))
        total = 0
    for rule in ceilings:
        lines.append(legal_line(company, rule, days, total))
        total = min(total, rule.at_most)
    total = hold_down(lines, reservations, total)
    limit = limit_of(band_of(within(total), model.terms), judged, model.terms, reservations)
    if limit.amount == 0 and total >= model.terms.least_of(LOW_RISK):
        without = (reservation(model.reservations.by_code[NO_LIMIT][0], Found({})),)
        reservations, total = (*reservations, *without), hold_down(lines, without, total)
    score = within(total)
    if score != total:
        lines.append(scale_line(score - total))
    low, high = _interval(score, unknown, _staleness(judged, model))
    high = min([high, *[rule.at_most for rule in ceilings], *[each.at_most for each in reservations if each.at_most]])
    band = band_of(score, model.terms)
    inputs = dated_inputs(company, model.legal, days)
    return Score(
        score=score,
        low=0 if failure else low,
        high=0 if failure else high,
        probability=None if failure else probability_of(score),
        band=band,
        limit=limit,
        failed=failure is not None,
        lines=tuple(lines),
        unknown=tuple(unknown),
        notes=tuple(notes),
        day=newest_day(inputs, days),
        inputs=inputs,
        reservations=reservations,
        payment_terms=PREPAID if limit.amount == 0 else model.terms.strictest(band.terms, reservations),
    )


def _points(judged: Judged, model: Model) -> tuple[list[Line], list[Unknown], list[str]]:
    """Return the lines of base, ratios and conduct, the unknown factors, and the codes of what was left out."""
    company, period = judged.company, judged.period
    base = base_of(company, model.sectors)
    words = f"Failure rate of the sector: {base.words}"
    lines = [Line("base", "base", words, base.points, "", base.probability, "share", day=model.sectors.as_of)]
    unknown: list[Unknown] = []
    why_not = _no_ratios(company, judged.accounts)
    sheet_day = period.end if period else judged.days.judgement
    if period is not None and not why_not:
        _add_ratios(annual(period), model, sheet_day, lines, unknown)
    else:
        unknown.extend(model.ratios[0].unknown)
    for factor in model.conduct.factors:
        day = judged.days.judgement
        if factor.code in OF_REGISTER:
            day = judged.days.register
        elif factor.code in OF_ACCOUNTS:
            day = sheet_day
        _add("conduct", factor, CONDUCT[factor.code](company, judged.days), day, lines, unknown)
    return lines, unknown, [why_not] if why_not else []


def _no_ratios(company: Company, accounts: Accounts | None) -> str | None:
    """Return the code of the reason why the newest accounts get no ratio points; None if they get them."""
    if accounts is None:
        return "ratios.no-accounts" if company.accounts_of_group is None else "ratios.group-only"
    return unfit(accounts.periods[0], dormant=accounts.dormant, financial=is_financial(company))


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
    return Line("ratios", code, words, points, unit="ratio", origin="fitted", day=day, inputs=inputs)


def _add(
    layer: Layer, factor: Factor, value: float | None, day: dt.date, lines: list[Line], unknown: list[Unknown]
) -> bool:
    """Add the line of a factor, or an entry in `unknown` if its value is unknown; return whether it is known."""
    if value is None:
        unknown.append(factor.unknown)
        return False
    points = factor.bin_of(value).points
    lines.append(Line(layer, factor.code, factor.words, points, "", value, factor.unit, factor.origin, day))
    return True


def _interval(score: int, unknown: list[Unknown], staleness: int) -> tuple[int, int]:
    low = score + sum([factor.worst for factor in unknown]) - staleness
    high = score + sum([factor.best for factor in unknown]) + staleness
    return within(low), within(high)


def _staleness(judged: Judged, model: Model) -> int:
    if judged.period is None:
        return 0
    months = judged.months_since(judged.period.end) - model.terms.interval.fresh_months
    return round(max(months, 0) * model.terms.interval.points_a_month)
