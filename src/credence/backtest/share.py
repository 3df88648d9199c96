"""Scores one share of the register in a worker: each company as it was known on the day, and what became of it.

Nothing counts that was filed, published or done later, and nothing of another company. Accounts come from files that were
published by the day (`plan`). Steps of an insolvency case after the day are left out, and so is a planned step, which is
entered late. Whether the cases of a company were asked for at all says something of its future, because they are asked for
where something happened: a company without a case by the day is one whose cases were never asked for.

A number can have belonged to another company: what is dated before the incorporation of this one is not about it.
"""

import datetime as dt
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import msgspec

from credence.backtest.cohort import Counts, Member, codes_of
from credence.backtest.loading import KNOWN, LATER
from credence.backtest.outcomes import Judge, Outcome
from credence.backtest.plan import Plan
from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Company, Provenance, Sourced
from credence.companies.facts.events import PLANNED, InsolvencyCase, Notice
from credence.companies.facts.people import Owner
from credence.companies.facts.register import RegisterEntry
from credence.companies.ownership import holds_majority, uk_company_number
from credence.datasets import catalogue
from credence.datasets.credit_data import provenance_of, sourced_facts
from credence.datasets.fact_kinds import ACCOUNTS, INSOLVENCY, NOTICES, OWNERS, REGISTER, FactKind
from credence.datasets.fact_reader import FactReader, Held
from credence.datasets.loading.workers import Work
from credence.datasets.register import open_register
from credence.scoring.basis.ratios import amount
from credence.scoring.basis.sectors import base_of, section_of
from credence.scoring.conduct import accounts_overdue, age
from credence.scoring.model import current_model
from credence.scoring.published.models import ALTMAN_Z_DOUBLE_PRIME, TAFFLER, ZMIJEWSKI
from credence.scoring.runs.figures import factors_of, range_of
from credence.scoring.score import Score, ScoringResult, score_company

FAILED_BEFORE = "failed before the day"

_OVERRIDING = ("legal", "judgement", "scale")

_AGES = ((12, "under 1 year"), (48, "1 to 4 years"), (96, "4 to 8 years"), (180, "8 to 15 years"))
_SIZES = ((50_000, "under £50,000"), (500_000, "£50,000 to £500,000"), (5_000_000, "£500,000 to £5 million"))
_ACCOUNTS_AGES = ((12, "under 12 months"), (18, "12 to 18 months"), (24, "18 to 24 months"))
UNKNOWN = "unknown"
NO_ACCOUNTS = "no accounts held"


class Task(msgspec.Struct, frozen=True):
    """The input of every worker."""

    folder: str
    plan: Plan
    reported: dict[str, Outcome]


class Share(msgspec.Struct, frozen=True, array_like=True):
    """A range of companies by row id in the register, from `first` to `last`."""

    first: int
    last: int


class ShareResult(msgspec.Struct, array_like=True):
    """What a worker found in a share."""

    first: int
    rows: list[tuple[Any, ...]]
    parents: list[tuple[str, str]]
    counts: Counts


encode = msgspec.msgpack.Encoder(enc_hook=str).encode
decode_share = msgspec.msgpack.Decoder(Share).decode
decode_result = msgspec.msgpack.Decoder(ShareResult).decode


def decode_path(_: type, text: str) -> Path:
    """Return the value of a path, which MessagePack has as a text."""
    return Path(text)


def begin(task: bytes, opened: ExitStack | None = None) -> Work:
    """Open the data sets and return the function of a worker: a MessagePack `Share` -> a MessagePack `ShareResult`.

    `opened` closes the data sets; those of a worker end with it.
    """
    scorer = _Scorer(msgspec.msgpack.decode(task, type=Task, dec_hook=decode_path), opened or ExitStack())
    return lambda share: encode(scorer.score(decode_share(share)))


