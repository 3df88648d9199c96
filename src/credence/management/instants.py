"""Formats instants for operators."""

import datetime as dt

from credence.clock import Milliseconds

_EPOCH = dt.datetime(1970, 1, 1, tzinfo=dt.UTC)


def instant(at: Milliseconds | None) -> str | None:
    """Return an instant as ISO 8601 in UTC, to the second; as a number outside the years 1 to 9999."""
    if at is None:
        return None
    try:
        moment = _EPOCH + dt.timedelta(seconds=at // 1000)
    except OverflowError:
        return f"{at} ms after 1970"
    return moment.isoformat().replace("+00:00", "Z")


def milliseconds_of(text: str) -> Milliseconds:
    """Return the instant that `instant` has written."""
    return int(dt.datetime.fromisoformat(text).timestamp()) * 1000
