"""The snapshot of the company register of Companies House (credit §2.2).

    snapshot.py   files -> chunks of whole rows -> cells
    entry.py      a row -> a `RegisterEntry`

`loading.load.load_register` loads it.
"""
