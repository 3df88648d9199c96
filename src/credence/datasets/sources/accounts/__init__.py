"""Filed accounts, from the bulk products of Companies House to facts (credit §3, docs/accounts.md).

product.py    zips -> documents, each with its place and of limited size
document.py   a document -> its tagged facts; numbers, dates and contexts have a file each
fields.py     the tags of each field
periods.py    facts -> columns of figures as filed
repair.py     corrects wrong signs
currency.py   the currency that the text names
members.py    what a partnership owes to its members
findings.py   what the text says
filing.py     all steps for one document; `companies/balance_sheet.py` completes the columns
reading.py    the source
"""

from credence.datasets.sources.accounts.reading import SOURCE, read

__all__ = ["SOURCE", "read"]
