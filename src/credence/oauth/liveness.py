"""Whether the owners of a genuine token still allow its use (spec §3.4, D14, threats L5, L6).

The bearer check, the refresh grant, introspection and the status lists all call this one function. The stores repeat the
rule on `not_before` in the write that rotates a family, because it must hold at the instant of that write. Sessions follow
the same rule (`identity/sessions.py`).
"""

from collections.abc import Sequence
from typing import Literal

from credence.clock import Milliseconds
from credence.identity.applications import application_time
from credence.identity.not_before import is_cut_off
from credence.store.records import Account, Application

Lapse = Literal["revoked", "application_disabled", "account_not_active", "before_not_before"]
"""Why a genuine token that has not expired is invalid."""


def liveness_error(
    application: Application | None,
    account: Account | None,
    issued_at: Milliseconds,
    logged_in_at: Milliseconds,
    *,
    for_account: bool = True,
    revoked: bool = False,
    exchanged_through: Sequence[Application | None] = (),
) -> Lapse | None:
    """Return the first reason why the token is invalid; None for a valid token.

    `application` is the one that the token was issued to, `exchanged_through` are the others that a token exchange passed
    through; None means that the application does not exist. `for_account` says that the token was issued for an account,
    `revoked` that the token or its family has been revoked.

    `issued_at` is compared with the `not_before` of the applications, `logged_in_at` with that of the account: another node
    may have refreshed or exchanged the token before it learned of the change of the account (threats L9). Both are times of
    the application's clock, in milliseconds or cut to the second; `not_before` is a real time.
    """
    if revoked:
        return "revoked"
    if application is None or application.disabled:
        return "application_disabled"
    if for_account and (account is None or account.status != "active"):
        return "account_not_active"
    not_before, not_before_of_account = application.not_before, 0 if account is None else account.not_before
    for other in exchanged_through:
        if other is None or other.disabled:
            return "application_disabled"
        not_before = max(not_before, other.not_before)
    if application.clock is not None:
        not_before = application_time(application, not_before)
        not_before_of_account = application_time(application, not_before_of_account)
    if is_cut_off(issued_at, not_before) or is_cut_off(logged_in_at, not_before_of_account):
        return "before_not_before"
    return None
