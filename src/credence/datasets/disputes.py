"""The disputes of this deployment: primary data, kept in a small file of its own that no load touches (credit §10)."""

import datetime as dt
from pathlib import Path

import msgspec

from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.datasets.catalogue import Catalogue, update, with_edition
from credence.datasets.publish import Publish, base_edition, publish_nowhere
from credence.files import FOR_ITS_OWNER, write_whole

NAME = "disputes.json"

DISPUTES = "disputes"
"""What nodes that share them call them."""

MAX_CHARACTERS = 500
"""Characters of a note or of the name of a field."""

ByCompany = dict[str, tuple[Dispute, ...]]


class DisputesDamaged(RuntimeError):
    """The file of disputes cannot be understood; the message says what to do."""


def read(folder: Path) -> ByCompany:
    """Return every dispute by company number, closed ones too. Raises DisputesDamaged, OSError."""
    path = folder / NAME
    try:
        return _decode(path.read_bytes(), path)
    except FileNotFoundError:
        return {}


def _decode(data: bytes, path: Path) -> ByCompany:
    try:
        return msgspec.json.decode(data, type=ByCompany)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise DisputesDamaged(f"{path} is damaged: put back a copy of it.") from error


def record(
    folder: Path,
    number: str,
    field: str,
    note: str,
    status: DisputeStatus,
    today: dt.date,
    publish: Publish = publish_nowhere,
) -> Dispute:
    """Open a dispute about one field of a company, or bring the one there is further; on disk when this returns.

    An empty note keeps the one that was given. ValueError without a field or a first note, or when one is too long;
    reports show a change with the next read.
    """
    field, note = " ".join(field.split()), " ".join(note.split())
    if not field or len(field) > MAX_CHARACTERS or len(note) > MAX_CHARACTERS:
        raise ValueError(
            f"A dispute names a field, and neither it nor the note has more than {MAX_CHARACTERS} characters."
        )
    recorded: list[Dispute] = []

    def change(catalogue: Catalogue) -> Catalogue:
        held = read(folder)
        of_company = {each.field: each for each in held.get(number, ())}
        before = of_company.get(field)
        if before is None and not note:
            raise ValueError("A new dispute needs a note that says what is disputed.")
        reopened = before is None or (before.status.closed and not status.closed)
        dispute = Dispute(
            field=field,
            note=note or (before.note if before else ""),
            status=status,
            opened=today if before is None or reopened else before.opened,
            changed=today,
        )
        held[number] = tuple((of_company | {field: dispute}).values())
        data = msgspec.json.format(msgspec.json.encode(held), indent=1)
        edition = publish(DISPUTES, data, b"", base_edition(catalogue, DISPUTES))
        write_whole(folder / NAME, data, FOR_ITS_OWNER)
        recorded.append(dispute)
        return with_edition(catalogue, DISPUTES, edition)

    update(folder, change)
    return recorded[0]


def replace_all(folder: Path, data: bytes, edition: str) -> None:
    """Put the disputes that another node published in the place of those here. DisputesDamaged when they are none."""
    _decode(data, folder / NAME)

    def change(catalogue: Catalogue) -> Catalogue:
        write_whole(folder / NAME, data, FOR_ITS_OWNER)
        return with_edition(catalogue, DISPUTES, edition)

    update(folder, change)


def open_disputes(disputes: tuple[Dispute, ...]) -> tuple[Dispute, ...]:
    """Return those that are not closed, the oldest first."""
    return tuple(sorted((each for each in disputes if not each.status.closed), key=lambda each: each.opened))
