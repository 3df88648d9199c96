"""In any order of loads and corrections the feed leads from the first look to what the reports say (D31).

The loads are drawn by chance: registers of several days and back, notices in several versions, answers of the register with
and without cases and charges, disputes, scoring runs. Comparisons come in between, some of which are killed; in every second
history the storm brake holds rules that fire for two companies, until they are released.
"""

import datetime as dt
import random
from contextlib import closing
from pathlib import Path
from typing import Any

import msgspec
import pytest

from credence.clock import date_of
from credence.companies.facts.dispute import DisputeStatus
from credence.companies.facts.events import CaseDate, Charge, InsolvencyCase, Notice
from credence.datasets import disputes
from credence.datasets.sources.source import Record, RejectedPlace
from credence.monitoring.comparing import document_of
from credence.monitoring.data import NodeData
from credence.monitoring.loaded import decide_held, read_mark
from credence.monitoring.observing import Observation, decode
from credence.monitoring.rules import RULES
from credence.monitoring.transitions import CLOSED, WITHDRAWN
from credence.report.build.group import Group
from credence.report.build.report import build
from credence.store.events import EventFilter
from credence.store.sqlite.store import SqliteStore
from tests.monitoring.test_comparison import Killed, KilledStore
from tests.monitoring.watching import OWNER, Watching
from tests.sweeps import many

NUMBERS = ("00000001", "00000002", "00000003")
LISTS = ("notices", "insolvency", "charges", "disputes")
VALUES = ("status", "score", "band", "limit", "accounts_overdue", "confirmation_overdue", "name")
STATUSES = ("Active", "Active", "Active - Proposal to Strike off", "Liquidation", "Dissolved")
DAY = dt.date(2026, 9, 1)


SAID: dict[str, list[tuple[str, str] | None]] = {
    "1": [("00000001", "2452"), ("00000002", "2452"), None, ("00000001", "2450")],
    "2": [("00000002", "2450"), ("00000002", "2461"), ("00000003", "2450")],
    "3": [("00000003", "2410"), None],
}
"""The versions of three notices: each is corrected to another company or kind, withdrawn or restored."""


def notices() -> list[Any]:
    found: list[Any] = []
    for id_, said in SAID.items():
        for version, each in enumerate(said, 1):
            revised = DAY + dt.timedelta(days=version)
            if each is None:
                found.append(RejectedPlace("1", "status.unpublished", id=id_, version=version, revised=revised))
            else:
                fact = Notice(id_, each[1], DAY)
                found.append(Record(each[0], id_, fact, version=version, revised=revised))
    return found


class History:
    """One drawn sequence of loads and comparisons."""

    def __init__(self, watching: Watching, chance: random.Random) -> None:
        self.watching, self.chance = watching, chance
        self._whole = watching.store

    async def compare(self, *, killed: bool) -> None:
        """Compare, and again after each kill, until the comparison has ended."""
        for attempt in range(1_000):
            if killed:
                self.watching.store = KilledStore(self._whole, self.chance)  # type: ignore[assignment]
            try:
                await self.watching.compare(f"process {attempt}")
            except Killed:
                self.watching.now += 31_000
                continue
            finally:
                self.watching.store = self._whole
            if (await read_mark(self._whole))[1].done:
                return
            self.watching.now += 31_000

    async def release(self) -> None:
        """Let everything out that is held."""
        for rule in (await read_mark(self._whole))[1].held:
            await decide_held(self._whole, rule, release=True)

    def load(self, register: str) -> None:
        """Load something by chance."""
        chance, number = self.chance, self.chance.choice(NUMBERS)
        match chance.choice(("register", "register", "insolvency", "charges", "dispute", "run")):
            case "register":
                self.load_register(register)
            case "insolvency":
                cases = [
                    InsolvencyCase(case, type_, (CaseDate(step, DAY),))
                    for case, type_, step in (
                        ("1", "compulsory-liquidation", "petitioned-on"),
                        ("1", "in-administration", "administration-started-on"),
                        ("2", "members-voluntary-liquidation", "wound-up-on"),
                    )
                    if chance.random() < 0.4
                ]
                self.answer("insolvency", number, [(f"{each.number} {each.type}", each) for each in cases])
            case "charges":
                found = [
                    Charge(id_, chance.choice(("outstanding", "satisfied"))) for id_ in "ab" if chance.random() < 0.6
                ]
                self.answer("charges", number, [(each.id, each) for each in found])
            case "dispute":
                status = chance.choice((DisputeStatus.OPEN, DisputeStatus.REVIEWING, DisputeStatus.UPHELD))
                disputes.record(self.watching.folder, number, "CommercialName", "It is wrong", status, DAY)
            case "run":
                self.watching.score()

    def load_register(self, day: str) -> None:
        rows = {
            f"n{number}": {
                "name": self.chance.choice(("ONE LIMITED", "OTHER LIMITED")),
                "CompanyStatus": self.chance.choice(STATUSES),
                "Accounts_NextDueDate": self.chance.choice(("", "01/08/2026", "30/11/2026")),
                "ConfStmtNextDueDate": self.chance.choice(("01/08/2026", "30/11/2026")),
            }
            for number in NUMBERS
            if self.chance.random() < 0.8
        }
        self.watching.register(day, n00000009={}, **rows)

    def answer(self, source: str, number: str, facts: list[tuple[str, Any]]) -> None:
        self.watching.facts(source, [*(Record(number, id_, fact) for id_, fact in facts), Record(number, "", None)])


