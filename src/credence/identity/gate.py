"""The gate that a person passes before anything that they do in a browser (D15, D28, threats E11, E12).

One function decides whether the person is signed in, allowed from this address and at this time, and signed in recently
and strongly enough. The pages of this service, its sites and the authorization endpoint all call it, before they act. It
reads and writes nothing.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

import msgspec

from credence.access.caller_address import Address
from credence.clock import Milliseconds
from credence.identity.applications import application_time, why_excluded
from credence.identity.sessions import (
    AUTHENTICATION_CLASSES,
    CLASS_OF_POLICY,
    authentication_class,
    is_weaker,
    session_error,
)
from credence.store.people import FactorKind
from credence.store.records import Account, Application
from credence.store.sign_ins import Session


class NotSignedIn(msgspec.Struct, frozen=True):
    """There is no session, or it has ended."""


class NotFromHere(msgspec.Struct, frozen=True):
    """Access rules exclude this address or time."""

    reason: str
    """The reason code, such as `access.network_of_account`."""


class TooOld(msgspec.Struct, frozen=True):
    """The person signed in too long ago."""


class TooWeak(msgspec.Struct, frozen=True):
    """The person signed in with too little."""

    needed: str
    """The weakest `acr` that is enough."""


Missing = NotSignedIn | NotFromHere | TooOld | TooWeak


@dataclass(frozen=True, slots=True)
class Needs:
    """What an act needs besides a live session that the policies of the account and the applications accept."""

    within_ms: Milliseconds | None = None
    """The person must have signed in less than this time ago."""
    proved_by_act: Collection[str] = ()
    """The methods (`amr`) that the act requests itself. A session with no other method may be older than `within_ms`."""
    least: str = AUTHENTICATION_CLASSES[0]
    """The weakest `acr` that is enough."""
    own: Collection[FactorKind] = ()
    """The person must have used two factors, if they have one of these."""
    on_the_way: bool = False
    """Whether a login that has no session yet may do the act.

    It is for people who add the factor that the policy of their account needs. The policy holds nevertheless if they have
    such a factor already.
    """


SIGNED_IN = Needs()


class Facts(msgspec.Struct, frozen=True):
    """What is known of a request of a person."""

    session: Session | None
    """The session of the browser, or a login that has no session yet; None without either."""
    account: Account | None
    address: Address
    now: Milliseconds
    idle_ms: Milliseconds
    """The time after which an unused session ends."""
    applications: Sequence[Application] = ()
    """The applications that the act is for. Their access rules, policies and clocks hold in addition."""
    enrolled: Collection[FactorKind] = ()
    """The kinds of the person's factors. They count only for acts with `Needs.own`, and may be left out for others."""


def missing(facts: Facts, needs: Needs = SIGNED_IN) -> Missing | None:
    """Return the first thing that is missing before the person may do an act with these needs; None if nothing is.

    The order is: application's rules, session, account's rules, age of the sign-in, strength of the sign-in.
    """
    session, account = facts.session, facts.account
    signed_in = session is not None and session_error(session, account, facts.now, facts.idle_ms) is None
    for application in facts.applications or (None,):
        reason = why_excluded(application, account if signed_in else None, lambda: facts.address, facts.now)
        if reason is not None:
            return NotFromHere(reason)
    if session is None or account is None or not signed_in:
        return NotSignedIn()
    if (
        needs.within_ms is not None
        and set(session.methods.split()).difference(needs.proved_by_act)
        and _age(facts, session) >= needs.within_ms
    ):
        return TooOld()
    needed = max(_classes(facts, account, needs), key=AUTHENTICATION_CLASSES.index)
    return TooWeak(needed) if is_weaker(authentication_class(session.methods), needed) else None


def is_able(enrolled: Collection[FactorKind], needed: str) -> bool:
    """Return whether a person with these factors can sign in with this `acr`."""
    return needed == AUTHENTICATION_CLASSES[0] or "passkey" in enrolled or (needed == "2" and "totp" in enrolled)


def _classes(facts: Facts, account: Account, needs: Needs) -> list[str]:
    """Return the classes of authentication that the act needs, all of them."""
    classes = [needs.least, *(CLASS_OF_POLICY[each.sign_in] for each in facts.applications)]
    policy = CLASS_OF_POLICY[account.sign_in]
    if not needs.on_the_way or is_able(facts.enrolled, policy):
        classes.append(policy)
    if set(needs.own).intersection(facts.enrolled):
        classes.append(CLASS_OF_POLICY["factor"])
    return classes


def _age(facts: Facts, session: Session) -> Milliseconds:
    """Return how long ago the person signed in, by the fastest clock of the applications."""
    ages = [
        application_time(each, facts.now) - application_time(each, session.signed_in_at) for each in facts.applications
    ]
    return max(ages, default=facts.now - session.signed_in_at)
