"""Reads a large snapshot with every core: processes of their own prepare chunks while this one writes (credit §2.2)."""

import datetime as dt
from collections.abc import Generator, Iterator
from contextlib import closing
from itertools import chain, islice

import msgspec

from credence.datasets.loading.register_prepared import Prepared, prepare
from credence.datasets.sources.register.snapshot import Chunk
from credence.datasets.sources.workers import Work, shared_out

_ALONE = 4
"""Chunks that this process prepares itself: starting others takes longer than so few."""

_encode = msgspec.msgpack.Encoder().encode
_decode_chunk = msgspec.msgpack.Decoder(Chunk).decode
_decode_prepared = msgspec.msgpack.Decoder(Prepared).decode


def prepared(chunks: Iterator[Chunk], today: dt.date) -> Generator[Prepared, None, None]:
    """Yield what each chunk holds, in their order. Raises LoadError when a reader dies."""
    for chunk in islice(chunks, _ALONE):
        yield prepare(chunk, today)
    first = next(chunks, None)
    if first is not None:
        with closing(shared_out(map(_encode, chain((first,), chunks)), _reading, today)) as done:
            yield from map(_decode_prepared, done)


def _reading(today: dt.date) -> Work:
    return lambda chunk: _encode(prepare(_decode_chunk(chunk), today))