async def first_look(watching: Watching) -> dict[str, Observation]:
    return {number: decode(state) for number, state in (await watching.store.states(NUMBERS)).items()}


async def replayed(watching: Watching, first: dict[str, Observation]) -> dict[str, dict[str, Any]]:
    """Return what a reader of the feed has: value -> its last one, and for lists fact -> kind."""
    names = {rule.code: rule.value for rule in RULES.values()}
    found: dict[str, dict[str, Any]] = {
        number: {name: state.get(name) for name in VALUES}
        | {name: {fact: kind for fact, (kind, _) in state.get(name, {}).items()} for name in LISTS}
        for number, state in first.items()
    }
    for event in await watching.store.events(OWNER, 0, 100_000, EventFilter()):
        document, name = document_of(event.document), names[event.rule]
        after = msgspec.json.decode(document.after)
        if name in LISTS:
            found[event.company][name][document.fact] = after
        elif name in VALUES:
            found[event.company][name] = after
    return found


async def present(watching: Watching) -> dict[str, dict[str, Any]]:
    """Return the same from the data themselves, with the score, band and limit of the reports."""
    today = date_of(watching.now)
    with closing(NodeData(watching.folder, watching.policies, rest=0)) as data:
        states = await data.observe(NUMBERS, {}, today)
        companies = {number: data._credit_data.company(number) for number in NUMBERS}
    found = {}
    for number, state in zip(NUMBERS, states, strict=True):
        company = companies[number]
        assessment = build(company, Group(), today).Assessment if company else None
        score = assessment.Score if assessment else None
        status = assessment.CompanyStatus if assessment else None
        of_report = (score.Score, score.Band, score.Limit.Amount) if score else (None, None, None)
        assert (state["status"], state["score"], state["band"], state["limit"]) == (status, *of_report)
        found[number] = {name: state.get(name) for name in VALUES}
        found[number] |= {
            name: {fact: kind for fact, (kind, _) in state.get(name, {}).items() if kind != WITHDRAWN} for name in LISTS
        }
    return found


def living(found: dict[str, dict[str, Any]]) -> dict[tuple[str, str], Any]:
    """Return company and value -> what a reader has now: facts that have not ended, and states that are so."""
    gone = {None, WITHDRAWN, CLOSED}
    values = {
        (number, name): bool(each[name]) if name.endswith("overdue") else each[name]
        for number, each in found.items()
        for name in VALUES
    }
    return values | {
        (number, name): {fact: kind for fact, kind in each[name].items() if kind not in gone}
        for number, each in found.items()
        for name in LISTS
    }


@pytest.mark.parametrize("seed", range(many(4, 100)))
async def test_the_feed_leads_from_the_first_look_to_the_present(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    monkeypatch.setattr("credence.monitoring.comparison.BRAKE_COMPANIES", 1 if seed % 2 else 25)
    chance, ends = random.Random(seed), []
    versions, days = notices(), ["2026-09-01", "2026-09-01", "2026-10-01", "2026-10-10"]
    for order in range(2):
        folder = tmp_path / str(order)
        folder.mkdir()
        store = SqliteStore(folder / "credence.sqlite")
        history = History(Watching(store, folder / "credit"), chance)
        watching = history.watching
        history.load_register("2026-09-01")
        await watching.watch(NUMBERS)
        await watching.compare()
        first = await first_look(watching)
        left = chance.sample(versions, len(versions))
        while left:
            if chance.random() < 0.5:
                watching.facts("gazette", [left.pop() for _ in range(min(len(left), chance.randint(1, 3)))])
            else:
                history.load(chance.choice(days))
            if chance.random() < 0.7:
                await history.compare(killed=chance.random() < 0.3)
                if chance.random() < 0.2:
                    await history.release()
        same = History(watching, random.Random(seed))
        for number in NUMBERS:
            same.answer("insolvency", number, [])
            same.answer("charges", number, [])
            disputes.record(watching.folder, number, "CommercialName", "It is wrong", DisputeStatus.UPHELD, DAY)
        same.load_register("2026-10-20")
        watching.now = 1_793_500_000_000 + 60 * 86_400_000
        await history.compare(killed=False)
        await history.release()
        await history.compare(killed=False)
        found = await present(watching)
        read, now = living(await replayed(watching, first)), living(found)
        # The first name of a company is no change, and one that has left the register keeps its last one.
        named = [number for number in NUMBERS if now[number, "status"] and read[number, "name"]]
        names = {(number, "name") for number in NUMBERS if number not in named}
        assert {key: (read[key], now[key]) for key in now if key not in names and read[key] != now[key]} == {}
        ends.append(found)
        await store.close()
    assert ends[0] == ends[1]
