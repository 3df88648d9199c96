"""Holds of sources and the log of loads, by the management API (D21, D30)."""

import asyncio
from functools import partial
from pathlib import Path

import pytest

from credence.datasets import catalogue, holds
from credence.datasets.holds import SourceHeld
from credence.datasets.loading.load import load_register
from credence.datasets.replication.publishing import catch_up, publisher
from credence.scoring.runs.run import score_all
from credence.telemetry.audit_files import DEEDS, files_in_order
from tests.datasets.snapshots import company, write
from tests.management.conftest import Managed, managing
from tests.management.test_applications import acts
from tests.scoring.runs.test_run import A_DAY, DAY_1
from tests.scoring.runs.test_run import load as load_companies

REASON = {"reason": "The snapshot is incomplete."}
HOLD = "/data/sources/register/hold"


def load(managed: Managed, folder: Path, *numbers: str, at: int = 0) -> None:
    """Load a register of these companies."""
    file = write(
        folder / "BasicCompanyData-1970-01-01.csv", *(company(number, f"COMPANY {number}") for number in numbers)
    )
    load_register([file], managed.main.service.settings.credit_folder, at, accept_fewer=True)


def deeds(managed: Managed) -> list[Path]:
    """The files with lines of acts; there is none before the first."""
    return list(files_in_order(managed.main.service.settings.audit_folder, DEEDS))


async def test_a_held_source_is_not_loaded_until_its_release(managed: Managed, tmp_path: Path) -> None:
    load(managed, tmp_path, "00000001")
    found = await managed.call("GET", HOLD)
    assert (found.json["held"], found.json["reason"]) == (False, None)
    held = await managed.call("PUT", HOLD, REASON, tag=found.headers["etag"])
    assert (held.status, held.json["held"], held.json["since"]) == (200, True, "2023-11-14T22:13:20Z")
    assert "Loads of it are refused" in held.json["effect"]
    (row,) = [each for each in (await managed.call("GET", "/data")).json["sources"] if each["source"] == "register"]
    assert (row["hold_reason"], row["held_since"]) == (REASON["reason"], "2023-11-14")
    with pytest.raises(SourceHeld, match="The snapshot is incomplete"):
        load(managed, tmp_path, "00000001", "00000002")
    released = await managed.call("DELETE", HOLD, tag=held.headers["etag"])
    assert (released.status, released.json["held"]) == (200, False)
    load(managed, tmp_path, "00000001", "00000002", at=1)
    assert catalogue.read(managed.main.service.settings.credit_folder).sources["register"].companies == 2
    assert [(each["act"], each["source"]) for each in await acts(managed)] == [
        ("data hold", "register"),
        ("data release", "register"),
    ]


async def test_a_hold_that_another_node_has_placed_or_released_is_not_taken_for_what_this_node_has(
    tmp_path: Path, migrated_postgres: str
) -> None:
    """This node's file is older until it fetches the change: the first request is refused and fetches it."""
    other, publish = tmp_path / "other", publisher(migrated_postgres)
    catch = partial(catch_up, migrated_postgres, other)
    other.mkdir()
    async with managing(tmp_path / "one", store=migrated_postgres) as managed:
        await asyncio.to_thread(holds.hold, other, "register", "ada", "Incomplete.", 0, publish)
        assert [(await managed.call("DELETE", HOLD, tag="*")).status for _ in range(2)] == [409, 200]
        await asyncio.to_thread(catch)
        assert catalogue.read(other).holds == {}
        held = await managed.call("PUT", HOLD, REASON, tag="*")
        await asyncio.to_thread(catch)
        await asyncio.to_thread(holds.release, other, "register", publish)
        again = [(await managed.call("PUT", HOLD, REASON, tag="*")).status for _ in range(2)]
        assert (held.status, again) == (200, [409, 200])
        await asyncio.to_thread(catch)
        assert list(catalogue.read(other).holds) == ["register"]
        assert [each["act"] for each in await acts(managed)] == ["data release", "data hold", "data hold"]


async def test_a_hold_that_is_placed_during_a_load_refuses_it(managed: Managed, tmp_path: Path) -> None:
    """The load looks at the holds when it begins, and once more under the lock of the catalogue that it changes."""
    folder = managed.main.service.settings.credit_folder
    load(managed, tmp_path, "00000001")
    before = catalogue.read(folder)

    def publish(*_: object, **__: object) -> str:
        holds.hold(folder, "register", "ada", "It is incomplete.", 0)
        return ""

    file = write(tmp_path / "BasicCompanyData-1970-01-01.csv", company("00000002", "COMPANY 2"))
    with pytest.raises(SourceHeld, match="It is incomplete"):
        load_register([file], folder, 1, accept_fewer=True, publish=publish)
    assert catalogue.read(folder).sources == before.sources
    assert (folder / before.sources["register"].file).exists()


async def test_of_two_operators_with_one_version_of_a_hold_one_is_refused(managed: Managed) -> None:
    found = await managed.call("GET", HOLD)
    answers = await asyncio.gather(
        *(managed.call("PUT", HOLD, {"reason": f"Reason {n}."}, tag=found.headers["etag"]) for n in range(4))
    )
    (done,) = [each for each in answers if each.status == 200]
    assert {each.status for each in answers} <= {200, 409, 412}
    assert (await managed.call("GET", HOLD)).json["reason"] == done.json["reason"]


