"""The limits of size and structure of a request (D16, threats section 3)."""

from dataclasses import dataclass

KIB = 1024


@dataclass(frozen=True, slots=True)
class Limits:
    """The largest accepted values. Lengths on the wire are in octets, lengths of decoded text in characters."""

    url: int = 4 * KIB
    """Raw path and query, with the question mark."""

    header_fields: int = 64
    header_field: int = 8 * KIB
    """One name and its value."""

    header_block: int = 32 * KIB
    """All names and values together."""

    body: int = 16 * KIB
    depth: int = 5
    """Nesting of objects and arrays, in XML of elements that contain elements; the outermost is 1."""

    containers: int = 20
    """Objects and arrays in the whole document: with `members` and `elements` it limits the memory of a parse."""

    members: int = 20
    """Maximum members of one object."""

    elements: int = 20
    """Maximum elements of one array."""

    name: int = 50
    string: int = 1024
