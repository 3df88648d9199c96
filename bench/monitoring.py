"""`python -m bench.monitoring`: the comparison of watched companies, and deliveries to webhooks, on one core.

The comparison reads two registers and a SQLite store. Deliveries go over TLS to a receiver on loopback, in a process
and on a core of its own.
"""

import asyncio
import datetime as dt
import os
import random
import resource
import shutil
import sqlite3
import ssl
import time
from contextlib import closing
from ipaddress import ip_network
from multiprocessing import get_context
from multiprocessing.sharedctypes import Synchronized
from multiprocessing.synchronize import Event
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import msgspec
import typer

from bench.full_size.load import data_set
from bench.full_size.snapshot import SNAPSHOT, write
from bench.full_size.watched import watched as watched_process
from bench.pinning import LOAD_CORE, SERVER_CORE
from credence.clock import system_clock
from credence.datasets import catalogue
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.loading.load import load_register
from credence.datasets.register_schema import decode_entry, encode_entry
from credence.monitoring.comparison import Comparer
from credence.monitoring.data import NodeData
from credence.monitoring.rows import MAX_COMPANIES
from credence.monitoring.rules import DEFAULT_RULES
from credence.monitoring.webhooks.delivering import webhook_deliveries
from credence.monitoring.webhooks.message import WebhookKeys
from credence.outbox.engine import DeliveryEngine
from credence.outgoing.client import OutgoingClient
from credence.outgoing.target import OutgoingRules
from credence.sandbox.certificates import ensure_certificates
from credence.store.portfolios import Portfolio, RuleSetting, WatchedCompany
from credence.store.sqlite.store import SqliteStore
from credence.store.webhooks import WEBHOOKS, Webhook, event_delivery
from credence.tls import authority_file

BEFORE, AFTER = "before", "after"
"""The two data folders of a comparison."""

MOVED = RuleSetting("address")
NAME = "receiver.example"
FIRST_PORT = 20_000
"""Each endpoint has a port of its own, so that each is a host of its own for the client."""

_OK = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"
_PIECE = 1_000

commands = typer.Typer(help="Monitoring.")


@commands.command()
def prepare(folder: Path, companies: int = 5_600_000) -> None:
    """Generate and load a register, and make a later one from it, for `compare --folder`."""
    _prepare(folder, companies)


@commands.command()
def compare(companies: int = 5_600_000, watched: int = 500_000, folder: Path | None = None) -> None:
    """Watch companies of one register, and time the comparison after another is in service; each step has one core."""
    with TemporaryDirectory() as temporary:
        if folder is None:
            folder = Path(temporary)
            _prepare(folder, companies)
        store = Path(temporary) / "credence.sqlite"
        numbers = _numbers(data_set(folder / BEFORE), watched)
        asyncio.run(_watch(store, numbers))
        for what, name in (("first look", BEFORE), ("comparison", AFTER)):
            spent = watched_process(_look, store, folder / name, cores={SERVER_CORE})
            aim = ", of 120 s and 400 MB" if name == AFTER else ""
            print(
                f"{what}: {len(numbers):,} companies in {spent.seconds:.0f} s, {spent.processor_seconds:.0f} s of "
                f"processor time, at most {spent.peak_mb:.0f} MB{aim}"
            )
        print(f"{asyncio.run(_events(store)):,} events")


@commands.command()
def deliver(endpoints: int = 1_000, deliveries: int = 100_000) -> None:
    """Deliver events to endpoints on loopback."""
    with TemporaryDirectory() as folder:
        asyncio.run(_deliver(Path(folder), endpoints, deliveries))


def _prepare(folder: Path, companies: int) -> None:
    with TemporaryDirectory(dir=folder.parent) as parts:
        load_register(write(Path(parts), companies), folder / BEFORE, system_clock())
    _make_later(folder / BEFORE, folder / AFTER)


def _make_later(before: Path, after: Path) -> None:
    """Copy a data folder, as of a fortnight later: one company of a hundred is in liquidation, one has moved."""
    shutil.copytree(before, after)
    entry = catalogue.read(after).sources[REGISTER]
    with closing(sqlite3.connect(after / entry.file)) as register, register:
        rows = register.execute("SELECT id, entry FROM company WHERE id % 100 IN (1, 2)").fetchall()
        for row, stored in rows:
            kept = decode_entry(stored)
            moved = msgspec.structs.replace(kept.office, line_1="1 ANOTHER ROAD")
            changed = {"status": "Liquidation"} if row % 100 == 1 else {"office": moved}
            new = encode_entry(msgspec.structs.replace(kept, **changed))
            register.execute("UPDATE company SET entry = ? WHERE id = ?", (new, row))
    later = dt.date.fromisoformat(SNAPSHOT) + dt.timedelta(days=14)
    entry = msgspec.structs.replace(entry, as_of=later, loaded_at=entry.loaded_at + 1)
    catalogue.update(after, lambda kept: msgspec.structs.replace(kept, sources={**kept.sources, REGISTER: entry}))


