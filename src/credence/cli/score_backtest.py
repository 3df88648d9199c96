"""`credence score backtest`: measures the score against what became of the companies (docs/measure-the-score.md)."""

import datetime as dt
from pathlib import Path
from typing import Annotated

import typer

from credence.cli.deployment import AsJson
from credence.cli.failure import WrongUsage
from credence.cli.output import print_one, progress_bar, say
from credence.clock import system_clock

Paths = list[Path]


def backtest(
    at: Annotated[str, typer.Option(help="The day on which companies are scored, such as 2025-11-01.", metavar="DAY")],
    register: Annotated[
        Paths,
        typer.Option(
            help="Snapshots of the register: one from that day or before, and one from the end of the horizon.",
            metavar="PATH",
        ),
    ],
    accounts: Annotated[
        Paths | None,
        typer.Option(
            help="Daily and monthly zips of accounts. Filings after that day are left out.",
            metavar="PATH",
            show_default="none",
        ),
    ] = None,
    notices: Annotated[
        Paths | None,
        typer.Option(
            help="Pages of the Gazette's feed, up to the end of the horizon.", metavar="PATH", show_default="none"
        ),
    ] = None,
    cases: Annotated[
        Paths | None,
        typer.Option(help="Responses of the register's API about insolvency.", metavar="PATH", show_default="none"),
    ] = None,
    owners: Annotated[
        Paths | None,
        typer.Option(
            help="Snapshot of people with significant control, for intervals by corporate group.",
            metavar="PATH",
            show_default="none",
        ),
    ] = None,
    outcomes: Annotated[
        Paths | None,
        typer.Option(
            help="CSV of number, outcome and day, for what you know of companies that left the register.",
            metavar="PATH",
            show_default="none",
        ),
    ] = None,
    months: Annotated[int, typer.Option(min=1, max=60, help="The horizon, in months.")] = 12,
    complete_notices: Annotated[
        bool,
        typer.Option(
            "--complete-notices", help="Count companies that left without a notice as dissolved without insolvency."
        ),
    ] = False,
    into: Annotated[Path, typer.Option(help="Folder of the backtest. A stopped backtest is continued from it.")] = Path(
        "backtest"
    ),
    as_json: AsJson = False,
) -> None:
    """Score every company from what was known on a day, and compare the scores with what happened to it.

    Options with a path can be given more than once, with files or folders.
    """
    # Imported late: other commands start sooner without the readers of all sources.
    from credence.backtest.page import area_in_words, page, rate
    from credence.backtest.plan import plan
    from credence.backtest.run import backtest as run
    from credence.backtest.run import written

    found = plan(
        _day(at),
        months,
        registers=register,
        accounts=accounts or (),
        notices=notices or (),
        cases=cases or (),
        owners=owners or (),
        outcomes=outcomes or (),
        notices_are_complete=complete_notices,
    )
    with progress_bar("Reading") as advance:
        measured = run(found, into, system_clock(), lambda what, done, total: advance(done, total, what))
    (into / "answer.json").write_bytes(written(measured))
    (into / "page.html").write_text(page(measured), encoding="utf-8")
    if as_json:
        say(written(measured).decode().rstrip())
        return
    found_rates, left = measured.calibration, measured.left
    print_one(
        {
            "at": measured.at.isoformat(),
            "until": measured.until.isoformat(),
            "companies": measured.companies,
            "scored": sum(measured.outcomes.values()),
            "outcomes": measured.outcomes,
            "auc": area_in_words(measured.area),
            "bounds": [left.least_auc, left.greatest_auc],
            "expected": found_rates and rate(found_rates.all.expected),
            "observed": found_rates and rate(found_rates.all.observed),
            "answer": str(into / "answer.json"),
            "page": str(into / "page.html"),
        },
        as_json=False,
    )
    for caveat in measured.caveats:
        say(caveat)


def _day(text: str) -> dt.date:
    try:
        return dt.date.fromisoformat(text)
    except ValueError:
        raise WrongUsage(f"{text[:20]!r} is not a day. Enter it as 2025-11-01.") from None
