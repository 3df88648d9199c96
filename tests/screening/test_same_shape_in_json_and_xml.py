"""JSON and XML of the same logical input meet the same end, for the same reason (threats I10, P5)."""

import json
from xml.sax.saxutils import escape

from hypothesis import example, given
from hypothesis import strategies as st

from credence.refusals.refusal import Refused
from credence.screening.json_shape import read_json
from credence.screening.limits import Limits
from credence.screening.xml_shape import read_xml

LIMITS = Limits(depth=3, containers=4, members=4, name=6, string=12)
"""Small, so that generated trees fall on both sides of every limit."""

Tree = dict[str, object]

NAMES = st.from_regex(r"[A-Za-z_é][A-Za-z0-9_.é-]{0,7}", fullmatch=True)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=14)
# An empty object has no XML form: <a/> is the empty string. The root alone may be empty.
TREES = st.recursive(
    TEXTS,
    lambda children: st.dictionaries(NAMES, children, min_size=1, max_size=5),
    max_leaves=12,
)
ROOTS = st.dictionaries(NAMES, TREES, max_size=5)


def faults(tree: Tree, depth: int = 1) -> set[str]:
    """Every reason the tree gives for a refusal, said a second time and on its own."""
    found: set[str] = set()
    if depth > LIMITS.depth:
        found.add("depth")
    if len(tree) > LIMITS.members:
        found.add("members")
    if depth == 1 and containers(tree) > LIMITS.containers:
        found.add("containers")
    for name, value in tree.items():
        if len(name) > LIMITS.name:
            found.add("name")
        if isinstance(value, dict):
            found |= faults(value, depth + 1)
        elif isinstance(value, str):
            if len(value) > LIMITS.string:
                found.add("string")
            if any((ord(c) < 32 and c not in "\t\n\r") or c in "\ufffe\uffff" for c in value):
                found.add("character")
    return found


def containers(value: object) -> int:
    return 1 + sum(containers(child) for child in value.values()) if isinstance(value, dict) else 0


def outcome_of_json(tree: Tree, *, ascii_only: bool) -> object:
    try:
        return read_json(json.dumps(tree, ensure_ascii=ascii_only).encode(), LIMITS)
    except Refused as refusal:
        return refusal.reason.removeprefix("json.")


def outcome_of_xml(tree: Tree) -> object:
    try:
        return read_xml(xml(tree, "root").encode(), LIMITS)
    except Refused as refusal:
        return refusal.reason.removeprefix("xml.")


def xml(value: object, name: str) -> str:
    if isinstance(value, dict):
        return f"<{name}>{''.join(xml(child, key) for key, child in value.items())}</{name}>"
    # Written as references where XML would read them otherwise, or cannot hold them.
    text = "".join(f"&#{ord(c)};" if ord(c) < 32 or ord(c) in (0xFFFE, 0xFFFF) else escape(c) for c in str(value))
    return f"<{name}>{text}</{name}>"


@given(ROOTS)
@example({})
@example({"a": ""})
@example({"a": " \r\n\t "})
@example({"a": "\0"})
@example({"a": "\ufffe"})
@example({"a": "]]>&<!-- -->"})
@example({"a": {"b": {"c": "x"}}})
@example({"a": {"b": {"c": {"d": "x"}}}})
@example({"a": {"a": ""}, "b": {"a": ""}, "c": {"a": ""}})
@example({"a": {"a": ""}, "b": {"a": ""}, "c": {"a": ""}, "d": {"a": ""}})
@example({"abcdef": "x" * 12})
@example({"abcdefg": "x"})
@example({"a": "x" * 13})
@example({"a": {"b": "", "c": "", "d": "", "e": "", "f": ""}})
@example({"a": "", "b": "", "c": "", "d": "", "e": {"f": {"g": {"h": ""}}}})
def test_one_tree_has_one_outcome(tree: Tree) -> None:
    """An input with several faults is refused by both, for one of them."""
    outcomes = [outcome_of_json(tree, ascii_only=True), outcome_of_json(tree, ascii_only=False), outcome_of_xml(tree)]
    reasons = faults(tree)
    if reasons:
        assert all(outcome in reasons for outcome in outcomes if not isinstance(outcome, dict))
        assert not any(isinstance(outcome, dict) for outcome in outcomes)
    else:
        assert outcomes == [tree] * 3
