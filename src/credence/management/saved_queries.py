"""Queries of the request log that operators save by name in their own account (D30)."""

import msgspec

from credence.clock import Milliseconds
from credence.errors import InvalidInput
from credence.request_log.query import read_query
from credence.store.records import Account
from credence.store.saved_queries import SavedQuery

MAX_QUERIES = 20
MAX_NAME_CHARACTERS = 60
MAX_QUERY_BYTES = 200
"""The maximum length in UTF-8. Each query is a URL on the screen, which stays below 60 kB with all of them."""

SAVE, DELETE = "log save-query", "log delete-query"
"""The names of the operations in the audit trail."""


def checked_name(text: str) -> str:
    """Return the name without surrounding spaces; InvalidInput if it is empty, too long or has several lines."""
    name = text.strip()
    if not 1 <= len(name) <= MAX_NAME_CHARACTERS or not name.isprintable():
        raise InvalidInput(f"A name is text of one line with 1 to {MAX_NAME_CHARACTERS} characters.")
    return name


def checked_query(line: str, now: Milliseconds) -> str:
    """Return the query line; InvalidInput if it is empty, too long, or has invalid syntax."""
    query = line.strip()
    if not query.isprintable() or not 1 <= len(query.encode()) <= MAX_QUERY_BYTES:
        raise InvalidInput(f"A saved query is text of one line with 1 to {MAX_QUERY_BYTES} bytes.")
    read_query(query, now)
    return query


def with_query(account: Account, saved: SavedQuery) -> Account:
    """Return the account with a checked query, which replaces one of the same name; InvalidInput for one too many."""
    kept = {each.name: each for each in account.saved_queries} | {saved.name: saved}
    if len(kept) > MAX_QUERIES:
        raise InvalidInput(f"{MAX_QUERIES} queries are saved already: delete one, or save under its name.")
    return _with(account, tuple(kept.values()))


def without_query(account: Account, name: str) -> Account:
    """Return the account without the query of this name; InvalidInput if no query has this name."""
    kept = tuple(each for each in account.saved_queries if each.name != name)
    if len(kept) == len(account.saved_queries):
        raise InvalidInput("No query of this name is saved.")
    return _with(account, kept)


def _with(account: Account, queries: tuple[SavedQuery, ...]) -> Account:
    return msgspec.structs.replace(account, saved_queries=queries, version=account.version + 1)
