"""`credence policy` and `credence score batch`: decisions and scores for a list of companies, without a server."""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from enum import Enum
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from credence.app import open_reports
from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import Failure
from credence.cli.operation_commands import add_to
from credence.cli.output import print_many, print_one, progress_bar, say
from credence.clock import london_day, system_clock
from credence.datasets.credit_data import CreditData
from credence.operations.table import commands_of
from credence.policy.batch import Row, header, rows, written
from credence.policy.companies import Entry, read_csv, read_json
from credence.policy.decision import Decision
from credence.policy.policy import Policy, read_policy
from credence.settings import Settings

commands = typer.Typer(help="Policies: rules that turn reports into accept, refer or decline.")
add_to(commands, *commands_of("policy"))


class Format(Enum):
    """The formats of a list of rows."""

    NDJSON = "ndjson"
    CSV = "csv"


_ROWS_AT_A_TIME = 100

PolicyFile = Annotated[Path, typer.Argument(help="File of the policy (TOML, docs/policies.md).")]
CompanyList = Annotated[
    Path,
    typer.Argument(help="File of company numbers, with amounts if wanted: JSON (.json) or CSV; - is standard input."),
]
RowFormat = Annotated[Format, typer.Option("--format", help="The form of the rows.")]
Output = Annotated[Path | None, typer.Option(help="File to write the rows to.", show_default="standard output")]


@commands.command()
def check(policy: PolicyFile, as_json: AsJson = False) -> None:
    """Check a policy: its form, and that the report has every member that its rules read."""
    found = _policy(policy)
    print_one(
        {
            "name": found.name,
            "date": found.date.isoformat(),
            "hash": found.hash,
            "rules": len(found.rules),
            "members": [each.text for each in found.pointers],
        },
        as_json=as_json,
    )


@commands.command()
def simulate(
    policy: PolicyFile,
    companies: CompanyList,
    form: RowFormat = Format.NDJSON,
    output: Output = None,
    data_dir: DataDir = None,
) -> None:
    """Decide on every company of a list, and count the outcomes and the rules that decided."""
    found = _policy(policy)
    counts = _write_rows(settings_of(data_dir), companies, found, form, output)
    _print_counts(counts)


def batch(
    companies: CompanyList,
    form: RowFormat = Format.NDJSON,
    output: Output = None,
    data_dir: DataDir = None,
) -> None:
    """Print score, band and suggested limit of every company of a list."""
    _print_counts(_write_rows(settings_of(data_dir), companies, None, form, output))


@commands.command()
def diff(
    old: PolicyFile, new: PolicyFile, companies: CompanyList, data_dir: DataDir = None, as_json: AsJson = False
) -> None:
    """List the companies on which two policies decide differently, with the rules that decided."""
    before, after = _policy(old), _policy(new)
    settings = settings_of(data_dir)
    changes: list[dict[str, object]] = []
    counts: Counter[str] = Counter()
    with _judged(settings, companies, before) as first, _judged(settings, companies, after) as second:
        for one, other in zip(first, second, strict=True):
            counts[f"{_outcome(one)} -> {_outcome(other)}"] += 1
            if isinstance(one, Decision) and isinstance(other, Decision) and _essence(one) != _essence(other):
                changes.append(
                    {
                        "company": one.RegNumber,
                        "before": one.Outcome,
                        "limit_before": one.Limit,
                        "rule_before": one.Findings[0].Rule,
                        "after": other.Outcome,
                        "limit_after": other.Limit,
                        "rule_after": other.Findings[0].Rule,
                    }
                )
    print_many(changes, as_json=as_json)
    _print_counts(counts)


def _essence(decision: Decision) -> tuple[object, ...]:
    return decision.Outcome, decision.Limit


def _policy(file: Path) -> Policy:
    return read_policy(file.read_bytes())


def _write_rows(
    settings: Settings, companies: Path, policy: Policy | None, form: Format, output: Path | None
) -> Counter[str]:
    counts: Counter[str] = Counter()
    with _judged(settings, companies, policy) as judged, _opened(output) as write:
        write(header(form.value))
        while some := list(islice(judged, _ROWS_AT_A_TIME)):
            write(b"".join(written(row, form.value) for row in some))
            counts.update(map(_outcome, some))
    return counts


@contextmanager
def _judged(settings: Settings, companies: Path, policy: Policy | None) -> Iterator[Iterator[Row]]:
    now = system_clock()
    with (
        closing(CreditData(settings.credit_folder)) as credit_data,
        _entries(companies) as entries,
        progress_bar("Deciding" if policy else "Scoring", "companies") as advance,
    ):
        reports = open_reports(settings, credit_data)

        def counted() -> Iterator[Row]:
            found = rows(entries, lambda number, members: reports.report(number, now, members), policy, london_day(now))
            for done, row in enumerate(found, start=1):
                yield row
                if done % _ROWS_AT_A_TIME == 0:
                    advance(done)

        yield counted()


@contextmanager
def _entries(companies: Path) -> Iterator[Iterator[Entry]]:
    """Open a list of companies; CSV is read line by line, so memory does not grow with the list."""
    if companies.suffix.lower() == ".json":
        yield read_json(companies.read_bytes())
    elif str(companies) == "-":
        yield read_csv(sys.stdin)
    else:
        with companies.open(encoding="utf-8", newline="") as lines:
            yield read_csv(lines)


@contextmanager
def _opened(output: Path | None) -> Iterator[Callable[[bytes], object]]:
    """Yield the function that writes rows. Raises Failure if the rows cannot be written."""
    if output is None:
        yield lambda lines: say(lines.decode(), line_feed=False)
        return
    try:
        with output.open("wb") as opened:
            yield opened.write
    except OSError as error:
        raise Failure(f"{output} cannot be written: {error.strerror}.") from error


def _outcome(row: Row) -> str:
    if isinstance(row, Decision):
        return row.Outcome
    if row.Error is not None:
        return "error"
    return "not scored" if row.Score is None else f"band {row.Band}"


def _print_counts(counts: Counter[str]) -> None:
    """Print the counts to standard error; standard output has only the rows."""
    parts = ", ".join(f"{outcome} {count:,}" for outcome, count in sorted(counts.items()))
    print(f"{counts.total():,} companies: {parts or 'none'}", file=sys.stderr)
