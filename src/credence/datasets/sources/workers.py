"""Work shared out to processes of their own, one for each core, a piece at a time.

A worker ends when its pipe does, so none outlives the one who started it, however that ends. One that dies ends the work.
"""

import gc
import os
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection

from credence.datasets.sources import LoadError

Work = Callable[[bytes], bytes]


def shared_out(pieces: Iterator[bytes], begin: Callable[..., Work], *args: object) -> Generator[bytes, None, None]:
    """Yield what becomes of each piece, in their order; each worker calls `begin(*args)` once for what does the work.

    Raises LoadError when a worker dies.
    """
    with ExitStack() as running:
        workers = [running.enter_context(_worker(begin, args)) for _ in range(len(os.sched_getaffinity(0)))]
        # Each has one piece at a time: with two, both ends of a full pipe could wait for each other.
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
            raise LoadError("A process that shared the work ended unexpectedly.") from error


@contextmanager
def _worker(begin: Callable[..., Work], args: tuple[object, ...]) -> Iterator[Connection]:
    # Spawned, not forked: it holds no end of another worker's pipe, which would keep that one waiting for ever.
    context = get_context("spawn")
    here, there = context.Pipe()
    process = context.Process(target=_serve, args=(there, begin, args), name="credence worker", daemon=True)
    process.start()
    there.close()
    try:
        yield here
    finally:
        here.close()
        process.kill()  # it holds nothing
        process.join()


def _serve(pipe: Connection, begin: Callable[..., Work], args: tuple[object, ...]) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # who started it says when it ends
    gc.disable()  # there are no cycles to find among millions of short-lived values
    work = begin(*args)
    try:
        while True:
            pipe.send_bytes(work(pipe.recv_bytes()))
    except (EOFError, OSError):
        return
