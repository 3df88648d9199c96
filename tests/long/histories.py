"""Ten thousand random histories: `python -m tests.long.histories`, which stops by itself and keeps what it saw as JSON.

Half of them ask stores for whatever their contract has, half log in, refresh, revoke and change what ends tokens; each of
them in memory, in SQLite and in PostgreSQL, whose answers are compared. They run by the hundred, each hundred with a seed
of its own: `--seed N --histories 100 --level NAME` runs those of one again. With `--progress FILE` a run that was stopped
goes on where it was.
"""

import argparse
import datetime as dt
import json
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from bench.machine import machine, versions
from bench.record import RESULTS
from credence.telemetry import log
from tests.long.progress import Progress
from tests.oauth.histories import worlds
from tests.oauth.random_histories import TokenHistory
from tests.postgres import database, open_folder, postgres_server, program
from tests.random_histories import run_histories
from tests.store.histories import stores
from tests.store.random_histories import StoreHistory

BATCH = 100
STEPS = 20

Batch = Callable[[Path, str, int, int], None]


def main() -> int:
    options = _options()
    if program("initdb") is None:
        print("PostgreSQL is not installed: python -m tests.provision", file=sys.stderr)
        return 2
    log.configure(readable=True, level="error")  # the histories are refused a hundred thousand times
    progress = Progress(options.progress)
    chosen = {name: LEVELS[name] for name in options.level or LEVELS}
    with _server() as url:
        found = {
            name: _level(name, batch, url, options.histories // len(chosen), options, progress)
            for name, batch in chosen.items()
        }
    record = {"steps": STEPS, "seed": options.seed, "levels": found}
    print(json.dumps(record, indent=2))
    if options.keep:
        file = RESULTS / f"{dt.datetime.now(dt.UTC):%Y-%m-%d-%H%M}-histories.json"
        facts = {"machine": machine(Path.cwd()), "versions": versions()}
        file.write_text(json.dumps({**facts, **record}, indent=2) + "\n")
        print(file)
    return 1 if any(each["failed"] for each in found.values()) else 0


def _level(
    name: str, batch: Batch, url: str, wanted: int, options: argparse.Namespace, progress: Progress
) -> dict[str, Any]:
    """Run until there were enough, or the time is over; a batch that fails says its shortest history and its seed."""
    began, done, failed = time.monotonic(), progress.done(name), []
    seed = options.seed + done // BATCH
    while done < wanted and time.monotonic() - began < options.minutes * 60 / len(options.level or LEVELS):
        count = min(BATCH, wanted - done)
        try:
            with open_folder() as folder, database(url) as fresh:
                batch(folder, fresh, count, seed)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is what this looks for
            failed.append({"seed": seed, "said": _said(error)})
            print(f"{name}, seed {seed}: {_said(error)}", file=sys.stderr)
        done, seed = done + count, seed + 1
        progress.add(**{name: count})
        print(f"{name}: {done} of {wanted}, {time.monotonic() - began:.0f} s", file=sys.stderr)
    return {"histories": done, "seconds": round(time.monotonic() - began), "last_seed": seed - 1, "failed": failed}


def _ask_stores(folder: Path, url: str, count: int, seed: int) -> None:
    with stores(folder, url) as both:
        run_histories(StoreHistory, both, count, STEPS, seed)


def _use_tokens(folder: Path, url: str, count: int, seed: int) -> None:
    with worlds(folder, url) as both:
        run_histories(TokenHistory, both, count, STEPS, seed)


LEVELS: dict[str, Batch] = {"stores": _ask_stores, "tokens": _use_tokens}


@contextmanager
def _server() -> Iterator[str]:
    """Nothing is killed here, so nothing need be on the disk."""
    with postgres_server(fsync="off", synchronous_commit="off") as server:
        yield server.url


def _said(error: BaseException) -> str:
    return "\n".join([f"{type(error).__name__}: {error}", *getattr(error, "__notes__", [])])


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--histories", type=int, default=10_000)
    parser.add_argument("--level", action="append", choices=sorted(LEVELS), help="the default is each of them")
    parser.add_argument("--seed", type=int, default=20261121, help="of the first hundred; each has the next")
    parser.add_argument("--minutes", type=float, default=120, help="at most")
    parser.add_argument("--progress", type=Path, help="file that keeps what was done; a later run goes on from it")
    parser.add_argument("--keep", action=argparse.BooleanOptionalAction, default=True, help="the figures as JSON")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
