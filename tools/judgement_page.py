"""`docs/judgement.md`: every reservation with its rule, its effect and its reason, from the table that declares them."""

from collections.abc import Iterator
from pathlib import Path

from credence.scoring.model import FILES, current_model
from credence.scoring.reservations.table import Row

_HEADS = ("reservation", "when", "highest score", "of the limit remains", "alert", "why")


def render(root: Path) -> str:
    """Return the page."""
    template = (root / "tools" / "judgement.template.md").read_text(encoding="utf-8")
    return template.format(file=FILES["reservations"], table="\n".join(_table()))


def _table() -> Iterator[str]:
    yield f"| {' | '.join(_HEADS)} |"
    yield "|---" * len(_HEADS) + "|"
    for rows in current_model().reservations.by_code.values():
        for number, row in enumerate(rows):
            yield f"| {' | '.join(_cells(row, is_first=number == 0))} |"


def _cells(row: Row, *, is_first: bool) -> Iterator[str]:
    yield f"`{row.code}`" if is_first else ""
    yield ": ".join(each for each in (row.meaning if is_first else "", row.when) if each)
    yield "" if row.at_most is None else str(row.at_most)
    yield "all" if row.limit == 1 else "nothing" if not row.limit else f"{row.limit:.0%}"
    yield "yes" if row.alert else "no"
    yield row.source
