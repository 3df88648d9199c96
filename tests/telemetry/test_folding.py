"""Refusals of callers who proved nothing are one line a second and address (threats A12)."""

from credence.telemetry.audit import Folding


def test_the_first_of_a_second_has_a_line_and_the_others_a_count() -> None:
    counted: list[tuple[int, str, int]] = []
    folding = Folding(lambda first, prefix, count: counted.append((first, prefix, count)))
    own = [folding.is_first("192.0.2.1", 1_000 + 100 * step) for step in range(12)]
    assert own == [True, *[False] * 9, True, False]
    assert counted == [(1_000, "192.0.2.1", 9)]
    folding.flush(2_900)
    assert len(counted) == 1
    folding.flush(3_000)
    assert counted[1:] == [(2_000, "192.0.2.1", 1)]
    folding.flush()
    assert len(counted) == 2


def test_each_address_has_its_own_line() -> None:
    folding = Folding(lambda *_: None)
    assert [folding.is_first(prefix, 5) for prefix in ("192.0.2.1", "192.0.2.2", "2001:db8::")] == [True] * 3
