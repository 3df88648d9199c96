"""`docs/settings.md`: every setting with its variable, default, bounds and meaning, from the fields of `Settings`."""

from enum import Enum
from typing import Any

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from credence.settings import Settings

_HEAD = """\
# Settings

Every setting is an environment variable, read once at start. `credence config show` prints those in force and
`credence config check` says what an environment must not run with. Made from `settings.py` by `python -m tools.generate`.

| Variable | Default | Meaning |
|---|---|---|
"""


def render() -> str:
    """Return the page."""
    prefix = Settings.model_config["env_prefix"]
    rows = (_row(f"{prefix}{name.upper()}", field) for name, field in Settings.model_fields.items())
    return _HEAD + "\n".join(rows) + "\n"


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
