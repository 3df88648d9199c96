"""Officers and owners, as far as a credit report needs them (credit §4.1, §4.2, §10).

No home address and no day of birth is ever held: a year and month at most. Names of people stay out of logs, and
nothing about a person is scored.
"""

import datetime as dt

import msgspec


class Officer(msgspec.Struct, frozen=True):
    """One appointment to one company, present or past."""

    id: str
    """The register's own identifier of the person or body (from the appointments link), the same at each company."""
    role: str
    """The register's own word: `director`, `secretary`, `corporate-director`, `llp-member` and so on."""
    surname: str
    forenames: str = ""
    title: str = ""
    corporate: bool = False
    """A body, not a person; its name is the `surname`."""
    appointed: dt.date | None = None
    appointed_before: dt.date | None = None
    """Set instead of `appointed` where the register only knows that it was earlier."""
    resigned: dt.date | None = None
    birth_year: int | None = None
    birth_month: int | None = None
    nationality: str = ""
    occupation: str = ""


class Owner(msgspec.Struct, frozen=True):
    """A person or body with significant control."""

    id: str
    kind: str
    """The register's own word, such as `individual-person-with-significant-control`."""
    name: str
    natures: tuple[str, ...]
    """The register's own words, such as `ownership-of-shares-75-to-100-percent`."""
    corporate: bool = False
    registration_number: str = ""
    """Of a body, in the register it is on; a UK company number where `country` is in the United Kingdom."""
    country: str = ""
    notified: dt.date | None = None
    ceased: dt.date | None = None
