"""What a long run has done so far, in a file, so that a run that was stopped goes on where it was."""

import json
import os
from pathlib import Path
from typing import Any


class Progress:
    """Counts by name, and the faults that were found. Without a file it starts empty and nothing is kept."""

    def __init__(self, file: Path | None) -> None:
        self._file = file
        kept: dict[str, Any] = json.loads(file.read_text()) if file is not None and file.exists() else {}
        self.counts: dict[str, int] = kept.get("counts", {})
        self.faults: list[str] = kept.get("faults", [])
        self.values: dict[str, list[float]] = kept.get("values", {})

    def done(self, name: str) -> int:
        """Return how many there are of one kind."""
        return self.counts.get(name, 0)

    def add(self, **counts: int) -> None:
        """Add to the counts, and write the file in one step."""
        for name, count in counts.items():
            self.counts[name] = self.done(name) + count
        self.keep()

    def keep(self) -> None:
        """Write the file, if there is one; a kill in between leaves the old one."""
        if self._file is not None:
            fresh = self._file.with_suffix(".new")
            fresh.write_text(json.dumps({"counts": self.counts, "values": self.values, "faults": self.faults}))
            os.replace(fresh, self._file)  # noqa: PTH105 - a rename that replaces
