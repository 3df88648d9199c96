"""Where a fact comes from (credit §10): every part of a report can say its source, document and dates."""

import datetime as dt

import msgspec


class Provenance(msgspec.Struct, frozen=True):
    """The source of one part of a company's facts."""

    source: str
    """The publisher and its product, such as "Companies House, Free Company Data Product"."""
    as_of: dt.date | None = None
    """The day on which the source says this was so: of a snapshot, or the newest of its documents."""
    retrieved: dt.date | None = None
    """The day of the load, in UTC."""
    licence: str = ""
    """The line that readers are owed, such as "Contains public register information from Companies House"."""
