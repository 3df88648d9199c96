"""Ledgers as accounting programs export them: read, divided into columns, and turned into the customers of a portfolio.

A file becomes lines of cells (`reading.py`, from `delimited.py` or `workbook.py`); `columns.py` recognises what a column
has, `accounts.py` turns lines into accounts or says what is wrong with them, and `merging.py` into customers.
"""
