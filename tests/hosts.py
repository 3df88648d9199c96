"""Decisions about hosts of clients with a document, without an operator and an audit line."""

from credence.clock import Milliseconds
from credence.oauth.client_hosts import Verdict
from credence.operations.client_hosts import end_logins_of_host, save_decision
from credence.store.contract import Store


async def decide_on(store: Store, host: str, verdict: Verdict, now: Milliseconds) -> int:
    """Return how many clients a blocked host has; 0 for another verdict."""
    await save_decision(store, host, verdict)
    return await end_logins_of_host(store, host, now) if verdict == "block" else 0
