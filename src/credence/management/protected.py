"""What no act changes on the applications of the product's own sites, and what only an owner changes (D40, threats E13).

A caller who may change applications or accounts could otherwise weaken the sign-in to the console, take it away from its
owners, or act as one of them. The commands on the machine of the service count as an owner: they can give that role.
"""

from typing import TypeVar

import msgspec

from credence.access.rules import AccessRules
from credence.errors import OperatorError
from credence.identity.sessions import AUTHENTICATION_CLASSES
from credence.management.application_fields import SIGN_IN_POLICIES
from credence.management.site_applications import as_registered, site_of
from credence.settings import Settings
from credence.store.records import Account, Application

T = TypeVar("T", Account, Application)


class Protected(OperatorError):
    """A change of what the product itself has set. No caller may make it: the next start would undo it."""


class OwnerNeeded(OperatorError):
    """A change that only an owner makes."""


def is_protected(record: Account | Application, settings: Settings) -> bool:
    """Return whether this is the application of a site, or the account of an owner."""
    if isinstance(record, Account):
        return record.console_role == "owner"
    return site_of(record, settings) is not None


def require_changeable(found: T, changed: T | None, settings: Settings, *, by_owner: bool) -> None:
    """Raise Protected or OwnerNeeded if `found` is protected and may not become `changed`.

    Without an owner, networks and hours may be set, and what sign-ins need at least made stronger; of an application the
    rate as well. None means an act that changes no field, such as the end of a session.
    """
    if not is_protected(found, settings):
        return
    if isinstance(found, Application) and isinstance(changed, Application):
        _require_as_the_site_needs(found, changed, settings)
    if not by_owner and (changed is None or not _only_restricts(found, changed)):
        what = f"the account of the owner {found.username}" if isinstance(found, Account) else f"the {found.name}"
        raise OwnerNeeded(
            f"Only an owner changes {what}. Networks, hours and a stronger sign-in may be set by others, not taken away."
        )


def _require_as_the_site_needs(found: Application, changed: Application, settings: Settings) -> None:
    site = site_of(found, settings)
    if site is None:
        return
    needed = as_registered(site, settings, changed)
    for name in changed.__struct_fields__:
        value = getattr(changed, name)
        added = name == "redirect_uris" and not set(changed.redirect_uris) <= set(found.redirect_uris)
        if added or (value != getattr(found, name) and value != getattr(needed, name)):
            raise Protected(
                f"{site.name} is an application of the service itself, which sets {name} at each start: it cannot be "
                f"changed. Networks, hours, rate and a stronger sign-in can."
            )


def _only_restricts(found: T, changed: T) -> bool:
    """Return whether the change is one of those that need no owner."""
    stronger = SIGN_IN_POLICIES.index(changed.sign_in) >= SIGN_IN_POLICIES.index(found.sign_in)
    settable: dict[str, object] = {"rules": found.rules, "sign_in": found.sign_in, "version": found.version}
    if isinstance(found, Application):
        settable["spike_per_minute"] = found.spike_per_minute
    elif changed.sign_in != found.sign_in:  # which ends the sessions of the account
        settable["not_before"] = found.not_before
    return (
        stronger
        and not _is_lighter(changed.rules, found.rules)
        and msgspec.structs.replace(changed, **settable) == found
    )


def _is_lighter(rules: AccessRules, before: AccessRules) -> bool:
    """Return whether a rule has been taken away, or what the API demands of a sign-in made weaker."""
    classes = ("", *AUTHENTICATION_CLASSES)
    longest = float("inf")
    return (
        bool(before.networks and not rules.networks)
        or bool(before.windows and not rules.windows)
        or classes.index(rules.weakest_class) < classes.index(before.weakest_class)
        or (rules.max_age or longest) > (before.max_age or longest)
    )
