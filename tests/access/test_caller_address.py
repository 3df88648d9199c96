"""Whose address counts (D15, D26, threats A9, I8)."""

from ipaddress import ip_address, ip_network

import pytest

from credence.access.caller_address import CallerPrefixes, address_prefix, caller_address

PROXIES = (ip_network("10.0.0.0/8"), ip_network("2001:db8:ffff::/48"))


def seen(peer: str, *forwarded: str) -> str:
    return str(caller_address(peer, forwarded, PROXIES))


def test_without_trusted_networks_the_peer_is_the_caller_whatever_is_forwarded() -> None:
    assert caller_address("10.0.0.1", ["203.0.113.9"], ()) == ip_address("10.0.0.1")


def test_an_untrusted_peer_is_the_caller_whatever_is_forwarded() -> None:
    assert seen("198.51.100.7", "203.0.113.9") == "198.51.100.7"


def test_behind_a_trusted_peer_the_right_most_untrusted_hop_is_the_caller() -> None:
    assert seen("10.0.0.1", "192.0.2.66, 203.0.113.9") == "203.0.113.9"
    assert seen("10.0.0.1", "192.0.2.66,203.0.113.9,\t10.0.0.2 , 10.0.0.3") == "203.0.113.9"


def test_several_header_lines_are_one_list_in_their_order() -> None:
    assert seen("10.0.0.1", "192.0.2.66", "203.0.113.9", "10.0.0.2") == "203.0.113.9"


def test_if_every_hop_is_trusted_the_left_most_is_the_caller() -> None:
    assert seen("10.0.0.1", "10.0.0.3, 10.0.0.2") == "10.0.0.3"


@pytest.mark.parametrize(
    ("peer", "trusted"),
    [("9.255.255.255", False), ("10.0.0.0", True), ("10.255.255.255", True), ("11.0.0.0", False)],
)
def test_trust_ends_at_the_edge_of_the_network(peer: str, trusted: bool) -> None:
    assert seen(peer, "203.0.113.9") == ("203.0.113.9" if trusted else peer)


@pytest.mark.parametrize("peer", ["::ffff:10.0.0.1", "::ffff:a00:1", "::FFFF:10.0.0.1"])
def test_an_ipv4_mapped_peer_is_the_ipv4_address_it_holds(peer: str) -> None:
    assert seen(peer) == "10.0.0.1"
    assert seen(peer, "::ffff:203.0.113.9") == "203.0.113.9"


@pytest.mark.parametrize("address", ["64:ff9b::a00:1", "2002:a00:1::", "::10.0.0.1"])
def test_nat64_6to4_and_compatible_addresses_are_not_unwrapped(address: str) -> None:
    assert seen(address, "203.0.113.9") == str(ip_address(address))


@pytest.mark.parametrize(
    ("hop", "address"),
    [
        ("203.0.113.9:4711", "203.0.113.9"),
        ("[2001:db8::1]", "2001:db8::1"),
        ("[2001:db8::1]:443", "2001:db8::1"),
        ("2001:DB8:0::1", "2001:db8::1"),
        ("[::ffff:203.0.113.9]:1", "203.0.113.9"),
    ],
)
def test_a_hop_may_have_a_port_and_brackets(hop: str, address: str) -> None:
    assert seen("10.0.0.1", hop) == address


@pytest.mark.parametrize(
    "hop",
    [
        "", "unknown", "_hidden", "203.0.113", "203.0.113.256", "203.0.113.09", "0203.0.113.9", "0xcb.0.113.9",
        "3405803785", "203.0.113.9/32", "203.0.113.9:", "203.0.113.9:123456", "203.0.113.9:x", "[203.0.113.9",
        "2001:db8::1]", "[2001:db8::1", "[2001:db8::1]x", "[[2001:db8::1]]", "fe80::1%eth0", "1::2::3",
        "2001:db8::1:g", '"203.0.113.9"', "for=203.0.113.9", "203.0.113.9 10.0.0.1", "203.0.113.9;",
        "\uff12\uff10\uff13.0.113.9", "203.0.113.9\0", "203.0.113.9\n", "\u00a0203.0.113.9", "localhost",
        "." * 4_000, ":" * 4_000,
    ],
)  # fmt: skip
def test_a_malformed_hop_ends_the_walk_at_the_proxy_that_wrote_it(hop: str) -> None:
    assert seen("10.0.0.1", f"203.0.113.9, {hop}") == "10.0.0.1"
    assert seen("10.0.0.1", f"203.0.113.9, {hop}, 10.0.0.2") == "10.0.0.2"


def test_what_stands_left_of_the_caller_is_never_read() -> None:
    assert seen("10.0.0.1", "junk,,\0," * 1_000 + "203.0.113.9") == "203.0.113.9"


def test_a_caller_cannot_name_itself_trusted() -> None:
    assert seen("10.0.0.1", "10.9.9.9, 203.0.113.9, 10.0.0.2") == "203.0.113.9"


def test_the_zone_of_a_peer_is_dropped() -> None:
    assert seen("fe80::1%eth0") == "fe80::1"


@pytest.mark.parametrize("peer", ["", "unix:", "localhost", "10.0.0.01", "10.0.0.1:80"])
def test_a_peer_that_is_no_address_is_an_error_of_ours(peer: str) -> None:
    with pytest.raises(ValueError, match="does not appear to be"):
        seen(peer)


@pytest.mark.parametrize(
    ("address", "prefix"),
    [
        ("203.0.113.9", "203.0.113.9/32"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::", "2001:db8:1:3::/64"),
        ("::1", "::/64"),
    ],
)
def test_one_caller_is_one_ipv4_address_or_64_bits_of_ipv6(address: str, prefix: str) -> None:
    assert address_prefix(ip_address(address)) == prefix


def test_what_is_remembered_of_a_caller_is_what_would_be_found_out() -> None:
    prefixes = CallerPrefixes([ip_network("10.0.0.0/8")])
    for _ in range(2):
        assert prefixes.of("192.0.2.7", "") == "192.0.2.7/32"
        assert prefixes.of("192.0.2.7", "198.51.100.7") == "192.0.2.7/32"
        assert prefixes.of("10.0.0.1", "198.51.100.7") == "198.51.100.7/32"
        assert prefixes.of("10.0.0.1", "2001:db8::7, 10.0.0.2") == "2001:db8::/64"
        assert prefixes.of("10.0.0.1", "nonsense, 198.51.100.7" + " " * 1_000) == "198.51.100.7/32"


def test_what_a_caller_makes_up_is_not_remembered() -> None:
    """threats A12: neither what nobody trusts, nor what is long."""
    trusting, trusting_nobody = CallerPrefixes([ip_network("10.0.0.0/8")]), CallerPrefixes([])
    for n in range(1_000):
        trusting_nobody.of("192.0.2.7", str(n))
        trusting.of("10.0.0.1", f"{n}, " + "198.51.100.7, " * 20)
    cached = [each._cached_prefix.cache_info().currsize for each in (trusting_nobody, trusting)]
    assert cached == [1, 0]
