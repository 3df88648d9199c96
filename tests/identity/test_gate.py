"""What the gate decides of the facts: in which order, by which clock, and with which policy (D15, D18, D28)."""

from ipaddress import ip_address
from typing import Any

import msgspec
import pytest

from credence.access.rules import AccessRules, Window
from credence.identity.gate import Facts, Needs, NotFromHere, NotSignedIn, TooOld, TooWeak, missing
from credence.store.records import Account, Application, ApplicationClock, ClockMove
from credence.store.sign_ins import Session

NOW = 1_700_000_000_000
"""Tuesday, 14 November 2023, 22:13:20 UTC."""
MINUTE = 60_000
SESSION = Session(b"k", "ada", NOW - MINUTE, "pwd otp mfa", NOW - MINUTE, NOW + 60 * MINUTE, "")
ACCOUNT = Account("ada", "user", "", NOW - 10 * MINUTE)
APPLICATION = Application("app", "Ledger", (), NOW - 10 * MINUTE)
ELSEWHERE = AccessRules(networks=("198.51.100.0/24",))
AT_NIGHT = AccessRules(windows=(Window((1,), 23 * 60, 24 * 60),))
"""From 23:00 until midnight on Tuesdays."""


def facts(
    session: dict[str, Any] | None = None,
    account: dict[str, Any] | None = None,
    application: dict[str, Any] | None = None,
    **more: Any,
) -> Facts:
    replace = msgspec.structs.replace
    applications = () if application is None else (replace(APPLICATION, **application),)
    found = Facts(SESSION, ACCOUNT, ip_address("192.0.2.7"), NOW, 30 * MINUTE, applications)
    return replace(
        found, session=replace(SESSION, **(session or {})), account=replace(ACCOUNT, **(account or {})), **more
    )


RECENT = Needs(within_ms=10 * MINUTE)

IN_ORDER: list[tuple[dict[str, Any], object]] = [
    ({"application": {"rules": ELSEWHERE}}, NotFromHere("access.network_of_application")),
    ({"session": {"expires_at": NOW}}, NotSignedIn()),
    ({"account": {"rules": ELSEWHERE}}, NotFromHere("access.network_of_account")),
    ({"session": {"signed_in_at": NOW - 10 * MINUTE}}, TooOld()),
    ({"account": {"sign_in": "passkey"}}, TooWeak("phr")),
]


@pytest.mark.parametrize("first", range(len(IN_ORDER)))
def test_the_first_of_several_things_that_are_missing_is_named(first: int) -> None:
    lacks: dict[str, Any] = {}
    for given, _ in reversed(IN_ORDER[first:]):
        for name, fields in given.items():
            lacks[name] = {**lacks.get(name, {}), **fields}
    assert missing(facts(**lacks), RECENT) == IN_ORDER[first][1]


def test_nothing_is_missing_for_a_recent_and_strong_sign_in_from_an_allowed_address() -> None:
    assert missing(facts(account={"sign_in": "factor"}, application={"sign_in": "factor"}), RECENT) is None


@pytest.mark.parametrize(
    ("account", "application", "lacks"),
    [
        ("password", "password", None),
        ("factor", "password", TooWeak("2")),
        ("password", "passkey", TooWeak("phr")),
        ("passkey", "factor", TooWeak("phr")),
    ],
)
def test_the_stricter_policy_holds(account: str, application: str, lacks: TooWeak | None) -> None:
    found = facts({"methods": "pwd"}, {"sign_in": account}, {"sign_in": application})
    assert missing(found) == lacks


@pytest.mark.parametrize(
    ("change", "lacks"),
    [({"status": "suspended"}, True), ({"type": "service"}, True), ({"not_before": NOW}, True), ({}, False)],
)
def test_a_session_lives_as_long_as_its_account_allows(change: dict[str, Any], lacks: bool) -> None:
    assert isinstance(missing(facts(account=change)), NotSignedIn) is lacks


@pytest.mark.parametrize(("age", "lacks"), [(10 * MINUTE - 1, None), (10 * MINUTE, TooOld())])
def test_the_age_of_a_sign_in_counts_to_the_millisecond(age: int, lacks: TooOld | None) -> None:
    assert missing(facts({"signed_in_at": NOW - age}), RECENT) == lacks


def test_an_act_that_requests_the_password_itself_may_be_old_for_a_session_by_password_alone() -> None:
    needs = Needs(within_ms=10 * MINUTE, proved_by_act=("pwd",))
    old = NOW - 20 * MINUTE
    assert missing(facts({"methods": "pwd", "signed_in_at": old}), needs) is None
    assert missing(facts({"signed_in_at": old}), needs) == TooOld()


def test_hours_and_ages_are_those_of_the_clock_of_the_application() -> None:
    """D18: a test clock that is an hour ahead."""
    ahead = {"clock": ApplicationClock((ClockMove(NOW - MINUTE + 1, 60 * MINUTE),))}
    at_night = facts(account={"rules": AT_NIGHT}, application={})
    assert missing(at_night) == NotFromHere("access.hours_of_account")
    assert missing(facts(account={"rules": AT_NIGHT}, application=ahead)) is None
    assert missing(facts(application=ahead), RECENT) == TooOld()


@pytest.mark.parametrize(
    ("methods", "enrolled", "lacks"),
    [
        ("pwd", (), None),
        ("pwd", ("totp", "recovery"), TooWeak("2")),
        ("pwd otp mfa", ("totp", "recovery"), None),
        ("pwd otp mfa", ("totp", "passkey"), TooWeak("phr")),
    ],
)
def test_who_adds_the_factor_that_the_policy_needs_proves_those_that_they_have(
    methods: str, enrolled: tuple[str, ...], lacks: TooWeak | None
) -> None:
    """The account needs a passkey. One who has none adds one on the way; one who has one uses it."""
    on_the_way = Needs(own=frozenset({"totp", "passkey"}), on_the_way=True)
    found = facts({"methods": methods}, {"sign_in": "passkey"}, enrolled=enrolled)
    assert missing(found, on_the_way) == lacks
    assert missing(found, Needs(own=frozenset({"totp", "passkey"}))) == TooWeak("phr")
