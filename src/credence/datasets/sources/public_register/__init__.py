"""The public register's API: what it says of single companies (credit §4.1).

fetching.py   asks it, when an operator says so, and saves its answers
answers.py    saved answers -> records; what all four lists have in common
officers.py, charges.py, insolvency.py, filing_history.py   one list each
"""
