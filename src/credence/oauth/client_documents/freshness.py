"""Returns for how long a fetched document may be used (RFC 9111 §4.2), between a minimum and a maximum."""

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

MIN_SECONDS = 60
"""The minimum, so that the pages of one sign-in need one fetch and not three; the draft leaves it to the server."""

MAX_SECONDS = 86_400

DEFAULT_SECONDS = 300
"""The freshness of an answer without caching header fields."""

_DIRECTIVE = re.compile(r'([a-z-]+)(?:="?([0-9]{1,10})"?)?').match


def fresh_seconds(headers: Mapping[str, str]) -> int:
    """Return for how many seconds an answer with these header fields is fresh; field names are in lower case."""
    return min(MAX_SECONDS, max(MIN_SECONDS, _stated(headers)))


def _stated(headers: Mapping[str, str]) -> int:
    directives: dict[str, str | None] = {}
    for part in headers.get("cache-control", "").lower().split(","):
        match = _DIRECTIVE(part.strip())
        if match:
            directives.setdefault(match[1], match[2])
    if "no-store" in directives or "no-cache" in directives:
        return 0
    age = headers.get("age", "")
    old = int(age) if age.isascii() and age.isdigit() and len(age) <= 10 else 0
    for name in ("s-maxage", "max-age"):
        seconds = directives.get(name)
        if seconds is not None:
            return int(seconds) - old
    if "expires" not in headers:
        return DEFAULT_SECONDS
    expires, date = _date(headers["expires"]), _date(headers.get("date", ""))
    return 0 if expires is None or date is None else int((expires - date).total_seconds()) - old


def _date(text: str) -> datetime | None:
    try:
        found = parsedate_to_datetime(text)
    except (ValueError, OverflowError):  # OverflowError: a number of more digits than any date has
        return None
    return found if found.tzinfo else found.replace(tzinfo=UTC)
