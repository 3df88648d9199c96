"""Published failure models, computed beside the Credence score and never blended into it (credit §6).

    lines.py    what a model reads of a balance sheet and a profit and loss account
    model.py    a model as a value, and what it says of one period
    <model>.py  one model each: formula, source, zones
    beside.py   all of them for one company

Where each coefficient and zone was checked is told in docs/published-models.md.
"""
