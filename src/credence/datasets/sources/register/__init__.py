"""The company register of Companies House: a monthly snapshot becomes one large data set (credit §2.2, `dataset.py`).

    snapshot.py   the files -> chunks of whole rows -> cells
    entry.py      one row -> a `RegisterEntry`
    prepared.py   what is stored of each row
    readers.py    the work on chunks, shared out to every core
    seen.py       which numbers came before
    writing.py    all of it into a data set
    summary.py    what was counted

`loading.load_register` puts the data set into service.
"""
