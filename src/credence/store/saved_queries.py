"""A saved query of the request log, as stored in the account of the operator."""

import msgspec


class SavedQuery(msgspec.Struct, frozen=True):
    """A query line under a name (`management/saved_queries.py`)."""

    name: str
    query: str
