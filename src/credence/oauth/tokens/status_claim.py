"""Which place of which status list a token holds (draft-ietf-oauth-status-list §6).

Places are counted through all lists and come in blocks: block N holds the places from 16 N on, and a list those of
65,536 blocks. So a place follows from what is stored anyway: from a family's block and generation, or from the token's id.
"""

import msgspec

from credence import paths

PLACES_OF_BLOCK = 16
BLOCKS_OF_LIST = 65_536
PLACES_OF_LIST = PLACES_OF_BLOCK * BLOCKS_OF_LIST
"""One bit each: 128 KiB before compression."""

_MARK = "~"
"""Stands before the place in a token's id; base64url has none."""


class Reference(msgspec.Struct, frozen=True):
    """Where the status of a token stands: the list and the place in it."""

    idx: int
    uri: str


class Status(msgspec.Struct, frozen=True):
    """The `status` claim (§6.2)."""

    status_list: Reference


def claim(issuer: str, place: int) -> Status:
    """Return the claim of the token that holds this place."""
    number, index = divmod(place, PLACES_OF_LIST)
    return Status(Reference(index, uri(issuer, number)))


def uri(issuer: str, number: int) -> str:
    """Return where the list with this number is, from 0."""
    return f"{issuer}{paths.STATUS_LISTS}/{number}"


def of_generation(block: int, generation: int) -> int:
    """Return the place of a family's access token: tokens of generations sixteen apart share one.

    So a place tells of the younger what holds for either: at worst one too many is taken for revoked.
    """
    return block * PLACES_OF_BLOCK + generation % PLACES_OF_BLOCK


def with_place(jti: str, place: int) -> str:
    """Return the id of a token that is no family's own with its place: the revocation log knows a token by its id."""
    return f"{jti}{_MARK}{place}"


def of_token_id(jti: str) -> int | None:
    """Return the place that a token's id names; None for that of a family's token, and of one that has no place."""
    _, mark, place = jti.partition(_MARK)
    return int(place) if mark else None
