"""Screens decoded values for script, SQL, shell, path and SSI injection (spec §7.9, D17, threats P15).

The rules are data, in `patterns.toml`, whose head explains how to write one. RE2 matches all of them at once in time
linear in the length of the value. The screen is a second line of defence: SQL parameters are bound, output is escaped
and values are opaque without it (threats E2, P6).
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import re2

from credence.refusals.refusal import Refused
from credence.refusals.requests import THREAT

_MEMORY_BYTES = 64 << 20
"""The memory that RE2 may use, in octets. With too little it compiles fewer patterns, so this is far above the need."""


@dataclass(frozen=True, slots=True)
class AttackPattern:
    """One attack to refuse, the reason, and examples as tests: it matches each of `refuses` and none of `spares`."""

    name: str
    kind: str
    why: str
    patterns: tuple[str, ...]
    refuses: tuple[str, ...]
    spares: tuple[str, ...]


def screen(value: str) -> None:
    """Refuse a value that matches an attack pattern. Paths, parameters and names are screened, secrets never.

    Raises Refused with `pattern.` and the kind of the rule (`script`, `sql`, `shell`, `path` or `ssi`), or with
    `pattern.text` for text that cannot be encoded in UTF-8.
    """
    try:
        found = _SET.Match(value)
    except UnicodeEncodeError:
        raise Refused(THREAT, "pattern.text") from None
    if found:
        raise Refused(THREAT, f"pattern.{_KINDS[min(found)]}")


def load_rules() -> tuple[AttackPattern, ...]:
    """Return the shipped rules in order. In their patterns each `<word>` is replaced by its entry in the table `words`."""
    source = tomllib.loads(files("credence.screening").joinpath("patterns.toml").read_text("utf-8"))
    return tuple(
        AttackPattern(
            name=rule["name"],
            kind=rule["kind"],
            why=rule["why"],
            patterns=tuple(_with_words(pattern, source["words"]) for pattern in rule["patterns"]),
            refuses=tuple(rule["refuses"]),
            spares=tuple(rule["spares"]),
        )
        for rule in source["rule"]
    )


def compile_patterns(patterns: Sequence[str]) -> re2.Set:
    """Return all patterns as one automaton, case-insensitive; a dot matches any character including line ends."""
    options = re2.Options()
    options.case_sensitive = False
    options.dot_nl = True
    options.max_mem = _MEMORY_BYTES
    automaton = re2.Set.SearchSet(options)
    for pattern in patterns:
        automaton.Add(pattern)
    automaton.Compile()
    return automaton


def _with_words(pattern: str, words: dict[str, list[str]]) -> str:
    for word in reversed(words):  # a word may use the words above it
        pattern = pattern.replace(f"<{word}>", f"(?:{'|'.join(words[word])})")
    return pattern


_RULES = load_rules()
_KINDS = [rule.kind for rule in _RULES for _ in rule.patterns]
_SET = compile_patterns([pattern for rule in _RULES for pattern in rule.patterns])
