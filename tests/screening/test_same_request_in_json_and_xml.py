"""A whole request says the same in JSON and in XML, and gets the same answer (D16, threats I10, P5, P16)."""

import json
import random
from collections.abc import Sequence
from typing import Any

import pytest

from credence.refusals.requests import THREAT
from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, Header, Reply
from tests.screening.test_same_shape_in_json_and_xml import xml

Tree = dict[str, Any]

GOOD: Tree = {"username": "ada", "password": PASSWORD}


async def both(deployment: Deployment, tree: Tree, headers: Sequence[Header]) -> tuple[Reply, Reply]:
    replies = []
    for media_type, body in (("application/json", json.dumps(tree)), ("application/xml", xml(tree, "TokenRequest"))):
        sent = [*headers, ("Content-Type", media_type)]
        replies.append(await deployment.send("POST", TOKEN_PATH, sent, body.encode()))
    return replies[0], replies[1]


def outcome(reply: Reply) -> object:
    """Status, error and the headers that say more; of a success what does not change from token to token."""
    told = {
        name: value for name, value in reply.headers.items() if name in ("www-authenticate", "retry-after", "allow")
    }
    return reply.status, told, None if reply.status == 200 else reply.said


def nested(depth: int) -> Tree:
    """A tree of so many objects inside each other, the request itself counted."""
    tree: Any = "x"
    for _ in range(depth - 1):
        tree = {"a": tree}
    return {**GOOD, "more": tree}


BOUNDARIES = {
    "depth": (nested(5), nested(6)),
    "members": ({**GOOD, **{f"m{n}": "" for n in range(18)}}, {**GOOD, **{f"m{n}": "" for n in range(19)}}),
    "members inside": (
        {**GOOD, "more": {f"m{n}": "" for n in range(20)}},
        {**GOOD, "more": {f"m{n}": "" for n in range(21)}},
    ),
    "containers": (
        {**GOOD, **{f"m{n}": {"a": {"b": "x"}} for n in range(9)}, "last": "x"},
        {**GOOD, **{f"m{n}": {"a": {"b": "x"}} for n in range(9)}, "last": {"a": {"b": "x"}}},
    ),
    "name": ({**GOOD, "n" * 50: "x"}, {**GOOD, "n" * 51: "x"}),
    "name in the depth": ({**GOOD, "more": {"n" * 50: "x"}}, {**GOOD, "more": {"n" * 51: "x"}}),
    "string": ({**GOOD, "more": "é" * 1_024}, {**GOOD, "more": "é" * 1_025}),
    "string in the depth": ({**GOOD, "more": {"a": "s" * 1_024}}, {**GOOD, "more": {"a": "s" * 1_025}}),
    "character": ({**GOOD, "more": "\t\n\r\u00a0\ufffd"}, {**GOOD, "more": "\x1f"}),
}


@pytest.mark.parametrize("limit", BOUNDARIES)
async def test_a_limit_is_where_it_is_in_both(deployment: Deployment, limit: str) -> None:
    """D16, threats P1: a value at the limit passes, one beyond it is refused."""
    at, beyond = BOUNDARIES[limit]

    assert [reply.status for reply in await both(deployment, at, deployment.client)] == [200, 200]
    for reply in await both(deployment, beyond, deployment.client):
        assert reply.said == (401, "Unauthorized", THREAT.message)


VALUES = [
    None, "", " ", "ada", "ADA", PASSWORD, "nobody", "password", "refresh_token", "client_credentials", "x" * 1_024,
    "x" * 1_025, "<script>", "' OR 1=1--", "a&b<c>]]>", "é\u2028", "\x00", "\x1b[2J", "\ufffe", {"a": "b"},
    {"a": {"b": {"c": {"d": {"e": "f"}}}}}, {},
]  # fmt: skip
NAMES = ("username", "password", "client_id", "client_secret", "grant_type", "refresh_token", "other")


def drawn(chance: random.Random, deployment: Deployment, number: int) -> tuple[Tree, list[Header]]:
    """A request with some faults, each place by chance: right, wrong, missing, or elsewhere."""
    tree: Tree = dict(GOOD) if chance.random() < 0.7 else {}
    headers = list(deployment.client) if chance.random() < 0.7 else []
    if not headers and chance.random() < 0.8:
        tree |= dict(deployment.client)
    for name in NAMES:
        if chance.random() < 0.2:
            value = chance.choice(VALUES)
            if value is None:
                tree.pop(name, None)
            elif value == {} or value == "nobody":  # an empty object has no XML form; a guess is never repeated
                tree[name] = f"nobody-{number}"
            else:
                tree[name] = value
    if chance.random() < 0.1:
        headers.append(chance.choice([("grant_type", "password"), ("grant_type", "magic"), ("client-id", "other")]))
    items = list(tree.items())
    chance.shuffle(items)
    return dict(items), headers


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.settings(password_failures_per_hour_per_address=0, password_failures_per_hour_per_application=0)
async def test_requests_drawn_by_chance_get_the_same_answer(deployment: Deployment, seed: int) -> None:
    chance = random.Random(seed)
    seen = set()
    for number in range(150):
        tree, headers = drawn(chance, deployment, number)
        in_json, in_xml = await both(deployment, tree, headers)
        assert outcome(in_json) == outcome(in_xml), (tree, headers)
        assert in_json.status < 500
        seen.add(in_json.said[2] if in_json.status != 200 else "issued")
    assert len(seen) >= 5, "the requests must reach many ends to say anything"
