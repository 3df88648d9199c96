"""The public sources, one by one: what they publish becomes facts here and nowhere else.

    accounts/, public_register/, gazette.py,
    payment_practices.py, persons_with_control.py   files -> records, each source as `source.Source`
    offered.py                                      all of them by name
    loading.py, draft.py, alone.py, loaded.py       records -> a data set in service, and what was counted
    retention.py, refresh.py                        what is dropped with time; what a folder has that is newer
    register/                                       the register, which is large and has a layout of its own

A file that is no such source ends the load with `LoadError`; what is wrong inside one is a `record.Reject` and does not.
"""


class LoadError(ValueError):
    """The files cannot become a data set. The message is for the operator and holds nothing from the rows."""


class FilesRejected(LoadError):
    """The files were read and do not become a data set; what was refused in them is written down all the same."""
