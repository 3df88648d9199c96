"""What changes between two loads becomes events, once each, in any order of loads (D31)."""

import random
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import msgspec
import pytest
from structlog.testing import capture_logs

from credence.companies.facts.accounts import Accounts
from credence.datasets import catalogue
from credence.datasets.score_reader import SCORES, ScoreReader
from credence.datasets.sources.source import Record
from credence.monitoring.comparison import LEASE_MS
from credence.monitoring.loaded import decide_held, read_mark, save_mark
from credence.sandbox.demonstration_accounts import read_demonstration
from credence.store.contract import Store
from credence.store.events import NewEvent
from credence.store.portfolios import RuleSetting
from credence.store.sqlite.store import SqliteStore
from tests.monitoring.watching import Said, Watching
from tests.sweeps import LONG

ONE, TWO = "00000001", "00000002"
SOUND = {"Accounts_NextDueDate": "30/11/2027", "ConfStmtNextDueDate": "30/11/2027", "RegAddress_PostCode": "AB1 2CD"}


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    opened = SqliteStore(tmp_path / "credence.sqlite")
    yield opened
    await opened.close()


@pytest.fixture
def watching(store: Store, tmp_path: Path) -> Watching:
    return Watching(store, tmp_path / "credit")


async def test_each_difference_of_two_registers_is_an_event_and_the_first_look_is_none(watching: Watching) -> None:
    watching.register("2026-10-01", n00000001=SOUND, n00000002=SOUND)
    await watching.watch([ONE, TWO])
    assert await watching.compare() == 0
    watching.register(
        "2026-11-01",
        n00000001=SOUND
        | {
            "name": "ANOTHER LIMITED",
            "CompanyStatus": "Liquidation",
            "RegAddress_PostCode": "EF3 4GH",
            "Accounts_NextDueDate": "30/09/2026",
            "SICCode_SicText_1": "62012 - Business and domestic software development",
        },
        n00000002=SOUND,
    )
    assert await watching.compare() == 7
    band, score, *others = await watching.said()
    assert [each[:3] for each in (band, score)] == [(ONE, rule, "fell") for rule in ("band", "score")]
    assert [each[3].split()[1] for each in (band, score)] == ['"E"', "0"]  # a failure (credit §7.1)
    assert others == [
        (ONE, "status", "liquidation", '"Active" "Liquidation"'),
        (ONE, "accounts-overdue", "began", "false true"),
        (ONE, "name", "changed", '"PLACEHOLDER LIMITED" "ANOTHER LIMITED"'),
        (ONE, "address", "changed", "null null"),
        (ONE, "activity", "changed", '[] ["62012"]'),
    ]
    assert await watching.compare() == 0


async def test_the_same_load_again_makes_no_event_and_each_change_to_and_fro_is_one(watching: Watching) -> None:
    """Also on one day of the register, and back to a register of an earlier day: the last event says what is true."""
    watching.register("2026-10-01", n00000001=SOUND)
    await watching.watch([ONE], [RuleSetting("status"), RuleSetting("score")])
    await watching.compare()
    changed = SOUND | {"CompanyStatus": "Liquidation"}
    for day, cells, made in (
        ("2026-11-01", changed, 2),
        ("2026-11-01", changed, 0),
        ("2026-11-01", SOUND, 2),
        ("2026-11-01", changed, 2),
        ("2026-10-01", SOUND, 2),
        ("2026-11-01", changed, 2),
        ("2026-11-01", changed, 0),
    ):
        watching.register(day, n00000001=cells)
        assert await watching.compare() == made
    said = await watching.said()
    assert [kind for _, rule, kind, _ in said if rule == "status"] == ["liquidation", "active"] * 2 + ["liquidation"]
    assert [kind for _, rule, kind, _ in said if rule == "score"] == ["fell", "rose", "fell", "rose", "fell"]


async def test_a_value_that_ends_is_an_event_and_so_is_one_that_begins(watching: Watching) -> None:
    """A dissolved company has no score; one that the next snapshot lacks has left the register (credit §2.2)."""
    watching.register("2026-10-01", n00000001=SOUND, n00000002=SOUND)
    rules = [RuleSetting("status"), RuleSetting("score", by=10), RuleSetting("band", by=1), RuleSetting("limit", by=20)]
    await watching.watch([ONE], rules)
    await watching.compare()
    watching.register("2026-10-10", n00000001=SOUND | {"CompanyStatus": "Dissolved"}, n00000002=SOUND)
    assert await watching.compare() == 4
    ended = {("status", "dissolved"), ("score", "ended"), ("band", "ended"), ("limit", "ended")}
    assert {each[1:3] for each in await watching.said()} == ended
    watching.register("2026-10-20", n00000002=SOUND)
    assert await watching.compare() == 1
    assert (await watching.said())[-1] == (ONE, "status", "ended", '"Dissolved" null')
    await watching.rules([RuleSetting("score"), RuleSetting("status")])
    watching.register("2026-10-30", n00000001=SOUND, n00000002=SOUND)
    assert await watching.compare() == 2
    assert {each[1:3] for each in (await watching.said())[-2:]} == {("status", "active"), ("score", "began")}


