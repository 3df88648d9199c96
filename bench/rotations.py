"""Rotations of families at random in a SQLite store, by how many families are live: `python -m bench.rotations`.

It fills a store with a thousand, a hundred thousand and a million families by SQL, and rotates 40 of them at once, again and
again, each synced to disk; the three take turns. The rate is that of the store alone, without requests and signatures.
"""

import argparse
import asyncio
import random
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import msgspec

from credence.store.records import AccessTokenParameters, TokenFamily
from credence.store.sqlite.store import SqliteStore

GROUP = 40
NOW = 1_790_000_000_000
DAY_MS = 86_400_000
CLIENT = "crd_sbx_app_0123456789abcdefghijklmn"
KID = "Q8hX2k9vT1mWnY4bZ7cL3pR6sD0fGjKxE5uAoIqVtNw"
SCOPE = "offline_access openid risk.business.read"
ROTATED = 200_000
"""Families at most that are rotated, so that the list of their ids stays small."""


class Filled:
    """A store with that many live families, and what was measured with it."""

    def __init__(self, file: Path, families: int) -> None:
        self.families = families
        self.rates: list[float] = []
        self.processor: list[float] = []
        self.written: list[float] = []
        self.seconds: list[float] = []
        self._store = SqliteStore(file)
        chance = random.Random(families)  # noqa: S311 - choices of a measurement
        with closing(sqlite3.connect(file)) as connection:
            marks = ", ".join("?" * len(TokenFamily.__struct_fields__))
            columns = ", ".join(TokenFamily.__struct_fields__)
            with connection:
                connection.executemany(
                    f"INSERT INTO families ({columns}) VALUES ({marks})",  # noqa: S608 - the names of a struct
                    _rows(families, chance),
                )
            ids = [row[0] for row in connection.execute("SELECT id FROM families")]
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        self._generations = dict.fromkeys(chance.sample(ids, min(families, ROTATED)), 0)
        self._ids = list(self._generations)
        self._chance = chance

    async def rotate(self, seconds: float) -> None:
        """Rotate for this long."""
        began, processor, written, count = time.monotonic(), time.process_time(), _written(), 0
        while time.monotonic() - began < seconds:
            group = self._chance.sample(self._ids, GROUP)
            at = time.monotonic()
            await asyncio.gather(*map(self._rotate, group))
            self.seconds.append(time.monotonic() - at)
            count += GROUP
        self.rates.append(count / (time.monotonic() - began))
        self.processor.append((time.process_time() - processor) / count)
        self.written.append((_written() - written) / count)

    async def _rotate(self, family: bytes) -> None:
        generation = self._generations[family]
        rotated = await self._store.rotate(family, generation, AccessTokenParameters(NOW + generation, 3_600, KID))
        if rotated is None:
            raise RuntimeError("a rotation was refused")
        self._generations[family] = rotated.generation

    async def close(self) -> None:
        """Close the store."""
        await self._store.close()


def _rows(families: int, chance: random.Random) -> Iterator[tuple[object, ...]]:
    for number in range(families):
        until = NOW + 30 * DAY_MS + number
        family = TokenFamily(
            until.to_bytes(6, "big") + chance.randbytes(16),
            CLIENT,
            f"user{number % 10_000}",
            SCOPE,
            NOW,
            until,
            NOW,
            3_600,
            KID,
        )
        yield msgspec.structs.astuple(family)


def _written() -> int:
    lines = dict(line.split(": ") for line in Path("/proc/self/io").read_text().splitlines())
    return int(lines["write_bytes"])


async def _measure(options: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        stores = [Filled(Path(folder) / f"{count}.sqlite", count) for count in options.families or COUNTS]
        for _ in range(options.rounds):
            for each in stores:
                await each.rotate(options.seconds)
        least = statistics.median(stores[0].rates)
        for each in stores:
            slowest = sorted(each.seconds)
            print(
                f"{each.families:>10,} families {statistics.median(each.rates):8,.0f}/s"
                f" {statistics.median(each.rates) / least:6.2f}"
                f" {1e6 * statistics.median(each.processor):6.0f} us of the processor"
                f" {statistics.median(each.written) / 1000:6.1f} kB written; a group of {GROUP}:"
                f" median {1e3 * slowest[len(slowest) // 2]:.1f} ms, slowest hundredth"
                f" {1e3 * slowest[len(slowest) * 99 // 100]:.1f} ms, slowest {1e3 * slowest[-1]:.0f} ms"
            )
            await each.close()


COUNTS = (1_000, 100_000, 1_000_000)


def main() -> int:
    """Measure, and print a line for each store."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--families", type=int, action="append", help="how many are live; may be repeated")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3, help="of each store in each round")
    parser.add_argument("--folder", type=Path, default=Path.cwd(), help="on the disk to be measured")
    asyncio.run(_measure(parser.parse_args()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
