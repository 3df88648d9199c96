"""The rules for new passwords: a minimum length and no common ones (threats A8, SP 800-63B-4 §3.1.1.2).

There are no composition rules and no forced changes. A password is never trimmed, case-folded or truncated.
"""

from functools import cache
from importlib import resources

from credence.crypto.passwords import hash_password
from credence.errors import InvalidInput

MIN_CHARACTERS = 15
MAX_CHARACTERS = 256


def hash_new_password(profile: str, password: str) -> str:
    """Return the hash of a new password. ValueError if the rules refuse it."""
    check_password(password)
    return hash_password(profile, password)


def check_password(password: str) -> None:
    """Raise ValueError, with a message for the person who chose it, if the rules refuse the password."""
    if len(password) < MIN_CHARACTERS:
        raise InvalidInput(f"A password has at least {MIN_CHARACTERS} characters.")
    if len(password) > MAX_CHARACTERS:
        raise InvalidInput(f"A password has at most {MAX_CHARACTERS} characters.")
    if password.casefold() in _common():
        raise InvalidInput("This password is on the list of common passwords.")


@cache
def _common() -> frozenset[str]:
    text = (resources.files("credence.identity") / "common-passwords.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
