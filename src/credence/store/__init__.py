"""Persistent state. `contract.py` defines the store; `sqlite/` and `postgres/` implement it.

`revocation_cache.py` keeps revocations, applications and accounts in memory; `migrations.py` finds the schema files;
`transfer/` copies whole stores: to another database, to a backup and back.
"""
