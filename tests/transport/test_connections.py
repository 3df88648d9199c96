"""Which connections are closed, and why (threats P13 and its section 3: 10 s for a head, 20 s for progress, 60 s idle)."""

from collections.abc import Iterator
from ipaddress import ip_network

import pytest

from credence.transport import connections as limits
from credence.transport.connections import Connection, Connections, Peer, Progress, counted_prefix

TRUSTED = [ip_network("10.0.0.0/8")]
PORT = "50000"


def registered(*peers: str) -> Connections:
    connections = Connections()
    for number, peer in enumerate(peers):
        connections.register(Connection(number, (peer, PORT), counted_prefix(peer, TRUSTED), since=0))
    return connections


def expired(connections: Connections, now: float, per_address: int = 0) -> list[tuple[int, str]]:
    return list(connections.expired(now, set(), per_address))


def noted(pauses: Iterator[None]) -> None:
    """Look at all connections, without letting other work run in between."""
    for _ in pauses:
        pass


def observed(connections: Connections, now: float, acknowledged: int = 0, queued: int = 0, waiting: int = 0) -> None:
    """Look at the connections at `now`; the kernel has these figures of each, and so many octets wait for the first."""
    handed = connections.take_handed()
    octets: dict[Peer, int] = {("192.0.2.1", PORT): waiting} if waiting else {}
    noted(connections.update(now, [0, 1, 2], handed, octets, lambda _: Progress(acknowledged, queued)))


def with_request(at: float = 0, octets: int = 0) -> Connections:
    connections = registered("192.0.2.1")
    connections.handed[("192.0.2.1", PORT)] = octets
    observed(connections, at)
    return connections


@pytest.mark.parametrize(("age", "closed"), [(9.9, []), (10, [(0, "no_request")])])
def test_a_connection_without_a_request_ends_after_ten_seconds(age: float, closed: list[tuple[int, str]]) -> None:
    assert expired(registered("192.0.2.1"), age) == closed


@pytest.mark.parametrize(("now", "closed"), [(64.9, []), (65, [(0, "idle")])])
def test_a_connection_ends_sixty_seconds_after_its_last_request(now: float, closed: list[tuple[int, str]]) -> None:
    """Whatever else goes to and fro: pings acknowledge octets too."""
    connections = with_request(at=5)
    for second in range(6, 60):
        observed(connections, second, acknowledged=17 * second)
    assert expired(connections, now) == closed


def test_a_connection_keeps_the_mark_of_its_first_request() -> None:
    connections = with_request()
    observed(connections, 2)
    assert expired(connections, 20) == []


def test_a_long_answer_that_is_read_keeps_its_connection() -> None:
    connections = with_request(octets=1_000_000)
    for second in range(0, 200, 2):
        observed(connections, second, acknowledged=second * 1_000, queued=1_000_000 - second * 1_000)
        assert expired(connections, second) == []


def test_an_answer_that_waits_here_keeps_its_connection() -> None:
    connections = with_request()
    observed(connections, 70, waiting=1)
    assert expired(connections, 70) == []


@pytest.mark.parametrize(("octets", "closed"), [(10_240, []), (10_239, [(0, "slow_reader")])])
def test_a_reader_has_a_least_rate(octets: int, closed: list[tuple[int, str]]) -> None:
    """10 KiB in 20 s, while the kernel has octets for it."""
    connections = with_request(octets=1_000_000)
    observed(connections, 1, acknowledged=500, queued=100_000)
    observed(connections, 21, acknowledged=500 + octets, queued=90_000)
    assert expired(connections, 21) == closed


def test_a_peer_that_stalls_an_answer_is_closed_whatever_it_reads_otherwise() -> None:
    connections = with_request()
    assert list(connections.expired(0, {("192.0.2.1", PORT)}, 0)) == [(0, "unread_answer")]


