"""The disputes of this deployment, in a small file of their own that no load changes (credit §10)."""

import datetime as dt
from pathlib import Path

import msgspec

from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.datasets.catalogue import Catalogue, update, with_edition
from credence.datasets.publish import Publish, base_edition, publish_nowhere
from credence.errors import InvalidInput, OperatorError
from credence.files import OWNER_ONLY, write_atomically

NAME = "disputes.json"

DISPUTES = "disputes"
"""The name of the disputes among the shared data sets."""

MAX_CHARACTERS = 500
"""Of a note or of the name of a field."""

ByCompany = dict[str, tuple[Dispute, ...]]


class DisputesDamaged(OperatorError):
    """The file of disputes cannot be read; the message says what to do."""


def read(folder: Path) -> ByCompany:
    """Return all disputes by company number, closed ones included. Raises DisputesDamaged, OSError."""
    path = folder / NAME
    try:
        return _decode(path.read_bytes(), path)
    except FileNotFoundError:
        return {}


def _decode(data: bytes, path: Path) -> ByCompany:
    try:
        return msgspec.json.decode(data, type=ByCompany)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DisputesDamaged(f"{path} is damaged: restore a copy of it.") from error


def record(
    folder: Path,
    number: str,
    field: str,
    note: str,
    status: DisputeStatus,
    today: dt.date,
    publish: Publish = publish_nowhere,
) -> Dispute:
    """Open a dispute about one field of a company, or change its status; it is on disk when this returns.

    An empty note keeps the earlier one. Reports show the change from the next read. Raises ValueError without a field or a
    first note, or if one is too long; DisputesDamaged; the errors of `publish`.
    """
    field, note = " ".join(field.split()), " ".join(note.split())
    if not field or len(field) > MAX_CHARACTERS or len(note) > MAX_CHARACTERS:
        raise InvalidInput(f"A dispute needs a field; field and note have at most {MAX_CHARACTERS} characters each.")
    recorded: list[Dispute] = []

    def change(catalogue: Catalogue) -> Catalogue:
        disputes_by_company = read(folder)
        of_company = {each.field: each for each in disputes_by_company.get(number, ())}
        before = of_company.get(field)
        if before is None and not note:
            raise InvalidInput("A new dispute needs a note.")
        reopened = before is None or (before.status.closed and not status.closed)
        dispute = Dispute(
            field=field,
            note=note or (before.note if before else ""),
            status=status,
            opened=today if before is None or reopened else before.opened,
            changed=today,
        )
        disputes_by_company[number] = tuple((of_company | {field: dispute}).values())
        data = msgspec.json.format(msgspec.json.encode(disputes_by_company), indent=1)
        edition = publish(DISPUTES, data, b"", base_edition(catalogue, DISPUTES))
        write_atomically(folder / NAME, data, OWNER_ONLY)
        recorded.append(dispute)
        return with_edition(catalogue, DISPUTES, edition)

    update(folder, change)
    return recorded[0]


def replace_all(folder: Path, data: bytes, edition: str) -> None:
    """Replace the disputes by those that another node published. Raises DisputesDamaged, OSError."""
    _decode(data, folder / NAME)

    def change(catalogue: Catalogue) -> Catalogue:
        write_atomically(folder / NAME, data, OWNER_ONLY)
        return with_edition(catalogue, DISPUTES, edition)

    update(folder, change)


def open_disputes(disputes: tuple[Dispute, ...]) -> tuple[Dispute, ...]:
    """Return the disputes that are not closed, the oldest first."""
    return tuple(sorted((each for each in disputes if not each.status.closed), key=lambda each: each.opened))
