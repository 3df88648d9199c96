"""Explanations of reason codes for operators: the rule that was applied, and what to do. The texts are in `reasons.toml`."""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

_EITHER = re.compile(r"<([a-z|]+)>").search
_CITED = re.compile(r" \([^()]*\)")


@dataclass(frozen=True, slots=True)
class Explanation:
    """One entry of the file."""

    rule: str
    remedy: str

    @property
    def in_short(self) -> str:
        """The rule without the sections that it cites, up to a semicolon: for lists."""
        return _CITED.sub("", self.rule).split(";")[0].rstrip(".")


_PAGES = (
    (re.compile(r"\bD[0-9]{1,2}\b"), "docs/spec-decisions.md"),
    (re.compile(r"\bspec §|^§"), "docs/specification.md"),
    (re.compile(r"\bthreats\b"), "docs/threats.md"),
    (re.compile(r"\bcredit §"), "docs/credit.md"),
    (re.compile(r"\breport schema §"), "docs/report-schema.md"),
)


def pages(text: str) -> tuple[str, ...]:
    """Return the pages that a text cites, such as `docs/spec-decisions.md` for D3; without any, the page of all rules."""
    return tuple(page for cited, page in _PAGES if cited.search(text)) or ("docs/rules.md",)


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
