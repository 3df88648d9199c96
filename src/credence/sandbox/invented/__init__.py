"""Invented companies and their people, for every case that a client must handle (D24).

None of them exists, and their names say so.
"""
