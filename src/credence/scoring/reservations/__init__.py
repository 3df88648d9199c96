"""Reservations: what an accountant holds against a company in addition to its points (docs/judgement.md).

Each is declared once, as a row of `data/reservations-<version>.toml`: its code, words and sentence, the highest score with
it, what it leaves of the limit, and whether it is an alert. Everything that shows or applies one reads that table.

table.py      the rows
judged.py     the facts that rules read
of_….py       the rules, by what they read
found.py      the reservations about one company
"""
