"""Backups: their content, the detection of changes, and that a restore makes no revoked token valid (threats F6)."""

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from credence.clock_tolerances import ASSERTION_TOLERANCE_SECONDS, NODE_TOLERANCE_MS
from credence.crypto.randomness import random_bytes
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, seal
from credence.oauth.client_authentication import private_key_jwt
from credence.oauth.dpop.nonce import STEP_MS, STEPS
from credence.store.contract import MAX_REPLAY_CACHE_MS, Store
from credence.store.tallies import Tally
from credence.store.transfer import backup
from credence.store.transfer.archive import ArchiveDamaged
from credence.store.transfer.backup import NUMBER_GAP, WrongEnvironment
from credence.store.transfer.move import NotEmpty, move
from credence.store.transfer.out_of_service import StoreOutOfService
from credence.store.transfer.tables import FAMILIES
from tests.store.locations import BLOCK, CHARGE, MARK, Somewhere, fill, with_store
from tests.store.records import DAY, NOW, account, application, family, parameters

KEKS = KeyEncryptionKeys((b"k" * 32,))
OTHERS = KeyEncryptionKeys((b"o" * 32,))
DIGEST_KEY = seal(KEKS, "digest-key", b"the digest key")


async def fill_sealed(store: Store) -> None:
    """As `fill`, with secrets that the key-encryption key opens."""
    await store.sealed_secret("digest-key", DIGEST_KEY)
    await fill(store)


@pytest.fixture(params=["sqlite to postgres", "postgres to sqlite"])
def ends(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Somewhere, Somewhere]:
    """A filled store, and an empty location for the restored one."""
    kinds = request.param.split(" to ")
    said = [
        request.getfixturevalue("postgres") if kind == "postgres" else tmp_path / f"{number}.sqlite"
        for number, kind in enumerate(kinds)
    ]
    origin, destination = map(Somewhere, said)
    with_store(origin, fill_sealed)
    return origin, destination


@pytest.fixture
def taken(tmp_path: Path) -> Path:
    """A backup of a SQLite store."""
    with_store(Somewhere(tmp_path / "s.sqlite"), fill_sealed)
    return take(Somewhere(tmp_path / "s.sqlite"), tmp_path / "taken")


def take(origin: Somewhere, file: Path) -> Path:
    backup.take(origin.place, file, KEKS, "sandbox", NOW)
    return file


def restore(file: Path, destination: Somewhere, keks: KeyEncryptionKeys = KEKS, environment: str = "sandbox") -> None:
    backup.restore(file, keks, destination.place, environment, NOW)


def lines(file: Path) -> list[bytes]:
    return gzip.decompress(file.read_bytes()).splitlines(keepends=True)


def test_applications_and_accounts_are_restored_in_either_database(
    ends: tuple[Somewhere, Somewhere], tmp_path: Path
) -> None:
    origin, destination = ends
    restore(take(origin, tmp_path / "taken"), destination)

    async def check(store: Store) -> None:
        assert await store.applications() == [application()]
        assert await store.accounts() == [account()]
        assert await store.tallies([CHARGE.key]) == [Tally(NOW + 10)]
        assert await store.sealed_secrets() == {"digest-key": DIGEST_KEY}

    with_store(destination, check)


def test_no_family_no_key_and_no_revocation_comes_back_so_no_token_from_before_is_good(
    ends: tuple[Somewhere, Somewhere], tmp_path: Path
) -> None:
    """threats F6: revocations, rotations and replay keys after the backup are unknown, so no family is kept."""
    origin, destination = ends
    restore(take(origin, tmp_path / "taken"), destination)

    async def check(store: Store) -> None:
        assert await store.rotate(family(1).id, 0, parameters()) is None
        assert await store.family(family(1).id) is None
        assert await store.signing_keys() == []
        assert "refresh-key" not in await store.sealed_secrets()
        assert await store.changes(0) == []

    with_store(destination, check)


def test_a_backup_contains_neither_families_nor_token_keys(taken: Path) -> None:
    """threats T13: what does not lie there cannot be stolen from there."""
    text = gzip.decompress(taken.read_bytes())
    for word in (b"families", b"refresh-key", b"signing-key", b"sealed private half"):
        assert word not in text
    assert b"digest-key" in text


def test_numbers_used_before_a_restore_are_not_used_again(ends: tuple[Somewhere, Somewhere], tmp_path: Path) -> None:
    """An unknown number of them was used between the backup and the restore."""
    origin, destination = ends
    file = take(origin, tmp_path / "taken")
    restore(file, destination)

    async def check(store: Store) -> None:
        assert await store.open_status_blocks(BLOCK, 1) == [3 + NUMBER_GAP + 1]
        await store.revoke_token("jti", NOW + DAY)
        assert (await store.changes(0))[0].sequence > NUMBER_GAP

    with_store(destination, check)


