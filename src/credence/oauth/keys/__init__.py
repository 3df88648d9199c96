"""Signing keys (spec §2.7, D5, D13).

`schedule` plans the life of each key, `ring` contains those in use, `rotation` creates and deletes them.
"""
