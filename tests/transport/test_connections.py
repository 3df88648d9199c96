"""Which connections are closed, and why (threats P13 and its section 3: 10 s for a head, 60 s without a byte)."""

from ipaddress import ip_network

import pytest

from credence.transport.connections import Connection, Connections, counts_for

TRUSTED = [ip_network("10.0.0.0/8")]


def met(*peers: str) -> Connections:
    connections = Connections()
    for number, peer in enumerate(peers):
        connections.meet(Connection(number, (peer, "50000"), counts_for(peer, TRUSTED), since=0))
    return connections


def heard(connections: Connections, peer: str) -> Connections:
    connections.hear((peer, "50000"))
    connections.keep([0], connections.heard_until_now())
    return connections


@pytest.mark.parametrize(("age", "closed"), [(9_999, []), (10_000, [(0, "silent")])])
def test_a_connection_without_a_request_ends_after_ten_seconds(age: int, closed: list[tuple[int, str]]) -> None:
    assert list(met("192.0.2.1").judge(age, lambda _: 0, 0)) == closed


@pytest.mark.parametrize(
    ("quiet", "closed"), [(59_999, []), (60_000, [(0, "idle")]), (None, [])], ids=["busy", "idle", "gone"]
)
def test_a_connection_that_was_heard_ends_when_it_is_idle(quiet: int | None, closed: list[tuple[int, str]]) -> None:
    connections = heard(met("192.0.2.1"), "192.0.2.1")
    assert list(connections.judge(100_000, lambda _: quiet, 0)) == closed


def test_what_was_heard_once_is_never_silent_again() -> None:
    connections = heard(met("192.0.2.1"), "192.0.2.1")
    connections.keep([0], connections.heard_until_now())
    assert list(connections.judge(20_000, lambda _: 0, 0)) == []


def test_what_is_closed_is_forgotten() -> None:
    """threats P13: memory follows the connections that are open."""
    connections = met("192.0.2.1", "192.0.2.2")
    connections.keep([1], frozenset())
    assert (connections.knows(0), connections.knows(1)) == (False, True)


@pytest.mark.parametrize(
    ("peers", "closed"),
    [
        (["192.0.2.1"] * 2, []),
        (["192.0.2.1"] * 3, [(2, "crowded")]),
        (["192.0.2.1", "192.0.2.1", "::ffff:192.0.2.1"], [(2, "crowded")]),
        (["2001:db8::1", "2001:db8::2", "2001:db8::3"], [(2, "crowded")]),
        (["192.0.2.1", "192.0.2.1", "192.0.2.2"], []),
        (["10.0.0.1"] * 3, []),
    ],
    ids=["at the cap", "above", "in another form", "one network of IPv6", "two addresses", "a trusted proxy"],
)
def test_an_address_has_its_share(peers: list[str], closed: list[tuple[int, str]]) -> None:
    """threats P13, A4: /32 and /64 count as one caller; the oldest stay."""
    judged = met(*peers).judge(0, lambda _: 0, 2)
    assert list(judged) == closed


def test_without_a_cap_any_number_may_come() -> None:
    assert list(met(*["192.0.2.1"] * 500).judge(0, lambda _: 0, 0)) == []
