"""Made-up registers in which it is known how well the score ranks failures.

Companies are of two kinds: those whose accounts were a year overdue have a lower score than the others. Of the failed
companies the share `late_of_failed` is late, of the others the share `late_of_others`, so the area under the ROC curve is
0.5 + (late_of_failed - late_of_others) / 2: a late and a punctual company are ranked rightly or wrongly, two of a kind count
half.
"""

import datetime as dt
import random
import zipfile
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from credence.backtest.answer import Answer
from credence.backtest.plan import plan
from credence.backtest.run import backtest
from tests.datasets.accounts.filings import amount, filing
from tests.datasets.snapshots import NOW, company, write
from tests.datasets.sources.hand_written import feed, notice

AT, UNTIL, MONTHS = dt.date(2026, 5, 1), dt.date(2026, 11, 1), 6

SOUND = {
    "IncorporationDate": "01/11/2006",
    "SICCode_SicText_1": "62012 - Business and domestic software development",
    "Accounts_NextDueDate": "30/11/2027",
    "ConfStmtNextDueDate": "30/11/2027",
    **{f"Mortgages_NumMort{kind}": "0" for kind in ("Charges", "Outstanding", "PartSatisfied", "Satisfied")},
}
LATE = SOUND | {"Accounts_NextDueDate": "01/05/2025"}

RUIN = (
    amount("CurrentAssets", 5_000),
    amount("Creditors", 400_000, "creditors"),
    amount("NetCurrentAssetsLiabilities", -395_000),
    amount("TotalAssetsLessCurrentLiabilities", -395_000),
    amount("NetAssetsLiabilities", -395_000),
)
"""A balance sheet with debts of eighty times the assets."""


class Planted(NamedTuple):
    """One company, and what becomes of it."""

    number: str
    late: bool
    failed: bool


def planted(
    late_of_failed: float, late_of_others: float, failed: int = 150, others: int = 1_050, seed: int = 7
) -> list[Planted]:
    """Draw companies; the same ones each time."""
    chance = random.Random(seed)
    ends = [True] * failed + [False] * others
    chance.shuffle(ends)
    shares = {True: late_of_failed, False: late_of_others}
    return [Planted(f"{n:08}", chance.random() < shares[end], end) for n, end in enumerate(ends, 1)]


def drawn_area(companies: Iterable[Planted]) -> float:
    """Return the area of the companies that were drawn, from their shares alone."""
    late: dict[bool, list[bool]] = {True: [], False: []}
    for each in companies:
        late[each.failed].append(each.late)
    failed, others = (sum(late[end]) / len(late[end]) for end in (True, False))
    return 0.5 + (failed - others) / 2


def measured(
    folder: Path,
    companies: Iterable[Planted],
    gone: Callable[[Planted], bool] = lambda _: False,
    again: Iterable[dict[str, str]] = (),
    days: tuple[dt.date, dt.date] = (AT, UNTIL),
    late: Mapping[str, str] = LATE,
    **files: Any,
) -> Answer:
    """Write the two registers and a notice for each failure, and measure.

    `again` are more rows of the later register, `late` is what the companies of the first kind have.
    """
    at, until = days
    companies = list(companies)
    rows = {each: company(each.number, **(late if each.late else SOUND)) for each in companies}
    before, after = rows.values(), [row for each, row in rows.items() if not gone(each)]
    orders = [order(each.number, f"{at + dt.timedelta(days=90)}") for each in companies if each.failed]
    folder.mkdir(exist_ok=True)
    registers = [
        write(folder / f"BasicCompanyData-{at}.csv", *before),
        write(folder / f"BasicCompanyData-{until}.csv", *after, *again),
    ]
    files = {"notices": [feed(folder / "gazette-1.json", *orders)]} | files
    return backtest(plan(at, MONTHS, registers=registers, **files), folder / "backtest", NOW)


def order(number: str, day: str = "2026-08-03", code: str = "2452") -> dict[str, Any]:
    """Return the notice of a winding-up order, or of another code."""
    content = f"<p>PLACEHOLDER LIMITED (Company Number {number})</p>"
    return notice(f"n{number}{code}", code, published=f"{day}T00:00:00", content=content)


def accounts(file: Path, *numbers: str) -> Path:
    """Write a product of accounts, made up to 31 December 2025, in which these companies are ruined."""
    with zipfile.ZipFile(file, "w") as archive:
        for number in numbers:
            archive.writestr(f"Prod223_1_{number}_20251231.html", filing(*RUIN, number=number))
    return file
