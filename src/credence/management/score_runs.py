"""Compares scoring runs: the figures of each, the changes since another, and the drift of the inputs (credit §7, §10)."""

from contextlib import closing
from typing import Annotated, Literal

from msgspec import Struct

from credence.datasets import catalogue
from credence.datasets.score_reader import SCORES, Moves, RunFigures, ScoreReader, ScoringRun
from credence.errors import InvalidInput
from credence.meanings import meaning
from credence.scoring.model import current_model
from credence.scoring.runs.figures import DIFFERENCES, LARGE, SMALL, edges_of, factors_of, stability_index
from credence.settings import Settings

FITTING = "fitting"
"""The value of `since` for the data to which the tables were fitted."""

NEWEST = "newest"
"""The value of `run` for the newest run."""

Judgement = Literal["small", "notable", "large"]


class UnknownRun(InvalidInput):
    """There is no such scoring run."""


class RunState(Struct):
    """A scoring run; null: it was made by an earlier version, which kept no figures."""

    run: Annotated[int, meaning("Its number.")]
    day: Annotated[str, meaning("The day of the run.", example="2026-11-03")]
    register: Annotated[str, meaning("The day of the register's snapshot.", example="2026-11-01")]
    model: Annotated[str, meaning("The version of the model.", example="2026.11.4")]
    companies: Annotated[int | None, meaning("Companies of the register.", example=5000000)] = None
    scored: Annotated[int | None, meaning("Companies with a score.", example=4100000)] = None
    unscored: Annotated[dict[str, int] | None, meaning("Reason -> companies without a score.")] = None
    bands: Annotated[dict[str, int] | None, meaning("Band -> companies.")] = None


class Runs(Struct):
    """The scoring runs of the scores in service."""

    runs: Annotated[list[RunState], meaning("The runs, the newest first.")]


class BandMove(Struct):
    """Companies that went from one band to another, or stayed."""

    then: Annotated[str, meaning("Band by the earlier run.", example="C")]
    now: Annotated[str, meaning("Band by the later run.", example="B")]
    companies: Annotated[int, meaning("Companies.")]


class ScoreDifference(Struct):
    """Companies by the difference of their scores."""

    difference: Annotated[str, meaning("Points now less points then.", example="+1 to +4")]
    companies: Annotated[int, meaning("Companies.")]


class InputDrift(Struct):
    """How far the values of one input of the score differ from those of the earlier run, or of the fitting data."""

    code: Annotated[str, meaning("The input.", example="current-ratio")]
    words: Annotated[str, meaning("What it is.")]
    then: Annotated[int | None, meaning("Companies that showed it then; null: unknown.", example=4100000)]
    now: Annotated[int | None, meaning("Companies that show it; null: unknown.", example=4100000)]
    index: Annotated[float | None, meaning("Population stability index; null: unknown.", example=0.04)]
    judgement: Annotated[
        Judgement | None, meaning(f"Small below {SMALL}, large above {LARGE}; null: unknown.", example="small")
    ]


class Comparison(Struct):
    """What changed from one run to a later one. Null: unknown."""

    run: Annotated[int, meaning("The later run.")]
    since: Annotated[int | None, meaning("The earlier run; null: the fitting data, or no earlier run.", example=1)]
    model_changed: Annotated[bool | None, meaning("Whether the two runs used different models.", example=False)]
    changed_band: Annotated[int | None, meaning("Companies in another band.", example=1200)]
    changed_score: Annotated[int | None, meaning("Companies with another score.", example=5300)]
    first: Annotated[int | None, meaning("Companies that no run up to the earlier one scored.", example=100)]
    ended: Annotated[int | None, meaning("Companies scored by a run up to the earlier one, and not now.", example=90)]
    unknown: Annotated[int | None, meaning("Companies whose stored scores do not reach back so far.", example=0)]
    bands: Annotated[list[BandMove] | None, meaning("Bands then and now.")]
    differences: Annotated[list[ScoreDifference] | None, meaning("Differences of the scores.")]
    drift: Annotated[list[InputDrift], meaning("The inputs of the score.")]


def runs(settings: Settings) -> Runs:
    """Return the runs, the newest first; none if nothing was scored. Raises UnusableDataSet, CatalogueDamaged, OSError."""
    known, figures = _read(settings)
    return Runs([_state(each, figures.get(each.id)) for each in sorted(known.values(), key=lambda each: -each.id)])


