"""Scores one share of the register in a worker process and compares the scores with earlier runs.

A worker reads the data sets that were in service when the run began, and only the parts that a score needs.
"""

import datetime as dt
from collections import Counter
from collections.abc import Iterable
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec

from credence.companies.facts.company import Company, Sourced
from credence.companies.facts.register import RegisterEntry
from credence.companies.facts.scores import ALL_SECTIONS, DAYS_TO_PAY, NOT_WITHIN_TERMS, SCORE, bucket
from credence.datasets.catalogue import Catalogue
from credence.datasets.credit_data import provenance_of, sourced_facts
from credence.datasets.fact_kinds import ACCOUNTS, FILINGS, INSOLVENCY, NOTICES, PRACTICES, REGISTER, FactKind
from credence.datasets.fact_reader import FactReader
from credence.datasets.loading.workers import Work
from credence.datasets.register import open_register
from credence.datasets.score_reader import SCORES, ScoreReader, ScoringRun, StoredScore, encode, score_lines
from credence.scoring.basis.sectors import section_of
from credence.scoring.eligibility import Unscored
from credence.scoring.model import Model, current_model
from credence.scoring.points import words_of
from credence.scoring.reservations.of_payment import newest_report
from credence.scoring.reservations.table import line_code
from credence.scoring.runs.figures import FigureCounts, Row
from credence.scoring.score import LEVEL, Score, assess

SCORED_KINDS = (ACCOUNTS, INSOLVENCY, NOTICES, FILINGS, PRACTICES)
"""The kinds of facts that a score and its limit need in addition to the register."""

MAX_STORED_SCORES = 24
"""Maximum scores stored for each company, with the present one: two years of monthly runs that each changed it."""


class Task(msgspec.Struct, frozen=True):
    """The input of every worker of a run."""

    folder: str
    catalogue: Catalogue
    """The catalogue when the run began."""
    run: ScoringRun


class Share(msgspec.Struct, frozen=True, array_like=True):
    """A range of companies by row id in the register, from `first` to `last`."""

    first: int
    last: int


class ShareResult(msgspec.Struct, array_like=True):
    """The result of one share."""

    companies: int = 0
    rows: list[tuple[str, bytes]] = []
    """Number and encoded scores of each company scored now or before."""
    changed: int = 0
    """Companies whose score, limit or lines differ from the previous run."""
    unscored: dict[str, int] = {}
    """Code of the reason -> companies."""
    spread: list[tuple[str, str, float, int]] = []
    """Section, measure, value, number of companies."""
    figures: list[Row] = []


decode_share = msgspec.msgpack.Decoder(Share).decode
decode_result = msgspec.msgpack.Decoder(ShareResult).decode


def begin(task: bytes, opened: ExitStack | None = None) -> Work:
    """Open the data sets of a run and return the worker function. `opened` closes them; those of a worker end with it.

    It takes a MessagePack `Share` and returns a MessagePack `ShareResult`. Raises FileNotFoundError and UnusableDataSet for
    data sets that cannot be opened.
    """
    scorer = _Scorer(msgspec.msgpack.decode(task, type=Task), current_model(), opened or ExitStack())
    return lambda share: encode(scorer.score(decode_share(share)))


