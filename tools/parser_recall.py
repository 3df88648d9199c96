"""How many filings each reader finds a field in: `python -m tools.parser_recall [FILES…]` prints Markdown (credit §3.5).

FILES are zips of filed accounts; the default is the files of `tools.demonstration`. The table counts the filings under the
FRC taxonomies in which a reader finds the field, for the legal entity or for the group. The other readers are
stream-read-xbrl and the generic fact list of ixbrlparse. That list has no fields, so a filing counts when the list has a
fact with the tag of our field.
"""

import io
import sys
import types
import warnings
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ixbrlparse import IXBRL

from credence.companies.facts.accounts import Accounts, Figures, Method
from credence.datasets.sources.accounts.contexts import UnreadableDocument
from credence.datasets.sources.accounts.fields import FRC, GROUP, Tagging
from credence.datasets.sources.accounts.filing import read_filing
from credence.datasets.sources.accounts.product import FiledDocument, documents
from tools.demonstration import SAMPLE


class Row(NamedTuple):
    """One line of the table."""

    words: str
    fields: tuple[str, ...]
    library: str
    """Its column in stream-read-xbrl."""
    minimum: int
    """Filings of the sample in which the field must be found as tagged (credit §3.5)."""


ROWS = (
    Row("creditors within one year", ("creditors_within_year",), "creditors_due_within_one_year", 133),
    Row("creditors after one year", ("creditors_after_year",), "creditors_due_after_one_year", 39),
    Row("retained earnings", ("retained_earnings",), "profit_loss_account_reserve", 90),
    Row("current assets", ("current_assets",), "current_assets", 137),
    Row("net current assets", ("net_current_assets",), "net_current_assets_liabilities", 146),
    Row(
        "total assets less current liabilities",
        ("total_assets_less_current_liabilities",),
        "total_assets_less_current_liabilities",
        128,
    ),
    Row("net assets or equity", ("net_assets", "equity"), "shareholder_funds", 154),
    Row("cash", ("cash",), "cash_bank_in_hand", 96),
    Row("headcount", ("employees",), "average_number_employees_during_period", 76),
    Row("fixed assets", ("fixed_assets",), "tangible_fixed_assets", 77),
    Row("tangible assets", ("tangible_assets",), "tangible_fixed_assets", 66),
    Row("turnover", ("turnover",), "turnover_gross_operating_revenue", 14),
    Row("profit before tax", ("profit_before_tax",), "profit_loss_on_ordinary_activities_before_tax", 16),
    Row("operating profit", ("operating_profit",), "operating_profit_loss", 11),
)
CORE = ("current_assets", "creditors_within_year", "total_assets", "net_assets")
CORE_MINIMUM = 0.92
_WORDS_OF_CORE = "all of current assets, current liabilities, total assets and net assets"


class Coverage(NamedTuple):
    """Filings in which each field was found, by the words of its row."""

    filings: int
    tagged: Counter[str]
    """As tagged in the filing, repaired ones among them."""
    known: Counter[str]
    """Tagged or derived."""
    core: int


def main(arguments: list[str]) -> int:
    """Print the table; return the exit code."""
    files = [Path(each) for each in arguments] or sorted(SAMPLE.glob("*.zip"))
    filings = list(_newer(each for each in documents(files) if isinstance(each, FiledDocument)))
    if not filings:
        print(
            "usage: python -m tools.parser_recall [FILES…], zips that hold accounts under the FRC taxonomies",
            file=sys.stderr,
        )
        return 1
    print(table(cover(accounts for _, accounts in filings), library(filings), generic(filings)))
    return 0


def cover(filings: Iterable[Accounts]) -> Coverage:
    """Return the coverage of filings under the FRC taxonomies; of a field in any column, of the core in the newest."""
    tagged: Counter[str] = Counter()
    known: Counter[str] = Counter()
    count = core = 0
    for accounts in filings:
        columns = [each.figures for each in (*accounts.periods, *accounts.group_periods)]
        count += 1
        newest = [each.figures for each in (*accounts.periods[:1], *accounts.group_periods[:1])]
        core += any(all(getattr(figures, field) for field in CORE) for figures in newest)
        for row in ROWS:
            methods = {method for figures in columns for method in _methods(figures, row.fields)}
            known[row.words] += bool(methods)
            tagged[row.words] += bool(methods - {Method.DERIVED})
    return Coverage(count, tagged, known, core)


