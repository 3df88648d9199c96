"""A store moves from one database to another; one of the two serves at any time, and never both."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from credence.store.contract import Store, StoreUnavailable
from credence.store.records import StatusBlock
from credence.store.tallies import Tally
from credence.store.transfer.location import StoreLocation, StoreTransaction
from credence.store.transfer.move import NotEmpty, move
from credence.store.transfer.out_of_service import StoreOutOfService
from tests.store.locations import BLOCK, CHARGE, MARK, Somewhere, fill, with_store
from tests.store.records import DAY, NOW, application, family, parameters

DIRECTIONS = ("sqlite to postgres", "postgres to sqlite", "sqlite to sqlite")


@pytest.fixture(params=DIRECTIONS)
def ends(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Somewhere, Somewhere]:
    """An origin with something in it, and an empty destination, whose tables the move makes."""
    kinds = request.param.split(" to ")
    said = [
        request.getfixturevalue(fixture) if kind == "postgres" else tmp_path / f"{number}.sqlite"
        for number, (kind, fixture) in enumerate(zip(kinds, ("migrated_postgres", "postgres"), strict=True))
    ]
    origin, destination = map(Somewhere, said)
    with_store(origin, fill)
    return origin, destination


def accept(_secrets: Mapping[str, bytes]) -> None:
    pass


def moved(origin: Somewhere, destination: Somewhere, copy: str = "first") -> dict[str, int]:
    return move(origin.place, destination.place, accept, copy, NOW)


def test_every_row_of_every_table_arrives(ends: tuple[Somewhere, Somewhere]) -> None:
    origin, destination = ends
    before = origin.rows()
    assert moved(origin, destination) == {table: len(rows) for table, rows in before.items()}
    assert destination.rows() == before
    assert [table for table, rows in before.items() if not rows] == []


def test_live_families_stay_live_and_ended_or_used_ones_stay_ended(ends: tuple[Somewhere, Somewhere]) -> None:
    origin, destination = ends
    moved(origin, destination)

    async def check(store: Store) -> None:
        rotated = await store.rotate(family(1).id, 0, parameters())
        assert rotated is not None
        assert rotated.generation == 1
        assert await store.rotate(family(2).id, 0, parameters()) is None
        assert not await store.consume_once(MARK, NOW + DAY)
        assert await store.tallies([CHARGE.key]) == [Tally(NOW + 10)]

    with_store(destination, check)


def test_no_number_of_a_change_or_a_status_block_is_used_twice(ends: tuple[Somewhere, Somewhere]) -> None:
    """Also where the newest rows had gone before the move."""
    origin, destination = ends

    async def sweep(store: Store) -> None:
        await store.open_status_blocks(StatusBlock("crd_sbx_app_a", "", b"", NOW, NOW), 1)
        await store.revoke_token("jti", NOW)
        await store.sweep(NOW)

    with_store(origin, sweep)
    moved(origin, destination)

    async def check(store: Store) -> None:
        newest = (await store.changes(0))[-1].sequence
        assert await store.open_status_blocks(BLOCK, 1) == [5]
        await store.revoke_token("jti", NOW + DAY)
        assert (await store.changes(0))[-1].sequence == newest + 2

    with_store(destination, check)


def test_a_running_server_on_the_old_store_refuses_every_request(ends: tuple[Somewhere, Somewhere]) -> None:
    """threats L1: a family that both could rotate would let a stolen token live on in one of them."""
    origin, destination = ends
    attempts: list[Callable[[Store], Awaitable[object]]] = [
        lambda store: store.rotate(family(1).id, 0, parameters()),
        lambda store: store.end_family(family(1).id, NOW, "revoked"),
        lambda store: store.changes(0),
        lambda store: store.check_writable(),
        lambda store: store.save_application(application(version=2), NOW),
        lambda store: store.family(family(1).id),
    ]

    async def check(running: Store) -> None:
        await asyncio.to_thread(moved, origin, destination)
        for attempt in attempts:
            with pytest.raises(StoreUnavailable, match="copied elsewhere"):
                await attempt(running)

    with_store(origin, check)


def test_nothing_acknowledged_is_lost_while_many_refresh_during_the_move(ends: tuple[Somewhere, Somewhere]) -> None:
    """threats F1: every write acknowledged by the old store is in the new one, and no other."""
    origin, destination = ends
    numbers = range(10, 26)
    acknowledged = dict.fromkeys(numbers, 0)

    async def refresh(store: Store, number: int) -> None:
        while True:
            rotated = await store.rotate(family(number).id, acknowledged[number], parameters())
            assert rotated is not None
            acknowledged[number] = rotated.generation

    async def check(running: Store) -> None:
        account = await running.account("ada")
        assert account is not None
        for number in numbers:
            await running.open_family(family(number), account)
        refreshing = [asyncio.create_task(refresh(running, number)) for number in numbers]
        await asyncio.sleep(0.3)
        await asyncio.to_thread(moved, origin, destination)
        ends = await asyncio.gather(*refreshing, return_exceptions=True)
        assert {type(end) for end in ends} == {StoreUnavailable}

    with_store(origin, check)
    assert min(acknowledged.values()) > 0

    async def compare(store: Store) -> None:
        for number in numbers:
            kept = await store.family(family(number).id)
            assert (kept and kept.generation) == acknowledged[number]

    with_store(destination, compare)


def test_the_old_store_cannot_be_opened_and_names_the_new_one(ends: tuple[Somewhere, Somewhere]) -> None:
    origin, destination = ends
    moved(origin, destination)
    with pytest.raises(StoreOutOfService, match="is out of service") as caught:
        asyncio.run(origin.open())
    assert destination.place.name in str(caught.value)
    assert "canary-of-the-store" not in str(caught.value)  # the password of the tests' database


def test_a_store_is_moved_once(ends: tuple[Somewhere, Somewhere], tmp_path: Path) -> None:
    origin, destination = ends
    moved(origin, destination)
    third = Somewhere(tmp_path / "third.sqlite")
    with pytest.raises(StoreOutOfService):
        moved(origin, third, "second")
    assert not (tmp_path / "third.sqlite").exists()


def test_nothing_is_copied_over_an_existing_store_and_the_origin_keeps_serving(
    ends: tuple[Somewhere, Somewhere],
) -> None:
    origin, destination = ends

    async def one(store: Store) -> None:
        await store.save_application(application("crd_sbx_app_other"), NOW)

    with_store(destination, one)
    before = destination.rows()
    with pytest.raises(NotEmpty, match="already"):
        moved(origin, destination)
    assert destination.rows() == before
    with_store(origin, goes_on)


async def goes_on(store: Store) -> None:
    assert await store.rotate(family(1).id, 0, parameters()) is not None


def test_refused_secrets_stop_the_move_and_the_origin_keeps_serving(ends: tuple[Somewhere, Somewhere]) -> None:
    origin, destination = ends
    seen: dict[str, bytes] = {}

    def refuse(secrets: Mapping[str, bytes]) -> None:
        seen.update(secrets)
        raise PermissionError

    with pytest.raises(PermissionError):
        move(origin.place, destination.place, refuse, "first", NOW)
    assert seen["digest-key"] == b"sealed digest key"
    with_store(origin, goes_on)


class Interrupted(Exception):
    """The machine stopped, in a test."""


class Breaking:
    """A location whose store fails after a number of calls, as a machine that stops at this point."""

    def __init__(self, place: StoreLocation, times: int) -> None:
        self._place, self._times = place, times

    @property
    def name(self) -> str:
        return self._place.name

    def snapshot(self) -> AbstractContextManager[StoreTransaction]:
        return self._place.snapshot()

    def exclusive(self, *, create: bool = False) -> AbstractContextManager[StoreTransaction]:
        self._times -= 1
        if self._times < 0:
            raise Interrupted
        return self._place.exclusive(create=create)


def test_a_move_that_breaks_before_the_last_step_leaves_neither_serving_and_goes_on(
    ends: tuple[Somewhere, Somewhere],
) -> None:
    origin, destination = ends
    before = origin.rows()
    with pytest.raises(Interrupted):
        move(origin.place, Breaking(destination.place, 1), accept, "first", NOW)
    for each in ends:
        with pytest.raises(StoreOutOfService):
            asyncio.run(each.open())
    assert moved(origin, destination, "again") == {table: len(rows) for table, rows in before.items()}
    assert destination.rows() == before
    with_store(destination, goes_on)


def test_a_move_that_fails_before_the_origin_is_out_of_service_starts_again(ends: tuple[Somewhere, Somewhere]) -> None:
    """The origin has served meanwhile: what was copied before is of no use."""
    origin, destination = ends
    with pytest.raises(StoreUnavailable):
        move(DoesNotPutAside(origin.place), destination.place, accept, "first", NOW)
    with pytest.raises(StoreOutOfService, match="not complete"):
        asyncio.run(destination.open())
    with_store(origin, goes_on)
    moved(origin, destination, "again")

    async def check(store: Store) -> None:
        kept = await store.family(family(1).id)
        assert kept is not None
        assert kept.generation == 1

    with_store(destination, check)


def test_the_copy_of_one_store_is_not_replaced_by_another(ends: tuple[Somewhere, Somewhere], tmp_path: Path) -> None:
    """The first one serves no more: only its own move may end."""
    origin, destination = ends
    before = origin.rows()
    with pytest.raises(Interrupted):
        move(origin.place, Breaking(destination.place, 1), accept, "first", NOW)
    other = Somewhere(tmp_path / "other.sqlite")
    with_store(other, fill)
    with pytest.raises(StoreOutOfService, match="not complete"):
        moved(other, destination, "other")
    with_store(other, goes_on)
    moved(origin, destination, "again")
    assert destination.rows() == before


class DoesNotPutAside(Breaking):
    """A location whose disk is full when the store goes out of service."""

    def __init__(self, place: StoreLocation) -> None:
        super().__init__(place, 1)

    def exclusive(self, *, create: bool = False) -> AbstractContextManager[StoreTransaction]:
        return _Unwilling(super().exclusive(create=create))


class _Unwilling(AbstractContextManager[StoreTransaction]):
    def __init__(self, inner: AbstractContextManager[StoreTransaction]) -> None:
        self._inner = inner

    def __enter__(self) -> StoreTransaction:
        whole = self._inner.__enter__()
        whole.put_out_of_service = unable  # type: ignore[assignment]
        return whole

    def __exit__(self, *error: object) -> bool | None:
        return self._inner.__exit__(*error)  # type: ignore[arg-type]


def unable(_aside: object) -> None:
    raise StoreUnavailable("disk full")


def test_a_missing_origin_is_not_created(tmp_path: Path) -> None:
    missing, other = Somewhere(tmp_path / "missing.sqlite"), Somewhere(tmp_path / "other.sqlite")
    with pytest.raises(StoreUnavailable, match="there is no store"):
        moved(missing, other)
    assert list(tmp_path.iterdir()) == []


def test_a_copied_file_is_readable_by_its_owner_only(tmp_path: Path) -> None:
    origin, destination = Somewhere(tmp_path / "a.sqlite"), Somewhere(tmp_path / "b.sqlite")
    with_store(origin, fill)
    moved(origin, destination)
    assert (tmp_path / "b.sqlite").stat().st_mode & 0o777 == 0o600
