"""Adds many companies to a list: lines of CSV, pasted or in a file, with a result for each row."""

from collections.abc import Mapping
from typing import Final

from credence.blocks.forms import Field, Form
from credence.blocks.values import Block, Cell, Note, Table
from credence.errors import InvalidInput
from credence.monitoring.rows import MAX_COMPANIES, read_csv
from credence.monitoring.schema import OUTCOMES, ImportResult
from credence.operations.watched_companies import apply_list, watch_listed
from credence.refusals.refusal import Refused
from credence.sites.kit.screen import ActResult, InvalidForm, Page, Visit
from credence.sites.workbench.acting import acting_of
from credence.sites.workbench.figures import address_of_company
from credence.sites.workbench.lists import address_of_list, portfolio_at
from credence.sites.workbench.texts import csv_in
from credence.web.dialects.reader import screen_text

MAX_SHOWN_RESULTS = 300

IMPORT_FORM: Final = Form(
    "import",
    "Add many",
    "Add all",
    "One company per line, as CSV. Companies already in the list are updated.",
    fields=(
        Field(
            "rows",
            "Lines",
            hint="company_number, reference, exposure, currency, note; a first line may name the columns.",
            kind="lines",
        ),
        Field("file", "Or a CSV file", hint="With the same columns, as saved by a spreadsheet.", kind="file"),
    ),
)


async def take_in(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Watch every company of a list in CSV; the page shows the outcome of each row."""
    portfolio = await portfolio_at(visit)
    text, field = csv_in(values)
    try:
        rows = list(read_csv(text.splitlines()))
    except InvalidInput as error:
        raise InvalidForm(str(error), field) from None
    if not 1 <= len(rows) <= MAX_COMPANIES:
        raise InvalidForm(f"Paste 1 to {MAX_COMPANIES:,} lines, or choose a file with as many.", field)
    for place, each in enumerate(rows, 1):
        try:
            screen_text(f"{each.company.reference} {each.company.note}" if each.company else "")
        except Refused:
            said = "has characters or patterns that the service does not take"
            raise InvalidForm(f"The reference or the note of row {place} {said}.", field) from None
    result = await apply_list(watch_listed, acting_of(visit), portfolio.id, rows)
    above = (portfolio.name, address_of_list(portfolio.id))
    page = Page("Result for each row", _results(result), "", above=above)
    return ActResult("The lines were read.", page=page)


def _results(result: ImportResult) -> list[Block]:
    first = sorted(result.rows, key=lambda each: each.result not in {"refused", "full"})[:MAX_SHOWN_RESULTS]
    rows = [
        [
            Cell(str(each.row)),
            Cell(each.company_number, address_of_company(each.company_number) if each.result != "refused" else ""),
            Cell(each.result, tone="bad" if each.result in {"refused", "full"} else "good"),
            Cell(each.reason or OUTCOMES[each.result]),
        ]
        for each in first
    ]
    blocks: list[Block] = [Note(", ".join(f"{number:,} {result}" for result, number in sorted(result.counts.items())))]
    blocks.append(Table("Rows, those that were refused first", ("Row", "Company", "Result", "Meaning"), rows, ""))
    if len(result.rows) > len(first):
        blocks.append(Note(f"{len(first)} of {len(result.rows):,} rows are shown.", "soft"))
    return blocks
