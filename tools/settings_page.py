"""`docs/settings.md`: every setting by group, with its variable, default, bounds and meaning."""

from enum import Enum
from typing import Any

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings

from credence.setting_groups import GROUPS
from credence.settings import Settings

_HEAD = """\
# Settings

Every setting is an environment variable, read once at start.
`credence config show` prints the values in force and where each comes from.
`credence config check` names the settings that are not safe for the environment.
This page is made from `setting_groups/` by `python -m tools.generate`.
"""

_TABLE = """
## {title}

| Variable | Default | Meaning |
|---|---|---|
"""


def render() -> str:
    """Return the page."""
    return _HEAD + "".join(_section(group) for group in GROUPS)


def _section(group: type[BaseSettings]) -> str:
    prefix = Settings.model_config["env_prefix"]
    rows = (_row(f"{prefix}{name.upper()}", field) for name, field in group.model_fields.items())
    return _TABLE.format(title=str(group.__doc__).rstrip(".")) + "\n".join(rows) + "\n"


def _row(variable: str, field: FieldInfo) -> str:
    return f"| `{variable}` | {_default(field.get_default())} | {field.description}{_bounds(field)} |"


def _default(value: Any) -> str:
    match value:
        case None | "" | ():
            return "none"
        case bool():
            return f"`{str(value).lower()}`"
        case Enum():
            return f"`{value.value}`"
        case _:
            return f"`{value}`"


def _bounds(field: FieldInfo) -> str:
    least = next((each.ge for each in field.metadata if isinstance(each, Ge)), None)
    most = next((each.le for each in field.metadata if isinstance(each, Le)), None)
    if least is None:
        return ""
    return f" At least {least}." if most is None else f" From {least} to {most}."
