"""Access rules on the command line: what was typed changes that part alone; empty text lifts it (D15)."""

import dataclasses
from typing import Annotated

import typer

from credence.access.rules import AccessRules
from credence.access.text import format_rules, parse_rules

Networks = Annotated[
    str | None, typer.Option(help="Address ranges, comma separated: '10.0.0.0/8, 2001:db8::/32'. '' lifts the rule.")
]
Windows = Annotated[
    str | None,
    typer.Option(help="Hours, comma separated: 'Mon-Fri 08:00-18:00, Sat 09:00-12:00', or 'never'. '' lifts the rule."),
]
TimeZone = Annotated[str | None, typer.Option(help="Time zone of the hours, such as Europe/London.")]


def changed(rules: AccessRules, networks: str | None, windows: str | None, time_zone: str | None) -> AccessRules:
    """Return the rules with the parts that were typed; ValueError for one that cannot be read."""
    typed = parse_rules(networks or "", windows or "", time_zone or rules.time_zone)
    return dataclasses.replace(
        typed,
        networks=rules.networks if networks is None else typed.networks,
        windows=rules.windows if windows is None else typed.windows,
    )


def described(rules: AccessRules) -> dict[str, object]:
    """Return the rules as they are typed."""
    networks, windows, time_zone = format_rules(rules)
    return {"networks": networks, "windows": windows, "time_zone": time_zone}
