"""The public sources, whose files are converted to records.

source.py           a source and what it yields accounts/           filed accounts (docs/accounts.md) public_register/ the
public register's API: officers, charges, insolvency, filing history, profiles gazette.py, payment_practices.py,
persons_with_control.py register/           the snapshot of the register, which has a schema of its own streams.py opens
downloaded files snapshot_files.py   whether files are one complete snapshot values.py           dates, links and texts as
publishers write them sanitize.py         corrections to every source's facts

A file of another kind ends the load with LoadError; an error inside a file is a RejectedPlace, and the load continues.
"""
