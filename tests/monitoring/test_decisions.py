"""The rule about decisions: a policy decides otherwise since what was put in service last (D31, D42)."""

import datetime as dt
import os
from collections.abc import AsyncIterator
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from credence.monitoring.comparing import document_of
from credence.monitoring.comparison import PATIENCE_MS, Comparer
from credence.monitoring.data import NodeData
from credence.monitoring.loaded import read_mark
from credence.monitoring.observing import decode
from credence.monitoring.preview import Count, preview
from credence.store.contract import Store
from credence.store.events import EventFilter
from credence.store.portfolios import RuleSetting
from credence.store.sqlite.store import SqliteStore
from tests.monitoring.watching import OWNER, Watching

ONE, TWO = "00000001", "00000002"
DECISION = RuleSetting("decision", policy="trade")
POLICY = """
name = "Trade"
date = 2026-10-01
otherwise = "accept"
[[rule]]
id = "status"
outcome = "decline"
reason = "Its status says that it does not pay."
when = [{ member = "/Assessment/CompanyStatus", is = "Liquidation" }]
"""
LENIENT = POLICY.replace("decline", "refer")
ACTIVE, ENDED = {"CompanyStatus": "Active"}, {"CompanyStatus": "Liquidation"}


@pytest.fixture
async def watching(tmp_path: Path) -> AsyncIterator[Watching]:
    store = SqliteStore(tmp_path / "credence.sqlite")
    found = Watching(store, tmp_path / "credit")
    found.policies.mkdir()
    install(found, POLICY)
    yield found
    await store.close()


def install(watching: Watching, text: str, name: str = "trade") -> None:
    """Install a policy, later than those before by its clock."""
    path = watching.policies / f"{name}.toml"
    path.write_text(text)
    watching.now += 1_000
    os.utime(path, ns=(watching.now * 1_000_000,) * 2)


async def state(store: Store, number: str) -> dict[str, object]:
    return decode((await store.states([number]))[number])


async def test_a_decision_that_changed_is_an_event_of_the_portfolio_that_asks_for_its_policy(
    watching: Watching,
) -> None:
    watching.register("2026-10-01", n00000001=ACTIVE, n00000002=ACTIVE)
    await watching.watch([ONE, TWO], [DECISION])
    await watching.watch([ONE], [RuleSetting("decision", policy="unknown")], "p2")
    assert await watching.compare() == 0
    watching.register("2026-11-01", n00000001=ENDED, n00000002=ACTIVE)
    assert await watching.compare() == 1
    assert await watching.said() == [(ONE, "decision", "decline", '"accept" "decline"')]
    (event,) = await watching.store.events(OWNER, 0, 10, EventFilter())
    document = document_of(event.document)
    assert (event.portfolio, document.fact, document.day) == ("p1", "trade", "2026-11-01")
    assert await watching.compare() == 0


async def test_the_same_decision_on_a_later_day_is_an_event_again(watching: Watching) -> None:
    watching.register("2026-10-01", n00000001=ACTIVE)
    await watching.watch([ONE], [DECISION])
    await watching.compare()
    for day, cells in (("2026-11-01", ENDED), ("2026-11-02", ACTIVE), ("2026-11-03", ENDED)):
        watching.now += 86_400_000
        watching.register(day, n00000001=cells)
        assert await watching.compare() == 1
    assert [each[2] for each in await watching.said()] == ["decline", "accept", "decline"]


async def test_only_the_outcomes_that_the_rule_names_are_events(watching: Watching) -> None:
    watching.register("2026-10-01", n00000001=ENDED)
    await watching.watch([ONE], [RuleSetting("decision", policy="trade", kinds=("refer", "decline"))])
    await watching.compare()
    watching.register("2026-10-02", n00000001=ACTIVE)
    assert await watching.compare() == 0
    watching.register("2026-10-03", n00000001=ENDED)
    assert await watching.compare() == 1


async def test_another_version_of_a_policy_makes_no_event_and_what_follows_does(watching: Watching) -> None:
    """`credence policy diff` says what a new version changes; the rule says what the data changes."""
    watching.register("2026-10-01", n00000001=ENDED)
    await watching.watch([ONE], [DECISION])
    await watching.compare()
    install(watching, LENIENT)
    assert await watching.compare() == 0
    watching.register("2026-11-01", n00000001=ACTIVE)
    assert await watching.compare() == 1
    assert (await watching.said())[0][3] == '"refer" "accept"'


async def test_a_policy_that_cannot_be_read_leaves_the_last_decision(watching: Watching) -> None:
    watching.register("2026-10-01", n00000001=ACTIVE)
    await watching.watch([ONE], [DECISION])
    await watching.compare()
    install(watching, "no policy")
    watching.register("2026-10-02", n00000001=ENDED)
    assert await watching.compare() == 0
    install(watching, POLICY)
    watching.register("2026-10-03", n00000001=ENDED)
    assert await watching.compare() == 1


async def test_a_company_that_others_watch_already_is_decided_on_before_the_next_load(watching: Watching) -> None:
    watching.register("2026-10-01", n00000001=ACTIVE, n00000002=ACTIVE)
    await watching.watch([ONE, TWO], [RuleSetting("name")], "p2")
    await watching.compare()
    assert "decisions" not in await state(watching.store, ONE)
    await watching.watch([ONE], [DECISION])
    await watching.compare()
    assert "decisions" not in await state(watching.store, TWO)
    watching.register("2026-11-01", n00000001=ENDED, n00000002=ENDED)
    assert await watching.compare() == 1


