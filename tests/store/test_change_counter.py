"""The change counter is a hint: every increment is seen, and damage to its file does no harm (sqlite/change_counter.py)."""

import fcntl
from pathlib import Path

from credence.store.sqlite.change_counter import SUFFIX, ChangeCounter


def test_an_increment_by_any_process_is_seen_by_all(tmp_path: Path) -> None:
    here, there = ChangeCounter(tmp_path / "store"), ChangeCounter(tmp_path / "store")
    before = here.count()
    there.increment()
    assert here.count() != before
    assert here.count() == here.count()
    seen = there.count()
    here.increment()
    assert there.count() != seen
    here.close()
    there.close()


def test_no_increment_is_lost(tmp_path: Path) -> None:
    writers = [ChangeCounter(tmp_path / "store") for _ in range(3)]
    reader = ChangeCounter(tmp_path / "store")
    before = reader.count()
    for _ in range(10):
        for writer in writers:
            writer.increment()
    assert reader.count() - before == 30
    for each in (*writers, reader):
        each.close()


def test_a_truncated_file_is_read_as_a_change_and_can_be_incremented_again(tmp_path: Path) -> None:
    writer, reader = ChangeCounter(tmp_path / "store"), ChangeCounter(tmp_path / "store")
    writer.increment()
    seen = reader.count()
    (tmp_path / f"store{SUFFIX}").write_bytes(b"")
    assert reader.count() != seen
    writer.increment()
    writer.close()
    reader.close()


def test_a_held_lock_is_not_waited_for_and_this_process_still_sees_its_increment(tmp_path: Path) -> None:
    """D11: the node that answers a revocation applies it before it answers."""
    counter = ChangeCounter(tmp_path / "store")
    with (tmp_path / f"store{SUFFIX}").open("rb") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        before = counter.count()
        counter.increment()
        assert counter.count() != before
    counter.close()