async def test_a_hold_is_not_released_by_one_who_has_seen_another(managed: Managed) -> None:
    seen = (await managed.call("PUT", HOLD, REASON, tag="*")).headers["etag"]
    assert (await managed.call("PUT", HOLD, {"reason": "Wait for ada."}, tag=seen)).status == 200
    assert (await managed.call("DELETE", HOLD, tag=seen)).status == 412
    assert (await managed.call("PUT", HOLD, {"reason": "Again."}, tag=seen)).status == 412
    found = await managed.call("GET", HOLD)
    assert found.json["reason"] == "Wait for ada."
    assert not (await managed.call("DELETE", HOLD, tag=found.headers["etag"])).json["held"]
    assert (await managed.call("DELETE", HOLD, tag=found.headers["etag"])).status == 412


async def test_a_preview_of_a_hold_changes_nothing(managed: Managed, tmp_path: Path) -> None:
    load(managed, tmp_path, "00000001")
    found = await managed.call("GET", HOLD)
    shown = await managed.call("PUT", f"{HOLD}?preview=true", REASON, tag=found.headers["etag"])
    assert (shown.status, shown.json["held"]) == (200, True)
    assert "Served: 1 company, as of 1970-01-01." in shown.json["effect"]
    assert (await managed.call("GET", HOLD)).json == found.json
    assert not deeds(managed)


async def test_a_hold_needs_the_version_that_was_read_and_a_reason(managed: Managed) -> None:
    assert (await managed.call("PUT", HOLD, REASON)).status == 428
    assert (await managed.call("DELETE", HOLD)).status == 428
    assert (await managed.call("PUT", HOLD, REASON, tag='"other"')).status == 412
    bodies: list[object] = [{"reason": each} for each in ("", " ", "x" * 201, "a\u202eb")]
    for body in (*bodies, {}, {"why": "x"}, []):
        assert (await managed.call("PUT", HOLD, body, tag="*")).status == 422, body
    assert (await managed.call("GET", "/data/sources/nothing/hold")).status == 404
    assert (await managed.call("PUT", "/data/sources/nothing/hold", REASON, tag="*")).status == 404
    assert not deeds(managed)


async def test_the_loads_are_listed_with_their_rows_the_newest_first(managed: Managed, tmp_path: Path) -> None:
    file = write(
        tmp_path / "BasicCompanyData-1970-01-01.csv", company("00000001"), company("00000001"), company("00000002")
    )
    folder = managed.main.service.settings.credit_folder
    load_register([file], folder, 1_000)
    load(managed, tmp_path, "00000001", at=2_000)
    newest, first = (await managed.call("GET", "/data/loads")).json["loads"]
    assert (newest["loaded_at"], newest["rows"], newest["refused"]) == ("1970-01-01T00:00:02Z", 1, 0)
    assert (first["rows"], first["refused"], first["companies"]) == (3, 1, 2)
    assert (first["source"], first["as_of"]) == ("register", "1970-01-01")
    assert 0 <= first["seconds"] < 600


async def test_a_load_of_which_an_earlier_version_kept_nothing_has_unknown_figures(
    managed: Managed, tmp_path: Path
) -> None:
    load(managed, tmp_path, "00000001")
    path = managed.main.service.settings.credit_folder / catalogue.NAME
    kept = path.read_text()
    assert '"load_ms"' in kept
    entry = catalogue.read(path.parent).sources["register"]
    old = catalogue.CatalogueEntry(
        file=entry.file,
        publisher=entry.publisher,
        licence=entry.licence,
        as_of=entry.as_of,
        loaded_at=entry.loaded_at,
        layout=entry.layout,
        companies=1,
        facts=1,
    )
    catalogue.update(path.parent, lambda _: catalogue.Catalogue(1, {"register": old}))
    (only,) = (await managed.call("GET", "/data/loads")).json["loads"]
    assert (only["seconds"], only["rows"], only["refused"], only["companies"]) == (None, None, None, 1)


async def test_scoring_runs_are_listed_and_compared(managed: Managed) -> None:
    assert (await managed.call("GET", "/data/runs")).json == {"runs": []}
    assert (await managed.call("GET", "/data/runs/newest")).status == 404
    folder = managed.main.service.settings.credit_folder
    for day in range(2):
        load_companies(folder, n00000001={})
        score_all(folder, DAY_1 + day * A_DAY)
    assert [each["run"] for each in (await managed.call("GET", "/data/runs")).json["runs"]] == [2, 1]
    found = (await managed.call("GET", "/data/runs/2?since=1")).json
    assert (found["changed_score"], found["changed_band"], found["since"]) == (0, 0, 1)
    assert (await managed.call("GET", "/data/runs/newest")).json == found
    assert (await managed.call("GET", "/data/runs/1")).json["bands"] is None
    for path in ("/data/runs/9", "/data/runs/2?since=2", "/data/runs/2?since=x"):
        assert (await managed.call("GET", path)).status == 404, path
    assert (await managed.call("GET", "/data/runs/2?until=1")).status == 422
