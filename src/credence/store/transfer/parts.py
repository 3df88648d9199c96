"""What a store holds, table by table and alike in every database: what is carried over when it is copied or kept."""

from types import GenericAlias
from typing import Any, get_type_hints

import msgspec

from credence.store.records import Change, SigningKeyRow, StatusBlock, TokenFamily

Row = tuple[Any, ...]


class Part(msgspec.Struct, frozen=True):
    """One table, its columns with their types, the key first."""

    table: str
    types: dict[str, Any]

    @property
    def columns(self) -> tuple[str, ...]:
        """The names, in the order of a row."""
        return tuple(self.types)

    @property
    def row(self) -> Any:
        """The type of a row, for decoding one."""
        return GenericAlias(tuple, tuple(self.types.values()))


APPLICATIONS = Part("applications", {"client_id": str, "version": int, "document": bytes})
ACCOUNTS = Part("accounts", {"username": str, "version": int, "document": bytes})
FAMILIES = Part("families", get_type_hints(TokenFamily))
CHANGES = Part("changes", get_type_hints(Change))
SECRETS = Part("sealed_secrets", {"name": str, "sealed": bytes})
SIGNING_KEYS = Part("signing_keys", get_type_hints(SigningKeyRow))
TALLIES = Part("tallies", {"key": bytes, "drains_at": int, "familiar_until": int})
SPENT = Part("spent", {"mark": bytes, "until": int})
STATUS_BLOCKS = Part("status_blocks", {"number": int, **get_type_hints(StatusBlock)})

PARTS = (
    APPLICATIONS,
    ACCOUNTS,
    SECRETS,
    SIGNING_KEYS,
    FAMILIES,
    CHANGES,
    TALLIES,
    SPENT,
    STATUS_BLOCKS,
)
"""All there is, but for scratch rows and the numbers that were given out last."""