@pytest.mark.parametrize(
    ("peers", "closed"),
    [
        (("192.0.2.1", "192.0.2.1", "192.0.2.2"), [(1, "too_much_unread")]),
        (("192.0.2.1", "192.0.2.2", "192.0.2.3"), []),
        (("10.0.0.1", "10.0.0.1", "192.0.2.2"), []),
    ],
    ids=["one address has too much", "three addresses", "a trusted proxy carries many"],
)
def test_an_address_has_a_bounded_number_of_unread_octets(
    peers: tuple[str, ...], closed: list[tuple[int, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The one with the most goes first."""
    monkeypatch.setattr(limits, "MAX_UNREAD_PER_ADDRESS", 1_000)
    connections = Connections()
    for number, peer in enumerate(peers):
        connections.register(
            Connection(number, (peer, str(number)), counted_prefix(peer, TRUSTED), since=0, unread=500 + number)
        )
        connections.handed[(peer, str(number))] = 0
    noted(connections.update(0, [0, 1, 2], connections.take_handed(), {}, lambda _: None))
    assert expired(connections, 0) == closed


def test_all_addresses_together_have_a_bounded_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_UNREAD", 1_000)
    connections = registered("192.0.2.1", "10.0.0.1", "192.0.2.3")
    for number, peer in enumerate(("192.0.2.1", "10.0.0.1", "192.0.2.3")):
        connections.handed[(peer, PORT)] = 400 + number
    noted(connections.update(0, [0, 1, 2], connections.take_handed(), {}, lambda _: Progress(0, 0)))
    assert expired(connections, 0) == [(2, "too_much_unread")]


@pytest.mark.parametrize(
    "greedy", [("192.0.2.1", "192.0.2.1", "192.0.2.1"), ("2001:db8:0:1::1", "2001:db8:0:2::1", "2001:db8:0:3::1")]
)
def test_many_short_answers_of_one_caller_close_no_long_one_of_another(
    greedy: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """threats A5: the longest answer of all was ended, though nine addresses with short ones held nearly everything."""
    monkeypatch.setattr(limits, "MAX_UNREAD", 1_000)
    connections = Connections()
    for number, (peer, unread) in enumerate(zip((*greedy, "198.51.100.1"), (200, 201, 202, 500), strict=True)):
        prefix = counted_prefix(peer, TRUSTED)
        connections.register(Connection(number, (peer, str(number)), prefix, since=0, has_request=True, unread=unread))
    assert expired(connections, 0) == [(2, "too_much_unread")]


def test_what_was_read_is_not_unread(monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads and TLS are acknowledged too, so the difference may be less than nothing."""
    monkeypatch.setattr(limits, "MAX_UNREAD", 1_000)
    connections = with_request(octets=5_000)
    observed(connections, 1, acknowledged=6_000)
    connections.handed[("192.0.2.1", PORT)] = 1_001
    observed(connections, 2, acknowledged=6_001)
    assert expired(connections, 2) == []
    connections.handed[("192.0.2.1", PORT)] = 2
    observed(connections, 3, acknowledged=6_001)
    assert expired(connections, 3) == [(0, "too_much_unread")]


def test_closed_connections_are_dropped() -> None:
    """threats P13: memory follows the connections that are open."""
    connections = registered("192.0.2.1", "192.0.2.2")
    noted(connections.update(0, [1], {}, {}, lambda _: None))
    assert (0 in connections, 1 in connections) == (False, True)


@pytest.mark.parametrize(
    ("peers", "closed"),
    [
        (["192.0.2.1"] * 2, []),
        (["192.0.2.1"] * 3, [(2, "too_many")]),
        (["192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1"], [(2, "too_many")]),
        (["2001:db8::1", "2001:db8::2", "2001:db8::3"], [(2, "too_many")]),
        (["192.0.2.1", "192.0.2.1", "192.0.2.2"], []),
        (["10.0.0.1"] * 3, []),
    ],
    ids=["at the cap", "above", "in another form", "one network of IPv6", "two addresses", "a trusted proxy"],
)
def test_an_address_has_a_limited_number_of_connections(peers: list[str], closed: list[tuple[int, str]]) -> None:
    """threats P13, A4: a /32 and a /64 count as one caller; the oldest connections stay."""
    assert expired(registered(*peers), 0, per_address=2) == closed


def test_without_a_limit_any_number_of_connections_is_kept() -> None:
    assert expired(registered(*["192.0.2.1"] * 500), 0) == []
