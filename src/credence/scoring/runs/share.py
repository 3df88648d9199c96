"""The share of a run that one process does: companies are read, scored, and laid beside what runs before found.

It reads the data sets that were in service when the run began, whatever is loaded meanwhile. Only the parts that a
score is made from are read.
"""

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

from credence.companies.facts.company import Company, Sourced
from credence.companies.facts.register import RegisterEntry
from credence.companies.facts.scores import ALL_SECTIONS, SCORE, bucket
from credence.datasets.catalogue import Catalogue
from credence.datasets.credit_data import provenance_of, sourced_facts
from credence.datasets.fact_kinds import ACCOUNTS, INSOLVENCY, NOTICES, REGISTER, FactKind
from credence.datasets.fact_reader import FactReader
from credence.datasets.loading.workers import Work
from credence.datasets.register import open_register
from credence.datasets.score_reader import SCORES, ScoreReader, ScoringRun, StoredScore, encode, score_lines
from credence.scoring.eligibility import Unscored
from credence.scoring.model import Model, current_model
from credence.scoring.score import Score, assess
from credence.scoring.sectors import section_of

JUDGED = (ACCOUNTS, INSOLVENCY, NOTICES)
"""What a score is made from, beside the register."""

MOST_PAST = 24
"""Scores kept of each company, the present one among them: two years of monthly runs that each changed it."""


class Task(msgspec.Struct, frozen=True):
    """What a run has to do, told to each of its processes."""

    folder: str
    catalogue: Catalogue
    """As the run found it."""
    run: ScoringRun


class Share(msgspec.Struct, frozen=True, array_like=True):
    """Companies by their place in the register, from the first to the last."""

    first: int
    last: int


class Done(msgspec.Struct, array_like=True):
    """What came of a share."""

    companies: int = 0
    rows: list[tuple[str, bytes]] = []
    """Number and scores, of companies that were scored now or before."""
    changed: int = 0
    """Companies whose score, limit or a line is another than at the run before."""
    unscored: dict[str, int] = {}
    """Code of the reason -> companies."""
    spread: list[tuple[str, str, float, int]] = []
    """Section, measure, value, companies."""


decode_share = msgspec.msgpack.Decoder(Share).decode
decode_done = msgspec.msgpack.Decoder(Done).decode


def begin(task: bytes) -> Work:
    """Open what the run reads, and return what judges one share. FileNotFoundError, UnusableDataSet."""
    judge = _Judge(msgspec.msgpack.decode(task, type=Task), current_model())
    return lambda share: encode(judge.judged(decode_share(share)))


class _Judge:
    def __init__(self, task: Task, model: Model) -> None:
        folder, sources = Path(task.folder), task.catalogue.sources
        self._run, self._model = task.run, model
        self._places = {code: place for place, code in enumerate(task.run.codes)}
        self._register = open_register(folder, sources[REGISTER])
        self._said = provenance_of(sources[REGISTER])
        self._sets: list[tuple[FactKind, FactReader[Any], Any]] = [
            (part, FactReader(folder / entry.file, part), provenance_of(entry))
            for part in JUDGED
            if (entry := sources.get(part.source))
        ]
        self._past = ScoreReader(folder / sources[SCORES].file) if SCORES in sources else None

    def judged(self, share: Share) -> Done:
        done, unscored, spread = Done(rows=[]), Counter[str](), Counter[tuple[str, str, float]]()
        for entry in self._register.entries(share.first, share.last):
            done.companies += 1
            company = self._company(entry)
            outcome = assess(company, self._model, self._run.run)
            past = self._past.stored_scores(entry.number) if self._past else ()
            if isinstance(outcome, Unscored):
                unscored[outcome.code] += 1
                if past:
                    done.rows.append((entry.number, encode(past)))
                continue
            held = self._with(outcome, past)
            done.changed += bool(past) and held != past
            done.rows.append((entry.number, encode(held)))
            section = section_of(company, self._model.sectors)
            for measure, value in _measured(outcome):
                spread[ALL_SECTIONS, measure, value] += 1
                if section:
                    spread[section, measure, value] += 1
        done.unscored = dict(unscored)
        done.spread = [(*key, companies) for key, companies in spread.items()]
        return done

    def _company(self, entry: RegisterEntry) -> Company:
        parts: dict[str, Any] = {
            part.field: sourced_facts(part, facts.facts(entry.number), said) for part, facts, said in self._sets
        }
        return Company(number=entry.number, register=Sourced(entry, self._said), **parts)

    def _with(self, score: Score, past: tuple[StoredScore, ...]) -> tuple[StoredScore, ...]:
        """Return the scores to keep: the new one is added where it differs from the newest."""
        lines = [(self._places[line.code], line.points) for line in score.lines]
        new = StoredScore(self._run.id, score.score, score.limit.amount, tuple(each for line in lines for each in line))
        past = tuple(each for each in past if each.run != self._run.id)  # a run that is repeated replaces itself
        return past if past and self._alike(new, past[0]) else (new, *past)[:MOST_PAST]

    def _alike(self, new: StoredScore, old: StoredScore) -> bool:
        if (new.score, new.limit) != (old.score, old.limit):
            return False
        runs = self._past.runs if self._past else {}
        return sorted(score_lines(new, self._run)) == sorted(score_lines(old, runs[old.run]))


def _measured(score: Score) -> list[tuple[str, float]]:
    ratios = [
        (line.code, bucket(line.value)) for line in score.lines if line.layer == "ratios" and line.value is not None
    ]
    return [(SCORE, float(score.score)), *ratios]


def codes_of(model: Model) -> tuple[tuple[str, ...], frozenset[str]]:
    """Return the code of every line a model can give, and those of its rules on the legal state."""
    tables = (*model.ratios, model.conduct)
    factors = dict.fromkeys(factor.code for table in tables for factor in table.factors)
    legal = [rule.code for rule in (*model.legal.failures, *model.legal.ceilings)]
    return ("base", *factors, *legal, "scale"), frozenset(legal)
