"""What a source yields: facts to keep, places that hold none and the reason, values that could not be read."""

import msgspec

from credence.companies.facts.accounts import Accounts
from credence.companies.facts.events import Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.companies.facts.people import Officer, Owner

Fact = Accounts | Officer | Owner | Charge | InsolvencyCase | Notice | Filing | PaymentPractice


class Record(msgspec.Struct, frozen=True):
    """One fact about one company."""

    company: str
    """The normalised number (D19)."""
    id: str
    """The document's own name within its source: a record with the same company and id takes this one's place."""
    fact: Fact | None
    """None, under an empty id, when the source was asked about the company: it tells "none" from "not known"."""


class RejectedPlace(msgspec.Struct, frozen=True):
    """One row, document or notice that is not kept."""

    where: str
    """The place in the files, such as `page-1.json, entry 3`; never the content, which may name people."""
    reason: str
    """A code to count by, such as `number.malformed`."""
    company: str = ""
    """The one of which something stays unknown; empty where the place does not say which."""


class UnreadableValue(msgspec.Struct, frozen=True):
    """One value that could not be read and stays unknown; what it belongs to is kept."""

    where: str
    reason: str
    """A code to count by, such as `date.unreadable`."""
