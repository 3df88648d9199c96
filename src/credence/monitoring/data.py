"""Reads the credit data of a node for comparisons, in one thread that works at most half of the time."""

import asyncio
import datetime as dt
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path

import msgspec
from typing_extensions import override

from credence.clock import seconds
from credence.companies.facts.company import Company
from credence.crypto.digest import sha256
from credence.datasets.credit_data import CreditData
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.holds import HOLDS
from credence.datasets.score_reader import SCORES
from credence.monitoring.comparison import Data
from credence.monitoring.deciding import Wanted, decisions
from credence.monitoring.loaded import Loaded
from credence.monitoring.observing import DERIVED, DISPUTES, MODEL, POLICIES, Observation, observe
from credence.policy.installed import InstalledPolicies
from credence.scoring.model import current_model
from credence.scoring.score import score_company


class NodeData(Data):
    """Reads the data sets of one folder."""

    def __init__(
        self,
        folder: Path,
        policies: Path,
        rest: float = 1.0,
        invented: Callable[[str], Company | None] = lambda _: None,
    ) -> None:
        """`folder` has the credit data, `policies` the installed policies, `invented` the companies of the sandbox.

        The thread sleeps `rest` seconds for each second of work, so that requests get their share.
        """
        self._credit_data = CreditData(folder)
        self._policies = InstalledPolicies(policies)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="observing")
        self._rest = rest
        self._invented = invented

    @override
    async def loaded(self) -> dict[str, Loaded]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._loaded)

    @override
    async def is_whole(self) -> bool:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._is_whole)

    @override
    async def of_node(self) -> dict[str, Loaded]:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._of_node)

    @override
    async def observe(self, companies: Sequence[str], wanted: Wanted, today: dt.date) -> list[Observation]:
        began, loop = seconds(), asyncio.get_running_loop()
        found = await loop.run_in_executor(self._thread, self._observe, companies, wanted, today)
        await asyncio.sleep((seconds() - began) * self._rest)
        return found

    def close(self) -> None:
        """Finish the piece in progress and close the files."""
        self._thread.shutdown(wait=True, cancel_futures=True)
        self._credit_data.close()

    def _loaded(self) -> dict[str, Loaded]:
        data = self._credit_data
        entries, pending = data.entries, data.pending
        found = {name: Loaded(each.as_of, each.loaded_at) for name, each in entries.items() if name not in pending}
        disputes = data.all_disputes()
        if disputes and DISPUTES not in pending:
            version = sha256(msgspec.json.encode(disputes, order="sorted"))[:12].hex()
            found[DISPUTES] = Loaded(None, 0, version)
        return found | self._of_node()

    def _is_whole(self) -> bool:
        data = self._credit_data
        return data.source_errors.keys() <= {SCORES} and {DISPUTES, HOLDS}.issuperset(data.pending)

    def _of_node(self) -> dict[str, Loaded]:
        model, (written, version) = current_model(), self._policies.edition()
        found = {MODEL: Loaded(None, _order_of(model.version), model.hash)}
        return found | {POLICIES: Loaded(None, written, version)} if version else found

    def _observe(self, companies: Sequence[str], wanted: Wanted, today: dt.date) -> list[Observation]:
        data, found = self._credit_data, []
        # Of the values, only a decision may depend on earlier scores.
        unknown = DERIVED if not self._is_whole() else ("decisions",) if data.source_errors else ()
        for each in companies:
            made = self._invented(each)
            company, known = (made, True) if made else data.look_up(each)
            state = observe(company, data.entries.keys(), today, partial(self._score, today))
            if known and each in wanted:
                state["decisions"] = decisions(company, self._policies, wanted[each], data, today)
            found.append({name: state[name] for name in state if name not in unknown} if unknown else state)
        return found

    def _score(self, today: dt.date, number: str) -> int | None:
        with suppress(UnusableDataSet):
            company = self._credit_data.company(number)
            score = score_company(company, today).score if company else None
            return score.score if score else None
        return None


def _order_of(version: str) -> int:
    """Return a number that grows with the versions of the model, such as 2026.11.4."""
    parts = [int(part) for part in version.split(".") if part.isdigit()]
    return sum(part * 1_000 ** (3 - place) for place, part in enumerate(parts[:4]))
