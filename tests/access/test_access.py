"""Address ranges and hours (spec §5.10, D15, threats A9, A10)."""

from datetime import UTC, datetime
from ipaddress import ip_address
from zoneinfo import ZoneInfoNotFoundError

import msgspec
import pytest

from credence.access.rules import AccessRules, Window, decide

ANY = ip_address("203.0.113.9")
MONDAY, FRIDAY, SATURDAY, SUNDAY = 0, 4, 5, 6


def at(text: str) -> int:
    """Milliseconds of a moment in UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


def in_network(address: str, *networks: str) -> bool:
    return decide(AccessRules(networks=networks), ip_address(address), 0) is None


def is_open(window: Window, moment: str, zone: str = "UTC") -> bool:
    return decide(AccessRules(windows=(window,), time_zone=zone), ANY, at(moment)) is None


def test_no_rules_allow_every_address_at_every_hour() -> None:
    assert decide(AccessRules(), ANY, 0) is None


def test_a_refusal_says_which_rule_and_the_network_comes_first() -> None:
    closed = Window((), 0, 0)
    assert decide(AccessRules(networks=("10.0.0.0/8",)), ANY, 0) == "access.network"
    assert decide(AccessRules(windows=(closed,)), ANY, 0) == "access.hours"
    assert decide(AccessRules(("10.0.0.0/8",), (closed,)), ANY, 0) == "access.network"
    assert decide(AccessRules(("203.0.113.0/24",), (closed,)), ANY, 0) == "access.hours"


@pytest.mark.parametrize(
    ("address", "inside"),
    [("192.0.1.255", False), ("192.0.2.0", True), ("192.0.2.255", True), ("192.0.3.0", False)],
)
def test_an_ipv4_range_holds_its_first_and_last_address_and_no_other(address: str, inside: bool) -> None:
    assert in_network(address, "192.0.2.0/24") is inside


@pytest.mark.parametrize(
    ("address", "inside"),
    [
        ("2001:db7:ffff:ffff:ffff:ffff:ffff:ffff", False),
        ("2001:db8::", True),
        ("2001:db8:ffff:ffff:ffff:ffff:ffff:ffff", True),
        ("2001:db9::", False),
    ],
)
def test_an_ipv6_range_holds_its_first_and_last_address_and_no_other(address: str, inside: bool) -> None:
    assert in_network(address, "2001:db8::/32") is inside


def test_any_of_several_networks_suffices() -> None:
    assert in_network("192.0.2.1", "10.0.0.0/8", "192.0.2.1")
    assert not in_network("192.0.2.2", "10.0.0.0/8", "192.0.2.1")


def test_an_ipv4_mapped_address_is_in_the_ipv4_range_and_the_reverse() -> None:
    assert in_network("::ffff:10.0.0.1", "10.0.0.0/8")
    assert in_network("10.0.0.1", "::ffff:10.0.0.0/104")
    assert not in_network("11.0.0.1", "::ffff:10.0.0.0/104")


def test_the_two_families_are_apart() -> None:
    assert not in_network("10.0.0.1", "::/0")
    assert not in_network("::1", "0.0.0.0/0")


@pytest.mark.parametrize(
    ("moment", "inside"),
    [
        ("2026-11-16T07:59:59.999", False),
        ("2026-11-16T08:00:00.000", True),
        ("2026-11-16T17:59:59.999", True),
        ("2026-11-16T18:00:00.000", False),
        ("2026-11-15T12:00:00", False),
        ("2026-11-17T12:00:00", False),
    ],
)
def test_a_window_opens_at_its_start_and_is_closed_at_its_end(moment: str, inside: bool) -> None:
    """16 November 2026 is a Monday."""
    assert is_open(Window((MONDAY,), 480, 1_080), moment) is inside


@pytest.mark.parametrize(
    ("moment", "inside"),
    [
        ("2026-11-20T21:59:59.999", False),
        ("2026-11-20T22:00:00", True),
        ("2026-11-21T00:00:00", True),
        ("2026-11-21T05:59:59.999", True),
        ("2026-11-21T06:00:00", False),
        ("2026-11-21T22:00:00", False),
        ("2026-11-20T03:00:00", False),
    ],
)
def test_a_window_past_midnight_belongs_to_the_day_it_starts(moment: str, inside: bool) -> None:
    """20 November 2026 is a Friday."""
    assert is_open(Window((FRIDAY,), 1_320, 360), moment) is inside


def test_a_window_past_midnight_on_sunday_ends_on_monday() -> None:
    assert is_open(Window((SUNDAY,), 1_320, 360), "2026-11-23T05:59:59")
    assert not is_open(Window((SUNDAY,), 1_320, 360), "2026-11-22T05:59:59")


@pytest.mark.parametrize("bound", [0, 480, 1_439])
def test_equal_bounds_are_the_whole_local_day_and_no_more(bound: int) -> None:
    window = Window((SATURDAY,), bound, bound)
    assert not is_open(window, "2026-11-20T23:59:59.999")
    assert is_open(window, "2026-11-21T00:00:00")
    assert is_open(window, "2026-11-21T23:59:59.999")
    assert not is_open(window, "2026-11-22T00:00:00")


def test_a_window_until_24_00_holds_the_last_minute() -> None:
    window = Window((SATURDAY,), 0, 1_440)
    assert is_open(window, "2026-11-21T23:59:59.999")
    assert not is_open(window, "2026-11-22T00:00:00")


def test_any_of_several_windows_suffices() -> None:
    rules = AccessRules(windows=(Window((MONDAY,), 0, 60), Window((MONDAY,), 120, 180)))
    assert [decide(rules, ANY, at(f"2026-11-16T0{hour}:00")) for hour in range(4)] == [
        None,
        "access.hours",
        None,
        "access.hours",
    ]


@pytest.mark.parametrize(
    ("moment", "inside"),
    [
        ("2026-03-29T00:59:59.999", False),  # 00:59 GMT
        ("2026-03-29T01:00:00", True),  # 02:00 BST: 01:00 to 02:00 does not exist
        ("2026-03-29T01:59:59.999", True),
        ("2026-03-29T02:00:00", False),
    ],
)
def test_london_loses_an_hour_on_29_march_2026(moment: str, inside: bool) -> None:
    assert is_open(Window((SUNDAY,), 120, 180), moment, "Europe/London") is inside
    assert not is_open(Window((SUNDAY,), 60, 120), moment, "Europe/London")


@pytest.mark.parametrize(
    ("moment", "inside"),
    [
        ("2026-10-24T23:59:59.999", False),  # 00:59 BST
        ("2026-10-25T00:00:00", True),  # 01:00 BST
        ("2026-10-25T00:30:00", True),  # 01:30 BST
        ("2026-10-25T01:00:00", True),  # 01:00 GMT, for the second time
        ("2026-10-25T01:30:00", True),  # 01:30 GMT
        ("2026-10-25T02:00:00", False),
    ],
)
def test_london_has_an_hour_twice_on_25_october_2026(moment: str, inside: bool) -> None:
    assert is_open(Window((SUNDAY,), 60, 120), moment, "Europe/London") is inside


def test_the_day_is_that_of_the_zone() -> None:
    """Sunday 23:30 in UTC is Monday 09:30 in Sydney."""
    assert is_open(Window((MONDAY,), 480, 1_080), "2026-07-12T23:30:00", "Australia/Sydney")
    assert not is_open(Window((SUNDAY,), 0, 0), "2026-07-12T23:30:00", "Australia/Sydney")


def test_moments_before_1970_and_far_ahead_are_decided() -> None:
    assert is_open(Window(tuple(range(7)), 0, 0), "1969-12-31T23:59:59.999")
    assert is_open(Window(tuple(range(7)), 0, 0), "2999-12-31T23:59:59.999", "Europe/London")


def test_a_rule_that_cannot_be_read_never_allows() -> None:
    with pytest.raises(ValueError, match="does not appear"):
        decide(AccessRules(networks=("10.0.0.0/x",)), ANY, 0)
    with pytest.raises(ZoneInfoNotFoundError):
        decide(AccessRules(windows=(Window((0,), 0, 0),), time_zone="Nowhere/City"), ANY, 0)


def test_rules_survive_the_store() -> None:
    rules = AccessRules(("10.0.0.0/8", "2001:db8::/32"), (Window((0, 1), 480, 1_080),), "Europe/London")
    assert msgspec.json.decode(msgspec.json.encode(rules), type=AccessRules) == rules
    assert msgspec.json.decode(b"{}", type=AccessRules) == AccessRules()