async def test_a_rule_that_is_taken_away_leaves_no_decision_behind(watching: Watching) -> None:
    watching.register("2026-10-01", n00000001=ACTIVE)
    await watching.watch([ONE], [DECISION])
    await watching.compare()
    kept = await watching.store.portfolio("p1")
    assert kept is not None
    await watching.store.save_portfolio(replace(kept, version=2, rules=()))
    watching.register("2026-11-01", n00000001=ENDED)
    assert await watching.compare() == 0
    assert "decisions" not in await state(watching.store, ONE)


async def test_a_node_with_an_older_file_of_a_policy_does_not_compare_in_turn_with_another(
    watching: Watching, tmp_path: Path
) -> None:
    watching.register("2026-10-01", n00000001=ACTIVE)
    await watching.watch([ONE], [DECISION])
    await watching.compare()
    newer = Watching(watching.store, watching.folder)
    newer.now, newer.policies = watching.now, tmp_path / "newer"
    newer.policies.mkdir()
    install(newer, LENIENT)
    await newer.compare("b")
    version = (await read_mark(watching.store))[0]
    for _ in range(3):
        watching.now = newer.now = newer.now + 2_000
        assert await watching.compare("a") + await newer.compare("b") == 0
    assert (await read_mark(watching.store))[0] == version


async def test_a_node_with_an_older_file_leaves_new_data_to_a_node_with_the_file_that_was_compared(
    watching: Watching, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first decision of its version would be no event. After ten minutes without such a node it goes on itself."""
    watching.register("2026-10-01", n00000001=ACTIVE)
    await watching.watch([ONE], [DECISION])
    older = Watching(watching.store, watching.folder)
    older.policies = tmp_path / "older"
    older.policies.mkdir()
    install(older, LENIENT)
    install(watching, POLICY)
    with closing(NodeData(older.folder, older.policies, rest=0)) as data:
        node = Comparer(watching.store, data, lambda: watching.now, "b")
        await watching.compare()
        watching.register("2026-11-01", n00000001=ENDED)
        for _ in range(2):
            assert await node.run() == 0
        assert "".join(capsys.readouterr()).count("monitoring_policies_differ") == 1
        assert node.leaves_to_others
        assert await watching.compare() == 1
        assert (await watching.said())[0][3] == '"accept" "decline"'
        await node.run()
        assert not node.leaves_to_others
        await watching.watch([TWO], [DECISION], "p2")
        await node.run()
        watching.now += PATIENCE_MS - 1
        await node.run()
        assert await watching.store.unobserved(1) != []
        watching.now += 1
        await node.run()
        assert await watching.store.unobserved(1) == []
        watching.register("2026-11-01", n00000001=ACTIVE)
        assert await node.run() == 1


async def test_a_node_with_an_older_file_decides_on_no_new_company(watching: Watching, tmp_path: Path) -> None:
    """Its first decision would be that of an older policy, so the node that compares would find no change."""
    watching.register("2026-10-01", n00000001=ACTIVE, n00000002=ACTIVE)
    await watching.watch([ONE], [DECISION])
    older = tmp_path / "older"
    older.mkdir()
    (older / "trade.toml").write_text(LENIENT)
    os.utime(older / "trade.toml", ns=(0, 0))
    await watching.compare()
    await watching.watch([TWO], [DECISION], "p2")
    with closing(NodeData(watching.folder, older, rest=0)) as data:
        node = Comparer(watching.store, data, lambda: watching.now, "b")
        await node.run()
        assert (await watching.store.unobserved(1), node.leaves_to_others) == ([(TWO, 1)], True)
        await watching.compare()
        await node.run()
        assert (await watching.store.unobserved(1), node.leaves_to_others) == ([], False)


async def test_a_node_without_policies_leaves_new_data_to_a_node_with_them(watching: Watching, tmp_path: Path) -> None:
    """It makes no decisions, so its comparison would keep the change of one back until the next load."""
    watching.register("2026-10-01", n00000001=ACTIVE)
    await watching.watch([ONE], [DECISION])
    await watching.compare()
    watching.register("2026-10-10", n00000001=ENDED)
    with closing(NodeData(watching.folder, tmp_path / "none", rest=0)) as data:
        node = Comparer(watching.store, data, lambda: watching.now, "b")
        assert await node.run() == 0
        assert await watching.compare() == 1
        watching.register("2026-10-20", n00000001={"CompanyStatus": "Active", "CompanyName": "OTHER"})
        await node.run()
        watching.now += PATIENCE_MS
        await node.run()
        compared = await read_mark(watching.store)
        await node.run()
        watching.register("2026-10-30", n00000001=ACTIVE)
        await node.run()
    assert compared[1].loaded["register"].as_of == dt.date(2026, 10, 20)
    assert (await read_mark(watching.store))[1].loaded["register"].as_of == dt.date(2026, 10, 30)


async def test_a_preview_of_decisions_counts_nothing_because_no_earlier_ones_are_kept(watching: Watching) -> None:
    watching.register("2026-10-01", n00000001=ENDED)
    assert preview(watching.folder, [ONE], [DECISION], dt.date(2026, 11, 1)) == [Count("decision", 0, 0, 0)]
