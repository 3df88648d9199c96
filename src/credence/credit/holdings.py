"""All the data sets together: everything that is held about one company (credit §11)."""

from collections.abc import Hashable

from credence.credit.facts.company import Company, Held
from credence.credit.register import Register


class Holdings:
    """Reads every data set; each read sees what was loaded last. It belongs to the thread that made it."""

    def __init__(self, register: Register) -> None:
        self._register = register

    @property
    def data_version(self) -> Hashable:
        """Changes whenever a data set is replaced, appears or vanishes: a cached answer is good for one version."""
        return self._register.data_version

    def company(self, number: str) -> Company | None:
        """Return the company with a normalised number, or None if no source knows it. Raises LayoutError."""
        entry = self._register.entry(number)
        return Company(number=number, register=Held(entry, self._register.provenance)) if entry else None

    def subsidiaries(self, number: str) -> tuple[str, ...] | None:  # noqa: ARG002 - no owners are held yet
        """Return the numbers of the companies one holds a majority of; None when no owners are loaded at all."""
        return None
