"""`credence data find` and `credence data show` in a sandbox."""

import json

import pytest

from tests.running import RunningServer


@pytest.mark.parametrize("name", [("exel computer",), ("exel", "computer")])
def test_a_company_is_found_by_its_name_with_and_without_quotes(sandbox: RunningServer, name: tuple[str, ...]) -> None:
    done = sandbox.command("data", "find", *name, "--json")
    assert json.loads(done.stdout) == [
        {
            "number": "01873499",
            "name": "EXEL COMPUTER SYSTEMS PLC",
            "status": "unknown",
            "band": None,
            "postcode": "NG10 3XL",
        }
    ]


def test_a_dissolved_company_is_found_with_all(sandbox: RunningServer) -> None:
    assert sandbox.command("data", "find", "invented dissolved").returncode == 3
    found = sandbox.command("data", "find", "invented dissolved", "--all")
    assert found.returncode == 0
    assert "99999906" in found.stdout
    assert "dissolved" in found.stdout


def test_what_is_held_of_a_company_is_shown_with_its_source(sandbox: RunningServer) -> None:
    done = sandbox.command("data", "show", "1873499", "--json")
    rows = {row["part"]: row for row in json.loads(done.stdout)}
    assert rows["accounts"]["facts"] == 1
    assert rows["accounts"]["source"].startswith("Demonstration")
    assert rows["register"]["as_of"] == "2023-01-31"
    assert rows["officers"]["facts"] == "not on record"


@pytest.mark.parametrize(("number", "said"), [("109881", "SC109881 exists"), ("00000001", "99999901 to 99999942")])
def test_an_unknown_number_is_answered_with_what_is_held(sandbox: RunningServer, number: str, said: str) -> None:
    done = sandbox.command("data", "show", number)
    assert done.returncode == 3
    assert said in done.stderr


def test_a_404_names_the_scottish_number_that_is_held(sandbox: RunningServer) -> None:
    reply = sandbox.report(sandbox.tokens()["access_token"], "109881")
    assert reply.status_code == 404
    assert reply.json()["Error"]["Message"] == (
        "No company with this number is on record. SC109881 exists: Scottish numbers begin with SC."
    )
