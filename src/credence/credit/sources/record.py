"""What a source yields: a fact to keep, or a place that holds none and the reason."""

import msgspec

from credence.credit.facts.accounts import Accounts
from credence.credit.facts.events import Charge, Filing, InsolvencyCase, Notice, PaymentPractice
from credence.credit.facts.people import Officer, Owner

Fact = Accounts | Officer | Owner | Charge | InsolvencyCase | Notice | Filing | PaymentPractice


class Record(msgspec.Struct, frozen=True):
    """One fact about one company."""

    company: str
    """The normalised number (D19)."""
    id: str
    """The document's own name within its source: a record with the same company and id takes this one's place."""
    fact: Fact


class Reject(msgspec.Struct, frozen=True):
    """One row, document or notice that is not kept."""

    where: str
    """The place in the files, such as `page-1.json, entry 3`; never the content, which may name people."""
    reason: str
    """A code to count by, such as `number.malformed`."""
