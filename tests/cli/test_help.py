"""`--help` of every command."""

import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import pytest
import typer

from credence.cli.index import COMMANDS, all_commands
from credence.management.application_fields import OPTIONS
from credence.management.application_schema import ApplicationBody
from credence.operations.inputs import members_of
from tests.running import run_command


def paths(below: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for name, each in below.items():
        yield from paths(each.commands, (*path, name)) if hasattr(each, "commands") else [(*path, name)]


everything = cache(all_commands)


def command(path: tuple[str, ...]) -> Any:
    found: Any = everything()[path[0]]
    for name in path[1:]:
        found = found.commands[name]
    return found


def optional(parameter: Any) -> bool:
    """Whether a parameter may be left out and is more than a switch that is off then."""
    is_switch = (
        getattr(parameter, "is_bool_flag", False) and not parameter.secondary_opts and parameter.default is False
    )
    return not (parameter.required or is_switch or getattr(parameter, "hidden", False) or parameter.name == "help")


@pytest.mark.parametrize("path", list(paths(everything())), ids=" ".join)
def test_the_help_of_a_command_says_what_each_option_is_when_it_is_left_out(path: tuple[str, ...]) -> None:
    found = command(path)
    context = typer.Context(found, info_name=" ".join(path))
    records = {each.name: each.get_help_record(context) for each in found.params if optional(each)}
    assert [name for name, record in records.items() if not record or "default: " not in record[1]] == []


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("serve", "--help"), "[default: (CREDENCE_PORT, or else 8443)]"),
        (("app", "create", "--help"), "[default: (CREDENCE_ACCESS_TOKEN_LIFETIME_SECONDS, or else 10800)"),
        (("app", "set", "--help"), "[default: (unchanged)"),
        (("app", "invite", "--help"), "[default: (client_credentials)]"),
    ],
)
def test_the_help_names_the_default(arguments: tuple[str, ...], said: str) -> None:
    assert said in " ".join(run_command(*arguments).stdout.split())


def test_every_option_of_an_application_has_a_default_in_words() -> None:
    inputs = {each.name: each.input for each in members_of(ApplicationBody)}
    assert {option.field for option in OPTIONS} - {"keys"} == {
        name for name, each in inputs.items() if each.default
    } - {"jwks"}


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_has_the_first_sentence_of_each(name: str) -> None:
    assert command((name,)).help.startswith(COMMANDS[name].help)


def test_the_help_imports_no_command() -> None:
    """It takes a tenth of a second: it is what a person types first."""
    program = "import credence.cli.program as p, sys; p.run()"
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-c", program, "--help"], capture_output=True, text=True, check=True
    )
    imported = set(re.findall(r"credence\.[\w.]+", done.stderr))
    assert "Commands:" in done.stdout
    assert imported == {"credence.cli", "credence.cli.program", "credence.cli.index", "credence.cli.exit_codes"}


def test_help_before_a_command_is_its_help() -> None:
    assert run_command("help", "data", "find").stdout == run_command("data", "find", "--help").stdout
    assert run_command("help").stdout == run_command("--help").stdout
