"""Which connections are closed, and why (threats P13 and its section 3: 10 s for a head, 60 s without a byte)."""

from ipaddress import ip_network

import pytest

from credence.transport.connections import Connection, Connections, counted_prefix

TRUSTED = [ip_network("10.0.0.0/8")]


def registered(*peers: str) -> Connections:
    connections = Connections()
    for number, peer in enumerate(peers):
        connections.register(Connection(number, (peer, "50000"), counted_prefix(peer, TRUSTED), since=0))
    return connections


def with_request(connections: Connections, peer: str) -> Connections:
    connections.mark_active((peer, "50000"))
    connections.retain([0], connections.active_peers())
    return connections


@pytest.mark.parametrize(("age", "closed"), [(9_999, []), (10_000, [(0, "no_request")])])
def test_a_connection_without_a_request_ends_after_ten_seconds(age: int, closed: list[tuple[int, str]]) -> None:
    assert list(registered("192.0.2.1").expired(age, lambda _: 0, 0)) == closed


@pytest.mark.parametrize(
    ("quiet", "closed"), [(59_999, []), (60_000, [(0, "idle")]), (None, [])], ids=["busy", "idle", "gone"]
)
def test_a_connection_with_a_request_ends_when_it_is_idle(quiet: int | None, closed: list[tuple[int, str]]) -> None:
    connections = with_request(registered("192.0.2.1"), "192.0.2.1")
    assert list(connections.expired(100_000, lambda _: quiet, 0)) == closed


def test_a_connection_keeps_the_mark_of_its_first_request() -> None:
    connections = with_request(registered("192.0.2.1"), "192.0.2.1")
    connections.retain([0], connections.active_peers())
    assert list(connections.expired(20_000, lambda _: 0, 0)) == []


def test_closed_connections_are_dropped() -> None:
    """threats P13: memory follows the connections that are open."""
    connections = registered("192.0.2.1", "192.0.2.2")
    connections.retain([1], frozenset())
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
    expired = registered(*peers).expired(0, lambda _: 0, 2)
    assert list(expired) == closed


def test_without_a_limit_any_number_of_connections_is_kept() -> None:
    assert list(registered(*["192.0.2.1"] * 500).expired(0, lambda _: 0, 0)) == []
