"""A policy: a dated TOML file with rules about members of a report (docs/policies.md)."""

import datetime as dt
import hashlib
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal

import msgspec

from credence.errors import InvalidInput, UnusableContent
from credence.policy.pointer import EACH, Pointer, pointer
from credence.report.build.report import HEADLINE, INSOLVENCY

Outcome = Literal["accept", "refer", "decline"]

SEVERITY: dict[Outcome, int] = {"accept": 0, "refer": 1, "decline": 2}

MAX_BYTES = 65_536
"""Bytes of a policy; one rule has about 200."""

MAX_RULES = 200

Text = Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
Number = int | float


class Condition(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"is_": "is", "in_": "in"}):
    """A requirement on a member: exactly one of the fields after `member` is set.

    It holds if it holds for one of the members to which the pointer leads (`logic`).
    """

    member: Text
    is_: str | bool | Number | None = None
    is_not: str | bool | Number | None = None
    in_: tuple[str | Number, ...] | None = None
    not_in: tuple[str | Number, ...] | None = None
    starts_with: tuple[str, ...] | None = None
    below: Number | None = None
    at_most: Number | None = None
    above: Number | None = None
    at_least: Number | None = None
    older_than_months: int | None = None
    """Holds if the member, a date, is before the day that is this number of months before the day of the decision."""
    newer_than_months: int | None = None
    """Holds if it is after that day."""
    held: bool | None = None
    """Holds if the member is present in the report (true) or absent (false)."""


class Rule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule: its outcome counts if all its conditions hold."""

    id: Text
    outcome: Outcome
    reason: Text
    when: tuple[Condition, ...]
    of: Text | None = None
    """A list, as a pointer that ends in `*`: the conditions on its elements must hold for one and the same element."""
    unknown: Outcome | None = None
    """The outcome if it is unknown whether the rule holds; None means that the rule does not apply then."""


class Terms(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limit of an accepted company: a share of the suggested limit, at most `cap` pounds.

    A company of which no figures are held has a suggested limit of 0; `without_figures` is its limit in pounds, unless
    another reservation can forbid one.
    """

    share: Annotated[float, msgspec.Meta(ge=0, le=1)] = 1.0
    cap: Annotated[int, msgspec.Meta(ge=0)] | None = None
    without_figures: Annotated[int, msgspec.Meta(ge=0)] = 0


class Authority(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The limits, in pounds, up to which people may approve alone; above, a second person approves."""

    anyone: Annotated[int, msgspec.Meta(ge=0)] = 0
    people: dict[str, Annotated[int, msgspec.Meta(ge=0)]] = {}
    """By the login name of the account; in place of `anyone`."""

    def of(self, username: str) -> int:
        """Return the authority of a person."""
        return self.people.get(username, self.anyone)


class File(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The content of the file."""

    name: Text
    date: dt.date
    rule: tuple[Rule, ...]
    otherwise: Outcome = "refer"
    """The outcome if no rule applies."""
    above_limit: Outcome = "refer"
    """The outcome of a request for more than the limit."""
    limit: Terms = Terms()
    authority: Authority | None = None


class Test(msgspec.Struct, frozen=True):
    """A condition with its pointer and its one operator."""

    pointer: Pointer
    operator: str
    operand: Any


class ReadRule(msgspec.Struct, frozen=True):
    """A rule with its conditions ready for use."""

    id: str
    outcome: Outcome
    reason: str
    tests: tuple[Test, ...]
    """The conditions that are not bound to an element."""
    bound: tuple[Test, ...]
    """The conditions that must hold for one and the same element of the list `of`."""
    of: str
    unknown: Outcome | None


class Policy(msgspec.Struct, frozen=True):
    """A parsed policy. The hash is the SHA-256 of the file's bytes."""

    name: str
    date: dt.date
    hash: str
    rules: tuple[ReadRule, ...]
    otherwise: Outcome
    above_limit: Outcome
    limit: Terms
    pointers: tuple[Pointer, ...]
    """Every pointer of the rules, once."""
    members: frozenset[str]
    """The top-level members of the report that a decision needs in addition to the score."""
    authority: Authority | None = None
    """Who may approve which limit; None if the policy does not say it."""


_NUMERIC = {"below", "at_most", "above", "at_least"}
_DATED = {"older_than_months", "newer_than_months"}
_ALWAYS_BUILT = frozenset({"Score", "NotScored", "ReportDate"})
"""The members of `Assessment` that `build` makes for every part."""
_PARTS = {"Insolvency": INSOLVENCY, "Headline": HEADLINE}
"""The members of `Assessment` that `build` makes alone."""


def read_policy(data: bytes) -> Policy:
    """Return the policy in a TOML file; raises InvalidInput, which says what is wrong and where."""
    if len(data) > MAX_BYTES:
        raise UnusableContent(f"A policy has at most {MAX_BYTES:,} bytes.")
    try:
        file = msgspec.convert(tomllib.loads(data.decode()), File)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError, msgspec.ValidationError) as error:
        raise UnusableContent(f"The policy cannot be read: {error}.") from error
    if len(file.rule) > MAX_RULES:
        raise UnusableContent(f"A policy has at most {MAX_RULES} rules.")
    if len({rule.id for rule in file.rule}) < len(file.rule):
        raise UnusableContent("Each rule has an id of its own.")
    rules = tuple(_rule(rule) for rule in file.rule)
    pointers = {test.pointer.text: test.pointer for rule in rules for test in (*rule.tests, *rule.bound)}
    return Policy(
        name=file.name,
        date=file.date,
        hash=hashlib.sha256(data).hexdigest(),
        rules=rules,
        otherwise=file.otherwise,
        above_limit=file.above_limit,
        limit=file.limit,
        pointers=tuple(pointers.values()),
        members=frozenset(_members(pointers.values(), file.limit)),
        authority=file.authority,
    )


