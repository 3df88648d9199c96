"""Applies a function to pieces of data, in one worker process for each core.

A worker ends when its pipe closes, so no worker outlives the process that started it. A worker that ends early is an error.
"""

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from credence.datasets.sources.source import LoadRefused

Work = Callable[[bytes], bytes]


def map_in_workers(pieces: Iterator[bytes], begin: Callable[..., Work], *args: object) -> Generator[bytes, None, None]:
    """Yield the result for each piece, in order. Each worker calls `begin(*args)` once and applies the returned function.

    Raises LoadError if a worker fails.
    """
    with ExitStack() as running:
        workers = [running.enter_context(_worker(begin, args)) for _ in range(len(os.sched_getaffinity(0)))]
        # Each worker has one piece at a time: with two, both ends of a full pipe could wait for each other.
        busy: deque[Connection] = deque()
        try:
            for worker, piece in zip(workers, pieces, strict=False):
                worker.send_bytes(piece)
                busy.append(worker)
            for piece in pieces:
                worker = busy.popleft()
                done = worker.recv_bytes()
                worker.send_bytes(piece)
                busy.append(worker)
                yield done
            for worker in busy:
                yield worker.recv_bytes()
        except (EOFError, OSError) as error:
            raise LoadRefused("A process that shared the work ended unexpectedly.") from error


@contextmanager
def _worker(begin: Callable[..., Work], args: tuple[object, ...]) -> Iterator[Connection]:
    # A forked worker would inherit the ends of other workers' pipes, so those workers would never end.
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, begin, args), name="credence worker", daemon=True)
    process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.kill()  # a worker has no state to save
        process.join()


def _serve(pipe: Connection, begin: Callable[..., Work], args: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent process decides when it ends
    gc.disable()  # a worker makes millions of short-lived values without reference cycles
    work = begin(*args)
    try:
        while True:
            pipe.send_bytes(work(pipe.recv_bytes()))
    except (EOFError, OSError):
        return
