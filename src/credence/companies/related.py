"""What related parties owe, and the balance sheet without it (docs/judgement.md).

Related parties are the group, participating interests, directors and others that the accounts call so. Such an amount is an
asset only as long as they can and wish to pay, and no supplier can collect it.
"""

from typing import NamedTuple

from credence.companies.facts.accounts import Figure, Figures

Amount = int | float

PARTNERSHIPS = ("OC", "SO", "NC")
"""Prefixes of the numbers of limited liability partnerships."""


class Stressed(NamedTuple):
    """The balance sheet without what related parties owe; of a partnership also without what it owes to its members."""

    owed: Amount
    """What related parties owe."""
    to_members: Amount
    """What a limited liability partnership owes to its members, which its net assets include."""
    net_current_assets: Amount | None
    net_assets: Amount | None

    @property
    def left_out(self) -> Amount:
        """What the filed balance sheet has in addition."""
        return self.owed + self.to_members

    @property
    def words(self) -> str:
        """What is left out, in words."""
        parts = ("by related parties" if self.owed else "", "to members" if self.to_members else "")
        return f"amounts owed {' or '.join(filter(None, parts))}"


def owed_by_related_parties(figures: Figures) -> Amount:
    """Return what related parties owe; 0 if nothing is tagged.

    The amount of all related parties includes those of group, participating interests and directors, so the larger counts.
    """
    parts = (
        _value(figures.owed_by_group)
        + _value(figures.owed_by_participating_interests)
        + _value(figures.owed_by_directors)
    )
    owed = max(parts, _value(figures.owed_by_related_parties))
    return owed if figures.debtors is None else max(0, min(owed, figures.debtors.value))


def stressed(figures: Figures) -> Stressed | None:
    """Return the balance sheet without related parties; None if nothing is left out."""
    owed, to_members = owed_by_related_parties(figures), _value(figures.owed_to_members)
    if not owed and not to_members:
        return None
    left_out = owed + to_members
    net = figures.net_assets or figures.equity
    current = figures.net_current_assets
    return Stressed(
        owed,
        to_members,
        None if current is None else current.value - left_out,
        None if net is None else net.value - left_out,
    )


def _value(figure: Figure | None) -> Amount:
    return 0 if figure is None else figure.value
