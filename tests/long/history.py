"""What clients of a deployment were answered, and what of it must never have been (threats I1, I2, I4, I5, §11).

The checker knows nothing of the service but its promises: it reads answers alone, as its clients had them.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec

KNOWN = frozenset({200, 401, 500, 503})
"""What may be answered at all; 401 is looked at for each login."""

Kind = Literal["login", "refresh", "revoke", "report"]


class Answer(msgspec.Struct, frozen=True):
    """One request and what came of it. Times are seconds of one clock; tokens stand here by a digest."""

    began: float
    ended: float
    node: int
    login: int
    kind: Kind
    presented: str
    """The token that was sent; empty for a login."""
    status: int
    """0: none came."""
    access: str = ""
    refresh: str = ""
    """The pair that came."""


def faults(answers: Sequence[Answer], known_after: float, known: frozenset[int] = KNOWN) -> list[str]:
    """Return what must not have been. After `known_after` seconds a revocation is known to every node, or it says 500.

    `known` are the statuses that may be answered.
    """
    found = [f"{_where(each)}: answered {each.status}" for each in answers if each.status not in known]
    of_login: defaultdict[int, list[Answer]] = defaultdict(list)
    for each in answers:
        of_login[each.login].append(each)
    for history in of_login.values():
        ordered = sorted(history, key=lambda each: each.began)
        found += _second_successors(ordered)
        found += _refused(ordered)
        found += _revived(ordered, known_after)
    return found


def outages(answers: Sequence[Answer], faults_at: Sequence[float]) -> list[float]:
    """Return for each instant at which something was broken the seconds until the last failure before the next."""
    ends = [*faults_at[1:], float("inf")]
    return [
        max((each.ended - at for each in answers if _failed(each) and at <= each.ended < end), default=0.0)
        for at, end in zip(faults_at, ends, strict=True)
    ]


def failures_outside(answers: Sequence[Answer], faults_at: Sequence[float], longest: float) -> list[str]:
    """Return the failures that no fault explains: none in the `longest` seconds before their end."""
    return [
        f"{_where(each)}: answered {each.status} with nothing broken"
        for each in answers
        if _failed(each) and not any(at <= each.ended <= at + longest for at in faults_at)
    ]


def late_reports(answers: Iterable[Answer]) -> list[float]:
    """Return how many seconds after a revocation each report was still given, where a node had not heard of it."""
    revoked: dict[int, float] = {}
    late = []
    for each in sorted(answers, key=lambda each: each.began):
        if each.kind == "revoke" and each.status == 200:
            revoked.setdefault(each.login, each.ended)
        elif each.kind == "report" and each.status == 200 and each.login in revoked:
            late.append(each.began - revoked[each.login])
    return late


def _second_successors(history: Iterable[Answer]) -> Iterator[str]:
    """One refresh token has one successor, however often and wherever it is presented (D7, threats I1)."""
    successors: defaultdict[str, set[str]] = defaultdict(set)
    for each in history:
        if each.kind == "refresh" and each.status == 200:
            successors[each.presented].add(each.refresh)
            if len(successors[each.presented]) == 2:
                yield f"{_where(each)}: a second successor"


def _refused(history: Sequence[Answer]) -> Iterator[str]:
    """What was acknowledged is good until somebody asks for its end (threats I4)."""
    ends = [each for each in history if each.kind == "revoke"]
    for each in history:
        if each.status == 401:
            asked = any(end.began < each.ended and _covers(end, each) for end in ends)
            if each.kind in ("login", "revoke") or not asked:
                yield f"{_where(each)}: refused what was acknowledged"


def _revived(history: Sequence[Answer], known_after: float) -> Iterator[str]:
    """What was revoked stays so: for a refresh at once, for a report when every node must know it (threats I2, I5)."""
    for end in history:
        if end.kind == "revoke" and end.status == 200:
            for each in history:
                known = end.ended if each.kind == "refresh" or each.node == end.node else end.ended + known_after
                if each.status == 200 and each.began > known and each.kind != "revoke" and _covers(end, each):
                    yield f"{_where(each)}: took what was revoked {each.began - end.ended:.1f} s before"


def _covers(end: Answer, use: Answer) -> bool:
    """A refresh token takes its login with it, an access token itself alone (D11); `access` names the one, if it is one."""
    return not end.access or end.access == use.presented


def _failed(each: Answer) -> bool:
    return each.status not in (200, 401)


def _where(each: Answer) -> str:
    return f"{each.began:.3f} s, {each.kind} of login {each.login} at node {each.node}"
