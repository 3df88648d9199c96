"""Access rules as an operator types them (D15)."""

from ipaddress import ip_network
from zoneinfo import available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.access.rules import MINUTES_PER_DAY, AccessRules, Window, read_network
from credence.access.text import format_rules, parse_rules

ALL_DAYS = (0, 1, 2, 3, 4, 5, 6)


def window(text: str) -> Window:
    (only,) = parse_rules(windows=text).windows
    return only


def test_the_example_of_the_manual_is_read() -> None:
    assert parse_rules("10.0.0.0/8, 2001:db8::/32", "Mon-Fri 08:00-18:00", "Europe/London") == AccessRules(
        ("10.0.0.0/8", "2001:db8::/32"), (Window((0, 1, 2, 3, 4), 480, 1_080),), "Europe/London"
    )


def test_without_rules_every_address_hour_and_sign_in_is_allowed() -> None:
    none = AccessRules((), (), "UTC", weakest_class="", max_age=None)
    assert AccessRules() == parse_rules() == none
    assert format_rules(none) == ([], [], "UTC")


@pytest.mark.parametrize(("number", "day"), list(enumerate(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"))))
def test_each_day_has_its_name(number: int, day: str) -> None:
    text = f"{day} 08:00-18:00"
    assert window(text) == window(text.upper()) == Window((number,), 480, 1_080)
    assert format_rules(parse_rules(windows=text)) == ([], [text], "UTC")


DAYS_IN_A_ROW = st.tuples(st.integers(0, 6), st.integers(1, 7)).map(
    lambda run: tuple(sorted((run[0] + day) % 7 for day in range(run[1])))
)
WINDOWS = st.builds(
    Window, DAYS_IN_A_ROW, st.integers(0, MINUTES_PER_DAY - 1), st.integers(0, MINUTES_PER_DAY)
) | st.just(Window((), 0, 0))
NETWORKS = st.tuples(st.ip_addresses(), st.integers(0, 128)).map(
    lambda pair: str(read_network(str(ip_network((pair[0], min(pair[1], pair[0].max_prefixlen)), strict=False))))
)


@given(
    rules=st.builds(
        AccessRules,
        st.lists(NETWORKS).map(tuple),
        st.lists(WINDOWS).map(tuple),
        st.sampled_from(sorted(available_timezones())),
    )
)
def test_what_was_typed_is_shown_so_that_it_can_be_typed_again(rules: AccessRules) -> None:
    networks, windows, time_zone = format_rules(rules)
    assert parse_rules(", ".join(networks), ", ".join(windows), time_zone) == rules


def test_days_that_are_not_in_a_row_are_shown_as_several_windows() -> None:
    rules = AccessRules(windows=(Window((0, 1, 3, 6), 480, 1_080),))
    assert format_rules(rules)[1] == ["Thu 08:00-18:00", "Sun-Tue 08:00-18:00"]


def test_a_window_can_be_never() -> None:
    assert window("Never") == Window((), 0, 0)


@pytest.mark.parametrize("nothing", ["", " ", "\t\n"])
def test_empty_text_is_no_restriction(nothing: str) -> None:
    assert parse_rules(nothing, nothing) == AccessRules()


@pytest.mark.parametrize(
    ("text", "network"),
    [
        ("192.0.2.1", "192.0.2.1/32"),
        (" 10.0.0.0/255.0.0.0 ", "10.0.0.0/8"),
        ("2001:DB8:0::/48", "2001:db8::/48"),
        ("::1", "::1/128"),
        ("::ffff:10.0.0.0/104", "10.0.0.0/8"),
        ("0.0.0.0/0", "0.0.0.0/0"),
    ],
)
def test_a_network_is_kept_in_its_shortest_form(text: str, network: str) -> None:
    assert parse_rules(text).networks == (network,)


@pytest.mark.parametrize(
    "text",
    ["10.0.0.1/8", "10.0.0.0/33", "10.0.0", "010.0.0.0/8", "x", "10.0.0.0/8,", ",", "10.0.0.0/8;::/0", "fe80::1%e/x"],
)
def test_a_network_that_is_none_is_named_in_the_message(text: str) -> None:
    with pytest.raises(ValueError, match=r"is not an address range such as 10\.0\.0\.0/8 or 2001:db8::/32"):
        parse_rules(text)


def test_host_bits_are_named_in_the_message() -> None:
    with pytest.raises(ValueError, match=r"'10\.0\.0\.1/8' .* has host bits set"):
        parse_rules("10.0.0.1/8")


@pytest.mark.parametrize(
    ("text", "weekdays"),
    [
        ("Mon 00:00-24:00", (0,)),
        ("sun 00:00-24:00", (6,)),
        ("MON-FRI 00:00-24:00", (0, 1, 2, 3, 4)),
        ("Mon - Sun 00:00 - 24:00", ALL_DAYS),
        ("Wed-Wed 00:00-24:00", (2,)),
        ("Fri-Mon 00:00-24:00", (0, 4, 5, 6)),
        ("Tue-Mon 00:00-24:00", ALL_DAYS),
        ("00:00-24:00", ALL_DAYS),
    ],
)
def test_days_are_one_or_a_range_that_may_pass_sunday(text: str, weekdays: tuple[int, ...]) -> None:
    assert window(text) == Window(weekdays, 0, 1_440)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("00:00-00:01", 0, 1),
        ("08:30-18:05", 510, 1_085),
        ("22:00-06:00", 1_320, 360),
        ("23:59-24:00", 1_439, 1_440),
        ("08:00-08:00", 480, 480),
    ],
)
def test_times_are_minutes_of_the_day(text: str, start: int, end: int) -> None:
    assert window(text) == Window(ALL_DAYS, start, end)


def test_several_windows_stand_between_commas() -> None:
    assert parse_rules(windows="Mon-Fri 08:00-18:00,Sat 09:00-12:00").windows == (
        Window((0, 1, 2, 3, 4), 480, 1_080),
        Window((5,), 540, 720),
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "'x' is not a window such as 'Mon-Fri 08:00-18:00'"),
        ("Mon", "'Mon' is not a window"),
        ("Mon 08:00", "is not a window"),
        ("Mon-Fri 08:00-18:00,", "'' is not a window"),
        ("Mon Tue 08:00-18:00", "is not a window"),
        ("Mon-Fri 8am-6pm", "is not a window"),
        ("Monday 08:00-18:00", "'Monday' is not a day: Mon, Tue"),
        ("Mon-Xyz 08:00-18:00", "'Xyz' is not a day"),
        ("Mon 8:00-18:00", "'8:00' is not a time from 00:00 to 24:00"),
        ("Mon 08:60-18:00", "'08:60' is not a time"),
        ("Mon 08:00-24:01", "'24:01' is not a time"),
        ("Mon 08:00-25:00", "'25:00' is not a time"),
        ("Mon 08:00:00-18:00", "'08:00:00' is not a time"),
        ("Mon 24:00-06:00", "starts at 24:00; say 00:00 of the next day"),
        ("Mon \uff10\uff18:00-18:00", "is not a window"),
    ],
)
def test_a_window_that_is_none_is_told_apart_by_its_message(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        parse_rules(windows=text)


@pytest.mark.parametrize(
    "name", ["", "London", "Europe/Nowhere", "../../etc/passwd", "/etc/localtime", "Europe", "a\0b", "x" * 5_000]
)
def test_a_time_zone_that_is_none_is_named_in_the_message(name: str) -> None:
    with pytest.raises(ValueError, match="is not a time zone such as Europe/London"):
        parse_rules(time_zone=name)