def _members(pointers: Iterable[Pointer], limit: Terms) -> Iterator[str]:
    yield from (member for each in pointers if (member := _member(each)))
    if limit.without_figures:  # it reads which reservations there are
        yield HEADLINE


def _member(pointer: Pointer) -> str | None:
    """Return the member of the report to be built for a pointer; None if it is always built."""
    first, *more = pointer.steps
    if first != "Assessment" or not more:
        return first
    if more[0] in _ALWAYS_BUILT:
        return None
    return _PARTS.get(more[0], first)


def _rule(rule: Rule) -> ReadRule:
    if not rule.when:
        raise UnusableContent(f"Rule {rule.id!r} has no condition: `otherwise` is the outcome without a rule.")
    try:
        tests = tuple(_test(condition) for condition in rule.when)
        bound = _bound(tests, rule.of) if rule.of else ()
    except InvalidInput as error:
        raise UnusableContent(f"Rule {rule.id!r}: {error}") from error
    free = tuple(test for test in tests if test not in bound)
    return ReadRule(rule.id, rule.outcome, rule.reason, free, bound, rule.of or "", rule.unknown)


def _bound(tests: Sequence[Test], of: str) -> tuple[Test, ...]:
    """Return the conditions on members of the elements of a list."""
    steps = pointer(of).steps
    if steps[-1] != EACH:
        raise UnusableContent(f"`of` is a pointer to a list, which ends in /{EACH}, not {of}.")
    found = tuple(test for test in tests if test.pointer.steps[: len(steps)] == steps)
    if not found:
        raise UnusableContent(f"No condition is about {of}.")
    return found


def _test(condition: Condition) -> Test:
    given = {name: value for name in condition.__struct_fields__[1:] if (value := getattr(condition, name)) is not None}
    if len(given) != 1:
        raise UnusableContent(
            f"The condition on {condition.member} needs exactly one operator, such as `in` or `below`."
        )
    ((name, operand),) = given.items()
    found = pointer(condition.member)
    if name in _NUMERIC and not found.numeric:
        raise UnusableContent(f"{condition.member} is not a number, so `{name}` cannot be applied.")
    if name in _DATED and not found.dated:
        raise UnusableContent(f"{condition.member} is not a day, so `{name}` cannot be applied.")
    if name == "starts_with" and found.type not in (str, str | None):
        raise UnusableContent(f"{condition.member} is not a text, so `starts_with` cannot be applied.")
    return Test(found, name.rstrip("_"), operand)
