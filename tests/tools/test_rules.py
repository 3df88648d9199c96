"""How rules are counted in the contract texts, and how tags are read."""

import pytest

from tools.rules import Rule, read_decisions, read_specification
from tools.tags import tags_in

SPECIFICATION = """\
# A made-up service

Notation: 1. this is no rule.

## 1. Purpose
1. It counts.
2. It stops:

| Where | How |
|---|---|
| here | at once |

## 2. Parts

### 2.1 Inputs

| Name | Type |
|---|---|
| left | number |
| right | number |

### 2.2 Prose
- One bullet.
- Another.

## 3. Answers

| Case | Said |
|---|---|
| <none> | nothing |
"""


def test_items_else_rows_else_the_section_as_one() -> None:
    assert [rule.id for rule in read_specification(SPECIFICATION)] == [
        "spec §1.1",
        "spec §1.2",
        "spec §2.1.1",
        "spec §2.1.2",
        "spec §2.2",
        "spec §3.1",
    ]


def test_rows_belong_to_a_whole_and_items_do_not() -> None:
    rules = {rule.id: rule for rule in read_specification(SPECIFICATION)}
    assert rules["spec §2.1.2"] == Rule("spec §2.1.2", "spec §2.1", "2.1 Inputs", "right · number")
    assert rules["spec §1.2"] == Rule("spec §1.2", "spec §1.2", "1 Purpose", "It stops:")
    assert rules["spec §2.2"].whole == "spec §2.2"


def test_decisions_come_in_the_order_of_their_numbers() -> None:
    text = "- **D10 Numbers.** Strings.\n- **D2 Where it stands** Here.\nD3 is no entry.\n"
    assert [(rule.id, rule.text) for rule in read_decisions(text)] == [("D2", "Where it stands"), ("D10", "Numbers")]


@pytest.mark.parametrize(
    ("remark", "tags"),
    [
        ("Refuses it (spec §7.3).", ["spec §7.3"]),
        ("Both (spec §4.3, §4.4, D12, threats §6).", ["spec §4.3", "spec §4.4", "D12"]),
        ("See spec §2.2, §2.4 and §2.5.", ["spec §2.2", "spec §2.4", "spec §2.5"]),
        ("Broken over a line (spec\n    §5.9,\n    §7).", ["spec §5.9", "spec §7"]),
        ("RFC 7009 §2.1, credit §2.2, design §3, report schema §5.", []),
        ("Company D99999999, a grade D, SHA D12x.", []),
    ],
)
def test_only_the_specification_and_decisions_are_tags(remark: str, tags: list[str]) -> None:
    assert list(tags_in(remark)) == tags
