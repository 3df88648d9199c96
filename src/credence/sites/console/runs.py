"""The screen of the scoring runs: changes between two runs, and drift of the inputs between them or since the fitting."""

import asyncio

from credence import paths
from credence.blocks.forms import Field, Query
from credence.blocks.values import Bar, Bars, Block, Cell, Facts, Note, Table, Tone
from credence.errors import OperatorError
from credence.management.score_runs import FITTING, Comparison, RunState, UnknownRun, compared, runs
from credence.scoring.runs.figures import LARGE, SMALL
from credence.settings import Settings
from credence.sites.kit.screen import Page, Screen, Visit

PATH = f"{paths.CONSOLE}/data/runs"
RUNS_SHOWN = 24

_TONES: dict[str | None, Tone] = {"small": "good", "notable": "warn", "large": "bad", None: "soft"}


async def read(visit: Visit) -> Page:
    """Return the runs and the requested comparison; by default the newest run is compared with the one before it."""
    settings = visit.service.settings
    run, since = visit.parameter("run"), visit.parameter("since")
    blocks: list[Block] = []
    try:
        known = (await asyncio.to_thread(runs, settings)).runs
        if not known:
            return _page([Note("Nothing has been scored yet. Run: credence score run", "soft")])
        found, wrong = await asyncio.to_thread(_compared, settings, run, since)
    except (OperatorError, OSError):
        return _page([Note("The scores cannot be read: credence data status says why.", "bad")])
    blocks = [_query(known, found, since, wrong), _list(known), *_changes(found), *_drift(found, since)]
    return _page(blocks, found.run, since if not wrong else "")


def _compared(settings: Settings, run: str, since: str) -> tuple[Comparison, str]:
    """Return the comparison, or that of the newest run with what is wrong about the one that is asked for."""
    try:
        return compared(settings, run, since), ""
    except UnknownRun as error:
        return compared(settings, ""), str(error)


def _page(blocks: list[Block], run: int = 0, since: str = "") -> Page:
    command = "credence score runs"
    if run:
        command = f"credence score compare {run}" + (f" --since {since}" if since else "")
    return Page("Scoring runs", blocks, command, above=("Data", f"{paths.CONSOLE}/data"))


def _query(known: list[RunState], found: Comparison, since: str, wrong: str) -> Query:
    options = [(str(each.run), f"{each.run}, of {each.day}") for each in known[:RUNS_SHOWN]]
    earlier = str(found.since) if found.since else ""
    return Query(
        "Compare two runs",
        "Compare",
        [
            Field("run", "Run", str(found.run), options=options),
            Field(
                "since",
                "With",
                FITTING if since == FITTING else earlier,
                options=[("", "the run before it"), *options, (FITTING, "the fitting data (drift alone)")],
            ),
        ],
        wrong,
        "since" if wrong else "",
    )


def _list(known: list[RunState]) -> Table:
    rows = [
        [
            Cell(str(each.run), f"{PATH}?run={each.run}"),
            Cell(each.day),
            Cell(each.register),
            Cell(each.model),
            Cell(_number(each.companies)),
            Cell(_number(each.scored)),
            Cell("unknown" if each.bands is None else ", ".join(f"{band} {n:,}" for band, n in each.bands.items())),
        ]
        for each in known[:RUNS_SHOWN]
    ]
    columns = ("Run", "Day", "Register of", "Model", "Companies", "Scored", "Bands")
    return Table("Runs", columns, rows, "", numbers=frozenset({0, 4, 5}))


def _changes(found: Comparison) -> list[Block]:
    if found.since is None:
        return []
    title = f"What changed from run {found.since} to run {found.run}"
    if found.bands is None or found.differences is None:
        text = f"What changed from run {found.since} to run {found.run} is unknown: the figures of one are not kept."
        return [Note(text, "warn")]
    facts = Facts(
        title,
        [
            ("Band changed", Cell(_number(found.changed_band))),
            ("Score changed", Cell(_number(found.changed_score))),
            ("Scored for the first time", Cell(_number(found.first))),
            ("No longer scored", Cell(_number(found.ended))),
            ("Unknown: their history is incomplete", Cell(_number(found.unknown))),
            ("Model", Cell("another one", tone="warn") if found.model_changed else Cell("the same")),
        ],
    )
    letters = sorted({each.then for each in found.bands} | {each.now for each in found.bands})
    moved = {(each.then, each.now): each.companies for each in found.bands}
    rows = [[Cell(then, band=then), *(Cell(f"{moved.get((then, now), 0):,}") for now in letters)] for then in letters]
    bands = Table(
        "Bands: then in rows, now in columns",
        ("Then", *letters),
        rows,
        "No company has a score by both runs.",
        numbers=frozenset(range(1, len(letters) + 1)),
    )
    bars = [Bar(each.difference, each.companies) for each in found.differences]
    return [facts, bands, Bars("Difference of the scores, in points", "Companies", bars, "")]


def _drift(found: Comparison, since: str) -> list[Block]:
    against = "the fitting data" if since == FITTING else f"run {found.since}" if found.since else "an earlier run"
    rows = [
        [
            Cell(each.words),
            Cell(_number(each.then)),
            Cell(_number(each.now)),
            Cell("unknown" if each.index is None else f"{each.index:.3f}"),
            Cell(each.judgement or "unknown", tone=_TONES[each.judgement]),
        ]
        for each in found.drift
    ]
    columns = ("Input", "Companies then", "Companies now", "Stability index", "Drift")
    known = sorted((each for each in found.drift if each.index is not None), key=lambda each: -(each.index or 0))
    bars = [Bar(each.words, round(1_000 * (each.index or 0)), _TONES[each.judgement]) for each in known]
    text = (
        f"Population stability index of each input against {against}, by the ranges of the points table. Below {SMALL} it "
        f"is small; above {LARGE} a population counts as another one. Inputs that experts set have no fitting data."
    )
    return [
        Table(f"Drift of the inputs since {against}", columns, rows, "", numbers=frozenset({1, 2, 3})),
        Bars("Stability index in thousandths", "Thousandths", bars, "No index is known."),
        Note(text, "soft"),
    ]


def _number(value: int | None) -> str:
    return "unknown" if value is None else f"{value:,}"


RUNS = Screen(PATH, "Scoring runs", "reader", read, listed=False)
