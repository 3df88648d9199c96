"""The normal form of login names, applied before a name is counted, looked up or compared (threats A6)."""

import unicodedata

from credence.errors import InvalidInput

MAX_NAME_BYTES = 254
"""The maximum length of a login name in UTF-8: that of an e-mail address, and short enough for tokens."""

CREDENTIAL_PREFIX = "crd_"
"""The prefix of every client_id (`crypto/randomness.py`).

The `sub` of a token is a login name or a client_id; the prefix distinguishes them (RFC 9068 §5).
"""


def login_name(text: str) -> str:
    """Return the normal form: NFKC and case-folded. Spaces are kept."""
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def check_login_name(text: str) -> str:
    """Return the normal form of a new name; ValueError with the reason if the name is not allowed."""
    name = login_name(text)
    if not name or name != name.strip():
        raise InvalidInput("A username must not be empty, and must not begin or end with a space.")
    if len(name.encode()) > MAX_NAME_BYTES:
        raise InvalidInput(f"A username has at most {MAX_NAME_BYTES} octets in UTF-8.")
    if name.startswith(CREDENTIAL_PREFIX):
        raise InvalidInput(f"A username must not begin with {CREDENTIAL_PREFIX}: so do the names of applications.")
    if not all(character.isprintable() for character in name):
        raise InvalidInput("A username can only contain printable characters.")
    return name