async def test_each_portfolio_gets_the_events_of_its_own_rules(watching: Watching) -> None:
    watching.register("2026-10-01", n00000001=SOUND, n00000002=SOUND)
    await watching.watch([ONE, TWO], [RuleSetting("status", kinds=("liquidation",))], "p1")
    await watching.watch([ONE], [RuleSetting("name")], "p2")
    await watching.compare()
    watching.register(
        "2026-11-01",
        n00000001={**SOUND, "CompanyStatus": "Liquidation", "name": "NEW"},
        n00000002={**SOUND, "CompanyStatus": "Dissolved"},
    )
    assert await watching.compare() == 2
    assert [each[:2] for each in await watching.said()] == [(ONE, "status"), (ONE, "name")]


async def test_a_rule_that_fires_for_more_than_two_per_cent_is_held_and_the_others_go_on(watching: Watching) -> None:
    numbers = [f"{number:08}" for number in range(1, 1_301)]
    watching.register("2026-10-01", **{f"n{number}": SOUND for number in numbers})
    await watching.watch(numbers, [RuleSetting("status"), RuleSetting("name")])
    await watching.compare()
    changed = {number: SOUND | {"CompanyStatus": "Dissolved"} for number in numbers[:27]}
    changed |= {number: changed[number] | {"name": "NEW"} for number in numbers[:26]}
    watching.register("2026-11-01", **{f"n{number}": changed.get(number, SOUND) for number in numbers})
    assert await watching.compare() == 26  # 2 % of 1,300 are 26: not more
    assert {each[1] for each in await watching.said()} == {"name"}
    held = (await read_mark(watching.store))[1].held
    assert {rule: (each.companies, each.observed) for rule, each in held.items()} == {"status": (27, 1_300)}
    assert await watching.compare() == 0
    assert not await decide_held(watching.store, "name", release=True)
    assert await decide_held(watching.store, "status", release=True)
    assert await watching.compare() == 27
    assert (await read_mark(watching.store))[1].held == {}


async def test_a_comparison_claimed_while_the_clock_was_ahead_is_taken_over(watching: Watching) -> None:
    """threats T11: the process that claimed it ended before its comparison, and its lease has a year to go."""
    watching.register("2026-10-01", n00000001=SOUND)
    await watching.watch([ONE])
    await watching.compare()
    version, mark = await read_mark(watching.store)
    for ahead, made in ((LEASE_MS, 0), (365 * 86_400_000, 1)):
        claim = msgspec.structs.replace(mark, done=False, holder="gone", until=watching.now + ahead)
        version = await save_mark(watching.store, version, claim)
        watching.register("2026-11-01", n00000001=SOUND | {"name": "NEW"})
        assert await watching.compare("another") == made


async def test_data_loaded_after_the_clock_was_put_back_are_compared_and_the_log_says_so(watching: Watching) -> None:
    today = watching.now
    watching.register("2026-10-01", n00000001=SOUND)
    await watching.watch([ONE], [RuleSetting("status")])
    watching.now += 20 * 86_400_000
    watching.register("2026-10-01", n00000001=SOUND)
    await watching.compare()
    watching.now = today
    watching.register("2026-10-02", n00000001=SOUND | {"CompanyStatus": "Liquidation"})
    with capture_logs() as logged:
        assert await watching.compare() == 1
        assert await watching.compare() == 0
    assert [each["event"] for each in logged].count("monitoring_data_ahead_of_clock") == 1


async def test_what_the_operator_drops_makes_no_event_later_either(watching: Watching) -> None:
    numbers = [f"{number:08}" for number in range(1, 61)]
    watching.register("2026-10-01", **{f"n{number}": SOUND for number in numbers})
    await watching.watch(numbers)
    await watching.compare()
    dissolved = {f"n{number}": SOUND | {"CompanyStatus": "Dissolved"} for number in numbers}
    watching.register("2026-11-01", **dissolved)
    assert await watching.compare() == 0
    await decide_held(watching.store, "status", release=False)
    assert await watching.compare() == 0
    watching.now += 40 * 86_400_000
    watching.register("2026-12-01", **(dissolved | {"n00000001": SOUND}))
    assert await watching.compare() == 1


