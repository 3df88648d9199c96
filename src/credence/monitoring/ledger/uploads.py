"""Uploads of ledgers: what is recognised in a file, and the ledger as a person chose its columns."""

import datetime as dt
import hashlib
import zlib
from collections.abc import Sequence
from typing import Annotated, Final, Literal, NamedTuple

import msgspec

from credence.clock import Milliseconds, london_day, rfc3339
from credence.crypto.randomness import new_upload_id
from credence.errors import UnusableContent
from credence.meanings import Input, meaning
from credence.monitoring.customers import HUNDREDTHS
from credence.monitoring.ledger.accounts import Accounts, Choice, accounts_of, columns_fault
from credence.monitoring.ledger.columns import WORDS, Columns, day_of, heading_of, is_in_pence
from credence.monitoring.ledger.reading import read_table
from credence.monitoring.ledger.table import Line, decode, encode
from credence.store.customers import Merge
from credence.store.ledger_uploads import LedgerUpload

SAMPLE_LINES: Final = 5
_SAMPLE_CHARACTERS = 60
MAX_DAYS_OLD = 3_660

Name = Annotated[str, msgspec.Meta(max_length=130)]
Names = Annotated[tuple[Name, ...], msgspec.Meta(max_length=20)]


class ChosenColumn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a customer has, and the columns that have it."""

    of: Annotated[str, meaning("What a customer has:", values=WORDS, example="balance")]
    columns: Annotated[Names, meaning("The names of the columns; several of one amount are added.", example=["Total"])]


class TakeBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a person or program wants an uploaded ledger to be read. What is left out is as it was recognised."""

    columns: Annotated[
        Annotated[tuple[ChosenColumn, ...], msgspec.Meta(max_length=20)] | None,
        meaning("What is in which columns; without this member as they were recognised."),
        Input("File with a JSON array that says what each column contains.", file=True, default="as recognised"),
    ] = None
    as_of: Annotated[
        dt.date | None,
        meaning("The day of the ledger.", example="2026-11-20"),
        Input(default="as recognised, or today"),
    ] = None
    currency: Annotated[
        str, msgspec.Meta(pattern="^[A-Z]{3}$"), meaning("The currency of lines that name none.", example="GBP")
    ] = "GBP"
    decimal: Annotated[
        Literal["auto", ".", ","], meaning("The sign before pence; auto: as the amounts show it.", example="auto")
    ] = "auto"
    pence: Annotated[
        bool | None, meaning("Whether the amounts are in pence.", example=False), Input(default="as recognised")
    ] = None
    absent: Annotated[
        Literal["settled", "kept"],
        meaning(
            "What becomes of customers that the ledger does not have:",
            values={"settled": "they owe nothing on its day", "kept": "they stay as they are"},
            example="settled",
        ),
    ] = "settled"
    replaces_newer: Annotated[
        bool,
        meaning("Whether this ledger replaces one of a later day, which is refused otherwise.", example=False),
        Input(default="no"),
    ] = False


class LedgerState(msgspec.Struct, frozen=True):
    """An uploaded ledger."""

    id: Annotated[str, meaning("Its id.", example="up_1795168200000_2o6x4hk3tmy7q5c3")]
    portfolio: Annotated[str, meaning("The portfolio whose customers it has.", example="pf_2o6x4hk3tmy7q5c3")]
    state: Annotated[
        str,
        meaning(
            "What came of it:",
            values={"read": "its columns are to be chosen; its lines are kept for a day", "taken": "it is in the book"},
            example="read",
        ),
    ]
    file_name: Annotated[str, meaning("The name of the file.", example="aged-debtors.csv")]
    digest: Annotated[str, meaning("The SHA-256 of the file.", example="9f86d081884c7d65")]
    uploaded_by: Annotated[str, meaning("The person or application that sent it.", example="grace")]
    uploaded_at: Annotated[str, meaning("When it was sent, in UTC.", example="2026-11-22T09:30:00Z")]
    header: Annotated[tuple[str, ...], meaning("The names of its columns.", example=["A/C", "Name", "Balance"])]
    sample: Annotated[
        tuple[tuple[str, ...], ...],
        meaning("The first lines below the headings.", example=[["P1", "Plain Ltd", "12.50"]]),
    ]
    columns: Annotated[tuple[ChosenColumn, ...], meaning("What is in which columns, as recognised or as chosen.")]
    as_of: Annotated[dt.date | None, meaning("The day of the ledger; null if it is unknown.", example="2026-11-20")]
    currency: Annotated[str, meaning("The currency of lines that name none.", example="GBP")]
    decimal: Annotated[str, meaning("The sign before pence; empty: as the amounts show it.", example="")]
    pence: Annotated[bool, meaning("Whether the amounts are in pence.", example=False)]
    lines: Annotated[int, meaning("Lines that are of customers.", example=2000)]
    added: Annotated[int, meaning("Customers that are new.", example=1980)]
    changed: Annotated[int, meaning("Customers that were there already.", example=20)]
    settled: Annotated[int, meaning("Customers that it does not have and that owe nothing now.", example=0)]
    total: Annotated[
        int, meaning("The sum of the balances that are in `currency`.", unit=HUNDREDTHS, example=125005000)
    ]


