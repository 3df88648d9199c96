"""Keeps what was measured: a JSON file a run, with the machine and the versions that explain it."""

import datetime as dt
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from bench.machine import described, versions
from bench.measurement import Measurement

RESULTS = Path(__file__).parent / "results"


def keep(facts: dict[str, Any], plan: Mapping[str, float], measurements: Sequence[Measurement], name: str = "") -> str:
    """Write a record named for the time, what was asked if not everything, and the machine; return its path from here."""
    now = dt.datetime.now(dt.UTC)
    parts = [f"{now:%Y-%m-%d-%H%M}", *([name] if name else []), described(facts)]
    file = RESULTS / f"{'-'.join(parts)}.json"
    record = {
        "measured_at": now.isoformat(timespec="seconds"),
        "machine": {**facts, "load_after": os.getloadavg()[0]},
        "versions": versions(),
        "plan": plan,
        "measurements": [each.as_record() for each in measurements],
    }
    file.write_text(json.dumps(record, indent=2) + "\n")
    return os.path.relpath(file)