def table(ours: Coverage, of_library: Counter[str], of_list: Counter[str]) -> str:
    """Return the table in Markdown."""
    lines = [
        f"| field, in {ours.filings} filings | stream-read-xbrl | ixbrlparse's list | ours, tagged | ours, with derived |",
        "|---|---|---|---|---|",
    ]
    for row in ROWS:
        cells = (of_library[row.words], of_list[row.words], ours.tagged[row.words], ours.known[row.words])
        lines.append(f"| {row.words} | {' | '.join(map(str, cells))} |")
    lines.append(f"| {_WORDS_OF_CORE} | - | - | - | {ours.core} |")
    return "\n".join(lines)


def library(filings: Sequence[tuple[FiledDocument, Accounts]]) -> Counter[str]:
    """Return the coverage of stream-read-xbrl; a column that mixes two fields counts for both."""
    read = _library()
    found: Counter[str] = Counter()
    for source, accounts in filings:
        name = f"Prod223_0000_{accounts.company}_{accounts.balance_sheet_date:%Y%m%d}.html"
        rows = read((name, source.data))
        for row in ROWS:
            found[row.words] += any(each.get(row.library) is not None for each in rows)
    return found


def generic(filings: Sequence[tuple[FiledDocument, Accounts]]) -> Counter[str]:
    """Return in how many filings ixbrlparse's list holds a fact of a field's form."""
    found: Counter[str] = Counter()
    for source, _ in filings:
        forms = {fact[0] for fact in generic_facts(source.data)}
        for row in ROWS:
            found[row.words] += any(form in forms for field in row.fields for form in FRC[field])
    return found


def generic_facts(data: bytes) -> Iterator[tuple[Tagging, str, float, bool]]:
    """Yield of each numeric fact that ixbrlparse finds: tag and dimensions, last day, value, whether it is the group's."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it calls what its own parser has deprecated
        parsed = IXBRL(io.StringIO(data.decode("utf-8", "replace").lstrip("\ufeff \r\n\t")), raise_on_error=False)
        for fact in parsed.numeric:
            context: Any = fact.context
            if context is None or isinstance(context, str) or fact.value is None:
                continue
            members = [each for each in context.segments if "dimension" in each]
            dimensions = tuple(sorted((_local(each["dimension"]), _local(each["value"])) for each in members))
            end = context.instant or context.enddate
            own = tuple(each for each in dimensions if each != GROUP)
            yield Tagging(_local(fact.name), own), f"{end:%Y-%m-%d}" if end else "", fact.value, own != dimensions


def _newer(sources: Iterable[FiledDocument]) -> Iterator[tuple[FiledDocument, Accounts]]:
    for source in sources:
        try:
            accounts = read_filing(source.data, source.id, number=source.number, day=source.day)
        except UnreadableDocument:
            continue
        if is_counted(accounts):
            yield source, accounts


def is_counted(accounts: Accounts) -> bool:
    """Return whether a filing is of the base of credit §3.5, which leaves out the nested submission."""
    return accounts.layout == "frc" and "/" not in accounts.document


def _methods(figures: Figures, fields: tuple[str, ...]) -> set[Method]:
    return {figure.method for field in fields if (figure := getattr(figures, field)) is not None}


def _library() -> Callable[[tuple[str, bytes]], list[dict[str, Any]]]:
    """Return the function of stream-read-xbrl that reads one document.

    Its import asks for two packages that it does not declare and that reading does not need: empty ones stand in.
    """
    for name in ("boto3", "mypy_boto3_s3"):
        sys.modules.setdefault(name, types.ModuleType(name))
    vars(sys.modules["mypy_boto3_s3"]).setdefault("S3Client", object)
    import stream_read_xbrl  # only after the stand-ins

    columns = stream_read_xbrl._COLUMNS  # noqa: SLF001 - it has no public function for one document

    def read(document: tuple[str, bytes]) -> list[dict[str, Any]]:
        rows = stream_read_xbrl._xbrl_to_rows(document)  # noqa: SLF001
        return [dict(zip(columns, row, strict=False)) for row in rows]

    return read


def _local(name: str | None) -> str:
    return (name or "").strip().rpartition(":")[2]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
