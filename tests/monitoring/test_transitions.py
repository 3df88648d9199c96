"""What ends, begins again or happens twice is an event each time, and what cannot be read stops nothing else (D31)."""

import datetime as dt
from collections.abc import AsyncIterator
from pathlib import Path

import msgspec
import pytest

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.dispute import DisputeStatus
from credence.companies.facts.events import CaseDate, Charge, InsolvencyCase, Notice
from credence.datasets import catalogue, disputes
from credence.datasets.sources.source import Record
from credence.monitoring.comparing import document_of
from credence.store.events import EventFilter
from credence.store.portfolios import RuleSetting
from credence.store.sqlite.store import SqliteStore
from tests.datasets.sources.hand_written import write_json
from tests.datasets.sources.test_stream_events import appointment, event, write
from tests.monitoring.test_decisions import DECISION, POLICY, install
from tests.monitoring.watching import OWNER, Watching

ONE, TWO = "00000001", "00000002"
DAY = dt.date(2026, 10, 1)
CASE = InsolvencyCase("1", "compulsory-liquidation", (CaseDate("wound-up-on", DAY),))
CHARGE = Charge("c1", "outstanding", created=DAY)
QUERIED = Record(ONE, "", None)
"""That the register was queried about the company, so that it has no other case or charge."""


@pytest.fixture
async def watching(tmp_path: Path) -> AsyncIterator[Watching]:
    store = SqliteStore(tmp_path / "credence.sqlite")
    found = Watching(store, tmp_path / "credit")
    found.register("2026-10-01", n00000001={}, n00000002={})
    yield found
    await store.close()


async def kinds(watching: Watching) -> list[str]:
    return [each[2] for each in await watching.said()]


async def test_a_dispute_that_is_opened_closed_and_opened_again_is_three_events(watching: Watching) -> None:
    await watching.watch([ONE], [RuleSetting("dispute")])
    await watching.compare()
    for status in (DisputeStatus.OPEN, DisputeStatus.UPHELD, DisputeStatus.OPEN):
        disputes.record(watching.folder, ONE, "CommercialName", "It is wrong", status, DAY)
        assert await watching.compare() == 1
    assert await kinds(watching) == ["open", "closed", "open"]


@pytest.mark.parametrize(
    ("source", "rule", "fact", "kind"),
    [
        ("insolvency", "insolvency", Record(ONE, "1", CASE), "compulsory-liquidation"),
        ("charges", "charge", Record(ONE, "c1", CHARGE), "registered"),
    ],
)
async def test_a_fact_that_the_register_withdraws_and_restores_is_an_event_each_time(
    watching: Watching, source: str, rule: str, fact: Record, kind: str
) -> None:
    watching.facts(source, [QUERIED])
    await watching.watch([ONE], [RuleSetting(rule)])
    await watching.compare()
    for answer in ([fact, QUERIED], [QUERIED], [fact, QUERIED]):
        watching.facts(source, answer)
        assert await watching.compare() == 1
    assert await kinds(watching) == [kind, "withdrawn", kind]


async def test_an_officer_first_known_from_the_stream_is_not_appointed_again_by_an_answer(
    watching: Watching, tmp_path: Path
) -> None:
    """An event of the stream names the appointment and not the person."""
    answer = {"items": [appointment("a0", ONE)], "total_results": 1}
    watching.file("officers", write_json(tmp_path / "1.json", answer))
    await watching.watch([ONE], [RuleSetting("officer")])
    await watching.compare()
    watching.file(
        "officers", write(tmp_path / "1.jsonl", event("appointments", "a1", appointment("a1", ONE), number=ONE))
    )
    assert await watching.compare() == 1
    person = {"self": f"/company/{ONE}/appointments/a1", "officer": {"appointments": "/officers/p1/appointments"}}
    answer = {"items": [appointment("a0", ONE), appointment("a1", ONE, links=person)], "total_results": 2}
    watching.file("officers", write_json(tmp_path / "1.json", answer))
    assert await watching.compare() == 0
    assert await kinds(watching) == ["appointed"]


