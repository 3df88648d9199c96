"""One fault in one module."""

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "credence"


@dataclass(frozen=True, slots=True)
class Mutant:
    """One fault. `line` is where it begins; `before` and `after` are the lines that differ, without their indentation.

    `lines` are those of the statement. `in_function` says whether it is in the body of a function, so that it takes effect
    when the function is called and not already at import.
    """

    file: Path
    line: int
    lines: range
    in_function: bool
    before: str
    after: str
    source: str

    @property
    def path(self) -> str:
        return str(self.file.relative_to(ROOT))
