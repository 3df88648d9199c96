"""What is loaded on a node, against what was loaded for the last comparison (D31)."""

import datetime as dt

import msgspec

from credence.clock import Milliseconds
from credence.monitoring.observing import POLICIES


class Loaded(msgspec.Struct, frozen=True):
    """One loaded source: the day of its data, and when it was loaded (0 where loads have no order)."""

    as_of: dt.date | None
    loaded_at: Milliseconds
    version: str = ""


def is_older(mine: dict[str, Loaded], compared: dict[str, Loaded]) -> bool:
    """Return whether a source is of an earlier load than the one that was compared."""
    return any(name in mine and mine[name].loaded_at < each.loaded_at for name, each in compared.items())


def policies_in(loaded: dict[str, Loaded]) -> Loaded:
    """Return the state of the policies; without a readable one, `version` is empty and they are older than any other."""
    return loaded.get(POLICIES, Loaded(None, 0))


def are_older_policies(own: Loaded, compared: dict[str, Loaded]) -> bool:
    """Return whether the policies here differ from those compared and were not written later, or none can be read."""
    before = compared.get(POLICIES)
    return before is not None and own.version != before.version and own.loaded_at <= before.loaded_at


def with_policies_to_compare(
    mine: dict[str, Loaded], compared: dict[str, Loaded], *, takes_over: bool
) -> dict[str, Loaded]:
    """Return what is loaded, with the policies that were compared unless this node has other ones, written later.

    Otherwise nodes with different files would compare in turn without end. A node that takes over has the newest files from
    then on.
    """
    own, before = policies_in(mine), compared.get(POLICIES)
    if before is None:
        return mine
    if are_older_policies(own, compared):
        return {**mine, POLICIES: msgspec.structs.replace(own, loaded_at=before.loaded_at) if takes_over else before}
    return mine if own.version != before.version else {**mine, POLICIES: before}


def known(compared: dict[str, Loaded], mine: dict[str, Loaded]) -> dict[str, Loaded]:
    """Return the compared state of the sources that are loaded now, with their present days."""
    return {
        name: msgspec.structs.replace(each, as_of=mine[name].as_of) for name, each in compared.items() if name in mine
    }


def sources_of_an_earlier_day(mine: dict[str, Loaded], compared: dict[str, Loaded]) -> set[str]:
    """Return the sources whose data is of an earlier day than was compared."""
    found = set()
    for name, each in mine.items():
        before = compared[name].as_of if name in compared else None
        if before is not None and each.as_of is not None and each.as_of < before:
            found.add(name)
    return found


def newest(mine: dict[str, Loaded], compared: dict[str, Loaded]) -> dict[str, Loaded]:
    """Return what is loaded, each source with the latest day that any comparison has used."""
    latest = {name: each.as_of for name, each in compared.items() if each.as_of}
    return {
        **compared,
        **{
            name: msgspec.structs.replace(each, as_of=max(filter(None, (each.as_of, latest.get(name))), default=None))
            for name, each in mine.items()
        },
    }