async def test_a_notice_that_is_corrected_to_another_company_is_an_event_for_both(watching: Watching) -> None:
    watching.facts("gazette", [Record("00000003", "1", Notice("1", "2446", DAY))])
    await watching.watch([ONE, TWO], [RuleSetting("notice"), RuleSetting("score")])
    await watching.compare()
    order = Notice("2", "2452", DAY)
    watching.facts("gazette", [Record(ONE, "2", order, version=1, revised=DAY)])
    assert await watching.compare() == 2
    watching.facts("gazette", [Record(TWO, "2", order, version=2, revised=DAY + dt.timedelta(days=7))])
    assert await watching.compare() == 4
    found = await watching.said()
    assert [each[:3] for each in found] == [
        *((ONE, "score", "fell"), (ONE, "notice", "2452")),
        *((ONE, "score", "rose"), (ONE, "notice", "withdrawn")),
        *((TWO, "score", "fell"), (TWO, "notice", "2452")),
    ]
    assert document_of((await watching.store.events(OWNER, 3, 1, EventFilter()))[0].document).day == "2026-10-08"


async def test_a_fact_that_is_missing_in_a_truncated_answer_is_not_withdrawn(watching: Watching) -> None:
    watching.facts("charges", [Record(ONE, "c1", CHARGE), QUERIED])
    await watching.watch([ONE], [RuleSetting("charge")])
    await watching.compare()
    other = msgspec.structs.replace(CHARGE, id="c2")
    watching.facts("charges", [Record(ONE, "c2", other), Record(ONE, "", None, cut=True)])
    assert await watching.compare() == 1
    watching.facts("charges", [Record(ONE, "c1", CHARGE), Record(ONE, "c2", other), QUERIED])
    assert await watching.compare() == 0


async def test_the_same_accounts_from_two_products_are_one_event_and_amended_ones_another(watching: Watching) -> None:
    filed = Accounts(ONE, "Prod223_1", DAY, DAY, "GBP", (), (), "frc", "FRS 102", digest="a")
    await watching.watch([ONE], [RuleSetting("accounts-filed")])
    await watching.compare()
    amended = msgspec.structs.replace(filed, document="Prod223_9", digest="b")
    monthly = msgspec.structs.replace(filed, document="Prod224_1", filed=None)
    for each, made in ((filed, 1), (monthly, 0), (amended, 1), (filed, 0)):
        watching.facts("accounts", [Record(ONE, each.id, each)])
        assert await watching.compare() == made


async def test_a_decision_that_changes_with_the_day_is_an_event_of_that_day(watching: Watching) -> None:
    """No data is loaded meanwhile. The accounts were due on 30 September."""
    watching.policies.mkdir()
    condition = '{ member = "/Assessment/AccountsNextDue", older_than_months = 2 }'
    install(watching, POLICY.replace('{ member = "/Assessment/CompanyStatus", is = "Liquidation" }', condition))
    watching.register("2026-10-01", n00000001={"Accounts_NextDueDate": "30/09/2026"})
    await watching.watch([ONE], [DECISION])
    await watching.compare()
    watching.now += 86_400_000
    assert await watching.compare() == 0
    watching.now += 40 * 86_400_000
    assert await watching.compare() == 1
    assert await kinds(watching) == ["decline"]


async def test_damaged_earlier_scores_stop_no_event_about_the_score(watching: Watching) -> None:
    watching.score()
    await watching.watch([ONE], [RuleSetting("score")])
    await watching.compare()
    (watching.folder / catalogue.read(watching.folder).sources["scores"].file).write_bytes(b"damaged")
    watching.register("2026-10-10", n00000001={"CompanyStatus": "Liquidation"}, n00000002={})
    assert await watching.compare() == 1
    await watching.watch([TWO], [RuleSetting("status")], "p2")
    await watching.compare()
    assert await watching.store.unobserved(1) == []


async def test_a_damaged_source_stops_the_events_of_no_other(watching: Watching) -> None:
    """Scores follow when it can be read again: without the source they would be wrong."""
    await watching.watch([ONE], [RuleSetting("status"), RuleSetting("score")])
    watching.facts("insolvency", [QUERIED])
    await watching.compare()
    held = catalogue.read(watching.folder).sources["insolvency"]
    whole = (watching.folder / held.file).read_bytes()
    (watching.folder / held.file).write_bytes(b"damaged")
    watching.register("2026-10-10", n00000001={"CompanyStatus": "Liquidation"}, n00000002={})
    assert await watching.compare() == 1
    await watching.watch([TWO], [RuleSetting("status")], "p2")
    assert await watching.compare() == 0
    assert await watching.store.unobserved(1) == [(TWO, 0)]
    (watching.folder / held.file).write_bytes(whole)
    assert await watching.compare() == 1
    assert [each[1:3] for each in await watching.said()] == [("status", "liquidation"), ("score", "fell")]
    assert await watching.store.unobserved(1) == []