async def test_a_node_with_older_data_does_nothing(watching: Watching, store: Store, tmp_path: Path) -> None:
    older = Watching(store, tmp_path / "older")
    older.register("2026-10-01", n00000001=SOUND)
    watching.now = older.now
    watching.register("2026-11-01", n00000001={**SOUND, "CompanyStatus": "Liquidation"})
    await watching.watch([ONE])
    await watching.compare()
    told = await watching.said()
    older.now = watching.now
    assert await older.compare("b") == 0
    assert await watching.compare() == 0
    assert await watching.said() == told


def filings() -> dict[int, list[Record]]:
    """The 421 filings of the demonstration by the year of their balance sheet; a fourth of them in the short tests."""
    years: dict[int, list[Record]] = {}
    for record in list(read_demonstration())[:: 1 if LONG else 4]:
        assert isinstance(record.fact, Accounts)
        years.setdefault(record.fact.balance_sheet_date.year, []).append(record)
    return years


class Killed(Exception):
    """What ends a comparison in its midst, as a kill does: nothing of it runs any more."""


class KilledStore:
    """A store whose process dies before or after the write of a piece, at moments of chance."""

    def __init__(self, store: Store, chance: random.Random) -> None:
        self._store, self._chance = store, chance

    def __getattr__(self, name: str) -> object:
        return getattr(self._store, name)

    async def record(self, mark: int, states: list[tuple[str, bytes]], events: list[NewEvent]) -> int:
        fate = self._chance.random()
        if fate < 0.15:
            raise Killed
        made = await self._store.record(mark, states, events)
        if fate > 0.85:
            raise Killed
        return made


async def loaded_in_order(watching: Watching, years: list[list[Record]], *, at_the_end: bool, seed: int) -> set[Said]:
    """Watch all, load the years in this order with kills in between, then score; return the events as a set."""
    numbers = sorted({record.company for year in years for record in year})
    watching.register("2026-10-01", **{f"n{number}": SOUND for number in numbers})
    watching.score()
    await watching.watch(numbers)
    await watching.compare()
    chance = random.Random(seed)
    whole = watching.store

    async def compare() -> None:
        for attempt in range(1_000):
            watching.store = KilledStore(whole, chance)  # type: ignore[assignment]
            try:
                await watching.compare(f"process {attempt}")
            except Killed:
                watching.now += 31_000  # the lease of the dead one passes
                continue
            finally:
                watching.store = whole
            if (await read_mark(whole))[1].done:
                return
            watching.now += 31_000

    for year in years:
        watching.facts("accounts", year)
        await compare()
        if not at_the_end:
            for rule in (await read_mark(whole))[1].held:
                await decide_held(whole, rule, release=True)
            await compare()
        if chance.random() < 0.3:
            watching.facts("accounts", year)
            await compare()
    watching.score()
    await compare()
    await watching.release()
    said = await watching.said()
    assert len(said) == len(set(said))
    return set(said)


async def test_the_filings_by_year_in_any_order_with_kills_make_the_same_events(tmp_path: Path) -> None:
    """They equal the difference of the two runs, and one filing each; none is missing and none is there twice."""
    years = filings()
    assert sum(map(len, years.values())) == (421 if LONG else 106)
    orders = [sorted(years), sorted(years, reverse=True), random.Random(7).sample(sorted(years), len(years))]
    found = []
    for place, order in enumerate(orders):
        folder = tmp_path / str(place)
        folder.mkdir()
        store = SqliteStore(folder / "credence.sqlite")
        watching = Watching(store, folder / "credit")
        events = await loaded_in_order(watching, [years[year] for year in order], at_the_end=place == 1, seed=place)
        found.append(events)
        expected = score_changes(folder / "credit")
        await store.close()
        assert {(company, what) for company, rule, _, what in events if rule == "score"} == expected
        filed = [company for company, rule, *_ in events if rule == "accounts-filed"]
        assert len(filed) == len({each.company for year in years.values() for each in year})
    assert found[0] == found[1] == found[2]


def score_changes(folder: Path) -> set[tuple[str, str]]:
    """Company, and score before and after, as the data set of the runs has them."""
    entry = catalogue.read(folder).sources[SCORES]
    with closing(ScoreReader(folder / entry.file)) as reader:
        found = set()
        for (number,) in reader.rows("SELECT number FROM score"):
            scores = reader.scores(number)
            assert scores is not None
            if len(scores.past) == 2 and scores.past[0].score != scores.past[1].score:
                found.add((number, f"{scores.past[1].score} {scores.past[0].score}"))
    assert len(found) > 20
    return found
