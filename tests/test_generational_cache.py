"""The generational cache: bounded, drops the least recently used entries first (threats A12)."""

from credence.generational_cache import GenerationalCache


def test_used_entries_stay_and_unused_ones_are_dropped() -> None:
    held: GenerationalCache[str, str] = GenerationalCache(2)
    for key in ("a", "b", "c", "d"):
        held.put(key, key.upper())
        assert held.get("a") == "A"
    held.put("e", "E")
    held.put("f", "F")
    assert held.get("a") == "A"
    assert held.get("b") is None


def test_it_is_bounded_by_the_sizes_of_its_values() -> None:
    """Two halves of 100, each one entry over at most."""
    held: GenerationalCache[int, bytes] = GenerationalCache(100, len)
    for key in range(50):
        held.put(key, b"x" * 40)
    kept = [value for key in range(50) if (value := held.get(key))]
    assert 100 <= sum(map(len, kept)) <= 2 * (100 + 40)


def test_an_entry_put_again_counts_once() -> None:
    held: GenerationalCache[str, bytes] = GenerationalCache(100, len)
    held.put("kept", b"x" * 10)
    for _ in range(50):
        held.put("same", b"x" * 30)
    assert held.get("kept") is not None


def test_dropped_entries_have_no_weight() -> None:
    held: GenerationalCache[str, bytes] = GenerationalCache(100, len)
    held.put("old", b"x" * 90)
    held.clear()
    assert held.get("old") is None
    held.put("a", b"x" * 50)
    held.put("b", b"x" * 40)
    held.put("c", b"x" * 40)
    assert held.get("a") is not None
