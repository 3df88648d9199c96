"""What is put right of every source's facts before they are kept: texts are plain, and no day is to come."""

import datetime as dt
from collections.abc import Iterable, Iterator

from credence.datasets.sources import days_to_come
from credence.datasets.sources.record import Record, RejectedPlace, UnreadableValue
from credence.datasets.sources.texts import with_plain_texts


def sound(
    found: Iterable[Record | RejectedPlace | UnreadableValue], today: dt.date
) -> Iterator[Record | RejectedPlace | UnreadableValue]:
    """Yield what a source yields, each fact sound or refused."""
    for each in found:
        if not isinstance(each, Record) or each.fact is None:
            yield each
            continue
        place = f"{each.company}, {each.id}"
        if days_to_come.is_decided_by_one(each.fact, today):
            yield RejectedPlace(place, days_to_come.REASON, each.company)
            continue
        fact, unknown = days_to_come.without(with_plain_texts(each.fact), today)
        yield Record(each.company, each.id, fact)
        yield from [UnreadableValue(place, days_to_come.REASON)] * unknown
