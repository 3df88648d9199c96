"""What a password must be: long, and not one that everybody tries first (threats A8, SP 800-63B-4 §3.1.1.2).

No composition rules and no forced changes. A password is never trimmed, folded or cut.
"""

from functools import cache
from importlib import resources

SHORTEST = 15
LONGEST = 256


def check_password(password: str) -> None:
    """Raise ValueError, in words for the person who chose it, when the password may not be used."""
    if len(password) < SHORTEST:
        raise ValueError(f"A password has at least {SHORTEST} characters.")
    if len(password) > LONGEST:
        raise ValueError(f"A password has at most {LONGEST} characters.")
    if password.casefold() in _common():
        raise ValueError("This password is on the list of common passwords.")


@cache
def _common() -> frozenset[str]:
    text = (resources.files("credence.identity") / "common-passwords.txt").read_text(encoding="utf-8")
    return frozenset(line for line in text.splitlines() if line and not line.startswith("#"))
