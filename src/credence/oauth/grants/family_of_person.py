"""Opens the token family of a redeemed code, for the authorization code grant and the device grant.

The code contains the id of the family to be opened. So a second redemption finds the family of the first one, on any node,
and ends it with all its tokens (RFC 6749 §4.1.2).
"""

from credence.clock import Milliseconds
from credence.oauth.authority import Authority
from credence.oauth.authorization.consent import covers
from credence.oauth.issue import TokenOptions, new_family
from credence.oauth.revoke import end_family
from credence.oauth.status_places import with_block
from credence.oauth.tokens import access_token
from credence.store.families import SignIn
from credence.store.records import Account, Application, TokenFamily
from credence.telemetry.log import warning


async def open_family_of_person(
    authority: Authority,
    application: Application,
    account: Account,
    options: TokenOptions,
    sign_in: SignIn,
    now: Milliseconds,
) -> TokenFamily:
    """Open the family that `sign_in` names and return it.

    Raises Conflict when the family exists, the account has changed, or the family's session has ended; Refused for a scope
    or resource that the application may not have.
    """
    family = new_family(authority, application, account, options, now, sign_in.family_id)
    if authority.settings.status_list:
        family = await with_block(authority.store, family)
    await authority.store.open_family(family, account, sign_in)
    return family


async def end_if_redeemed(authority: Authority, family_id: bytes, now: Milliseconds, event: str) -> bool:
    """End the family of a code that was redeemed before; return whether it was. `event` is written to the log."""
    if await authority.store.family(family_id) is None:
        return False
    await end_family(authority, family_id, now, "code_reused")
    warning(event, sid=access_token.family_sid(family_id))
    return True


async def consent_stands(authority: Authority, application: Application, username: str, scope: str) -> bool:
    """Return whether a stored consent still allows the application this scope."""
    consents = await authority.store.consents_of(username)
    return any(each.client_id == application.client_id and covers(each, application, scope) for each in consents)
