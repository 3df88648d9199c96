"""A path to a server that can be made slow, deaf, or to lose one answer, while connections use it."""

import asyncio
import threading
from asyncio import StreamReader, StreamWriter
from collections.abc import Iterator
from contextlib import contextmanager, suppress

LOOK_EVERY = 0.02
"""Seconds between two looks at whether the path has healed."""

PIECE = 65_536


class Wire:
    """Passes octets between those who connect to `port` and a server of this machine. Its faults are set from outside."""

    def __init__(self, server_port: int) -> None:
        self.port = 0
        self.delay = 0.0
        """Seconds for which whatever the server says is kept back."""
        self.silent = False
        """Nothing is passed on, either way. What was sent meanwhile arrives when this ends, as TCP sends again."""
        self.losing: bytes | None = None
        """The next answer to something that has this in it is lost: the server acted, and the connection breaks."""
        self.half_closing: bytes | None = None
        """As `losing`, but the client is told only that nothing more comes; what it sends still goes to the server."""
        self._server_port = server_port
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[StreamWriter] = set()

    async def run(self, ready: threading.Event, over: asyncio.Event) -> None:
        server = await asyncio.start_server(self._meet, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        await over.wait()
        for listening in server.sockets:
            asyncio.get_running_loop().remove_reader(listening.fileno())
        await asyncio.sleep(
            LOOK_EVERY
        )  # a server that closes first leaks a connection that it has just accepted (3.11)
        server.close()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        for writer in self._writers:  # one that was closed stays open until all is sent, which nobody reads any more
            writer.transport.abort()
        await asyncio.sleep(0)

    async def _meet(self, reader: StreamReader, writer: StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._writers.add(writer)
        try:
            await self._heal()
            with suppress(OSError):
                await self._pass_on(reader, writer)
        finally:
            writer.close()

    async def _pass_on(self, reader: StreamReader, writer: StreamWriter) -> None:
        there, to_server = await asyncio.open_connection("127.0.0.1", self._server_port)
        self._writers.add(to_server)
        conversation = _Conversation(self)
        try:
            async with asyncio.TaskGroup() as both:
                both.create_task(conversation.ask(reader, to_server))
                both.create_task(conversation.answer(there, writer))
        except* (OSError, _Broken):
            pass
        finally:
            to_server.close()

    async def _heal(self) -> None:
        while self.silent:  # noqa: ASYNC110 - set from another thread
            await asyncio.sleep(LOOK_EVERY)


class _Broken(Exception):
    pass


class _Conversation:
    """One connection, in both directions."""

    def __init__(self, wire: Wire) -> None:
        self._wire = wire
        self._loses = False
        self._half_closes = False

    async def ask(self, reader: StreamReader, writer: StreamWriter) -> None:
        while piece := await reader.read(PIECE):
            await self._wire._heal()
            if self._wire.losing is not None and self._wire.losing in piece:
                self._wire.losing, self._loses = None, True
            if self._wire.half_closing is not None and self._wire.half_closing in piece:
                self._wire.half_closing, self._half_closes = None, True
            writer.write(piece)
            await writer.drain()
        raise _Broken

    async def answer(self, reader: StreamReader, writer: StreamWriter) -> None:
        while piece := await reader.read(PIECE):
            await asyncio.sleep(self._wire.delay)
            await self._wire._heal()
            if self._loses:
                break
            if self._half_closes:
                writer.write_eof()
                return
            writer.write(piece)
            await writer.drain()
        raise _Broken


@contextmanager
def wire(server_port: int) -> Iterator[Wire]:
    """A path to that port of this machine, in a thread of its own."""
    path, ready = Wire(server_port), threading.Event()
    loop, over = asyncio.new_event_loop(), asyncio.Event()
    thread = threading.Thread(target=loop.run_until_complete, args=(path.run(ready, over),))
    thread.start()
    ready.wait()
    try:
        yield path
    finally:
        loop.call_soon_threadsafe(over.set)
        thread.join()
        loop.close()
