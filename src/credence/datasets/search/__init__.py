"""The company search, from the parameters of a URL to the answer (D23, report schema §1).

    query.py        what is asked for, checked and read into one value
    companies.py    the search itself
    candidates.py   which companies a name may mean, each question looser than the one before
    misspelling.py  words one slip away or two
    ranking.py      how well a name fits, which is the order of the results
    threads.py      searches off the event loop, at a bounded pace

What can be asked of the register's names stands in `name_index.py`; `docs/adr/search.md` gives reasons and costs.
"""
