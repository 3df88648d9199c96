"""Events an auditor asks for, marked so that they can be kept apart from the rest."""

from credence.telemetry.log import event


def audit(name: str, **fields: object) -> None:
    """Log a security event; fields name applications, accounts and reasons, never credentials."""
    event(name, audit=True, **fields)
