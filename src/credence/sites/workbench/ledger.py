"""The screens of ledgers: uploading one to a list, and choosing what its columns are before it is taken into the book."""

from collections.abc import Mapping, Sequence
from typing import Final

from credence import paths
from credence.blocks.forms import Field, Form
from credence.blocks.values import Cell, Links, Table
from credence.errors import InvalidInput
from credence.monitoring.ledger.accounts import Fault
from credence.monitoring.ledger.columns import WORDS
from credence.monitoring.ledger.reading import MAX_FILE_OCTETS
from credence.monitoring.ledger.uploads import LedgerState, TakeBody
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.ledgers import LEDGER as NOUN
from credence.operations.ledgers import (
    SHOWN_LEDGERS,
    LedgerFile,
    UnusableLedger,
    list_ledgers,
    read_ledger,
    take_ledger,
    upload_to,
)
from credence.operations.perform import perform
from credence.operations.perform import read as read_by
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_UNKNOWN
from credence.screening.limits import KIB
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.sites.workbench.acting import acting_of, in_form
from credence.sites.workbench.figures import amount_cell, number_cell
from credence.sites.workbench.lists import address_of_list, portfolio_at
from credence.sites.workbench.one_list import PATH
from credence.sites.workbench.texts import converted, text_in

_UPLOAD: Final = Form(
    "upload",
    "Upload a ledger",
    "Upload",
    "An aged debtors list as your accounting program exports it. You see its columns before anything is taken.",
    fields=(
        Field(
            "file",
            "File",
            hint=f"CSV or XLSX, at most {MAX_FILE_OCTETS // KIB // KIB} MB.",
            kind="file",
            accept=".csv,.txt,.tsv,.xlsx,text/csv,text/plain",
        ),
    ),
)
_FURTHER: Final = ("current", "over_90")
"""What may be in a second column."""
_WRONG: Final = {
    "as_of": "Enter a date, such as 2026-01-31.",
    "currency": "A currency is a code of three letters, such as GBP.",
    "columns": "Choose columns of this file.",
}
MAX_SHOWN_COLUMNS: Final = 30
_UNITS: Final = (("", "pounds, euros, dollars"), ("pence", "pence"))
_DECIMALS: Final = (("", "as the amounts show"), (".", "point: 12,500.50"), (",", "comma: 12.500,50"))
_ABSENT: Final = (("settled", "owe nothing now"), ("kept", "stay as they are"))


def address_of_ledger(portfolio: str, upload: str = "") -> str:
    """Return the path of the ledgers of a list, or of one of them."""
    return f"{address_of_list(portfolio)}/ledger{f'/{upload}' if upload else ''}"


async def read(visit: Visit) -> Page:
    """Return the form and the newest ledgers of a list."""
    portfolio = await portfolio_at(visit)
    newest = await read_by(list_ledgers, acting_of(visit), portfolio.id)
    rows = [
        [
            Cell(each.file_name or each.id, address_of_ledger(portfolio.id, each.id)),
            Cell("in the book", tone="good") if each.state == "taken" else Cell("columns to be chosen", tone="warn"),
            Cell(each.as_of.isoformat() if each.as_of else "", whole=True),
            number_cell(each.lines),
            pence_cell(each.total, each.currency) if each.state == "taken" else Cell(""),
            Cell(each.uploaded_by),
            Cell(each.uploaded_at[:16].replace("T", " "), whole=True),
        ]
        for each in newest.ledgers
    ]
    columns = ("File", "State", "Day", "Lines", "Total", "By", "Uploaded")
    empty = "No ledger has been uploaded yet."
    table = Table(
        f"Newest ledgers, at most {SHOWN_LEDGERS}", columns, rows, empty, numbers=frozenset({3, 4}), cards=True
    )
    return Page("Ledger", [_UPLOAD, table], "", above=(portfolio.name, address_of_list(portfolio.id)))


