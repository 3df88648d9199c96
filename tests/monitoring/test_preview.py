"""A preview counts what the rules would have made of the history that is loaded (D31)."""

import datetime as dt
from pathlib import Path

from credence.monitoring.preview import Count, preview
from credence.store.portfolios import RuleSetting
from tests.memory_store import MemoryStore
from tests.monitoring.watching import Watching

TODAY = dt.date(2026, 11, 1)


def test_a_preview_counts_events_those_of_a_year_and_companies(tmp_path: Path) -> None:
    watching = Watching(MemoryStore(), tmp_path / "credit")
    watching.register(
        "2026-10-01",
        n00000001={
            "PreviousName_1_CompanyName": "SECOND LIMITED",
            "PreviousName_1_CONDATE": "01/02/2026",
            "PreviousName_2_CompanyName": "FIRST LIMITED",
            "PreviousName_2_CONDATE": "31/10/2025",
        },
        n00000002={"PreviousName_1_CompanyName": "OLD LIMITED", "PreviousName_1_CONDATE": "01/11/2025"},
        n00000003={},
    )
    numbers = ["00000001", "00000002", "00000003", "00000009"]
    counts = preview(watching.folder, numbers, [RuleSetting("name"), RuleSetting("status")], TODAY)
    assert counts == [Count("name", 3, 2, 2), Count("status", 0, 0, 0)]
    assert preview(watching.folder, numbers[1:], [RuleSetting("name")], TODAY) == [Count("name", 1, 1, 1)]
    assert preview(watching.folder, numbers, [], TODAY) == []
