"""Extracts the demonstration facts from the sample of filed accounts: `python -m tools.demonstration [FOLDER]`.

FOLDER holds the zips of docs/credit.md §5; without it, `accounts` in `CREDENCE_SAMPLE_DATA` (by default ../shared/data).
"""

import os
import sys
from collections.abc import Iterable
from pathlib import Path

from credence.companies.facts.accounts import Accounts
from credence.datasets.sources.accounts import read
from credence.datasets.sources.source import Record
from credence.sandbox.demonstration_accounts import FILE, pack

SAMPLE = Path(os.environ.get("CREDENCE_SAMPLE_DATA", "../shared/data")) / "accounts"


def main(arguments: list[str]) -> int:
    """Write the file; return the exit code."""
    folder = Path(arguments[0]) if arguments else SAMPLE
    if not sorted(folder.glob("*.zip")):
        print(f"{folder} holds no zip of filed accounts.", file=sys.stderr)
        return 1
    filings = extract(folder.glob("*.zip"))
    FILE.write_bytes(pack(filings))
    print(f"{FILE.name}: {len(filings)} filings, {FILE.stat().st_size:,} bytes")
    return 0


def extract(files: Iterable[Path]) -> list[Accounts]:
    """Return every filing of the files, in the order of company and document."""
    records = [found for found in read(sorted(files)) if isinstance(found, Record)]
    filings = [found.fact for found in records if isinstance(found.fact, Accounts)]
    return sorted(filings, key=lambda accounts: (accounts.company, accounts.document))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
