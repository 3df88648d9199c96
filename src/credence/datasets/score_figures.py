"""The figures of a scoring run, stored with it: two runs are compared without reading every company (credit §7, §10)."""

import msgspec


class InputFigures(msgspec.Struct, frozen=True, array_like=True):
    """The number of scored companies by the range of one input's value."""

    edges: tuple[float, ...]
    """The ranges of the points table: an edge belongs to the range above it."""
    companies: tuple[int, ...]
    """The number of companies in each range; one range more than there are edges."""


class Moves(msgspec.Struct, frozen=True):
    """The changes of scores between an earlier run and this one. Companies no longer in the register are not counted.

    The score in the earlier run is the last one up to it: the data set does not keep in which run a company had none.
    """

    bands: tuple[tuple[str, str, int], ...]
    """Band in the earlier run, band now, number of companies."""
    differences: tuple[int, ...]
    """The number of companies by the difference of the score, in the ranges of `scoring.runs.figures.DIFFERENCES`."""
    first: int = 0
    """Companies that neither the earlier run nor any before it scored."""
    ended: int = 0
    """Companies that the earlier run or one before it scored, and that have no score now."""
    unknown: int = 0
    """Companies whose stored scores do not go back to the earlier run."""


class RunFigures(msgspec.Struct, frozen=True):
    """The figures of one run."""

    companies: int
    scored: int
    unscored: dict[str, int]
    """Code of the reason -> companies."""
    bands: dict[str, int]
    """Band -> companies."""
    inputs: dict[str, InputFigures]
    """Code of the input -> its distribution."""
    moves: dict[int, Moves]
    """Id of an earlier run -> the changes of scores since."""


encode_figures = msgspec.msgpack.Encoder().encode
decode_figures = msgspec.msgpack.Decoder(RunFigures).decode
