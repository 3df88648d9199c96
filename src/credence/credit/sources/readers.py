"""Reads a large snapshot with every core: processes of their own prepare chunks while this one writes (credit §2.2).

A reader ends when its pipe does, so none outlives the load, however that ends. One that dies ends the load.
"""

import gc
import os
import signal
from collections import deque
from collections.abc import Generator, Iterator
from contextlib import ExitStack, contextmanager
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection

import msgspec

from credence.credit.sources import LoadError
from credence.credit.sources.prepared import Prepared, prepare
from credence.credit.sources.snapshot import Chunk

_ALONE = 4
"""Chunks that this process prepares itself: starting others takes longer than so few."""

_encode = msgspec.msgpack.Encoder().encode
_decode_chunk = msgspec.msgpack.Decoder(Chunk).decode
_decode_prepared = msgspec.msgpack.Decoder(Prepared).decode


def prepared(chunks: Iterator[Chunk]) -> Generator[Prepared, None, None]:
    """Yield what each chunk holds, in their order. Raises LoadError when a reader dies."""
    for chunk in islice(chunks, _ALONE):
        yield prepare(chunk)
    first = next(chunks, None)
    if first is not None:
        yield from _shared_out(chain((first,), chunks))


def _shared_out(chunks: Iterator[Chunk]) -> Iterator[Prepared]:
    with ExitStack() as running:
        readers = [running.enter_context(_reader()) for _ in range(len(os.sched_getaffinity(0)))]
        # Each has one chunk at a time: with two, both ends of a full pipe could wait for each other.
        busy: deque[Connection] = deque()
        try:
            for reader, chunk in zip(readers, chunks, strict=False):
                reader.send_bytes(_encode(chunk))
                busy.append(reader)
            for chunk in chunks:
                reader = busy.popleft()
                done = reader.recv_bytes()
                reader.send_bytes(_encode(chunk))
                busy.append(reader)
                yield _decode_prepared(done)
            for reader in busy:
                yield _decode_prepared(reader.recv_bytes())
        except (EOFError, OSError) as error:
            raise LoadError("A process that read the files ended unexpectedly.") from error


@contextmanager
def _reader() -> Iterator[Connection]:
    # Spawned, not forked: it holds no end of another reader's pipe, which would keep that one waiting for ever.
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there,), name="register reader", daemon=True)
    process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.kill()  # it holds nothing
        process.join()


def _serve(pipe: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the load says when it ends
    gc.disable()  # there are no cycles to find among millions of short-lived values
    try:
        while True:
            pipe.send_bytes(_encode(prepare(_decode_chunk(pipe.recv_bytes()))))
    except (EOFError, OSError):
        return
