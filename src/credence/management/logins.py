"""The state of a login and the end of all logins of an application, for operators (D14, D30, threats L5, L6)."""

from typing import Literal

from credence.clock import Milliseconds
from credence.identity.applications import application_time, with_every_login_ended
from credence.oauth.liveness import liveness_error
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.store.contract import Conflict, Store
from credence.store.records import Account, Application, TokenFamily
from credence.store.registry import APPLICATIONS

LoginStatus = Literal["open", "ended", "expired"]
"""`open` is live or rotated of `oauth/family_life.py`, `ended` also what is cut off there, or disabled or locked now."""


def status_of_login(
    family: TokenFamily, application: Application | None, account: Account | None, now: Milliseconds
) -> LoginStatus:
    """Return whether tokens of a login can be valid; `now` is real time, the application may have a test clock.

    `application` and `account` are the owners as they are now, None for one that does not exist.
    """
    opened_at = family.created_at
    if liveness_error(application, account, opened_at, opened_at, revoked=family.ended_at is not None) is not None:
        return "ended"
    now = now if application is None else application_time(application, now)
    return "expired" if family.expires_at <= now else "open"


async def end_logins_of(store: Store, found: Application, now: Milliseconds) -> bool:
    """Make every token of an application invalid; return False if each time another writer was first.

    An application that no longer exists has no login.
    """
    try:
        await store.change(APPLICATIONS, found.client_id, lambda kept: with_every_login_ended(kept, now), now)
    except Conflict:
        return False
    return True


def changed(message: str) -> Refused:
    """Return the refusal (409) of an act that ended some logins, because others changed the applications of the rest."""
    return Refused(because(RESOURCE_CHANGED, message), "manage.changed")
