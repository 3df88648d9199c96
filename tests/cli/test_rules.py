"""`credence rules test` (spec §5.10, D15, threats A9, A10)."""

import json
from typing import Any

import pytest

from tests.cli.deployment import Deployment


@pytest.fixture
def client(deployment: Deployment) -> str:
    deployment.create_account("ada")
    client_id: str = deployment.json("app", "create", "Shop")["client_id"]
    return client_id


def tried(deployment: Deployment, client: str, address: str, at: str, *options: str) -> Any:
    return verdict(deployment, "--address", address, "--at", at, "--app", client, *options)


def verdict(deployment: Deployment, *options: str) -> Any:
    """What the command prints; its exit code says the same."""
    done = deployment.run("rules", "test", *options, "--json")
    said = json.loads(done.stdout)
    assert done.returncode == (0 if said["allowed"] else 1)
    return said


def test_without_rules_everything_is_allowed(deployment: Deployment, client: str) -> None:
    said = tried(deployment, client, "203.0.113.9", "2026-11-19T12:00:00Z", "--account", "ADA")
    assert said == {
        "allowed": True,
        "decided_by": None,
        "because": "No rule forbids it.",
        "time_of_application": "Thu 2026-11-19 12:00:00 +0000 UTC",
        "time_of_account": "Thu 2026-11-19 12:00:00 +0000 UTC",
    }


def test_it_says_whose_rule_decides_and_the_application_is_asked_first(deployment: Deployment, client: str) -> None:
    deployment.json("account", "rules", "ada", "--networks", "10.0.0.0/8", "--windows", "Mon 08:00-18:00")
    at = "2026-11-19T12:00:00Z"
    said = tried(deployment, client, "203.0.113.9", at, "--account", "ada")
    assert (said["allowed"], said["decided_by"]) == (False, "network of the account")
    assert said["because"] == "203.0.113.9 is in none of: 10.0.0.0/8"
    said = tried(deployment, client, "::ffff:10.0.0.1", at, "--account", "ada")
    assert (said["allowed"], said["decided_by"]) == (False, "hours of the account")
    assert said["because"] == "Thu 12:00 in UTC is in none of: Mon 08:00-18:00"
    deployment.json("app", "rules", client, "--windows", "never")
    said = tried(deployment, client, "203.0.113.9", at, "--account", "ada")
    assert (said["allowed"], said["decided_by"]) == (False, "hours of the application")
    deployment.json("app", "rules", client, "--windows", "")
    said = tried(deployment, client, "10.1.2.3", "2026-11-16T17:59:59Z", "--account", "ada")
    assert said["allowed"] is True


@pytest.mark.parametrize(
    ("at", "allowed", "shown"),
    [
        ("2026-03-29T00:59:59Z", False, "Sun 2026-03-29 00:59:59 +0000"),
        ("2026-03-29T01:00:00Z", True, "Sun 2026-03-29 02:00:00 +0100"),  # 01:30 does not exist
        ("2026-10-25T01:30:00+01:00", True, "Sun 2026-10-25 01:30:00 +0100"),
        ("2026-10-25T01:30:00+00:00", True, "Sun 2026-10-25 01:30:00 +0000"),  # and comes twice
        ("2026-10-25T03:00:00Z", False, "Sun 2026-10-25 03:00:00 +0000"),
    ],
)
def test_the_hours_of_london_when_the_clocks_change(
    deployment: Deployment, client: str, at: str, allowed: bool, shown: str
) -> None:
    """threats A10: the window is 01:00 to 03:00 of the clock on the wall, whatever hours the day has."""
    deployment.json("app", "rules", client, "--windows", "Sun 01:00-03:00", "--time-zone", "Europe/London")
    said = tried(deployment, client, "203.0.113.9", at)
    assert (said["allowed"], said["time_of_application"]) == (allowed, f"{shown} Europe/London")


@pytest.mark.parametrize(
    ("windows", "at", "allowed"),
    [
        ("Fri 22:00-06:00", "2026-11-21T05:59:59Z", True),
        ("Fri 22:00-06:00", "2026-11-21T06:00:00Z", False),
        ("Fri 22:00-06:00", "2026-11-20T05:59:59Z", False),
        ("Sat 09:00-09:00", "2026-11-21T00:00:00Z", True),
        ("Sat 09:00-09:00", "2026-11-20T23:59:59Z", False),
    ],
)
def test_a_window_over_midnight_and_equal_bounds(
    deployment: Deployment, client: str, windows: str, at: str, allowed: bool
) -> None:
    """threats A10. 20 November 2026 is a Friday."""
    deployment.json("app", "rules", client, "--windows", windows)
    assert tried(deployment, client, "203.0.113.9", at)["allowed"] is allowed


def test_now_is_meant_when_no_moment_is_said(deployment: Deployment, client: str) -> None:
    deployment.json("app", "rules", client, "--windows", "never")
    assert verdict(deployment, "--address", "::1", "--app", client)["allowed"] is False


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--address", "10.0.0.1"), "Name the rules to test: --app, --account, or both."),
        (("--address", "10.0.0.1", "--app", "x"), "There is no application 'x'."),
        (("--address", "10.0.0.1", "--account", "x"), "There is no account 'x'."),
        (
            ("--address", "10.0.0.01", "--account", "ada"),
            "'10.0.0.01' is not an address such as 203.0.113.9 or 2001:db8::1.",
        ),
        (
            ("--address", "10.0.0.1", "--account", "ada", "--at", "yesterday"),
            "'yesterday' is not a moment such as 2026-10-25T01:30:00+01:00.",
        ),
        (
            ("--address", "10.0.0.1", "--account", "ada", "--at", "2026-10-25T01:30"),
            "'2026-10-25T01:30' lacks its offset from UTC: write 2026-10-25T01:30Z, or 2026-10-25T01:30+01:00.",
        ),
        (
            ("--address", "10.0.0.1", "--account", "ada", "--at", "9999-12-31T23:59:59-14:00"),
            "'9999-12-31T23:59:59-14:00' is not between the years 1970 and 9998.",
        ),
    ],
)
def test_what_cannot_be_tried_is_one_line(
    deployment: Deployment, client: str, options: tuple[str, ...], said: str
) -> None:
    assert client
    assert deployment.refused("rules", "test", *options) == said
