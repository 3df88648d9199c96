"""The place of a token in the status lists (draft-ietf-oauth-status-list §6).

Places are numbered across all lists. Block N has the places 16 N to 16 N + 15, and a list has 65,536 blocks. No place is
stored for a token: it follows from the block and the generation of a family, or is part of the token's id.
"""

import msgspec

from credence import paths

PLACES_OF_BLOCK = 16
BLOCKS_OF_LIST = 65_536
PLACES_OF_LIST = PLACES_OF_BLOCK * BLOCKS_OF_LIST
"""The number of places in a list. With one bit each, a list has 128 KiB before compression."""

_MARK = "~"
"""Separates the place from the rest of a token's id; base64url does not contain this character."""


class Reference(msgspec.Struct, frozen=True):
    """The list that contains the status of a token, and the index in that list."""

    idx: int
    uri: str


class Status(msgspec.Struct, frozen=True):
    """The `status` claim (§6.2)."""

    status_list: Reference


def claim(issuer: str, place: int) -> Status:
    """Return the `status` claim of the token with this place."""
    number, index = divmod(place, PLACES_OF_LIST)
    return Status(Reference(index, uri(issuer, number)))


def uri(issuer: str, number: int) -> str:
    """Return the address of list `number`, counted from 0."""
    return f"{issuer}{paths.STATUS_LISTS}/{number}"


def of_generation(block: int, generation: int) -> int:
    """Return the place of a family's access token.

    Generations that are sixteen apart share a place: at worst a valid token counts as revoked, never the reverse.
    """
    return block * PLACES_OF_BLOCK + generation % PLACES_OF_BLOCK


def with_place(jti: str, place: int) -> str:
    """Return the id of a token without a family, with its place added, because the revocation log has only ids."""
    return f"{jti}{_MARK}{place}"


def of_token_id(jti: str) -> int | None:
    """Return the place in a token's id; None for the id of a family's token or of a token without a place."""
    _, mark, place = jti.partition(_MARK)
    return int(place) if mark else None
