"""What a deployment has, for operators to read: scopes, limits, data sets, disputes and policies (D16, D30)."""

from typing import Literal

import msgspec

from credence.clock import Milliseconds
from credence.companies.facts.dispute import Dispute
from credence.datasets import disputes, status
from credence.datasets.fact_kinds import REGISTER
from credence.datasets.loading.refresh import SOURCES
from credence.datasets.score_reader import SCORES
from credence.errors import InvalidInput
from credence.management.service_schema import (
    Disputes,
    DisputeState,
    Limits,
    LimitState,
    Policies,
    PolicyState,
    Scopes,
    ScopeState,
    Source,
    Sources,
)
from credence.oauth.parameters.scopes import ALL_SCOPES, MANAGE_SCOPES, management_resource
from credence.policy.policy import read_policy
from credence.settings import Settings

NAMES = (REGISTER, *SOURCES, SCORES)
"""The sources of credit data, in the order in which they are usually loaded."""

_LIMITS: tuple[tuple[Literal["application", "account", "address"], str, str], ...] = (
    ("application", "spike_per_minute", "spike_burst"),
    ("account", "spike_account_per_minute", "spike_account_burst"),
    ("address", "spike_address_per_minute", "spike_address_burst"),
)


def scopes(settings: Settings) -> Scopes:
    """Return every scope with the resource whose tokens can have it."""
    own, managing = settings.token_audience, management_resource(settings)
    return Scopes(
        [ScopeState(name, text, managing if name in MANAGE_SCOPES else own) for name, text in ALL_SCOPES.items()]
    )


def limits(settings: Settings) -> Limits:
    """Return the rates of the service (D16), which an application's own rate overrides."""
    return Limits([LimitState(of, getattr(settings, rate), getattr(settings, burst)) for of, rate, burst in _LIMITS])


def sources(settings: Settings, now: Milliseconds) -> Sources:
    """Return the state of each source of credit data, as `credence data status` prints it.

    Raises CatalogueDamaged, OSError.
    """
    rows = [status.row(settings.credit_folder, name, now) for name in NAMES]
    return Sources([msgspec.convert(msgspec.to_builtins(row, enc_hook=str), Source) for row in rows])


def listed_disputes(settings: Settings) -> Disputes:
    """Return all disputes by company. Raises DisputesDamaged, OSError."""
    return Disputes(
        [
            dispute_state(company, each)
            for company, found in sorted(disputes.read(settings.credit_folder).items())
            for each in found
        ]
    )


def dispute_state(company: str, dispute: Dispute) -> DisputeState:
    """Return a dispute as every face shows it."""
    return DisputeState(
        company,
        dispute.field,
        dispute.note,
        dispute.status,
        dispute.opened.isoformat(),
        None if dispute.status.closed else dispute.answer_due.isoformat(),
        dispute.by or None,
        dispute.decided_by or None,
    )


def policies(settings: Settings) -> Policies:
    """Return the installed policies by name; for an unreadable one the entry states the reason."""
    found = []
    for path in sorted(settings.policy_folder.glob("*.toml")):
        try:
            policy = read_policy(path.read_bytes())
            found.append(PolicyState(path.stem, policy.date.isoformat(), policy.hash, len(policy.rules)))
        except (InvalidInput, OSError) as error:
            found.append(PolicyState(path.stem, fault=str(error)))
    return Policies(found)
