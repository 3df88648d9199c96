"""How much of anything the service looks at (D16, threats §3)."""

from dataclasses import dataclass

KIB = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest value of each that still passes. Lengths of the wire are in octets, lengths of text in characters."""

    url: int = 4 * KIB
    """Raw path and query, with the question mark."""

    header_fields: int = 64
    header_field: int = 8 * KIB
    """One name and its value."""

    header_block: int = 32 * KIB
    """All names and values together."""

    body: int = 16 * KIB
    depth: int = 5
    """Objects and arrays inside each other; the outermost is 1. Elements that hold elements, in XML."""

    containers: int = 20
    """Objects and arrays in the whole document: with `members` and `elements` it bounds the memory of a parse (P3)."""

    members: int = 20
    """In one object."""

    elements: int = 20
    """In one array."""

    name: int = 50
    string: int = 1024
