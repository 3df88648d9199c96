"""Asking the public register about single companies: its limit, its faults, and what is never saved (credit §4.1, §10).

The register here is an HTTP server of the test's own, on this machine.
"""

import base64
import itertools
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from credence.companies.facts.company import Profile
from credence.datasets.sources.public_register.fetching import REQUEST_INTERVAL_MS, FetchFailed, PublicRegister, fetch
from tests.datasets.sources.acts import facts
from tests.datasets.sources.hand_written import CASE, CHARGE, answer, officer
from tests.datasets.sources.public_register import Reply, Server

START = 1_000_000


class Time:
    """A clock that moves when somebody waits."""

    def __init__(self) -> None:
        self.now = START
        self.waits: list[float] = []

    def __call__(self) -> int:
        return self.now

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.now += round(seconds * 1000)


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    server.replies["/company/00000001"] = [
        Reply(
            body={
                "company_name": "PLACEHOLDER LIMITED",
                "company_number": "00000001",
                "has_insolvency_history": True,
                "registered_office_address": {"address_line_1": "1 Secret Street"},
            }
        )
    ]
    yield server
    server.close()


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def register(server: Server, time: Time) -> PublicRegister:
    return PublicRegister("secret-key", server.base, time, time.wait)


def test_the_key_is_the_user_name_and_requests_keep_to_the_limit(
    register: PublicRegister, server: Server, time: Time
) -> None:
    """600 in five minutes, whatever the five minutes."""
    moments = []
    for _ in range(10):
        register.get("/company/00000001")
        moments.append(time.now)
    assert {later - earlier for earlier, later in itertools.pairwise(moments)} == {REQUEST_INTERVAL_MS}
    assert 300_000 / REQUEST_INTERVAL_MS == 600
    assert server.keys == {"Basic " + base64.b64encode(b"secret-key:").decode()}


def test_what_is_saved_is_what_the_loaders_read(register: PublicRegister, server: Server, tmp_path: Path) -> None:
    server.replies["/company/00000001/officers"] = [
        Reply(body=answer(officer("00000001", "o1"), total_results=2, total_count=None)),
        Reply(body=answer(officer("00000001", "o2"), total_results=2, total_count=None)),
    ]
    server.replies["/company/00000001/insolvency"] = [Reply(body={"cases": [CASE]})]
    server.replies["/company/00000001/charges"] = [Reply(body=answer(CHARGE))]
    (fetched,) = fetch(register, ["00000001"], tmp_path)
    assert fetched.known
    assert fetched.files == (
        "00000001-profile-1.json",
        "00000001-officers-1.json",
        "00000001-officers-2.json",
        "00000001-charges-1.json",
        "00000001-insolvency-1.json",
        "00000001-filing-history-1.json",
    )
    profile, *lists = (tmp_path / each for each in fetched.files)
    assert facts("profile", profile) == [Profile(insolvency_history=True)]
    officers = facts("officers", *lists[:2])
    assert [each.id for each in officers] == ["person-o1", "person-o2"]
    assert len(facts("charges", lists[2])) == 1
    assert len(facts("insolvency", lists[3])) == 1
    assert facts("filing-history", lists[4]) == []  # the register has no such list: there is none
    assert [path for path in server.asked if "officers" in path] == [
        "/company/00000001/officers?items_per_page=100&start_index=0",
        "/company/00000001/officers?items_per_page=100&start_index=1",
    ]


def test_no_address_and_no_day_of_birth_is_saved(register: PublicRegister, server: Server, tmp_path: Path) -> None:
    """credit §10."""
    server.replies["/company/00000001/officers"] = [Reply(body=answer(officer("00000001")))]
    server.replies["/company/00000001/insolvency"] = [Reply(body={"cases": [CASE]})]
    list(fetch(register, ["00000001"], tmp_path))
    saved = b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert b"SAMPLE, Ada" in saved
    for private in (b"Secret Street", b'"day"', b"Bo Sample"):
        assert private not in saved


def test_pages_of_an_earlier_answer_do_not_stay(register: PublicRegister, server: Server, tmp_path: Path) -> None:
    (tmp_path / "00000001-officers-2.json").write_text("{}")
    server.replies["/company/00000001/officers"] = [Reply(body=answer(officer("00000001")))]
    list(fetch(register, ["00000001"], tmp_path))
    assert [path.name for path in sorted(tmp_path.glob("*officers*"))] == ["00000001-officers-1.json"]


def test_a_company_that_the_register_does_not_know_is_reported(register: PublicRegister, tmp_path: Path) -> None:
    (fetched,) = fetch(register, ["00000009"], tmp_path)
    assert not fetched.known
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("headers", "waited"),
    [
        ({"X-Ratelimit-Reset": str(START // 1000 + 42)}, 42.0),
        ({"Retry-After": "7"}, 7.0),
        ({}, 300.0),
        ({"X-Ratelimit-Reset": "99999999999"}, 300.0),
        ({"X-Ratelimit-Reset": "1"}, 0.5),
    ],
)
def test_a_full_window_is_waited_out(
    register: PublicRegister, server: Server, time: Time, headers: dict[str, str], waited: float
) -> None:
    server.replies["/company/00000001"] = [Reply(429, {}, headers), Reply(body={})]
    assert register.get("/company/00000001") == {}
    assert time.waits[0] == waited


def test_an_error_of_the_register_is_retried_and_then_reported(register: PublicRegister, server: Server) -> None:
    server.replies["/company/00000001"] = [Reply(503, {}), Reply(502, {}), Reply(body={})]
    assert register.get("/company/00000001") == {}
    server.replies["/company/00000001"] = [Reply(500, {})]
    with pytest.raises(FetchFailed, match="did not answer in time"):
        register.get("/company/00000001")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (Reply(401, {}), "does not accept the key"),
        (Reply(302, {}, {"Location": "http://192.0.2.1/"}), "status 302"),
        (Reply(200, b"<html>"), "not a JSON object"),
        (Reply(200, b'{"a":' * 990 + b"1" + b"}" * 990), "not a JSON object"),
        (Reply(200, b'{"a":' * 9_000 + b"1" + b"}" * 9_000), "not a JSON object"),
    ],
)
def test_another_answer_ends_it_without_naming_the_key(
    register: PublicRegister, server: Server, reply: Reply, said: str
) -> None:
    server.replies["/company/00000001"] = [reply]
    with pytest.raises(FetchFailed, match=said) as raised:
        register.get("/company/00000001")
    assert "secret-key" not in str(raised.value)


def test_an_unreachable_register_is_reported(server: Server, time: Time) -> None:
    register = PublicRegister("secret-key", server.base, time, time.wait)
    server.close()
    with pytest.raises(FetchFailed, match="cannot be reached: ConnectionRefusedError"):
        register.get("/company/00000001")
    server._thread = threading.Thread(target=lambda: None)
    server._thread.start()


@pytest.mark.parametrize("base", ["http://api.example.com", "ftp://localhost", "api.example.com", "http://192.0.2.1"])
def test_the_key_goes_over_https_alone(base: str, time: Time) -> None:
    """threats E3: nothing in clear beyond this machine."""
    with pytest.raises(FetchFailed, match="begin with https"):
        PublicRegister("secret-key", base, time, time.wait)
