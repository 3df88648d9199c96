"""Rotations of families at random in a store, by how many families it has: `python -m bench.rotations`.

It fills stores with a thousand, a hundred thousand and a million live families and rotates 40 of them at once, again and
again, each synced to disk; the stores take turns. `--families 10000000:50000000` has expired families besides, and is also
measured while a node deletes these. The rate is that of the store alone, without requests and signatures.
"""

import argparse
import asyncio
import os
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from functools import partial
from pathlib import Path

from bench.rotations import in_postgres, in_sqlite
from bench.rotations.families import DAY_MS, KEPT_DAYS, TODAY, Families
from bench.rotations.slices import GROUP, Rotated, Slices
from credence.store.postgres.store import open_postgres
from credence.store.sqlite.store import SqliteStore

COUNTS = (Families(1_000), Families(100_000), Families(1_000_000))


async def _in_sqlite(folder: Path, families: Families, opened: ExitStack) -> Rotated:
    """Return a filled SQLite store, which stays in memory until `opened` ends and can then be used again."""
    file = folder / f"{families.name}.sqlite"
    kept = file.with_suffix(".rotated")
    is_filled = kept.exists()
    if not is_filled:
        await in_sqlite.fill(file, families)
    held = in_sqlite.hold(file, families)
    opened.callback(held.close)
    rotated = Rotated(SqliteStore(file), families, lambda: [os.getpid()], partial(in_sqlite.oldest, file))
    if is_filled:
        rotated.recall(kept)
    opened.callback(rotated.keep, kept)
    return rotated


async def _in_postgres(folder: Path, families: Families, settings: list[str], opened: ExitStack) -> Rotated:
    """Return a filled PostgreSQL store, whose server runs until `opened` ends."""
    named = dict(setting.split("=", 1) for setting in settings)
    server = opened.enter_context(in_postgres.server(folder / families.name, named))
    await in_postgres.fill(server, families)
    store = await open_postgres(server.url)
    await store.prepare(in_postgres.BUCKETS[0].until * DAY_MS)  # partitions of other tables, once
    in_postgres.warm(server)
    oldest, settle = partial(in_postgres.oldest, server), partial(in_postgres.checkpoint, server)
    return Rotated(store, families, lambda: [os.getpid(), *server.processes()], oldest, settle)


async def _measure(options: argparse.Namespace, folder: Path) -> None:
    stores: list[Rotated] = []
    with ExitStack() as opened:
        for families in options.families or COUNTS:
            began = time.monotonic()
            if options.postgres:
                stores.append(await _in_postgres(folder, families, options.set, opened))
            else:
                stores.append(await _in_sqlite(folder, families, opened))
            seconds = time.monotonic() - began
            print(f"{_title(families)}: filled in {seconds:.0f} s, {_octets(folder) / 1e9:.1f} GB in all", flush=True)
        for number in range(options.rounds):
            for each in stores:
                await each.rotate(options.seconds, each.alone)
                each.settle()
                if each.families.expired:
                    day = in_postgres.BUCKETS[number].until if options.postgres else TODAY - KEPT_DAYS
                    await each.rotate_during_sweep(options.seconds, day * DAY_MS)
                    each.settle()
        least = stores[0].alone
        for each in stores:
            _show(_title(each.families), each.alone, least)
            if each.families.expired:
                _show("  while expired ones are deleted", each.sweeping, least)
                print(f"  deleted: {statistics.median(each.sweeping.deleted):,.0f}/s")
            await each.close()


def _octets(folder: Path) -> int:
    return sum(each.stat().st_size for each in folder.rglob("*") if each.is_file())


def _title(families: Families) -> str:
    return f"{families.live:,} live" + (f", {families.expired:,} expired" if families.expired else "")


def _show(title: str, slices: Slices, least: Slices) -> None:
    median, slowest, all_ = (1e3 * slices.quantile(share) for share in (0.5, 0.99, 1))
    of_rounds = statistics.median(
        each.quantile(0.99) / first.quantile(0.99) for each, first in zip(slices.each(), least.each(), strict=True)
    )
    print(
        f"{title:36} {slices.rate:7,.0f}/s {slices.rate / least.rate:.2f};"
        f" {1e6 * statistics.median(slices.processor):4.0f} us of the processor,"
        f" {statistics.median(slices.written) / 1000:.1f} kB written; a group of {GROUP}: p50 {median:.1f} ms,"
        f" p99 {slowest:.1f} ms, {slices.quantile(0.99) / least.quantile(0.99):.2f} ({of_rounds:.2f} the median round),"
        f" slowest {all_:.0f} ms"
    )


def _families(text: str) -> Families:
    live, _, expired = text.partition(":")
    return Families(int(live), int(expired or 0))


def main() -> int:
    """Measure, and print a line for each store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    how_many = "LIVE or LIVE:EXPIRED; may be repeated; figures are compared with the first"
    parser.add_argument("--families", type=_families, action="append", help=how_many)
    parser.add_argument("--postgres", action="store_true", help="over PostgreSQL, a server for each store")
    parser.add_argument(
        "--set", action="append", default=[], help="a setting of PostgreSQL, NAME=VALUE; may be repeated"
    )
    parser.add_argument("--rounds", type=int, default=5, help="with expired families over PostgreSQL at most 8")
    parser.add_argument("--seconds", type=float, default=3, help="of each store in each round")
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="on the disk to be measured")
    parser.add_argument("--keep", action="store_true", help="keep the SQLite stores in the folder, and use those there")
    options = parser.parse_args()
    if options.keep:
        asyncio.run(_measure(options, options.folder))
        return 0
    with tempfile.TemporaryDirectory(dir=options.folder, prefix="rotations-") as folder:
        Path(folder).chmod(0o755)  # PostgreSQL runs as a user of its own
        asyncio.run(_measure(options, Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