def test_a_replay_key_that_may_have_been_used_before_the_restore_is_refused(
    ends: tuple[Somewhere, Somewhere], tmp_path: Path
) -> None:
    """A client assertion that was used between the backup and the restore may not be used again (RFC 7523 §3 item 7)."""
    origin, destination = ends
    restore(take(origin, tmp_path / "taken"), destination)

    async def check(store: Store) -> None:
        assert not await store.consume_once(MARK, NOW + MAX_REPLAY_CACHE_MS)
        assert await store.consume_once(MARK, NOW + MAX_REPLAY_CACHE_MS + 1)
        assert not await store.consume_once(MARK, NOW + MAX_REPLAY_CACHE_MS + 1)

    with_store(destination, check)


def test_no_replay_key_lives_longer_than_a_restored_store_refuses_old_ones() -> None:
    assert (private_key_jwt.MAX_LIFETIME_SECONDS + ASSERTION_TOLERANCE_SECONDS) * 1000 <= MAX_REPLAY_CACHE_MS
    assert STEP_MS * STEPS + NODE_TOLERANCE_MS <= MAX_REPLAY_CACHE_MS


def test_a_backup_is_a_snapshot_while_others_write(ends: tuple[Somewhere, Somewhere]) -> None:
    origin, _ = ends

    async def check(store: Store) -> None:
        with origin.place.snapshot() as whole:
            before = list(whole.rows(FAMILIES))
            assert await store.rotate(family(1).id, 0, parameters()) is not None
            assert list(whole.rows(FAMILIES)) == before

    with_store(origin, check)


def test_a_backup_is_readable_by_its_owner_only_and_replaces_no_file(taken: Path, tmp_path: Path) -> None:
    assert taken.stat().st_mode & 0o777 == 0o600
    before = taken.read_bytes()
    with pytest.raises(FileExistsError):
        take(Somewhere(tmp_path / "s.sqlite"), taken)
    assert taken.read_bytes() == before


FULL_DISK = """
import errno, resource, sys
from pathlib import Path
from tests.store.test_backup import Somewhere, take
resource.setrlimit(resource.RLIMIT_FSIZE, (65_536, 65_536))
try:
    take(Somewhere(Path(sys.argv[1])), Path(sys.argv[2]))
except OSError as error:
    sys.exit(7 if error.errno == errno.EFBIG else 1)
"""
"""Simulates a disk with room for 64 KiB. The limit cannot be lifted again, so it needs a process of its own."""


def test_a_full_disk_leaves_no_partial_backup(tmp_path: Path) -> None:
    """threats F2."""

    async def much(store: Store) -> None:
        for number in range(100):
            await store.save_application(application(f"crd_sbx_app_{number}", name=random_bytes(1_000).hex()), NOW)

    with_store(Somewhere(tmp_path / "s.sqlite"), much)
    folder = tmp_path / "full"
    folder.mkdir()
    command = [sys.executable, "-c", FULL_DISK, str(tmp_path / "s.sqlite"), str(folder / "taken")]
    assert subprocess.run(command, check=False, timeout=60).returncode == 7
    assert list(folder.iterdir()) == []


def test_an_earlier_backup_verifies_and_lists_its_tables(taken: Path) -> None:
    head, counts = backup.verify(taken, KEKS)
    assert (head.environment, head.taken_at, head.log, head.blocks) == ("sandbox", NOW, 5, 3)
    assert counts == {"applications": 1, "accounts": 1, "sealed_secrets": 1, "tallies": 1, "factors": 1}