def compared(settings: Settings, run: str, since: str = "") -> Comparison:
    """Return the changes between two runs: by default between the newest and the one before it.

    `since` may be `fitting`, the data to which the tables were fitted; then only the drift is known. Raises UnknownRun.
    """
    known, figures = _read(settings)
    later = _run(known, run) if run not in {"", NEWEST} else max(known, default=0)
    if not later:
        raise UnknownRun("Nothing has been scored yet. Run: credence score run.")
    found = figures.get(later)
    if since == FITTING:
        return _comparison(later, None, None, None, _drift_since_fitting(found))
    earlier = _run(known, since) if since else max((each for each in known if each < later), default=0)
    if earlier >= later:
        raise UnknownRun("The run to compare with comes before the other one.")
    if not earlier:
        return _comparison(later, None, None, None, _drift(None, found))
    changed = known[earlier].hash != known[later].hash
    moves = found.moves.get(earlier) if found else None
    return _comparison(later, earlier, changed, moves, _drift(figures.get(earlier), found))


def _read(settings: Settings) -> tuple[dict[int, ScoringRun], dict[int, RunFigures]]:
    folder = settings.credit_folder
    entry = catalogue.read(folder).sources.get(SCORES)
    if entry is None:
        return {}, {}
    with closing(ScoreReader(folder / entry.file)) as reader:
        return reader.runs, reader.figures()


def _run(known: dict[int, ScoringRun], text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 0
    if number not in known:
        raise UnknownRun(f"There is no scoring run {text[:20]!r}: credence score runs lists them.")
    return number


def _state(run: ScoringRun, figures: RunFigures | None) -> RunState:
    state = RunState(run.id, run.run.isoformat(), run.day.isoformat(), run.version)
    if figures is not None:
        state.companies, state.scored = figures.companies, figures.scored
        state.unscored, state.bands = figures.unscored, figures.bands
    return state


def _comparison(
    run: int, since: int | None, model_changed: bool | None, moves: Moves | None, drift: list[InputDrift]
) -> Comparison:
    if moves is None:
        return Comparison(run, since, model_changed, None, None, None, None, None, None, None, drift)
    same = DIFFERENCES.index("0")
    return Comparison(
        run,
        since,
        model_changed,
        sum(number for then, now, number in moves.bands if then != now),
        sum(number for place, number in enumerate(moves.differences) if place != same),
        moves.first,
        moves.ended,
        moves.unknown,
        [BandMove(*each) for each in moves.bands],
        [ScoreDifference(text, number) for text, number in zip(DIFFERENCES, moves.differences, strict=True)],
        drift,
    )


def _drift(then: RunFigures | None, now: RunFigures | None) -> list[InputDrift]:
    rows = []
    for code, factor in factors_of(current_model()).items():
        before, after = (each.inputs.get(code) if each else None for each in (then, now))
        index = None
        if before is not None and after is not None and before.edges == after.edges:
            index = stability_index(before.companies, after.companies)
        rows.append(
            _row(
                code,
                factor.words,
                _shown(then, before.companies if before else None),
                _shown(now, after.companies if after else None),
                index,
            )
        )
    return rows


def _drift_since_fitting(now: RunFigures | None) -> list[InputDrift]:
    """Return the drift since the data to which the tables were fitted, from the counts that the tables have for each range.

    The drift of a factor set by experts is unknown, because it has no fitting data.
    """
    rows = []
    for code, factor in factors_of(current_model()).items():
        after = now.inputs.get(code) if now else None
        counted = [each.companies for each in factor.bins]
        fitted = None if None in counted else [each or 0 for each in counted]
        index = None
        if fitted is not None and after is not None and after.edges == edges_of(factor):
            index = stability_index(fitted, after.companies)
        shown = _shown(now, after.companies if after else None)
        rows.append(_row(code, factor.words, sum(fitted) if fitted is not None else None, shown, index))
    return rows


def _shown(figures: RunFigures | None, companies: tuple[int, ...] | None) -> int | None:
    """Return the number of companies that have the input; None without figures, 0 if the figures lack it."""
    if figures is None:
        return None
    return sum(companies or ())


def _row(code: str, words: str, then: int | None, now: int | None, index: float | None) -> InputDrift:
    judgement: Judgement | None = None
    if index is not None:
        judgement = "small" if index < SMALL else "large" if index > LARGE else "notable"
    return InputDrift(code, words, then, now, None if index is None else round(index, 4), judgement)