class _Scorer:
    def __init__(self, task: Task, stack: ExitStack) -> None:
        known, later = Path(task.folder, KNOWN), Path(task.folder, LATER)
        sources = catalogue.read(known).sources
        self._plan, self._model = task.plan, current_model()
        self._register = stack.enter_context(closing(open_register(known, sources[REGISTER])))
        self._provenance = provenance_of(sources[REGISTER])
        self._later = stack.enter_context(closing(open_register(later, catalogue.read(later).sources[REGISTER])))
        self._judge = Judge(task.plan, self._model.legal, task.reported)
        self._codes, self._factors = codes_of(self._model), factors_of(self._model)

        def opened(kind: FactKind) -> Any:
            entry = sources.get(kind.source)
            if entry is None:
                return None
            return stack.enter_context(closing(FactReader[Any](known / entry.file, kind))), provenance_of(entry)

        self._facts = Facts(opened(ACCOUNTS), opened(NOTICES), opened(INSOLVENCY))
        self._owners: tuple[FactReader[Owner], Any] | None = opened(OWNERS)

    def score(self, share: Share) -> ShareResult:
        rows: list[tuple[Any, ...]] = []
        parents: list[tuple[str, str]] = []
        total, excluded, inputs = 0, Counter[str](), dict[str, Counter[int]]()
        for entry in self._register.entries(share.first, share.last):
            total += 1
            company = as_known(entry, self._provenance, self._facts, self._plan.at)
            result = score_company(company, self._plan.at)
            if parent := self._parent(entry.number):
                parents.append((entry.number, parent))
            outcome = result.outcome
            if not isinstance(outcome, Score):
                excluded[outcome.code] += 1
            elif outcome.failed:
                excluded[FAILED_BEFORE] += 1
            else:
                values = {line.code: line.value for line in outcome.lines if line.code in self._factors}
                for code, value in values.items():
                    if value is not None:
                        inputs.setdefault(code, Counter())[range_of(self._factors[code], value)] += 1
                rows.append(self._row(entry, company, result, outcome, values))
        found = Counts(total, dict(excluded), {code: dict(places) for code, places in inputs.items()})
        return ShareResult(share.first, rows, parents, found)

    def _row(
        self,
        entry: RegisterEntry,
        company: Company,
        result: ScoringResult,
        score: Score,
        values: dict[str, float | None],
    ) -> Member:
        became, days = self._became(entry), result.judged.days
        period = result.judged.period
        models = {each.model.name: each.value for each in result.judged.models}
        total = amount(period.figures.total_assets) if period else None
        tables = [table.name for table in self._model.ratios if any(each.code in values for each in table.factors)]
        return Member(
            number=entry.number,
            kind=became.kind,
            day=became.day.isoformat() if became.day else None,
            score=score.score,
            points=sum(line.points for line in score.lines if line.layer not in _OVERRIDING),
            base=base_of(company, self._model.sectors).probability,
            section=section_of(company, self._model.sectors) or UNKNOWN,
            age=_range(age(company, days), _AGES, "15 years and more", UNKNOWN),
            size=_range(total, _SIZES, "£5 million and more", NO_ACCOUNTS if period is None else UNKNOWN),
            form=entry.accounts.category.capitalize() or UNKNOWN,
            accounts_age=_range(
                result.judged.months_since(period.end) if period else None,
                _ACCOUNTS_AGES,
                "24 months and more",
                NO_ACCOUNTS,
            ),
            ratios=tables[-1] if tables else "no ratios",
            overdue=accounts_overdue(company, days),
            z=models.get(ALTMAN_Z_DOUBLE_PRIME.name),
            taffler=models.get(TAFFLER.name),
            zmijewski=models.get(ZMIJEWSKI.name),
            inputs=msgspec.msgpack.encode([values.get(code) for code in self._codes]),
        )

    def _became(self, entry: RegisterEntry) -> Outcome:
        number = entry.number
        notices = self._facts.notices[0].read(number).facts if self._facts.notices else None
        cases = self._facts.cases[0].read(number).facts if self._facts.cases else None
        return self._judge.outcome(entry, self._later.entry(number), notices or (), cases or ())

    def _parent(self, number: str) -> str | None:
        owners = self._owners[0].read(number).facts if self._owners else None
        found = (uk_company_number(each) for each in owners or () if each.ceased is None and holds_majority(each))
        return next((parent for parent in found if parent and parent != number), None)


def _range(value: float | None, ranges: tuple[tuple[float, str], ...], last: str, unknown: str) -> str:
    if value is None:
        return unknown
    return next((words for below, words in ranges if value < below), last)


class Facts(msgspec.Struct, frozen=True):
    """The data sets of a backtest; a set that was not given is None."""

    accounts: tuple[FactReader[Accounts], Provenance] | None = None
    notices: tuple[FactReader[Notice], Provenance] | None = None
    cases: tuple[FactReader[InsolvencyCase], Provenance] | None = None


def as_known(entry: RegisterEntry, register: Provenance, facts: Facts, at: dt.date) -> Company:
    """Return the company of a register's entry as it could be known on a day."""
    parts: dict[str, Any] = {}
    born = entry.incorporated or dt.date.min
    if facts.accounts is not None:
        reader, provenance = facts.accounts
        found = reader.read(entry.number)
        filings = [each for each in found.facts or () if born <= each.balance_sheet_date <= at]
        if filings:
            parts[ACCOUNTS.field] = sourced_facts(ACCOUNTS, Held(filings), provenance)
    if facts.notices is not None:
        notices, provenance = facts.notices
        published = [each for each in notices.read(entry.number, at).facts or () if each.published >= born]
        parts[NOTICES.field] = sourced_facts(NOTICES, Held(published), provenance)
    if facts.cases is not None:
        cases, provenance = facts.cases
        begun = cases_by(cases.read(entry.number, at).facts or (), born, at)
        if begun:
            parts[INSOLVENCY.field] = sourced_facts(INSOLVENCY, Held(begun), provenance)
    return Company(number=entry.number, register=Sourced(entry, register), **parts)


def cases_by(cases: Sequence[InsolvencyCase], since: dt.date, at: dt.date) -> list[InsolvencyCase]:
    """Return the cases with a step from `since` to a day, without their other steps."""
    found = []
    for case in cases:
        steps = tuple(step for step in case.dates if since <= step.date <= at and step.type != PLANNED)
        if steps:
            found.append(msgspec.structs.replace(case, dates=steps))
    return found
