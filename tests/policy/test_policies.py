"""The file of a policy: what it may say, and what is wrong with another one (docs/policies.md)."""

import hashlib

import pytest

from credence.errors import InvalidInput
from credence.policy.policy import MAX_BYTES, read_policy
from credence.sandbox.provision import POLICY

RULE = '[[rule]]\nid = "one"\noutcome = "refer"\nreason = "A reason."\n'
BAND = 'when = [{ member = "/Assessment/Score/Band", is = "E" }]\n'
HEAD = 'name = "Test"\ndate = 2026-11-22\n'


def test_the_example_is_a_policy_with_its_date_and_the_hash_of_its_bytes() -> None:
    data = POLICY.read_bytes()
    policy = read_policy(data)
    assert (policy.name, policy.date.isoformat()) == ("Trade credit", "2026-11-24")
    assert policy.hash == hashlib.sha256(data).hexdigest()
    assert [rule.id for rule in policy.rules][:2] == ["insolvent", "weak-band"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("name = ", "cannot be read"),
        (HEAD.replace("2026-11-22", '"soon"') + RULE + BAND, "date"),
        (HEAD + RULE.replace("refer", "perhaps") + BAND, "perhaps"),
        (HEAD + RULE + BAND + 'colour = "red"\n', "colour"),
        (HEAD + RULE + "when = []\n", "no condition"),
        (HEAD + RULE + BAND + RULE + BAND, "an id of its own"),
        (HEAD + RULE + BAND.replace("/Band", "/Bnad"), "The report has no member /Assessment/Score/Bnad"),
        (HEAD + RULE + BAND.replace("/Assessment", "Assessment"), "begins with a slash"),
        (HEAD + RULE + BAND.replace('is = "E"', 'is = "E", in = ["D"]'), "exactly one operator"),
        (HEAD + RULE + BAND.replace(', is = "E"', ""), "exactly one operator"),
        (HEAD + RULE + BAND.replace('is = "E"', "below = 3"), "/Assessment/Score/Band is not a number"),
        (HEAD + RULE + BAND.replace('is = "E"', "older_than_months = 3"), "/Assessment/Score/Band is not a day"),
        (
            HEAD + RULE + 'when = [{ member = "/Assessment/Score/Score", starts_with = ["4"] }]\n',
            "/Assessment/Score/Score is not a text",
        ),
        (HEAD + RULE + 'when = [{ member = "/Alerts/0/Notes/x/AlertCode", is = "DISSOLVED" }]\n', "/Alerts/0/Notes/x"),
        ("[" * 2_000, "cannot be read"),
        ("#" * (MAX_BYTES + 1), "at most 65,536 bytes"),
    ],
)
def test_another_file_is_refused_with_what_is_wrong(text: str, says: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        read_policy(text.encode())
    assert says in str(caught.value)
