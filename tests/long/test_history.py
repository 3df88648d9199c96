"""The checker finds what it is for. Histories are made up; each breaks one promise."""

import pytest

from tests.long.history import Answer, Kind, failures_outside, faults, outages


def answer(began: float, kind: Kind, presented: str = "", status: int = 200, **more: str) -> Answer:
    return Answer(began, began + 0.1, 0, 1, kind, presented, status, **more)


LOGIN = answer(0, "login", access="a0", refresh="r0")
ROTATED = answer(1, "refresh", "r0", access="a1", refresh="r1")
REVOKED = answer(2, "revoke", "r1")
OF_ACCESS_TOKEN = answer(2, "revoke", "a1", access="a1")

GOOD = {
    "a life": [LOGIN, ROTATED, answer(1.5, "report", "a1"), REVOKED, answer(4, "report", "a1", 401)],
    "a retry of a lost answer": [LOGIN, answer(0.5, "refresh", "r0", 500), ROTATED],
    "the same pair twice": [LOGIN, ROTATED, ROTATED],
    "a revocation that was not acknowledged and took effect": [
        LOGIN,
        answer(1, "revoke", "r0", 500),
        answer(2, "refresh", "r0", 401),
    ],
    "a revocation that was not acknowledged and took none": [LOGIN, answer(0.5, "revoke", "r0", 500), ROTATED],
    "another node that does not know yet": [LOGIN, ROTATED, REVOKED, Answer(2.5, 2.6, 1, 1, "report", "a1", 200)],
    "an access token that is revoked alone": [
        LOGIN,
        ROTATED,
        OF_ACCESS_TOKEN,
        answer(4, "refresh", "r1", refresh="r2"),
    ],
}

BAD = {
    "a second successor": [LOGIN, ROTATED, answer(1, "refresh", "r0", access="a2", refresh="r2")],
    "refused what was acknowledged": [LOGIN, ROTATED, answer(2, "refresh", "r1", 401)],
    "took what was revoked": [LOGIN, ROTATED, REVOKED, answer(4, "refresh", "r1", refresh="r2")],
    "took what was revoked 1.9 s": [LOGIN, ROTATED, OF_ACCESS_TOKEN, answer(4, "report", "a1")],
    "answered 400": [answer(0, "login", status=400)],
    "answered 0": [answer(0, "login", status=0)],
    "login of login 1 at node 0: refused": [answer(0, "login", status=401)],
    "revoke of login 1 at node 0: refused": [LOGIN, answer(1, "revoke", "r0", 401)],
}


@pytest.mark.parametrize("history", GOOD.values(), ids=GOOD)
def test_a_history_that_keeps_the_promises_has_no_fault(history: list[Answer]) -> None:
    assert faults(history, known_after=1) == []


@pytest.mark.parametrize(("said", "history"), BAD.items(), ids=BAD)
def test_a_broken_promise_is_found(said: str, history: list[Answer]) -> None:
    (found,) = faults(history, known_after=1)
    assert said in found


def test_an_outage_lasts_from_the_fault_to_the_last_failure_before_the_next() -> None:
    failures = [answer(began, "refresh", "r0", 500) for began in (10.9, 12.9, 21.9)]
    assert outages([LOGIN, *failures], [10, 20, 30]) == pytest.approx([3, 2, 0])


def test_a_failure_that_no_fault_explains_is_found() -> None:
    failures = [answer(began, "refresh", "r0", 500) for began in (9, 12, 26)]
    assert len(failures_outside([LOGIN, *failures], [10], longest=15)) == 2
