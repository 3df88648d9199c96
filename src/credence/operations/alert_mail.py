"""The alerts of the morning by mail: a person starts and stops their own, in the workbench."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from credence import paths
from credence.errors import InvalidInput
from credence.monitoring.mailing import MailWish, may_get_mail, people_with_mail, set_mail
from credence.oauth.parameters.scopes import MONITOR
from credence.operations.acting import Access, Acting
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation

_ONLY_THEM: Final = (
    "Only the person who gets the emails starts or stops them; the link in each email stops them as well."
)


@members_of.register
def _of_wish(wish: MailWish) -> Mapping[str, object]:
    return {"wanted": wish.wanted}


async def _find(by: Acting, username: str) -> MailWish | None:
    if username != by.operator:
        return None
    return MailWish(username, username in await people_with_mail(by.means.store))


async def _save(by: Acting, _before: MailWish | None, wanted: MailWish) -> None:
    await set_mail(by.means.store, wanted.username, wanted=wanted.wanted)


ALERT_MAIL: Final[Noun[MailWish]] = Noun(
    name="account",
    path="alert-mail/{username}",
    base=paths.MONITORING,
    help="The username.",
    find=_find,
    save=_save,
    state=as_it_is(MailWish),
    identity=lambda wish: wish.username,
    is_found_by_owner=True,
)
_operation = partial(
    operation,
    on=ALERT_MAIL,
    access=Access(MONITOR, "owner", owner=True),
    here_only=_ONLY_THEM,
    site_only="workbench",
)


@_operation("alert mail start", title="Email me the alerts")
async def start_mail(by: Acting, found: MailWish, _body: None) -> Change[MailWish]:
    """Start the alerts by mail. The email address of the account must be proven."""
    account = await by.means.store.account(found.username)
    if account is None or not may_get_mail(account):
        raise InvalidInput("Confirm your email address on your account page first.")
    return Change(MailWish(found.username, wanted=True), said="You will get the alerts by email.")


@_operation("alert mail stop", title="Stop the emails")
async def stop_mail(_by: Acting, found: MailWish, _body: None) -> Change[MailWish]:
    """Stop the alerts by mail."""
    return Change(MailWish(found.username, wanted=False), said="You will no longer get alerts by email.")
