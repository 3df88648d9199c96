"""Our one addition to the report, under the member `Assessment`: what the wire has no place for (D21)."""

import datetime as dt

import msgspec


class NotHeld(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of the report that is absent, and why."""

    Member: str
    Reason: str


_NotHeld = NotHeld
"""The member below has the name of its model and would hide it."""


class Assessment(msgspec.Struct, frozen=True, omit_defaults=True):
    """The register's status in words, what is due next, where the facts come from and which are not held.

    The specimen has no source and says `Specimen` instead.
    """

    Source: str | None = None
    Attribution: str | None = None
    Specimen: str | None = None
    SnapshotDate: dt.date | None = None
    CompanyStatus: str | None = None
    LegalForm: str | None = None
    CountryOfOrigin: str | None = None
    ActivityClassification: str | None = None
    AccountsNextDue: dt.date | None = None
    ConfirmationStatementNextDue: dt.date | None = None
    NotHeld: tuple[_NotHeld, ...] = ()
