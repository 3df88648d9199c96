"""One normal form of a login name, applied before anything is counted, looked up or compared (threats A6)."""

import unicodedata

LONGEST_NAME = 254
"""Octets of UTF-8: as long as a mail address may be, and short enough for the tokens that carry it."""


def login_name(text: str) -> str:
    """Return the normal form: compatibility-composed and without regard to case. Blanks are kept."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def check_login_name(text: str) -> str:
    """Return the normal form of a name to be registered; ValueError says what is wrong with it."""
    name = login_name(text)
    if not name or name != name.strip():
        raise ValueError("A login name is not empty and does not begin or end with a blank.")
    if len(name.encode()) > LONGEST_NAME:
        raise ValueError(f"A login name has at most {LONGEST_NAME} octets in UTF-8.")
    if not all(character.isprintable() for character in name):
        raise ValueError("A login name holds printable characters only.")
    return name
