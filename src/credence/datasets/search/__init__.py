"""Search for companies by name (D23, report schema §1).

query.py        the checked parameters of a search candidates.py   companies that a name may mean, each step broader than
the one before ranking.py      how well a name fits, which is the order of the results unregistered.py companies without a
register entry, found by their accounts

`name_index.py` queries the register's names; `docs/adr/search.md` gives reasons and costs.
"""