async def upload(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Upload a file; the next page shows its columns."""
    portfolio = await portfolio_at(visit)
    content = values.get("file", "").encode("latin-1", "replace")
    if not content:
        raise InvalidForm("Choose a file.", "file")
    with in_form("file"):
        made = await upload_to(acting_of(visit), LedgerFile(portfolio.id, values.get("file_name", ""), content))
    return ActResult("Ledger uploaded.", next_url=address_of_ledger(portfolio.id, made.after.upload.id))


async def read_one(visit: Visit) -> Page:
    """Return the columns of a ledger with its first lines, and the form; or what came of it."""
    portfolio = await portfolio_at(visit)
    ledger = await _ledger(visit, portfolio.id)
    above = ("Ledger", address_of_ledger(portfolio.id))
    title = ledger.file_name or "Ledger"
    if ledger.state == "taken":
        following = [
            ("Match customers", f"{address_of_list(portfolio.id)}/matching"),
            ("Book", f"{paths.WORKBENCH}/book"),
        ]
        return Page(title, [Links("Next", following), _taken(ledger)], "", above=above, lead=_result(ledger))
    return Page(title, [_sample(ledger), _form(ledger)], "", above=above, lead=f"{ledger.lines:,} lines")


async def take(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Take the ledger into the book as the person chose its columns; all of it, or nothing."""
    portfolio = await portfolio_at(visit)
    ledger = await _ledger(visit, portfolio.id)
    body = _body(values)
    try:
        done = await perform(take_ledger, acting_of(visit), ledger.id, body)
    except UnusableLedger as error:
        count = f"{error.count:,} cells cannot be read" if error.count > 1 else "One cell cannot be read"
        text = f"{count}, so nothing was taken. Correct the file and upload it again, or choose other columns."
        raise InvalidForm(text, details=[_faults(error.faults)]) from None
    except InvalidInput as error:
        raise InvalidForm(str(error), "name" if error.member == "columns" else error.member) from None
    except Refused as refused:
        if refused.refusal.name != RESOURCE_CHANGED.name:
            raise
        raise InvalidForm(refused.refusal.message) from None
    return ActResult(done.said)


async def _ledger(visit: Visit, portfolio: str) -> LedgerState:
    """Return the ledger that the path names. Raises Refused with the same 404 for one of another list."""
    by = acting_of(visit)
    ledger: LedgerState = await read_by(read_ledger, by, visit.request.segments[1])
    if ledger.portfolio != portfolio:
        raise Refused(RESOURCE_UNKNOWN, f"{NOUN.reasons}.unknown")
    return ledger


def _body(values: Mapping[str, str]) -> TakeBody:
    columns: dict[str, list[str]] = {}
    for role in WORDS:
        names = [values.get(role, ""), *([values.get(f"{role}_too", "")] if role in _FURTHER else [])]
        columns[role] = [name for name in names if name]
    members: dict[str, object] = {
        "columns": [{"of": role, "columns": names} for role, names in columns.items() if names],
        "currency": text_in(values, "in_currency").upper() or "GBP",
        "decimal": values.get("decimal") or "auto",
        "pence": values.get("unit") == "pence",
        "absent": values.get("absent") or "settled",
        "replaces_newer": bool(values.get("replaces_newer")),
    }
    if values.get("as_of", "").strip():
        members["as_of"] = values["as_of"].strip()
    return converted(members, TakeBody, _WRONG)


def _sample(ledger: LedgerState) -> Table:
    shown = ledger.header[:MAX_SHOWN_COLUMNS]
    rows = [[Cell(row[n] if n < len(row) else "") for n in range(len(shown))] for row in ledger.sample]
    more = f", {len(shown)} of {len(ledger.header)} columns" if len(shown) < len(ledger.header) else ""
    return Table(f"The first lines{more}", shown, rows, "The file has a header row but no other rows.", cards=False)


def _form(ledger: LedgerState) -> Form:
    options = [("", "not in the file"), *((name, _option(ledger, n)) for n, name in enumerate(ledger.header))]

    found = {each.of: each.columns for each in ledger.columns}

    def column(role: str, place: int = 0) -> Field:
        names = found.get(role, ())
        name, words = (role, WORDS[role]) if not place else (f"{role}_too", f"{WORDS[role]}: a further column")
        return Field(name, words, names[place] if place < len(names) else "", options=options)

    fields = [field for role in WORDS for field in (column(role), *([column(role, 1)] if role in _FURTHER else []))]
    day = ledger.as_of.isoformat() if ledger.as_of else ""
    fields += [
        Field("as_of", "Day of the ledger", day, "Leave it empty for today.", kind="date"),
        Field("in_currency", "Currency", ledger.currency, "Of lines that name none."),
        Field("unit", "Amounts are in", "pence" if ledger.pence else "", options=_UNITS),
        Field("decimal", "Decimal sign", ledger.decimal, options=_DECIMALS),
        Field("absent", "Customers who are not in the file", options=_ABSENT),
        Field("replaces_newer", "Replace a newer ledger", hint="Only if its day is right.", kind="box"),
    ]
    text = "Check each column. What you choose is remembered for the next file with these columns."
    return Form("take", "What the columns are", "Take into the book", text, fields=fields, wide=True)


def _option(ledger: LedgerState, place: int) -> str:
    """Return the text of a column to choose: its heading, and its first cell as an example."""
    example = next((row[place] for row in ledger.sample if place < len(row) and row[place]), "")
    name = ledger.header[place]
    return f"{name} (such as {example[:30]})" if example else name


def _faults(faults: Sequence[Fault]) -> Table:
    rows = [[Cell(str(each.line)), Cell(each.column), Cell(each.reason)] for each in faults]
    return Table("What cannot be read", ("Line", "Column", "What is wrong, and the cure"), rows, "")


def _taken(ledger: LedgerState) -> Table:
    rows = [[Cell(WORDS.get(each.of, "")), Cell(", ".join(each.columns))] for each in ledger.columns]
    return Table("Columns", ("What", "Column of the file"), rows, "")


def _result(ledger: LedgerState) -> str:
    said = f"{ledger.lines:,} lines of {ledger.as_of}: {ledger.added:,} customers added, {ledger.changed:,} updated"
    return f"{said}, {ledger.settled:,} settled." if ledger.settled else f"{said}."


def pence_cell(amount: int | None, currency: str) -> Cell:
    """Return an amount in hundredths of a currency."""
    return amount_cell(None if amount is None else amount / 100, currency)


LEDGERS = Screen(
    f"{PATH}/ledger",
    "Ledger",
    MONITOR,
    read,
    (Act("upload", MONITOR, upload),),
    listed=False,
    max_body=MAX_FILE_OCTETS + 8 * KIB,
    takes_bytes=True,
)
LEDGER = Screen(f"{PATH}/ledger/{{upload}}", "Ledger", MONITOR, read_one, (Act("take", MONITOR, take),), listed=False)
