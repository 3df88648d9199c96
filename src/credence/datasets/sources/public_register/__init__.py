"""The public register's API, with answers about single companies (credit §4.1).

fetching.py   requests answers by command of an operator, and saves them answers.py    saved answers -> records, for all
four lists profile.py    saved profiles of companies -> records officers.py, charges.py, insolvency.py, filing_history.py
one list each
"""
