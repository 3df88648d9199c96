"""The bell is a hint: it tells of every ring, and nothing done to its file can hurt (store/sqlite/change_counter.py)."""

import fcntl
from pathlib import Path

from credence.store.sqlite.change_counter import ChangeCounter


def test_a_ring_by_any_process_is_heard_by_all(tmp_path: Path) -> None:
    here, there = ChangeCounter(tmp_path / "bell"), ChangeCounter(tmp_path / "bell")
    before = here.count()
    there.ring()
    assert here.count() != before
    assert here.count() == here.count()
    heard = there.count()
    here.ring()
    assert there.count() != heard
    here.close()
    there.close()


def test_no_ring_is_lost_in_another(tmp_path: Path) -> None:
    bells = [ChangeCounter(tmp_path / "bell") for _ in range(3)]
    listener = ChangeCounter(tmp_path / "bell")
    before = listener.count()
    for _ in range(10):
        for bell in bells:
            bell.ring()
    assert listener.count() - before == 30
    for bell in (*bells, listener):
        bell.close()


def test_a_file_cut_to_nothing_is_read_as_a_change_and_rung_again(tmp_path: Path) -> None:
    bell = ChangeCounter(tmp_path / "bell")
    listener = ChangeCounter(tmp_path / "bell")
    bell.ring()
    heard = listener.count()
    (tmp_path / "bell").write_bytes(b"")
    assert listener.count() != heard
    bell.ring()
    bell.close()
    listener.close()


def test_a_held_lock_is_not_waited_for_and_the_own_process_hears_all_the_same(tmp_path: Path) -> None:
    """D11: the node that answers a revocation applies it before it answers."""
    bell = ChangeCounter(tmp_path / "bell")
    with (tmp_path / "bell").open("rb") as holder:
        fcntl.flock(holder, fcntl.LOCK_EX)
        before = bell.count()
        bell.ring()
        assert bell.count() != before
    bell.close()