def test_a_backup_of_a_version_without_factors_is_read(
    taken: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_store(Somewhere(tmp_path / "old.sqlite"), fill_sealed)
    monkeypatch.setattr(backup, "BACKUP_TABLES", backup.BACKUP_TABLES[:4])
    backup.take(Somewhere(tmp_path / "old.sqlite").place, tmp_path / "old.backup", KEKS, "sandbox", NOW)
    monkeypatch.undo()
    assert "factors" not in backup.verify(tmp_path / "old.backup", KEKS)[1]
    assert backup.verify(taken, KEKS)[1]["factors"] == 1


def test_another_key_encryption_key_is_refused_before_anything_is_created(taken: Path, tmp_path: Path) -> None:
    with pytest.raises(Unsealable):
        backup.verify(taken, OTHERS)
    with pytest.raises(Unsealable):
        restore(taken, Somewhere(tmp_path / "new.sqlite"), OTHERS)
    assert not (tmp_path / "new.sqlite").exists()


def test_a_key_encryption_key_that_was_changed_still_opens_a_backup_from_before(taken: Path) -> None:
    """While the file holds both (threats T13)."""
    assert backup.verify(taken, KeyEncryptionKeys((*OTHERS.keys, *KEKS.keys)))[0].taken_at == NOW


def another_password(found: list[bytes]) -> list[bytes]:
    place = next(number for number, line in enumerate(found) if line.startswith(b'["ada"'))
    return [*found[:place], found[place].replace(b'"ada",1', b'"ada",2'), *found[place + 1 :]]


def without_a_row(found: list[bytes]) -> list[bytes]:
    return [line for line in found if not line.startswith(b'["ada"')]


def number_changed(found: list[bytes]) -> list[bytes]:
    head = json.loads(found[0]) | {"blocks": 0}
    return [json.dumps(head).encode() + b"\n", *found[1:]]


def two_lines_exchanged(found: list[bytes]) -> list[bytes]:
    return [*found[:2], found[3], found[2], *found[4:]]


def no_parts(found: list[bytes]) -> list[bytes]:
    return [json.dumps(json.loads(found[0]) | {"parts": []}).encode() + b"\n"]


CHANGES: dict[str, Callable[[list[bytes]], list[bytes]]] = {
    "a row": another_password,
    "a row less": without_a_row,
    "the head": number_changed,
    "two lines exchanged": two_lines_exchanged,
    "the end missing": lambda found: found[:-1],
    "half a line": lambda found: [*found[:-1], found[-1][:5]],
    "no parts": no_parts,
    "a part missing": lambda found: found[:4],
    "something after the end": lambda found: [*found, b"[]\n"],
    "nothing": lambda _found: [],
    "another thing": lambda _found: [b'{"hello": 1}\n'],
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_each_change_of_a_backup_is_detected_and_nothing_is_created(
    change: Callable[[list[bytes]], list[bytes]], taken: Path, tmp_path: Path
) -> None:
    """Also a change with recomputed digests: the digests are keyed."""
    found = lines(taken)
    assert change(found) != found
    taken.write_bytes(gzip.compress(b"".join(change(found))))
    with pytest.raises(ArchiveDamaged):
        backup.verify(taken, KEKS)
    with pytest.raises(ArchiveDamaged):
        restore(taken, Somewhere(tmp_path / "new.sqlite"))
    assert not (tmp_path / "new.sqlite").exists()


@pytest.mark.parametrize("place", [0, 12, 0.5, -1, -6])
def test_a_changed_byte_of_the_file_is_detected(place: float, taken: Path) -> None:
    octets = bytearray(taken.read_bytes())
    octets[int(place * len(octets)) if place == 0.5 else int(place)] ^= 0x55
    taken.write_bytes(octets)
    with pytest.raises(ArchiveDamaged):
        backup.verify(taken, KEKS)


def test_a_truncated_file_is_detected(taken: Path) -> None:
    taken.write_bytes(taken.read_bytes()[:-20])
    with pytest.raises(ArchiveDamaged):
        backup.verify(taken, KEKS)


def test_a_damaged_backup_leaves_a_postgresql_database_empty(taken: Path, postgres: str) -> None:
    taken.write_bytes(gzip.compress(b"".join(lines(taken)[:-1])))
    with pytest.raises(ArchiveDamaged):
        restore(taken, Somewhere(postgres))
    assert not any(Somewhere(postgres).rows().values())


def test_a_backup_of_another_environment_is_refused(taken: Path, tmp_path: Path) -> None:
    """D18: what was registered there must not work here."""
    with pytest.raises(WrongEnvironment, match="sandbox"):
        restore(taken, Somewhere(tmp_path / "new.sqlite"), environment="production")


def test_an_existing_store_is_not_changed(ends: tuple[Somewhere, Somewhere], tmp_path: Path) -> None:
    origin, _ = ends
    before = origin.rows()
    with pytest.raises(NotEmpty):
        restore(take(origin, tmp_path / "taken"), origin)
    assert origin.rows() == before


def test_nothing_is_restored_into_a_store_that_was_moved(taken: Path, tmp_path: Path) -> None:
    """The other one serves."""
    origin = Somewhere(tmp_path / "s.sqlite")
    move(origin.place, Somewhere(tmp_path / "other.sqlite").place, lambda _: None, "copy", NOW)
    with pytest.raises(StoreOutOfService):
        restore(taken, origin)


def test_no_backup_is_taken_of_a_store_that_was_moved(taken: Path, tmp_path: Path) -> None:
    """It is of a day that has passed, and the other one has the backups."""
    origin = Somewhere(tmp_path / "s.sqlite")
    move(origin.place, Somewhere(tmp_path / "other.sqlite").place, lambda _: None, "copy", NOW)
    with pytest.raises(StoreOutOfService):
        take(origin, tmp_path / "late")
    assert taken.exists()
    assert not (tmp_path / "late").exists()


async def test_a_restored_store_can_be_backed_up_and_restored_again(taken: Path, tmp_path: Path) -> None:
    second, third = Somewhere(tmp_path / "second.sqlite"), Somewhere(tmp_path / "third.sqlite")
    restore(taken, second)
    restore(take(second, tmp_path / "again"), third)

    store = await third.open()
    assert await store.open_status_blocks(BLOCK, 1) == [3 + 2 * NUMBER_GAP + 1]
    await store.close()
