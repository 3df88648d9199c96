"""Holds: an operator freezes the data of a source; newer data of the source is refused until its release.

The holds are a part of the catalogue. Nodes with a shared store share them, as they share disputes. A hold stops only newer
data: retention still deletes personal data, and a source can still be removed.
"""

from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec

from credence.clock import Milliseconds, rfc3339
from credence.datasets import catalogue
from credence.datasets.catalogue import Catalogue, CatalogueEntry, Hold
from credence.datasets.publish import Publish, base_edition, publish_nowhere, put_in_service
from credence.errors import InvalidInput, UnusableContent

HOLDS = "holds"
"""The name of the holds among the shared data sets."""

MAX_REASON_CHARACTERS = 200


class SourceHeld(UnusableContent):
    """The source is held; the message says since when, by whom, why, and how to release it."""


class HoldsDamaged(UnusableContent):
    """Published holds cannot be read."""


class HoldChanged(Exception):
    """The hold is not the one that the operator has seen: it was changed, released or made meanwhile."""


IsAsSeen = Callable[[Hold | None], bool]
"""Returns whether a hold, None for no hold, is the one that the operator has seen."""


def _as_it_is(_hold: Hold | None) -> bool:
    return True


def require_released(folder: Path, source: str) -> None:
    """Raise SourceHeld if the source is held; also raises CatalogueDamaged, OSError."""
    _require_released(source, catalogue.read(folder).holds)


def _require_released(source: str, holds: dict[str, Hold]) -> None:
    found = holds.get(source)
    if found is not None:
        raise SourceHeld(
            f"{source} has been on hold since {rfc3339(found.since)[:10]} by {found.by}: {found.reason} "
            f"Release it with: credence data release {source}"
        )


def require_released_in(data: bytes, source: str) -> None:
    """Raise SourceHeld if the source is held in published holds, which are empty before the first; also HoldsDamaged."""
    _require_released(source, _decode(data) if data else {})


def put_unless_held(folder: Path, source: str, staged: Path, entry: CatalogueEntry, publish: Publish) -> None:
    """Put a complete staging file into service as `put_in_service` does. Raises SourceHeld for a held source."""

    def check(current: Catalogue) -> None:
        _require_released(source, current.holds)

    put_in_service(folder, source, staged, entry, partial(publish, unless_held=True), check)


def hold(
    folder: Path,
    source: str,
    by: str,
    reason: str,
    now: Milliseconds,
    publish: Publish = publish_nowhere,
    *,
    is_as_seen: IsAsSeen = _as_it_is,
) -> Hold:
    """Hold a source; if it is held already, replace the person and the reason.

    Raises InvalidInput without a reason or for a long one; HoldChanged unless `is_as_seen`, which is called under the lock
    of the catalogue; the errors of `publish`.
    """
    placed: list[Hold] = []

    def with_hold(holds: dict[str, Hold]) -> dict[str, Hold]:
        _require_seen(holds, source, is_as_seen)
        placed.append(wanted(holds.get(source), by, reason, now))
        return holds | {source: placed[-1]}

    _change(folder, publish, with_hold)
    return placed[-1]


def wanted(before: Hold | None, by: str, reason: str, now: Milliseconds) -> Hold:
    """Return the hold that `hold` would store, given the present one. Raises InvalidInput as `hold` does."""
    line = " ".join(reason.split())
    if not line or len(line) > MAX_REASON_CHARACTERS or not line.isprintable():
        raise InvalidInput(f"A hold needs a reason of at most {MAX_REASON_CHARACTERS} characters.")
    return Hold(before.since if before else now, by, line)


def release(folder: Path, source: str, publish: Publish = publish_nowhere, *, is_as_seen: IsAsSeen = _as_it_is) -> bool:
    """Release a source; return False if it was not held. A release loads nothing.

    Raises HoldChanged as `hold` does; the errors of `publish`.
    """

    def without(holds: dict[str, Hold]) -> dict[str, Hold]:
        _require_seen(holds, source, is_as_seen)
        return {name: each for name, each in holds.items() if name != source}

    found = catalogue.read(folder).holds
    if source not in found:
        _require_seen(found, source, is_as_seen)
        return False
    _change(folder, publish, without)
    return True


def replace_all(folder: Path, data: bytes, edition: str) -> None:
    """Replace the local holds by those that another node published. Raises HoldsDamaged, OSError."""
    holds = _decode(data)
    catalogue.update(folder, lambda current: _with(current, holds, edition))


def _decode(data: bytes) -> dict[str, Hold]:
    try:
        return msgspec.json.decode(data, type=dict[str, Hold])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise HoldsDamaged("The published holds are damaged.") from error


def encoded(holds: dict[str, Hold]) -> bytes:
    """Return the holds in the form in which they are published."""
    return msgspec.json.encode(holds)


def _require_seen(holds: dict[str, Hold], source: str, is_as_seen: IsAsSeen) -> None:
    if not is_as_seen(holds.get(source)):
        raise HoldChanged(source)


def _change(folder: Path, publish: Publish, change: Callable[[dict[str, Hold]], dict[str, Hold]]) -> None:
    def changed(current: Catalogue) -> Catalogue:
        holds = change(current.holds)
        return _with(current, holds, publish(HOLDS, encoded(holds), b"", base_edition(current, HOLDS)))

    catalogue.update(folder, changed)


def _with(current: Catalogue, holds: dict[str, Hold], edition: str) -> Catalogue:
    return catalogue.with_edition(msgspec.structs.replace(current, holds=holds), HOLDS, edition)
