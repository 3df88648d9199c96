"""Writes the two XML documents of the house dialect (D8): text only, everything escaped."""

from collections.abc import Iterable
from xml.sax.saxutils import escape

_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>'


def token_response(fields: Iterable[tuple[str, str]]) -> bytes:
    """Return a `TokenResponse` with one element per field."""
    return f"{_DECLARATION}<TokenResponse>{_elements(fields)}</TokenResponse>".encode()


def errors(error_type: str, message: str) -> bytes:
    """Return `Errors` holding one `Error`."""
    inner = _elements([("errorType", error_type), ("message", message)])
    return f"{_DECLARATION}<Errors><Error>{inner}</Error></Errors>".encode()


def _elements(fields: Iterable[tuple[str, str]]) -> str:
    return "".join(f"<{name}>{escape(value)}</{name}>" for name, value in fields)
