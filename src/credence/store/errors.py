"""The errors of a store."""


class StoreUnavailable(Exception):
    """The store could not be read or written, or its answer was lost. The effect is complete or absent."""


class StoreDamaged(StoreUnavailable):
    """The store contains something that it did not write. A retry does not help; restoring a backup does (threats F2)."""


class Conflict(Exception):
    """Another writer was first: the stored version is no longer the version that was read (threats E10)."""


class Full(Exception):
    """The owner already has the maximum number of rows."""
