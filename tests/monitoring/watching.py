"""A store with a portfolio, credit data that a test loads piece by piece, and the comparisons in between."""

from collections.abc import Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import msgspec

from credence.datasets.loading.load import load, load_register
from credence.datasets.loading.refresh import SOURCES
from credence.monitoring.comparing import document_of
from credence.monitoring.comparison import Comparer
from credence.monitoring.data import NodeData
from credence.monitoring.loaded import decide_held, read_mark
from credence.monitoring.rules import RULES
from credence.scoring.runs.run import score_all
from credence.store.contract import Store
from credence.store.events import EventFilter
from credence.store.portfolios import Portfolio, RuleSetting, WatchedCompany
from tests.datasets.snapshots import company, write

NOW = 1_793_500_000_000
"""1 November 2026."""

OWNER = "crd_sbx_app_a"
EVERY_RULE = tuple(RuleSetting(code) for code in RULES if code != "decision")
"""All but the one that needs the name of a policy."""

_snapshots = count()

Said = tuple[str, str, str, str]
"""Company, rule, kind, and before and after."""


class Watching:
    """One deployment's credit data and its comparisons."""

    def __init__(self, store: Store, folder: Path) -> None:
        self.store, self.folder, self.now = store, folder, NOW
        self.policies = folder.parent / "policies"

    async def watch(self, numbers: Sequence[str], rules: Sequence[RuleSetting] = EVERY_RULE, name: str = "p1") -> None:
        """Make a portfolio of these companies."""
        await self.store.save_portfolio(Portfolio(name, OWNER, "Customers", NOW, rules=tuple(rules)))
        for start in range(0, len(numbers), 1_000):
            piece = [WatchedCompany(each) for each in numbers[start : start + 1_000]]
            await self.store.watch(name, piece, 50_000)

    async def rules(self, rules: Sequence[RuleSetting], name: str = "p1") -> None:
        """Replace the rules of a portfolio."""
        kept = await self.store.portfolio(name)
        assert kept is not None
        changed = msgspec.structs.replace(kept, version=kept.version + 1, rules=tuple(rules))
        await self.store.save_portfolio(changed)

    async def compare(self, holder: str = "a") -> int:
        """Run one comparison, as the background task of a process does."""
        with closing(NodeData(self.folder, self.policies, rest=0)) as data:
            return await Comparer(self.store, data, lambda: self.now, holder).run()

    async def release(self) -> None:
        """Let everything out that is held, and compare."""
        for rule in (await read_mark(self.store))[1].held:
            await decide_held(self.store, rule, release=True)
        await self.compare()

    def register(self, day: str, **companies: dict[str, str]) -> None:
        """Put a register of this day (ISO) in service; `n` before a number makes it a name."""
        self.now += 1_000
        path = self.folder.parent / f"{next(_snapshots)}"
        path.mkdir()
        rows = [company(number.removeprefix("n"), **cells) for number, cells in companies.items()]
        file = write(path / f"BasicCompanyData-{day}.csv", *rows)
        load_register([file], self.folder, self.now, accept_fewer=True, accept_older=True)

    def facts(self, source: str, records: Sequence[Any]) -> None:
        """Put records of a source in service, in addition to those of earlier loads."""
        self.now += 1_000
        path = self.folder.parent / f"{next(_snapshots)}.json"
        path.write_text("{}")
        read = msgspec.structs.replace(SOURCES[source], read=lambda *_, **__: iter(records), snapshot=None, events=None)
        load(read, [path], self.folder, self.now, accept_fewer=True)

    def file(self, source: str, file: Path) -> None:
        """Load a file of a source."""
        self.now += 1_000
        load(SOURCES[source], [file], self.folder, self.now)

    def score(self) -> None:
        """Score every company, on the next day."""
        self.now += 86_400_000
        score_all(self.folder, self.now)

    async def said(self) -> list[Said]:
        """What each event says, in the order of their numbers."""
        found = await self.store.events(OWNER, 0, 100_000, EventFilter())
        assert [each.number for each in found] == list(range(1, len(found) + 1))
        documents = [document_of(each.document) for each in found]
        return [
            (
                each.company,
                each.rule,
                document.kind,
                f"{bytes(document.before).decode()} {bytes(document.after).decode()}",
            )
            for each, document in zip(found, documents, strict=True)
        ]
