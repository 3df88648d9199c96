"""Runs commands at a remote deployment: the same names and options, by its APIs and the token of a login (D30).

`credence --at https://api.example.com app list` calls the management API that `credence login --manage` named;
`portfolio list` calls the API in which applications act. A command that neither offers fails and says that it must be run on
the machine of the service.
"""

from collections.abc import Callable, Mapping
from typing import Any

from credence.cli.command_parameters import Values
from credence.cli.failure import WrongUsage
from credence.cli.output import print_one
from credence.cli.remote_api import Remote

OF_THE_MACHINE: Mapping[str, tuple[str, ...]] = {
    "doctor": ("url", "resolve", "ca_file"),
}
"""Command -> options that the management API does not support."""

HERE = ("login", "whoami", "logout", "mcp")
"""Commands that have the address of their deployment as an argument of their own."""


def at(url: str, name: str, command: Any) -> Any:
    """Return the command, or the group of commands, in a form that runs at the remote deployment.

    A command runs there by its `run_there`, which returns the object to print, or None if it has printed its answer.
    """
    if name in HERE:
        return command
    for each, part in getattr(command, "commands", {}).items():
        command.commands[each] = at(url, f"{name} {each}", part)
    if not hasattr(command, "commands"):
        act = getattr(command.callback, "run_there", None)
        command.callback = lambda **values: _run(url, name, act, values)
    return command


def _run(url: str, name: str, act: Callable[[Remote, Values], Any] | None, values: Values) -> None:
    if act is None:
        raise WrongUsage(
            f"`credence {name}` needs the machine of the service: no API has such an act. "
            "Without --at and CREDENCE_AT it is done on this machine."
        )
    if values.get("data_dir") is not None:
        raise WrongUsage(
            "--data-dir is a folder of this machine, and --at is a deployment elsewhere: name one of them."
        )
    for name_of_option in OF_THE_MACHINE.get(name, ()):
        if values.get(name_of_option) is not None:
            option = name_of_option.replace("_", "-")
            raise WrongUsage(f"The deployment answers for itself, by the node that is asked: leave out --{option}.")
    found = act(Remote(url), values)
    if found is not None:
        print_one(found, as_json=bool(values.get("as_json")))
