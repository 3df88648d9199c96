"""The checks of a request, by the protection of its route: `checks.toml` has them in their order (D3)."""

import tomllib
from collections.abc import Mapping
from importlib.resources import files
from typing import Any, Final, NamedTuple


class CheckKind(NamedTuple):
    """One check. `reasons` are the reason codes with which it refuses a request, or prefixes of them."""

    name: str
    rule: str
    reasons: tuple[str, ...]


_TABLES: Final[Mapping[str, Any]] = tomllib.loads(
    files("credence.management").joinpath("checks.toml").read_text("utf-8")
)
_KINDS: Final = {
    name: CheckKind(name, said["rule"], tuple(said["reasons"])) for name, said in _TABLES["checks"].items()
}

HEAD: Final = tuple(_KINDS[name] for name in _TABLES["order"]["every"])
"""The checks of every request, which come first."""

CHECKS: Final[Mapping[str, tuple[CheckKind, ...]]] = {
    protection: (*HEAD, *(_KINDS[name] for name in names))
    for protection, names in _TABLES["order"].items()
    if protection != "every"
}
"""Protection of a route -> its checks in order.

A refusal belongs to the check with the longest prefix of its reason code.
"""