class LedgerPage(msgspec.Struct, frozen=True):
    """The newest ledgers of a portfolio."""

    ledgers: Annotated[tuple[LedgerState, ...], meaning("The ledgers, the newest first.")]


class Ledger(NamedTuple):
    """An upload, and what is stored with it: the lines of a new one, or what a taken one makes of the customers."""

    upload: LedgerUpload
    lines: bytes = b""
    merge: Merge | None = None


def begun(
    portfolio: str, content: bytes, file_name: str, by: str, now: Milliseconds, before: Sequence[LedgerUpload]
) -> Ledger:
    """Return the ledger that begins with a file; its columns are those of the newest similar file of `before`.

    Takes a second of a processor for a large workbook. Raises UnusableContent.
    """
    lines = read_table(content).lines
    heading = heading_of(lines)
    rows = lines[heading.place + 1 :]
    name = "".join(each for each in file_name.rpartition("/")[2].rpartition("\\")[2][:100] if each.isprintable())
    upload = LedgerUpload(
        id=new_upload_id(now),
        portfolio=portfolio,
        file_name=name,
        digest=hashlib.sha256(content).hexdigest(),
        uploaded_by=by,
        uploaded_at=now,
        header=heading.names,
        sample=tuple(tuple(cell[:_SAMPLE_CHARACTERS] for cell in row.cells) for row in rows[:SAMPLE_LINES]),
        below=heading.place + 1,
        columns={role: tuple(heading.names[n] for n in places) for role, places in heading.columns.items()},
        currency="GBP",
        in_hundredths=is_in_pence(heading.names, heading.columns),
        as_of=day_of(lines, heading.place),
        lines=len(rows),
    )
    return Ledger(_remembered(upload, before), zlib.compress(encode(lines), 1))


def _remembered(upload: LedgerUpload, before: Sequence[LedgerUpload]) -> LedgerUpload:
    """Return an upload with what a person chose for the newest ledger all of whose columns are here too."""
    for each in before:
        chosen = {name for names in each.columns.values() for name in names}
        if each.state == "taken" and chosen <= set(upload.header):
            return msgspec.structs.replace(
                upload,
                columns=each.columns,
                currency=each.currency,
                decimal=each.decimal,
                in_hundredths=each.in_hundredths,
            )
    return upload


def chosen(upload: LedgerUpload, body: TakeBody, now: Milliseconds) -> LedgerUpload:
    """Return an upload as it would be taken. Raises UnusableContent, with the member of the body that is wrong."""
    columns = (
        upload.columns if body.columns is None else {each.of: each.columns for each in body.columns if each.columns}
    )
    unknown = [name for names in columns.values() for name in names if name not in upload.header]
    if unknown:
        raise UnusableContent(f"The file has no column {unknown[0]!r}.", member="columns")
    today = london_day(now)
    as_of = body.as_of or upload.as_of or today
    if not today - dt.timedelta(days=MAX_DAYS_OLD) <= as_of <= today:
        raise UnusableContent("The day of the ledger is today or in the last ten years.", member="as_of")
    wanted = msgspec.structs.replace(
        upload,
        version=upload.version + 1,
        state="taken",
        columns=columns,
        as_of=as_of,
        currency=body.currency,
        decimal="" if body.decimal == "auto" else body.decimal,
        in_hundredths=upload.in_hundredths if body.pence is None else body.pence,
        sample=(),
    )
    fault = columns_fault(_places(wanted), len(upload.header))
    if fault:
        raise UnusableContent(fault, member="columns")
    return wanted


def accounts_in(wanted: LedgerUpload, lines: bytes) -> Accounts:
    """Return the accounts of a ledger as its columns were chosen; takes a second of a processor for a large one."""
    rows: list[Line] = decode(zlib.decompress(lines))[wanted.below :]
    decimal: Literal["", ".", ","] = "," if wanted.decimal == "," else "." if wanted.decimal == "." else ""
    return accounts_of(rows, wanted.header, Choice(_places(wanted), wanted.currency, decimal, wanted.in_hundredths))


def _places(upload: LedgerUpload) -> Columns:
    place = {name: n for n, name in enumerate(upload.header)}
    return {role: tuple(place[name] for name in names) for role, names in upload.columns.items()}


def state_of(upload: LedgerUpload) -> LedgerState:
    """Return an upload in the form in which it is sent."""
    shown = {name: getattr(upload, name) for name in LedgerState.__struct_fields__ if name != "pence"}
    shown["columns"] = tuple(ChosenColumn(role, names) for role, names in upload.columns.items())
    return LedgerState(**{**shown, "uploaded_at": rfc3339(upload.uploaded_at), "pence": upload.in_hundredths})
