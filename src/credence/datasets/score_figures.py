"""The figures of a scoring run, kept with it: two runs are compared without reading every company again (credit §7, §10)."""

import msgspec


class InputFigures(msgspec.Struct, frozen=True, array_like=True):
    """How many scored companies have a value in each range of an input."""

    edges: tuple[float, ...]
    """The ranges of the points table: an edge belongs to the range above it."""
    companies: tuple[int, ...]
    """One number more than there are edges."""


class Moves(msgspec.Struct, frozen=True):
    """What became of the scores of an earlier run. A company that left the register since is not counted."""

    bands: tuple[tuple[str, str, int], ...]
    """Band then, band now, companies."""
    differences: tuple[int, ...]
    """Companies by the difference of the score, in the ranges of `scoring.runs.figures.DIFFERENCES`."""
    first: int = 0
    """Companies that no run up to the earlier one scored."""
    ended: int = 0
    """Companies with a score then that this run does not score."""
    unknown: int = 0
    """Companies whose stored scores do not reach back that far."""


class RunFigures(msgspec.Struct, frozen=True):
    """What one run found."""

    companies: int
    scored: int
    unscored: dict[str, int]
    """Code of the reason -> companies."""
    bands: dict[str, int]
    """Band -> companies."""
    inputs: dict[str, InputFigures]
    """Code of the input -> companies that show it."""
    moves: dict[int, Moves]
    """Id of an earlier run -> what became of its scores."""


encode_figures = msgspec.msgpack.Encoder().encode
decode_figures = msgspec.msgpack.Decoder(RunFigures).decode
