"""Reads the credit data of a node for comparisons, in one thread that works at most half of the time."""

import asyncio
import datetime as dt
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

import msgspec
from typing_extensions import override

from credence.clock import seconds
from credence.crypto.digest import sha256
from credence.datasets.credit_data import CreditData
from credence.datasets.data_set import UnusableDataSet
from credence.monitoring.comparison import Data
from credence.monitoring.deciding import Wanted, decisions
from credence.monitoring.loaded import Loaded
from credence.monitoring.observing import DISPUTES, POLICIES, Observation, observe
from credence.policy.installed import InstalledPolicies
from credence.scoring.model import current_model


class NodeData(Data):
    """Reads the data sets of one folder."""

    def __init__(self, folder: Path, policies: Path, rest: float = 1.0) -> None:
        """`folder` has the credit data, `policies` the installed policies.

        The thread sleeps `rest` seconds for each second of work, so that requests get their share.
        """
        self._credit_data = CreditData(folder)
        self._policies = InstalledPolicies(policies)
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="observing")
        self._rest = rest

    @override
    async def loaded(self) -> dict[str, Loaded] | None:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._loaded)

    @override
    async def policies(self) -> Loaded:
        return await asyncio.get_running_loop().run_in_executor(self._thread, self._own_policies)

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

    def _loaded(self) -> dict[str, Loaded] | None:
        data = self._credit_data
        if data.pending or data.source_errors or data.reload_errors:
            return None
        found = {name: Loaded(entry.as_of, entry.loaded_at) for name, entry in data.entries.items()}
        disputes = data.all_disputes()
        if disputes:
            version = sha256(msgspec.json.encode(disputes, order="sorted"))[:12].hex()
            found[DISPUTES] = Loaded(None, 0, version)
        own = self._own_policies()
        if own.version:
            found[POLICIES] = own
        return found

    def _own_policies(self) -> Loaded:
        written, version = self._policies.edition()
        return Loaded(None, written if version else 0, version)

    def _observe(self, companies: Sequence[str], wanted: Wanted, today: dt.date) -> list[Observation]:
        terms, data = current_model().terms, self._credit_data
        found = []
        for each in companies:
            company = data.company(each)
            state = observe(company, terms, self._score)
            if company is not None and each in wanted:
                state["decisions"] = decisions(company, self._policies, wanted[each], data, today)
            found.append(state)
        return found

    def _score(self, number: str) -> int | None:
        with suppress(UnusableDataSet):
            company = self._credit_data.company(number)
            return company.scores.past[0].score if company and company.scores else None
        return None
