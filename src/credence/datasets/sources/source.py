"""A source of facts, what it yields, and the errors of its files."""

import datetime as dt
import re
from collections.abc import Callable, Iterator, Sequence
from enum import Enum, auto
from pathlib import Path
from typing import Any

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.company import Profile
from credence.companies.facts.events import Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner
from credence.datasets.fact_kinds import FactKind
from credence.errors import UnusableContent

COMPANIES_HOUSE_LICENCE = "Contains public register information from Companies House"
OPEN_GOVERNMENT_LICENCE = "Contains public sector information licensed under the Open Government Licence v3.0"
"""The attribution required by the licences (credit §4.4)."""

Fact = Accounts | Officer | Owner | Charge | InsolvencyCase | Notice | Filing | PaymentPractice | Profile


class LoadError(UnusableContent):
    """No data set can be made from the files. The message is for the operator and contains nothing from the rows."""


class LoadRefused(LoadError):
    """The state of this machine does not allow the load: another one runs, or the folder cannot be written."""


class LoadRunning(LoadRefused):
    """Another process loads or fetches the data set."""


class FilesRejected(LoadError):
    """The files are readable, but no data set can be made from them; the rejects file lists the rejected rows."""


class Record(msgspec.Struct, frozen=True):
    """One fact about one company."""

    company: str
    """The normalised number (D19)."""
    id: str
    """The document's id within its source; a record replaces an earlier one with the same company and id."""
    fact: Fact | None
    """None, under an empty id, if the source was queried about the company, which distinguishes "none" from "unknown"."""
    cut: bool = False
    """Whether the answer about the company has fewer entries than its total; for a record without a fact."""
    version: int = 0
    """A number that grows with what the publisher says under the id, such as the time of a revision; 0 if unknown."""
    revised: dt.date | None = None
    """The day since which the publisher says it; None if unknown."""


class RejectedPlace(msgspec.Struct, frozen=True):
    """One row, document or notice that is not kept."""

    where: str
    """The place in the files, such as `page-1.json, entry 3`; never the content, which may name people."""
    reason: str
    """A code, such as `number.malformed`."""
    company: str = ""
    """The company of which a fact stays unknown; empty if the place names no company."""
    id: str = ""
    """The document's id, if it can be read: what the publisher said under it before is not valid any more."""
    version: int = 0
    revised: dt.date | None = None
    """As of a `Record`."""
    to_come: dt.date | None = None
    """The day on which a fact with a future date can be kept."""


class UnreadableValue(msgspec.Struct, frozen=True):
    """One value that is unreadable and becomes unknown, or that contradicts others; its record is kept."""

    where: str
    reason: str
    """A code, such as `date.unreadable`."""


Found = Record | RejectedPlace | UnreadableValue

Read = Callable[[Sequence[Path]], Iterator[Found]]


class Renewal(Enum):
    """How a load changes the facts of earlier loads."""

    ALL = auto()
    """It replaces all facts: the files are a complete snapshot."""
    COMPANY = auto()
    """It replaces the facts of each company in the files: each answer has all facts of its company."""
    DOCUMENT = auto()
    """It adds facts; a document replaces its earlier version."""
    ENTRY = auto()
    """Each record changes one fact, or without a fact deletes it: events of a stream."""


class Source(msgspec.Struct, frozen=True):
    """One source of facts."""

    kind: FactKind
    publisher: str
    licence: str
    renewal: Renewal
    file_name: re.Pattern[str]
    """The published file names, for a refresh; `day`, `part` and `parts` of a snapshot are groups."""
    read: Read
    """Reads the files. Raises LoadError for files of another kind; an error inside a file is a RejectedPlace."""
    dated: Callable[[Any], dt.date | None] | None = None
    """Returns the day of a document; the newest is the date of the data set.

    None for answers about single companies: they are as new as the request; the dates of their documents do not matter.
    """
    snapshot: Callable[[Sequence[Path]], dt.date | None] | None = None
    """The day in the names of a snapshot's files; None for a source of single documents."""
    events: Read | None = None
    """Reads files of events of a stream, each about one fact; None if there is no such stream."""
    keeps: Callable[[Any, Any], Any] | None = None
    """Fact in service and a later one with its id -> fact to keep, such as because an event lacks members of an answer."""
    replaces: Callable[[Any, Any], bool] | None = None
    """Whether a fact replaces one of the company under another id, which an earlier version gave the same document."""
    id_form: str = "*"
    """The form of the ids of this version, as a pattern of GLOB."""
    number_hint: str = ""
    """What the operator must do if the files name no company; empty for files that always name it."""

    @property
    def name(self) -> str:
        """The name in commands and in the catalogue."""
        return self.kind.source
