"""`python -m bench.monitoring`: the comparison of watched companies, and deliveries to webhooks, on one core.

The comparison reads real data sets and a SQLite store; its time for 500,000 watched companies is that of each company times
500,000, so a short run says what a long one takes. Deliveries go over TLS to a receiver on loopback, in the same process as
the engine: signing, both ends of each connection and the store share the core.
"""

import asyncio
import csv
import io
import resource
import ssl
import time
import zipfile
from contextlib import closing
from ipaddress import ip_network
from pathlib import Path
from tempfile import TemporaryDirectory
from types import SimpleNamespace
from typing import Any

import typer

from bench.full_size.snapshot import write
from credence.clock import system_clock
from credence.companies.number import normalise_or_none
from credence.datasets.loading.load import load_register
from credence.monitoring.comparison import Comparer
from credence.monitoring.data import NodeData
from credence.monitoring.rules import DEFAULT_RULES
from credence.monitoring.webhooks.delivering import webhook_deliveries
from credence.monitoring.webhooks.keys import WebhookKeys
from credence.outbox.engine import DeliveryEngine
from credence.outgoing.client import OutgoingClient
from credence.outgoing.target import OutgoingRules
from credence.sandbox.certificates import ensure_certificates
from credence.store.monitoring import Portfolio, WatchedCompany
from credence.store.sqlite.store import SqliteStore
from credence.store.webhooks import Webhook, event_delivery
from credence.tls import authority_file

TARGET_COMPANIES = 500_000
NAME = "receiver.example"
FIRST_PORT = 20_000
"""Each endpoint has a port of its own, so that each is a host of its own for the client."""

_OK = b"HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n"
_PIECE = 1_000

commands = typer.Typer(help="Monitoring.")


@commands.command()
def compare(companies: int = 500_000) -> None:
    """Watch every company of a generated register, load it again, and time the comparison that follows."""
    with TemporaryDirectory() as folder:
        asyncio.run(_compare(write(Path(folder) / "snapshot", companies), Path(folder)))


@commands.command()
def deliver(endpoints: int = 1_000, deliveries: int = 100_000) -> None:
    """Deliver events to endpoints on loopback."""
    with TemporaryDirectory() as folder:
        asyncio.run(_deliver(Path(folder), endpoints, deliveries))


async def _compare(snapshot: list[Path], folder: Path) -> None:
    store, now = SqliteStore(folder / "credence.sqlite"), system_clock()
    numbers = [number for part in snapshot for number in _numbers(part)]
    await store.save_portfolio(Portfolio("p", "owner", "All", now, rules=DEFAULT_RULES))
    for start in range(0, len(numbers), _PIECE):
        await store.watch("p", [WatchedCompany(each) for each in numbers[start : start + _PIECE]], len(numbers))
    load_register(snapshot, folder / "credit", now)
    await _timed("first look", store, folder, len(numbers))
    load_register(snapshot, folder / "credit", now + 1_000)
    await _timed("comparison", store, folder, len(numbers))
    await store.close()


async def _timed(what: str, store: SqliteStore, folder: Path, companies: int) -> None:
    with closing(NodeData(folder / "credit", rest=0)) as data:
        wall, cpu = time.perf_counter(), time.process_time()
        await Comparer(store, data, system_clock, "bench").run()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    for_all = TARGET_COMPANIES / companies
    print(
        f"{what}: {companies:,} companies in {wall:.1f} s, {cpu:.1f} s of processor time; "
        f"{TARGET_COMPANIES:,} take {wall * for_all:.0f} s, {cpu * for_all:.0f} s of processor time; {_resident()}"
    )


async def _deliver(folder: Path, endpoints: int, deliveries: int) -> None:
    store, now, received = SqliteStore(folder / "credence.sqlite"), system_clock(), 0
    keys = WebhookKeys(b"k" * 32)
    done = asyncio.Event()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal received
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split(b"\r\n")[0]))
        writer.write(_OK)
        await writer.drain()
        writer.close()
        received += 1
        if received == deliveries:
            done.set()

    chain, key = ensure_certificates(folder / "tls", NAME)
    tls = _server_tls(chain, key)
    ports = range(FIRST_PORT, FIRST_PORT + endpoints)
    servers = [await asyncio.start_server(serve, "127.0.0.1", port, ssl=tls) for port in ports]
    for number in range(endpoints):
        name = f"wh_{number:05}"
        made, _ = keys.make(name, "ed25519", now)
        url = f"https://{NAME}:{ports[number]}/"
        await store.save_webhook(Webhook(name, "owner", url, now, "ed25519", (made,), state="active"))
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
    await done.wait()
    while (await store.backlog()).waiting:  # noqa: ASYNC110 - the store announces nothing
        await asyncio.sleep(0.05)
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    running.cancel()
    await engine.close()
    for server in servers:
        server.close()
    await store.close()
    print(
        f"{deliveries:,} deliveries to {endpoints:,} endpoints in {wall:.1f} s, {cpu:.1f} s of processor time: "
        f"{deliveries / wall:.0f} a second, {cpu / deliveries * 1000:.2f} ms each; {_resident()}"
    )


def _server_tls(chain: Path, key: Path) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(chain, key)
    return context


def _numbers(part: Path) -> list[str]:
    with zipfile.ZipFile(part) as archive, archive.open(archive.namelist()[0]) as stream:
        rows = csv.reader(io.TextIOWrapper(stream, "utf-8", newline=""))
        place = [name.strip() for name in next(rows)].index("CompanyNumber")
        return [number for row in rows if (number := normalise_or_none(row[place]))]


def _resident() -> str:
    return f"at most {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB resident"


if __name__ == "__main__":
    commands()
