"""Signing keys (spec §2.7, D5, D13).

`schedule` plans their lives, `ring` holds those in use, `tending` makes and destroys them.
"""
