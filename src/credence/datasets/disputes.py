"""The disputes of this deployment, in a small file of their own that no load changes (credit §10)."""

import datetime as dt
from pathlib import Path

import msgspec

from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.datasets.catalogue import Catalogue, update, with_edition
from credence.datasets.publish import Publish, base_edition, publish_nowhere
from credence.errors import InvalidInput, UnusableContent
from credence.files import OWNER_ONLY, write_atomically

NAME = "disputes.json"

DISPUTES = "disputes"
"""The name of the disputes among the shared data sets."""

MAX_CHARACTERS = 500
"""Maximum length of a note or of the name of a field."""

MAX_RECEIVED = 1_000
"""Maximum number of received disputes that wait for review, because each change writes the whole file."""

ByCompany = dict[str, tuple[Dispute, ...]]


class AlreadyDisputed(InvalidInput):
    """There is an undecided dispute about this field of the company."""


class TooManyReceived(InvalidInput):
    """Too many received disputes wait for review."""


class DisputesDamaged(UnusableContent):
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
    *,
    by: str = "",
) -> Dispute:
    """Open a dispute about one field of a company, or change its status; it is on disk when this returns.

    `by` is the application that sent the dispute, or the person who decides it. An empty note keeps the earlier one.
    Reports show the change from the next read. Raises ValueError without a field or a first note, or if either is too long;
    AlreadyDisputed and TooManyReceived for a new received dispute; DisputesDamaged; the errors of `publish`.
    """
    recorded: list[Dispute] = []

    def change(catalogue: Catalogue) -> Catalogue:
        disputes_by_company = read(folder)
        of_company = {each.field: each for each in disputes_by_company.get(number, ())}
        before = of_company.get(single_spaced(field))
        dispute = changed_dispute(before, field, note, status, today, by)
        if status is DisputeStatus.RECEIVED:
            require_room(disputes_by_company, before)
        disputes_by_company[number] = tuple((of_company | {dispute.field: dispute}).values())
        data = msgspec.json.format(msgspec.json.encode(disputes_by_company), indent=1)
        edition = publish(DISPUTES, data, b"", base_edition(catalogue, DISPUTES))
        write_atomically(folder / NAME, data, OWNER_ONLY)
        recorded.append(dispute)
        return with_edition(catalogue, DISPUTES, edition)

    update(folder, change)
    return recorded[0]


def single_spaced(text: str) -> str:
    """Return a field or note as it is kept: with one space between words."""
    return " ".join(text.split())


def changed_dispute(
    before: Dispute | None, field: str, note: str, status: DisputeStatus, today: dt.date, by: str
) -> Dispute:
    """Return a new dispute, or the earlier one as it is then; raises InvalidInput, as `record` does."""
    field, note = single_spaced(field), single_spaced(note)
    if not field or len(field) > MAX_CHARACTERS or len(note) > MAX_CHARACTERS:
        raise InvalidInput(f"A dispute needs a field; field and note have at most {MAX_CHARACTERS} characters each.")
    if before is None and not note:
        raise InvalidInput("A new dispute needs a note.")
    reopened = before is None or (before.status.closed and not status.closed)
    return Dispute(
        field=field,
        note=note or (before.note if before else ""),
        status=status,
        opened=today if before is None or reopened else before.opened,
        changed=today,
        by=by if status is DisputeStatus.RECEIVED else before.by if before and not reopened else "",
        decided=today if status.closed else None,
        decided_by=by if status.closed else "",
    )


def receive(
    folder: Path, number: str, field: str, claim: str, by: str, today: dt.date, publish: Publish = publish_nowhere
) -> Dispute:
    """Record a dispute that an application sent; its statutory period begins. Raises as `record` does."""
    return record(folder, number, field, claim, DisputeStatus.RECEIVED, today, publish, by=by)


def require_room(disputes_by_company: ByCompany, before: Dispute | None) -> None:
    """Raise AlreadyDisputed or TooManyReceived if a dispute in place of `before` may not be received."""
    if before is not None and not before.status.closed:
        raise AlreadyDisputed(f"A dispute about {before.field} of this company is undecided already.")
    received = sum(
        each.status is DisputeStatus.RECEIVED for of_company in disputes_by_company.values() for each in of_company
    )
    if received >= MAX_RECEIVED:
        raise TooManyReceived(f"{received} received disputes wait for review; no more are received before.")


def replace_all(folder: Path, data: bytes, edition: str) -> None:
    """Replace the local disputes by those published by another node. Raises DisputesDamaged, OSError."""
    _decode(data, folder / NAME)

    def change(catalogue: Catalogue) -> Catalogue:
        write_atomically(folder / NAME, data, OWNER_ONLY)
        return with_edition(catalogue, DISPUTES, edition)

    update(folder, change)


def open_disputes(disputes: tuple[Dispute, ...], known_by: dt.date | None = None) -> tuple[Dispute, ...]:
    """Return the disputes that reports show, the oldest first: neither closed nor only received.

    With `known_by`, those that were opened later are left out.
    """
    shown = (each for each in disputes if not each.status.closed and each.status is not DisputeStatus.RECEIVED)
    known = (each for each in shown if known_by is None or each.opened <= known_by)
    return tuple(sorted(known, key=lambda each: each.opened))
