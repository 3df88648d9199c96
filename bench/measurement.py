"""What a question finds out: figures of single runs, ours and those beside them, and the target they are held to."""

from dataclasses import asdict, dataclass, field
from statistics import median
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Figure:
    """One run. The value has the unit of its measurement; latencies are in milliseconds where there was a load."""

    value: float
    p50: float | None = None
    p99: float | None = None


@dataclass(frozen=True, slots=True)
class Target:
    """A promise of the project, about the median of our runs or about its ratio to what stood beside them."""

    figure: float
    about: Literal["median", "ratio"] = "median"
    at: Literal["least", "most", "near"] = "least"
    within: float = 0
    """How far from the figure is still near."""

    def reached(self, found: float) -> bool:
        """Tell whether what was found keeps the promise."""
        match self.at:
            case "least":
                return found >= self.figure
            case "most":
                return found <= self.figure
            case "near":
                return abs(found - self.figure) <= self.within


@dataclass(frozen=True, slots=True)
class Measurement:
    """Runs of one thing, each beside a run of something simpler in the same round."""

    name: str
    unit: str
    ours: tuple[Figure, ...]
    beside: tuple[Figure, ...] = ()
    beside_is: str = "bare server"
    target: Target | None = None
    note: str = ""
    more: dict[str, float] = field(default_factory=dict)
    """Further figures by name, unit in the name."""

    @property
    def median(self) -> float:
        """The median of our runs."""
        return median(figure.value for figure in self.ours)

    @property
    def ratio(self) -> float | None:
        """The median of the rounds' ratios: noise that lasts for a round hits both sides of it."""
        if not self.beside:
            return None
        return median(ours.value / beside.value for ours, beside in zip(self.ours, self.beside, strict=True))

    @property
    def reached(self) -> bool | None:
        """Whether the target was reached; None without one."""
        if self.target is None:
            return None
        found = self.median if self.target.about == "median" else self.ratio
        return found is not None and self.target.reached(found)

    def as_record(self) -> dict[str, Any]:
        """Return everything there is to keep, for JSON."""
        values = [figure.value for figure in self.ours]
        return {
            **asdict(self),
            "median": self.median,
            "minimum": min(values),
            "maximum": max(values),
            "beside_median": median(figure.value for figure in self.beside) if self.beside else None,
            "ratio": self.ratio,
            "reached": self.reached,
        }
