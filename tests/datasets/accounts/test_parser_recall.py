"""What the parser finds is what the filings hold, and no less than it must (credit §3.5)."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from credence.companies.facts.accounts import Accounts, Figure, Method
from credence.datasets.sources.accounts import read
from credence.datasets.sources.accounts.fields import GROUP, Tagging
from credence.datasets.sources.accounts.product import FiledDocument, documents
from credence.datasets.sources.source import Record
from credence.sandbox.demonstration_accounts import read_demonstration
from tests.datasets.accounts.filings import SHIPPED
from tools.demonstration import extract
from tools.parser_recall import CORE_MINIMUM, ROWS, cover, generic_facts, is_counted

ROOT = Path(__file__).parents[3]


def demonstration() -> list[Accounts]:
    return [record.fact for record in read_demonstration() if isinstance(record.fact, Accounts)]


def test_every_minimum_is_reached_on_the_demonstration() -> None:
    """Credit §3.5."""
    coverage = cover(filter(is_counted, demonstration()))
    assert coverage.filings == 156
    missed = {row.words: coverage.tagged[row.words] for row in ROWS if coverage.tagged[row.words] < row.minimum}
    assert missed == {}
    assert coverage.known["creditors within one year"] >= 148
    assert coverage.tagged["turnover"] == 14, "more would be parts of a total"
    assert coverage.core >= CORE_MINIMUM * 156


def test_the_demonstration_has_all_filings_of_the_sample() -> None:
    filings = demonstration()
    assert len(filings) == 421
    assert {accounts.layout for accounts in filings} == {"frc", "uk-gaap-2009", "plain-xbrl"}


def test_shipped_filings_are_read_as_in_the_demonstration() -> None:
    shipped = {accounts.document: accounts for accounts in extract(SHIPPED)}
    said = {accounts.document: accounts for accounts in demonstration() if accounts.document in shipped}
    assert shipped == said
    assert len(shipped) == 41


def test_the_page_has_the_coverage_of_the_demonstration() -> None:
    """docs/accounts.md: its table comes from `python -m tools.parser_recall`."""
    coverage = cover(filter(is_counted, demonstration()))
    page = (ROOT / "docs" / "accounts.md").read_text(encoding="utf-8")
    for row in ROWS:
        line = next(line for line in page.splitlines() if line.startswith(f"| {row.words} |"))
        assert line.endswith(f"| {coverage.tagged[row.words]} | {coverage.known[row.words]} |")
        assert coverage.tagged[row.words] >= row.minimum


@pytest.mark.when_changed(
    "src/credence/datasets/sources/**/*",
    "src/credence/companies/**/*",
    "tests/datasets/accounts/**/*",
    "tools/parser_recall.py",
    packages=("ixbrlparse",),
)
def test_every_figure_of_the_shipped_filings_is_in_another_parsers_list() -> None:
    assert strange(SHIPPED) == []


def strange(files: Sequence[Path]) -> list[str]:
    """Return the figures, as filed, that ixbrlparse does not find with this tag, dimensions, day and value."""
    by_document = {record.id: record.fact for record in read(files) if isinstance(record, Record)}
    found = []
    for source in documents(files):
        accounts = by_document.get(source.id) if isinstance(source, FiledDocument) else None
        if isinstance(source, FiledDocument) and isinstance(accounts, Accounts):
            listed = set(generic_facts(source.data))
            found += [
                f"{source.id} {day} {figure}" for day, figure in filed(accounts) if key(day, figure) not in listed
            ]
    return found


def filed(accounts: Accounts) -> Iterator[tuple[str, Figure]]:
    for period in (*accounts.periods, *accounts.group_periods):
        for name in period.figures.__struct_fields__:
            figure = getattr(period.figures, name)
            if figure is not None and figure.method is not Method.DERIVED:
                yield period.end.isoformat(), figure


def key(day: str, figure: Figure) -> tuple[Tagging, str, float, bool]:
    own = tuple(each for each in figure.dimensions if each != GROUP)
    value = figure.value if figure.filed is None else figure.filed
    return Tagging(figure.tag, own), day, float(value), GROUP in figure.dimensions
