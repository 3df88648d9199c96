"""Extracts the demonstration facts from the sample of filed accounts: `python -m tools.demonstration [FOLDER]`.

FOLDER holds the zips of docs/credit.md §5; without it, `accounts` in `CREDENCE_SAMPLE_DATA` (by default ../shared/data).
"""

import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from credence.companies.facts.accounts import Accounts, AccountsFinding, FindingKind
from credence.datasets.sources.accounts import read
from credence.datasets.sources.accounts.contexts import UnreadableDocument
from credence.datasets.sources.accounts.document import Fact, read_document
from credence.datasets.sources.accounts.filing import read_filing
from credence.datasets.sources.accounts.product import FiledDocument, documents
from credence.datasets.sources.source import Record
from credence.sandbox import sandbox_data
from credence.sandbox.demonstration_accounts import FILE, pack
from credence.sandbox.sandbox_data import FiledEntry

SAMPLE = Path(os.environ.get("CREDENCE_SAMPLE_DATA", "../shared/data")) / "accounts"

_PUBLIC = "Public Limited Company"
_LEGAL_FORMS = {"PrivateLimitedCompanyLtd": "Private Limited Company", "PublicLimitedCompanyPLC": _PUBLIC}
"""Member of the tag LegalFormEntity -> category in the register's words."""

_LINES = ("AddressLine1", "AddressLine2", "AddressLine3", "PrincipalLocation-CityOrTown")
_FEWEST_EMPLOYEES = 10
_LEFT_OUT = "the demonstration leaves the sentence out"
_SAID = {
    FindingKind.GOING_CONCERN: f"[a material uncertainty about going concern; {_LEFT_OUT}]",
    FindingKind.ADVERSE: f"[an adverse opinion; {_LEFT_OUT}]",
    FindingKind.DISCLAIMER: f"[a disclaimer of opinion; {_LEFT_OUT}]",
    FindingKind.QUALIFIED: f"[a qualified opinion; {_LEFT_OUT}]",
    FindingKind.OWNER_SUPPORT: f"[the company depends on the support of others; {_LEFT_OUT}]",
    FindingKind.EMPHASIS: f"[an emphasis of matter; {_LEFT_OUT}]",
    FindingKind.EVENTS_AFTER: f"[an event after the end of the year; {_LEFT_OUT}]",
    FindingKind.AUDIT_EXEMPT: f"[exempt from audit; {_LEFT_OUT}]",
}
"""Kind of a finding -> the words in place of its sentence."""


def main(arguments: list[str]) -> int:
    """Write the files; return the exit code."""
    folder = Path(arguments[0]) if arguments else SAMPLE
    if not sorted(folder.glob("*.zip")):
        print(f"{folder} holds no zip of filed accounts.", file=sys.stderr)
        return 1
    filings = extract(folder.glob("*.zip"))
    FILE.write_bytes(pack(filings))
    print(f"{FILE.name}: {len(filings)} filings, {FILE.stat().st_size:,} bytes")
    entries = extract_entries(folder.glob("*.zip"))
    sandbox_data.FILE.write_bytes(packed_entries(entries))
    print(f"{sandbox_data.FILE.name}: {len(entries)} companies")
    return 0


def extract(files: Iterable[Path]) -> list[Accounts]:
    """Return every filing of the files, in the order of company and document, without postcode and sentences of its text.

    A sentence may name people, and its author may hold a copyright; of each kind, words of ours say that there is one. An
    office may be somebody's home.
    """
    records = [found for found in read(sorted(files)) if isinstance(found, Record)]
    filings = [
        msgspec.structs.replace(found.fact, findings=_without_sentences(found.fact), postcode="")
        for found in records
        if isinstance(found.fact, Accounts)
    ]
    return sorted(filings, key=lambda accounts: (accounts.company, accounts.document))


def _without_sentences(accounts: Accounts) -> tuple[AccountsFinding, ...]:
    kinds = dict.fromkeys(each.kind for each in accounts.findings or ())
    return tuple(AccountsFinding(kind, _SAID[kind], "") for kind in kinds)


def extract_entries(files: Iterable[Path]) -> list[FiledEntry]:
    """Return what the filings say about their companies, in the order of the numbers.

    Only companies that are audited or have ten employees: the office of a smaller company may be somebody's home.
    """
    found = (each for each in documents(sorted(files)) if isinstance(each, FiledDocument))
    entries = {entry.number: entry for document in found for entry in _entries(document)}
    return [entries[number] for number in sorted(entries)]


def packed_entries(entries: list[FiledEntry]) -> bytes:
    """Return the shipped form of the entries."""
    return msgspec.json.format(msgspec.json.encode(entries), indent=1) + b"\n"


def _entries(document: FiledDocument) -> Iterator[FiledEntry]:
    try:
        accounts = read_filing(
            document.data, document.id, number=document.number, day=document.day, filed=document.filed
        )
        facts = read_document(document.data).facts
    except UnreadableDocument:
        return
    category, (*office, postcode) = _category(accounts.name, facts), _office(facts) or ("",)
    if accounts.layout == "frc" and accounts.name and (category or postcode) and _is_no_home(accounts):
        yield FiledEntry(accounts.company, accounts.name, category, tuple(office), postcode)


def _is_no_home(accounts: Accounts) -> bool:
    employees = accounts.periods[0].figures.employees if accounts.periods else None
    return accounts.audit == "Audited" or (employees is not None and employees.value >= _FEWEST_EMPLOYEES)


def _category(name: str, facts: Iterable[Fact]) -> str:
    """Return the tagged legal form. A name that ends in PLC is a public company's, whatever its software tagged."""
    if name.upper().endswith((" PLC", " P.L.C.")):
        return _PUBLIC
    members = (member for fact in facts if fact.name == "LegalFormEntity" for _, member in fact.context.dimensions)
    return next((_LEGAL_FORMS[each] for each in members if each in _LEGAL_FORMS), "")


def _office(facts: Iterable[Fact]) -> tuple[str, ...]:
    """Return the lines of the registered office and, last, its postcode; nothing unless town and postcode are tagged."""
    lines: dict[str, str] = {}
    for fact in facts:
        if ("RegisteredOffice" in dict(fact.context.dimensions).values()) and fact.text:
            lines.setdefault(fact.name, fact.text)
    if not {_LINES[0], _LINES[-1], "PostalCodeZip"} <= lines.keys():
        return ()
    return (*(lines[name] for name in _LINES if name in lines), lines["PostalCodeZip"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
