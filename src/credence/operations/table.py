"""Every operation and reading, in order: commands, routes and the page of accesses follow from it."""

from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Final

from credence.operations.operation import Operation
from credence.operations.reading import Reading

_FILES = (
    "applications",
    "application_changes",
    "secrets",
    "application_logins",
    "client_hosts",
    "invitations",
    "clocks",
    "accounts",
    "account_access",
    "password_links",
    "logins",
    "tokens",
    "issuers",
    "issuer_links",
    "incidents",
    "data_holds",
    "disputes",
    "signing_keys",
    "deployment",
    "trails",
    "streams",
    "outbox",
    "portfolios",
    "watched_companies",
    "held_rules",
    "customer_matches",
    "ledgers",
    "webhooks",
    "alerts",
    "company_alerts",
    "alert_mail",
    "approved_limits",
    "book",
    "book_views",
    "limit_decisions",
)
"""The files of declarations, in the order of commands and routes."""


def _declared() -> Iterator[Operation | Reading]:
    """Yield what the files declare, once each, although a file imports from others."""
    known: set[int] = set()
    for file in _FILES:
        for each in vars(import_module(f"credence.operations.{file}")).values():
            if isinstance(each, Operation | Reading) and id(each) not in known:
                known.add(id(each))
                yield each


OPERATIONS: Final[Sequence[Operation | Reading]] = tuple(_declared())


def commands_of(group: str) -> list[Operation | Reading]:
    """Return the operations and readings that are commands of a group, such as `app`."""
    return [each for each in OPERATIONS if _is_made(each) and each.name.split(" ")[0] == group]


def _is_made(declared: Operation | Reading) -> bool:
    """Return whether a command follows from the declaration."""
    return declared.is_command and not (isinstance(declared, Operation) and declared.by_hand)
