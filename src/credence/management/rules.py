"""The rules on addresses and hours of an account or application: parses and displays them (D15)."""

import dataclasses
from typing import TypeVar

import msgspec

from credence.access.rules import AccessRules
from credence.access.text import format_rules, parse_rules
from credence.errors import InvalidInput
from credence.identity.sessions import AUTHENTICATION_CLASSES
from credence.management.schema import RulesBody
from credence.store.records import Account, Application

T = TypeVar("T", Account, Application)


def with_rules(
    owner: T,
    networks: str | None,
    windows: str | None,
    time_zone: str | None,
    weakest_class: str | None = None,
    max_age: int | None = None,
) -> T:
    """Return an account or application with these parts of its rules, given as text; InvalidInput for invalid text.

    None leaves a part unchanged, empty text removes it; 0 removes `max_age`.
    """
    if weakest_class and weakest_class not in AUTHENTICATION_CLASSES:
        raise InvalidInput(f"There is no class {weakest_class!r}: choose from {', '.join(AUTHENTICATION_CLASSES)}.")
    typed = parse_rules(networks or "", windows or "", time_zone or owner.rules.time_zone)
    rules = dataclasses.replace(
        typed,
        networks=owner.rules.networks if networks is None else typed.networks,
        windows=owner.rules.windows if windows is None else typed.windows,
        weakest_class=owner.rules.weakest_class if weakest_class is None else weakest_class,
        max_age=owner.rules.max_age if max_age is None else max_age or None,
    )
    return msgspec.structs.replace(owner, rules=rules)


def described(rules: AccessRules) -> dict[str, object]:
    """Return the rules in the form in which operators type them."""
    networks, windows, time_zone = format_rules(rules)
    return {
        "networks": networks,
        "windows": windows,
        "time_zone": time_zone,
        "authentication_class": rules.weakest_class or None,
        "max_age": rules.max_age,
    }


def ruled(owner: T, body: RulesBody) -> T:
    """Return the account or application with these rules; InvalidInput for invalid ones."""
    texts = (*body.networks, *body.windows)
    if any("," in each for each in texts):
        raise InvalidInput("A network and a window of hours have no comma.")
    networks, windows = ", ".join(body.networks), ", ".join(body.windows)
    return with_rules(owner, networks, windows, body.time_zone, body.authentication_class or "", body.max_age or 0)


def rules_body_of(rules: AccessRules) -> RulesBody:
    """Return the rules as the management API shows them."""
    networks, windows, time_zone = format_rules(rules)
    return RulesBody(networks, windows, time_zone, rules.weakest_class or None, rules.max_age)
