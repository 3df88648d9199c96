"""The screen for injections (D17, threats P15): what it must refuse, and what it must never refuse."""

import base64
import csv
import io
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from credence.refusals.refusal import Refused
from credence.screening.patterns import AttackPattern, compile_patterns, load_rules, screen
from tests.screening.refusal import refused

RULES = load_rules()
REPOSITORY = Path(__file__).parents[2]
SHIPPED = "src/credence/sandbox/data/register-sample-2020-05-01.zip"
ATTACKS: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("attacks.toml").read_text("utf-8"))

INNOCENT: dict[str, list[str]] = tomllib.loads(Path(__file__).with_name("innocent.toml").read_text("utf-8"))
KNOWN_MISSES = [
    "; reboot",  # the end of an address, perhaps
    "x & net user x /add",  # a name, as a user group might have it
]


def is_refused(value: str) -> bool:
    try:
        screen(value)
    except Refused:
        return True
    return False


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_refuses_its_own_examples(rule: AttackPattern) -> None:
    alone = compile_patterns(rule.patterns)
    for example in rule.refuses:
        assert alone.Match(example), example
        with refused(f"pattern.{rule.kind}"):
            screen(example)


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_no_rule_refuses_what_a_rule_spares(rule: AttackPattern) -> None:
    assert [example for example in rule.spares if is_refused(example)] == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_a_rule_has_a_known_kind_a_reason_and_examples_of_both_sorts(rule: AttackPattern) -> None:
    assert rule.kind in {"script", "sql", "shell", "path", "ssi"}
    assert rule.why.endswith(".")
    assert rule.refuses
    assert rule.spares


def test_every_pattern_is_needed_by_an_example_or_an_attack() -> None:
    hostile = [example for rule in RULES for example in rule.refuses] + [a for kind in ATTACKS.values() for a in kind]
    for rule in RULES:
        for pattern in rule.patterns:
            assert any(map(compile_patterns([pattern]).Match, hostile)), pattern


@pytest.mark.parametrize("kind", INNOCENT)
def test_no_innocent_value_is_refused(kind: str) -> None:
    assert [value for value in INNOCENT[kind] if is_refused(value)] == []


def test_tokens_and_random_identifiers_pass() -> None:
    for n in range(2_000):
        octets = (n * 0x9E3779B97F4A7C15 + 1).to_bytes(10, "big") * 4
        text = base64.urlsafe_b64encode(octets).decode().rstrip("=")
        random = (text, f"eyJhbGciOiJSUzI1NiJ9.{text}.{text[::-1]}", octets.hex())
        assert [value for value in random if is_refused(value)] == []


@pytest.mark.parametrize("kind", ATTACKS)
def test_at_least_95_percent_of_the_attacks_of_each_kind_are_refused(kind: str) -> None:
    missed = [attack for attack in ATTACKS[kind] if not is_refused(attack)]
    assert len(missed) <= 0.05 * len(ATTACKS[kind]), missed


def test_of_208_attacks_206_are_refused_and_the_misses_are_known() -> None:
    attacks = [attack for kind in ATTACKS.values() for attack in kind]
    assert len(set(attacks)) == 208
    assert [attack for attack in attacks if not is_refused(attack)] == KNOWN_MISSES


def test_of_all_names_address_lines_and_activities_of_the_register_sample_none_is_refused() -> None:
    with zipfile.ZipFile(REPOSITORY / SHIPPED) as archive:
        values = list(register_values(archive.read(archive.namelist()[0]).decode("utf-8")))
    assert len(values) > 24_000
    assert [value for value in values if is_refused(value)] == []


def test_a_value_without_a_utf_8_form_is_refused() -> None:
    with refused("pattern.text"):
        screen("\ud800")


def test_an_attack_is_found_at_the_end_of_a_long_value() -> None:
    with refused("pattern.path"):
        screen("x" * 1_000_000 + " /etc/passwd")


def test_upper_case_folds_beyond_ascii() -> None:
    """A long s and a kelvin sign count as s and k, as some databases and browsers read them."""
    with refused("pattern.script"):
        screen("<\u017fcript>")


def register_values(text: str) -> Iterator[str]:
    """Company names, former names, address lines and activities of a register sample."""
    for row in csv.DictReader(io.StringIO(text)):
        for column, value in row.items():
            if value and ("CompanyName" in column or column.startswith(("RegAddress.", "SICCode."))):
                yield value
