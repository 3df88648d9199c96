"""What there is to know about a source of facts before it is loaded."""

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Any

import msgspec

from credence.datasets.fact_kinds import FactKind
from credence.datasets.sources.record import Record, RejectedPlace, UnreadableValue

COMPANIES_HOUSE_LICENCE = "Contains public register information from Companies House"
OPEN_GOVERNMENT_LICENCE = "Contains public sector information licensed under the Open Government Licence v3.0"
"""The lines that readers are owed (credit §4.4)."""


Read = Callable[[Sequence[Path]], Iterator[Record | RejectedPlace | UnreadableValue]]


class Renewal(Enum):
    """What a load does to what is there already."""

    ALL = auto()
    """Replaces all of it: the files are a snapshot of everything."""
    COMPANY = auto()
    """Replaces all of the companies it reads of: each answer is everything about its company."""
    DOCUMENT = auto()
    """Adds to it; a document that is there already is replaced by itself."""


class Source(msgspec.Struct, frozen=True):
    """One source of facts."""

    part: FactKind
    publisher: str
    licence: str
    renewal: Renewal
    file_name: re.Pattern[str]
    """How its files are named, by which a refresh knows them; `day`, `part` and `parts` of a snapshot's are groups."""
    read: Read
    """Reads the files. Raises LoadError for what is no such file at all; what is wrong inside it is a RejectedPlace."""
    dated: Callable[[Any], dt.date | None] | None = None
    """The day of a document: the newest of all is how far the data set reaches.

    None where that says nothing, as of answers about single companies: they are of the day on which they were asked for.
    """
    snapshot: Callable[[Sequence[Path]], dt.date | None] | None = None
    """The day that the names of the files give."""

    @property
    def name(self) -> str:
        """The name on the command line and in the catalogue."""
        return self.part.source
