"""Explanations of reason codes for operators: the rule that was applied and what to do. The texts are in `reasons.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

_EITHER = re.compile(r"<([a-z|]+)>").search


@dataclass(frozen=True, slots=True)
class Explanation:
    """One entry of the file."""

    rule: str
    remedy: str


@lru_cache(maxsize=1)
def explanations() -> Mapping[str, Explanation]:
    """Return the explanation of each reason code. ValueError if the file explains a code twice."""
    source = tomllib.loads(files("credence.telemetry").joinpath("reasons.toml").read_text("utf-8"))
    found: dict[str, Explanation] = {}
    for entry in source["reason"]:
        for code in (each for written in entry["codes"] for each in _codes(written)):
            if code in found:
                raise ValueError(f"{code} is explained twice")
            found[code] = Explanation(entry["rule"], entry["remedy"])
    return found


def _codes(written: str) -> Iterator[str]:
    either = _EITHER(written)
    if either is None:
        yield written
        return
    for word in either[1].split("|"):
        yield written.replace(either[0], word)
