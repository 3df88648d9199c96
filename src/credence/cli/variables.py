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


def unknown_variables(names: Iterable[str]) -> list[str]:
    """Return a line for each variable that begins with CREDENCE_ and is not a setting, because it would have no effect.

    The line gives the present name of a setting of version 0.1, otherwise the name of the setting that is spelt most
    alike.
    """
    return [
        _unknown_variable(name)
        for name in sorted(names)
        if name.upper().startswith(_PREFIX) and name[len(_PREFIX) :].lower() not in Settings.model_fields
    ]


def _unknown_variable(name: str) -> str:
    present = RENAMED.get(name.removeprefix(_PREFIX))
    if present is not None:
        return f"{name} is called {_PREFIX}{present} since version 0.2."
    # Imported late: few starts need it.
    from rapidfuzz import process

    settings = [f"{_PREFIX}{field.upper()}" for field in Settings.model_fields]
    nearest, _, _ = process.extractOne(name.upper(), settings)
    printable = name if name.isprintable() else ascii(name)
    return f"{printable} is not a setting; the nearest name is {nearest}."
