"""A query of the request log that an operator has saved, as the record of the account has it."""

import msgspec


class SavedQuery(msgspec.Struct, frozen=True):
    """A query line under a name (`management/saved_queries.py`)."""

    name: str
    query: str
