"""What the profile of a company says that the register's snapshot does not (credit §4.1)."""

import msgspec


class Profile(msgspec.Struct, frozen=True):
    """The remarks of one profile of the public register's API; each is None where the profile does not have it.

    Status, due dates and office are not taken from it: they are the snapshot's, of one day for all companies.
    """

    insolvency_history: bool | None = None
    """Whether the company is or ever was in an insolvency procedure, a solvent liquidation included."""
    office_undeliverable: bool | None = None
    """Whether post to the registered office comes back."""
    office_in_dispute: bool | None = None
    """Whether the right of the company to use its registered office is contested."""