async def _watch(path: Path, numbers: list[str]) -> None:
    store, now = SqliteStore(path), system_clock()
    for start in range(0, len(numbers), MAX_COMPANIES):
        name = f"p{start}"
        await store.save_portfolio(Portfolio(name, "owner", "A part", now, rules=(*DEFAULT_RULES, MOVED)))
        part = numbers[start : start + MAX_COMPANIES]
        for piece in range(0, len(part), _PIECE):
            companies = [WatchedCompany(each) for each in part[piece : piece + _PIECE]]
            await store.watch(name, companies, MAX_COMPANIES)
    await store.close()


def _look(path: Path, folder: Path) -> None:
    """Observe every watched company once, as the background task of a node does, but without its pauses."""

    async def run() -> None:
        store = SqliteStore(path)
        with closing(NodeData(folder, folder / "policies", rest=0)) as data:
            await Comparer(store, data, system_clock, "bench").run()
        await store.close()

    asyncio.run(run())


async def _events(path: Path) -> int:
    store = SqliteStore(path)
    try:
        return await store.last_event()
    finally:
        await store.close()


async def _deliver(folder: Path, endpoints: int, deliveries: int) -> None:
    store, now = SqliteStore(folder / "credence.sqlite"), system_clock()
    keys = WebhookKeys(b"k" * 32)
    ensure_certificates(folder / "tls", NAME)
    ports = range(FIRST_PORT, FIRST_PORT + endpoints)
    context = get_context("spawn")
    received, listens = context.Value("q", 0), context.Event()
    receiver = context.Process(target=_receive, args=(folder / "tls", ports, received, listens), daemon=True)
    receiver.start()
    await asyncio.to_thread(listens.wait)
    os.sched_setaffinity(0, {SERVER_CORE})
    for number in range(endpoints):
        name = f"wh_{number:05}"
        made, _ = keys.make(name, "ed25519", now)
        url = f"https://{NAME}:{ports[number]}/"
        await store.save(WEBHOOKS, Webhook(name, "owner", url, now, "ed25519", (made,), state="active"))
    for start in range(0, deliveries, _PIECE):
        events = range(start, min(start + _PIECE, deliveries))
        of = ("pf", "band", "00000001")
        await store.add_deliveries([event_delivery(f"wh_{each % endpoints:05}", each + 1, of, now) for each in events])
    rules = OutgoingRules((ip_network("127.0.0.0/8"),), ports=tuple(ports))

    async def resolve(_host: str, _port: int) -> list[str]:
        return ["127.0.0.1"]

    client = OutgoingClient(rules, lambda _: None, authority_file(folder / "tls"), resolve)
    authority: Any = SimpleNamespace(
        store=store, secrets=SimpleNamespace(digest=b"k" * 32), settings=SimpleNamespace(issuer="https://a.example")
    )
    engine = DeliveryEngine(store, system_clock, webhook_deliveries(authority, client, system_clock, "bench"))
    wall, cpu = time.perf_counter(), time.process_time()
    running = asyncio.create_task(engine.run())
    while received.value < deliveries:  # noqa: ASYNC110 - the receiver is another process
        await asyncio.sleep(0.1)
    while (await store.backlog()).waiting:  # noqa: ASYNC110 - the store announces nothing
        await asyncio.sleep(0.05)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    running.cancel()
    await engine.close()
    await store.close()
    receiver.terminate()
    print(
        f"{deliveries:,} deliveries to {endpoints:,} endpoints in {wall:.1f} s, {cpu:.1f} s of processor time: "
        f"{deliveries / wall:.0f} a second, {cpu / deliveries * 1000:.2f} ms each; {_resident()}"
    )


def _receive(tls: Path, ports: range, received: "Synchronized[int]", listens: Event) -> None:
    """Take every request on these ports, on the other core, and count them."""
    os.sched_setaffinity(0, {LOAD_CORE})

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
        writer.write(_OK)
        await writer.drain()
        writer.close()
        received.value += 1

    async def run() -> None:
        context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
        context.load_cert_chain(*ensure_certificates(tls, NAME))
        servers = [await asyncio.start_server(serve, "127.0.0.1", port, ssl=context) for port in ports]
        listens.set()
        await asyncio.gather(*(each.serve_forever() for each in servers))

    asyncio.run(run())


def _numbers(register: Path, wanted: int) -> list[str]:
    """Return so many numbers drawn from the register, in order."""
    with closing(sqlite3.connect(register)) as connection:
        found = [number for (number,) in connection.execute("SELECT number FROM company")]
    return sorted(random.Random(1).sample(found, wanted))  # noqa: S311 - the same companies at each run


def _resident() -> str:
    return f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB resident"


if __name__ == "__main__":
    commands()
