"""Filed accounts, from the bulk products of Companies House to facts (credit §3; docs/accounts.md tells the way).

    product.py    the zips -> one document after the other, each with its place and a size that is safe to read
    document.py   one document -> its tagged facts, whatever they mean; numbers, dates, contexts have a file each
    fields.py     which tags are which field
    periods.py    facts -> columns of figures as filed
    repair.py     evident faults of sign put right
    derive.py     a column repaired, checked and completed by `companies/balance_sheet.py`
    filing.py     all of it for one document
    reading.py    the source

`demonstration.py` reads the facts of old filings that the package carries.
"""

from credence.datasets.sources.accounts.reading import SOURCE, read

__all__ = ["SOURCE", "read"]
