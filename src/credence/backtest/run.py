"""Runs a backtest: loads the files, scores every company, measures. Each step goes on where an earlier run was stopped."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import msgspec

from credence.backtest import loading
from credence.backtest.answer import Answer
from credence.backtest.cohort import add_share, open_cohort, readable
from credence.backtest.loading import KNOWN, Progress
from credence.backtest.measuring import answer
from credence.backtest.outcomes import read_outcomes
from credence.backtest.plan import Plan
from credence.backtest.share import Share, ShareResult, Task, begin, decode_path, decode_result, encode
from credence.clock import Milliseconds
from credence.datasets import catalogue
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.loading.workers import map_in_workers
from credence.datasets.register import open_register
from credence.errors import UnusableContent
from credence.scoring.model import current_model

COHORT = "cohort.sqlite"

SHARE_COMPANIES = 5_000

_MAX_WITHOUT_WORKERS = 20_000
"""Up to this number of companies, this process scores alone, because starting workers would take longer."""


def backtest(plan: Plan, folder: Path, now: Milliseconds, progress: Progress = lambda *_: None) -> Answer:
    """Run the backtest of a plan in a folder of its own and return the answer.

    Raises LoadError for unusable files, and UnusableContent if the folder has another backtest.
    """
    folder.mkdir(parents=True, exist_ok=True)
    reported = read_outcomes(plan.outcomes)
    with open_cohort(folder / COHORT) as rows:
        held = rows.execute("SELECT identity FROM about").fetchall()
        if held and held != [(plan.identity(),)]:
            raise UnusableContent(
                f"{folder} has a backtest of other files, another day or another model: name another folder."
            )
        if not held:
            with rows:
                rows.execute("INSERT INTO about VALUES (?, ?)", (plan.identity(), encode(plan)))
        loading.load_all(plan, folder, now, progress)
        done = {first for (first,) in rows.execute("SELECT first FROM share")}
        last = _last_id(folder)
        task = encode(Task(str(folder.absolute()), plan, reported))
        for found in _results(task, last, done):
            add_share(rows, found.first, found.rows, found.parents, encode(found.counts))
            done.add(found.first)
            progress("Scoring", min(len(done) * SHARE_COMPANIES, last), last)
        progress("Measuring", 0, None)
        return answer(rows, plan, current_model())


def plan_of(folder: Path) -> Plan:
    """Return the plan of the backtest in a folder. Raises UnusableContent without one."""
    with readable(folder / COHORT) as rows:
        ((held,),) = rows.execute("SELECT plan FROM about").fetchall()
    return msgspec.msgpack.decode(held, type=Plan, dec_hook=decode_path)


def is_finished(folder: Path) -> bool:
    """Return whether all companies of the backtest in a folder are scored. Raises UnusableContent without one."""
    with readable(folder / COHORT) as rows:
        ((shares,),) = rows.execute("SELECT count(*) FROM share").fetchall()
    return bool(shares) and shares * SHARE_COMPANIES >= _last_id(folder)


def _last_id(folder: Path) -> int:
    known = folder / KNOWN
    with closing(open_register(known, catalogue.read(known).sources[REGISTER])) as register:
        return register.last_id()


def _results(task: bytes, last: int, done: set[int]) -> Iterator[ShareResult]:
    due = [first for first in range(1, last + 1, SHARE_COMPANIES) if first not in done]
    shares = (encode(Share(first, first + SHARE_COMPANIES - 1)) for first in due)
    if len(due) * SHARE_COMPANIES <= _MAX_WITHOUT_WORKERS:
        with ExitStack() as opened:
            yield from map(decode_result, map(begin(task, opened), shares))
        return
    with closing(map_in_workers(shares, begin, task)) as found:
        yield from map(decode_result, found)


def written(found: Answer) -> bytes:
    """Return the answer as JSON."""
    return msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n"
