"""One normal form of a login name, applied before anything is counted, looked up or compared (threats A6)."""

import unicodedata

from credence.errors import InvalidInput

LONGEST_NAME = 254
"""Octets of UTF-8: as long as a mail address may be, and short enough for the tokens that carry it."""

CREDENTIAL = "crd_"
"""With it begins what `crypto/randomness.py` makes. A token's `sub` may be a login name or a client_id, and must tell which
(RFC 9068 §5)."""


def login_name(text: str) -> str:
    """Return the normal form: compatibility-composed and without regard to case. Blanks are kept."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def check_login_name(text: str) -> str:
    """Return the normal form of a name to be registered; ValueError says what is wrong with it."""
    name = login_name(text)
    if not name or name != name.strip():
        raise InvalidInput("A login name is not empty and does not begin or end with a blank.")
    if len(name.encode()) > LONGEST_NAME:
        raise InvalidInput(f"A login name has at most {LONGEST_NAME} octets in UTF-8.")
    if name.startswith(CREDENTIAL):
        raise InvalidInput(f"A login name does not begin with {CREDENTIAL}: so do the names of applications.")
    if not all(character.isprintable() for character in name):
        raise InvalidInput("A login name holds printable characters only.")
    return name
