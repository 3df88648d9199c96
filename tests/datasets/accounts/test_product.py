"""The zips of the accounts products: hostile or broken ones are refused with a reason and stop nothing (credit §3.1)."""

import datetime as dt
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from credence.companies.facts.accounts import Accounts
from credence.datasets.sources.accounts import read
from credence.datasets.sources.accounts.document import MAX_DOCUMENT_BYTES
from credence.datasets.sources.accounts.product import NESTED
from credence.datasets.sources.source import LoadError, Record
from tests.datasets.accounts.filings import NUMBER, SHIPPED, amount, filing

GOOD = filing(amount("CurrentAssets", "5"))
NAME = f"Prod223_3785_{NUMBER}_20251231"


def zipped(members: Mapping[str, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return packed.getvalue()


def outcome(path: Path, data: bytes) -> tuple[list[str], list[str]]:
    """Return the documents of the records and the reasons of the rejects."""
    path.write_bytes(data)
    records, reasons = [], []
    for found in read([path]):
        if isinstance(found, Record):
            assert isinstance(found.fact, Accounts)
            records.append(found.fact.document)
        else:
            reasons.append(found.reason)
    return records, reasons


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "Accounts_Bulk_Data-2026-03-02.zip"


def test_a_daily_product_dates_its_filings(file: Path) -> None:
    file.write_bytes(zipped({f"{NAME}.html": GOOD}))
    (record,) = read([file])
    assert isinstance(record, Record)
    assert isinstance(record.fact, Accounts)
    assert (record.company, record.fact.document, record.fact.filed) == (NUMBER, NAME, dt.date(2026, 3, 2))


def test_a_monthly_product_has_no_filing_date(tmp_path: Path) -> None:
    file = tmp_path / "Accounts_Monthly_Data-January2026.zip"
    file.write_bytes(zipped({f"{NAME}.html": GOOD}))
    (record,) = read([file])
    assert isinstance(record, Record)
    assert isinstance(record.fact, Accounts)
    assert record.fact.filed is None


def test_a_real_daily_product_with_a_nested_zip_and_junk_is_read_whole() -> None:
    """Credit §3.1: the fixture of 3 May 2025."""
    found = list(read([SHIPPED[1]]))
    assert [each.company for each in found if isinstance(each, Record)] == ["15052776", "00225951"]
    reasons = [each.reason for each in found if not isinstance(each, Record)]
    assert sorted(reasons) == ["document.no-accounts", "member.junk", "member.junk"]


def test_a_member_without_a_name_stops_nothing(file: Path) -> None:
    """A name ends at its first NUL, so a stranger's zip may have one that is empty; here inside the product."""
    nameless = zipped({"nameless.html": b"<html/>"}).replace(b"nameless.html", b"\0ameless.html")
    records, reasons = outcome(file, zipped({"inner.zip": nameless, f"{NAME}.html": GOOD}))
    assert records == [NAME]
    assert len(reasons) == 1


def test_the_content_decides_the_type_of_a_member(file: Path) -> None:
    members = {f"{NAME}.zip": GOOD, "inner.html": zipped({f"{NAME}.html": GOOD})}
    assert outcome(file, zipped(members)) == ([NAME, f"inner/{NAME}"], [])


def test_a_document_outside_any_zip_is_read(tmp_path: Path) -> None:
    assert outcome(tmp_path / f"{NAME}.html", GOOD) == ([NAME], [])


def test_a_broken_member_stops_no_other(file: Path) -> None:
    good = zipped({"a.html": b"", f"{NAME}.html": GOOD, "z.html": b"text"})
    assert outcome(file, good) == ([NAME], ["document.markup", "document.markup"])


def test_a_truncated_zip_is_refused_and_the_next_file_read(file: Path, tmp_path: Path) -> None:
    file.write_bytes(zipped({f"{NAME}.html": GOOD})[:-30])
    whole = tmp_path / "whole.zip"
    whole.write_bytes(zipped({f"{NAME}.html": GOOD}))
    found = list(read([file, whole]))
    assert [type(each).__name__ for each in found] == ["RejectedPlace", "Record"]
    assert not isinstance(found[0], Record)
    assert found[0].reason == "zip.damaged"


def test_a_member_whose_bytes_are_damaged_is_refused(file: Path) -> None:
    data = bytearray(zipped({f"{NAME}.html": GOOD}, zipfile.ZIP_STORED))
    data[200] ^= 255
    assert outcome(file, bytes(data)) == ([], ["member.damaged"])


def test_a_bomb_is_refused_before_it_is_unpacked(file: Path) -> None:
    assert outcome(file, zipped({"bomb.html": bytes(MAX_DOCUMENT_BYTES + 1)})) == ([], ["member.size"])


def test_a_nested_bomb_of_many_members_is_refused(file: Path) -> None:
    many = zipped({str(n): b"" for n in range(NESTED.members + 1)})
    most = zipped({str(n): bytes(MAX_DOCUMENT_BYTES) for n in range(3)})
    assert outcome(file, zipped({"many.zip": many})) == ([], ["zip.members"])
    assert outcome(file, zipped({"most.zip": most}))[1] == ["document.encoding"] * 2 + ["zip.size"]


def test_a_zip_two_deep_is_not_opened(file: Path) -> None:
    deep = zipped({"b.zip": zipped({"c.zip": zipped({f"{NAME}.html": GOOD})})})
    assert outcome(file, deep) == ([], ["zip.nesting"])


def test_an_unusual_compression_is_refused(file: Path) -> None:
    assert outcome(file, zipped({f"{NAME}.html": GOOD}, zipfile.ZIP_LZMA)) == ([], ["member.compression"])


def test_an_encrypted_member_is_refused(file: Path) -> None:
    data = bytearray(zipped({f"{NAME}.html": GOOD}))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    assert outcome(file, bytes(data)) == ([], ["member.encrypted"])


def test_a_file_that_is_not_there_ends_the_load(tmp_path: Path) -> None:
    with pytest.raises(LoadError):
        list(read([tmp_path / "absent.zip"]))
