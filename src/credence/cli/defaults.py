"""The default that `--help` prints for an option: a value, the setting that decides, or that nothing changes."""

from collections.abc import Mapping
from enum import Enum
from typing import Any

from typer.core import TyperCommand

from credence.settings import Settings


def setting(name: str) -> str:
    """Return the variable of a setting and its default as help text, such as `CREDENCE_PORT, or else 8443`."""
    default = Settings.model_fields[name].default
    shown = default.value if isinstance(default, Enum) else "no" if default is False else default
    return f"CREDENCE_{name.upper()}, or else {shown}"


def saying(defaults: Mapping[str, str]) -> type[TyperCommand]:
    """Return a command class whose help prints these defaults: parameter -> text.

    Commands share the declaration of an option, but each has its own default.
    """

    class Command(TyperCommand):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            for each in self.params:
                if each.name in defaults:
                    each.show_default = defaults[each.name]  # type: ignore[attr-defined]  # both kinds of parameter have it

    return Command