class _Scorer:
    def __init__(self, task: Task, model: Model, opened: ExitStack) -> None:
        folder, sources = Path(task.folder), task.catalogue.sources
        self._run, self._model = task.run, model
        self._places = {code: place for place, code in enumerate(task.run.codes)}
        self._register = opened.enter_context(closing(open_register(folder, sources[REGISTER])))
        self._provenance = provenance_of(sources[REGISTER])
        self._sets: list[tuple[FactKind, FactReader[Any], Any]] = [
            (part, opened.enter_context(closing(FactReader(folder / entry.file, part))), provenance_of(entry))
            for part in SCORED_KINDS
            if (entry := sources.get(part.source))
        ]
        past = folder / sources[SCORES].file if SCORES in sources else None
        self._past = opened.enter_context(closing(ScoreReader(past))) if past else None

    def score(self, share: Share) -> ShareResult:
        done, unscored, spread = ShareResult(rows=[]), Counter[str](), Counter[tuple[str, str, float]]()
        figures = figure_counts(self._model, self._past.runs if self._past else (), self._run)
        for entry in self._register.entries(share.first, share.last):
            done.companies += 1
            company = self._company(entry)
            outcome = assess(company, self._model, self._run.run)
            section = section_of(company, self._model.sectors)
            for measure, value in _payments(company, self._run.run):
                _count(spread, section, measure, value)
            past = self._past.stored_scores(entry.number) if self._past else ()
            scored = None if isinstance(outcome, Unscored) else outcome
            figures.count(scored, past)
            if isinstance(outcome, Unscored):
                unscored[outcome.code] += 1
                if past:
                    done.rows.append((entry.number, encode(past)))
                continue
            stored = self._with(outcome, past)
            done.changed += bool(past) and stored != past
            done.rows.append((entry.number, encode(stored)))
            for measure, value in _measures(outcome):
                _count(spread, section, measure, value)
        done.unscored, done.figures = dict(unscored), figures.rows()
        done.spread = [(*key, companies) for key, companies in spread.items()]
        return done

    def _company(self, entry: RegisterEntry) -> Company:
        found = [(part, facts.read(entry.number), provenance) for part, facts, provenance in self._sets]
        parts: dict[str, Any] = {part.field: sourced_facts(part, held, provenance) for part, held, provenance in found}
        unreadable = tuple([part.field for part, held, _ in found if held.unreadable])
        return Company(number=entry.number, register=Sourced(entry, self._provenance), unreadable=unreadable, **parts)

    def _with(self, score: Score, past: tuple[StoredScore, ...]) -> tuple[StoredScore, ...]:
        """Return the scores to store: the new one is added only if it differs from the newest."""
        lines = [(self._places[line.code], line.points) for line in score.lines]
        new = StoredScore(self._run.id, score.score, score.limit.amount, tuple(each for line in lines for each in line))
        past = tuple(each for each in past if each.run != self._run.id)  # a repeated run replaces its own score
        return past if past and self._equal(new, past[0]) else (new, *past)[:MAX_STORED_SCORES]

    def _equal(self, new: StoredScore, old: StoredScore) -> bool:
        if (new.score, new.limit) != (old.score, old.limit):
            return False
        runs = self._past.runs if self._past else {}
        return sorted(score_lines(new, self._run)) == sorted(score_lines(old, runs[old.run]))


def figure_counts(model: Model, runs: Iterable[int], run: ScoringRun) -> FigureCounts:
    """Return empty counts for a run that is compared with the runs before it."""
    return FigureCounts(model, (each for each in runs if each < run.id), MAX_STORED_SCORES)


def _count(spread: Counter[tuple[str, str, float]], section: str | None, measure: str, value: float) -> None:
    spread[ALL_SECTIONS, measure, value] += 1
    if section:
        spread[section, measure, value] += 1


def _payments(company: Company, day: dt.date) -> list[tuple[str, float]]:
    newest = newest_report(company, day)
    if newest is None:
        return []
    found = ((DAYS_TO_PAY, newest.average_days), (NOT_WITHIN_TERMS, newest.not_within_terms))
    return [(measure, value) for measure, value in found if value is not None]


def _measures(score: Score) -> list[tuple[str, float]]:
    ratios = [
        (line.code, bucket(line.value)) for line in score.lines if line.layer == "ratios" and line.value is not None
    ]
    return [(SCORE, float(score.score)), *ratios]


def codes_of(model: Model) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the codes of all lines that a model can give, and the codes of its legal rules."""
    factors = dict(words_of((*model.ratios, model.conduct)))
    legal = [rule.code for rule in (*model.legal.failures, *model.legal.ceilings)]
    judged = [line_code(code) for code in model.reservations.by_code]
    return ("base", LEVEL, *factors, *legal, *judged, "scale"), frozenset(legal)
