"""The facts of 421 filings that the package carries, to try the service with; not a current register (credit §5).

`python -m tools.demonstration` extracts them from the filings, which are not part of the project.
"""

import io
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.datasets.sources.accounts import reading
from credence.datasets.sources.source import Record

FILE = Path(__file__).parent / "data" / "accounts-demonstration.zip"
_MEMBER = "accounts.msgpack"
_SAME_DATE = (1980, 1, 1, 0, 0, 0)

_encode = msgspec.msgpack.Encoder().encode
_decode = msgspec.msgpack.Decoder(list[Accounts]).decode


def read_demonstration() -> Iterator[Record]:
    """Yield the filings as if they were read from their documents."""
    with zipfile.ZipFile(FILE) as archive:
        for accounts in _decode(archive.read(_MEMBER)):
            yield Record(accounts.company, accounts.document, accounts)


def pack(filings: Sequence[Accounts]) -> bytes:
    """Return the shipped form of filings; of the same ones always the same bytes."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        member = zipfile.ZipInfo(_MEMBER, _SAME_DATE)
        archive.writestr(member, _encode(filings), zipfile.ZIP_DEFLATED, compresslevel=9)
    return packed.getvalue()


def _read(_: Sequence[Path]) -> Iterator[Record]:
    return read_demonstration()


SOURCE = msgspec.structs.replace(
    reading.SOURCE,
    publisher="Demonstration: accounts filed at Companies House 2016 to 2026, not a current register",
    read=_read,
)
"""What the sandbox begins with; a load of real accounts takes its place."""
