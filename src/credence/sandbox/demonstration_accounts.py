"""The facts of 421 filings that the package ships for the sandbox; not a current register (credit §5).

`python -m tools.demonstration` extracts them from the filings, which the project does not contain.
"""

import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.datasets.sources.accounts import reading
from credence.datasets.sources.source import Record
from credence.sandbox.sandbox_data import DEMONSTRATION

FILE = Path(__file__).parent / "data" / "accounts-demonstration.zip"
_MEMBER = "accounts.msgpack"
_SAME_DATE = (1980, 1, 1, 0, 0, 0)

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Accounts]).decode


def read_demonstration() -> Iterator[Record]:
    """Yield the records that a load of the filed documents would yield."""
    for accounts in _filings():
        yield Record(accounts.company, accounts.id, accounts)


def _filings() -> list[Accounts]:
    with zipfile.ZipFile(FILE) as archive:
        return _decode(archive.read(_MEMBER))


def pack(filings: Sequence[Accounts]) -> bytes:
    """Return the filings as the bytes that the package ships; equal filings give equal bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        member = zipfile.ZipInfo(_MEMBER, _SAME_DATE)
        archive.writestr(member, _encode(filings), zipfile.ZIP_DEFLATED, compresslevel=9)
    return packed.getvalue()


def _read(_: Sequence[Path]) -> Iterator[Record]:
    return read_demonstration()


SOURCE = msgspec.structs.replace(
    reading.SOURCE,
    publisher=DEMONSTRATION,
    read=_read,
)
"""The source of the accounts of a new sandbox; a load of real accounts replaces them."""
