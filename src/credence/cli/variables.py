"""Finds environment variables that begin with CREDENCE_ but are not settings: misspelt, or of an earlier version."""

from collections.abc import Iterable

from credence.settings import Settings

RENAMED = {
    "LOG_SILENCE": "MAX_REVOCATION_STALENESS_SECONDS",
    "KEY_AGE": "KEY_AGE_DAYS",
    "KEY_LEAD": "KEY_LEAD_DAYS",
    "ACCESS_TOKEN_LIFETIME": "ACCESS_TOKEN_LIFETIME_SECONDS",
    "REFRESH_TOKEN_LIFETIME": "REFRESH_TOKEN_LIFETIME_SECONDS",
    "REFRESH_RETRY_WINDOW": "REFRESH_RETRY_WINDOW_SECONDS",
    "PASSWORD_MEMORY": "PASSWORD_CACHE_SECONDS",
    "PASSWORD_FAILURES_PER_ADDRESS": "PASSWORD_FAILURES_PER_HOUR_PER_ADDRESS",
    "PASSWORD_FAILURES_PER_APPLICATION": "PASSWORD_FAILURES_PER_HOUR_PER_APPLICATION",
    "AUDIT_FILE_SIZE": "AUDIT_FILE_MEGABYTES",
}
"""Name of version 0.1, without a unit -> name since 0.2."""


_PREFIX = "CREDENCE_"


_MAX_SLIPS = 2
"""The letters that may differ in a misspelt prefix."""


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return a line for each variable that would have no effect, or an uncertain one; capitals do not matter.

    It is one that begins with CREDENCE_ and is not a setting, a setting whose prefix is misspelt, or a second spelling of a
    setting. The line gives the present name of a setting of version 0.1, otherwise the setting that is spelt most alike.
    """
    found, spelt = [], dict[str, str]()
    for name in sorted(names):
        if not name.upper().startswith(_PREFIX):
            found += _misspelt_prefix(name)
        elif name[len(_PREFIX) :].lower() not in Settings.model_fields:
            found.append(_unknown_variable(name))
        elif (other := spelt.setdefault(name.upper(), name)) != name:
            found.append(f"{other} and {name} are one setting: keep one of them.")
    return found


def _misspelt_prefix(name: str) -> list[str]:
    word, _, rest = name.partition("_")
    prefix = f"{word.upper()}_"
    if rest.lower() not in Settings.model_fields or abs(len(prefix) - len(_PREFIX)) > _MAX_SLIPS:
        return []
    # Imported late: few starts need it.
    from rapidfuzz.distance import Levenshtein

    if Levenshtein.distance(prefix, _PREFIX) > _MAX_SLIPS:
        return []
    return [_not_a_setting(name, f"{_PREFIX}{rest.upper()}")]


def _unknown_variable(name: str) -> str:
    present = RENAMED.get(name.upper().removeprefix(_PREFIX))
    if present is not None:
        return f"{name} is called {_PREFIX}{present} since version 0.2."
    # Imported late: few starts need it.
    from rapidfuzz import process

    settings = [f"{_PREFIX}{field.upper()}" for field in Settings.model_fields]
    nearest, _, _ = process.extractOne(name.upper(), settings)
    return _not_a_setting(name, nearest)


def _not_a_setting(name: str, nearest: str) -> str:
    printable = name if name.isprintable() else ascii(name)
    return f"{printable} is not a setting; the nearest name is {nearest}."
