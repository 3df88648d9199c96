"""The part of a company's profile that the register's snapshot lacks (credit §4.1)."""

import msgspec


class Profile(msgspec.Struct, frozen=True):
    """The remarks of one profile of the public register's API; each is None if the profile lacks it.

    Status, due dates and office are taken from the snapshot instead, which is of one day for all companies.
    """

    insolvency_history: bool | None = None
    """Whether the company is or ever was in an insolvency procedure, a solvent liquidation included."""
    office_undeliverable: bool | None = None
    """Whether post to the registered office is returned."""
    office_in_dispute: bool | None = None
    """Whether the right of the company to use its registered office is contested."""
