"""The applications and accounts of a store."""

from collections.abc import Sequence

from credence.clock import Milliseconds
from credence.store.collections import Collection, Collections
from credence.store.records import Account, Application
from credence.store.saved_views import forget_views
from credence.store.sign_ins import end_earlier_logins
from credence.store.statements import Act, Pair

_OWNER = Pair("CAST(document AS TEXT) ->> 'owner'", "owner_of_application(document)")
"""In the form of the index."""


def _saving(account: Account, at: Milliseconds) -> Act[None]:
    yield from end_earlier_logins(account, at)
    if account.status == "closed":
        yield from forget_views(account.username)


APPLICATIONS = Collection(
    table="applications",
    type=Application,
    key="client_id",
    owned=Pair(*(f"{owner} = :owner AND {owner} <> ''" for owner in _OWNER)),
    logged="application",
)
ACCOUNTS = Collection(table="accounts", type=Account, key="username", logged="account", saving=_saving)


class Registry(Collections):
    """The part of a store that has applications and accounts."""

    async def application(self, client_id: str) -> Application | None:
        """Return the application with exactly this client_id."""
        return await self.get(APPLICATIONS, client_id)

    async def applications(self, after: str = "", limit: int | None = None) -> list[Application]:
        """Return the applications after a client_id, ordered by it: all, or at most `limit` of them."""
        return await self.page(APPLICATIONS, after, limit)

    async def applications_owned_by(self, username: str) -> list[Application]:
        """Return the applications that a developer has made, ordered by client_id."""
        return await self.owned(APPLICATIONS, username)

    async def save_application(self, application: Application, at: Milliseconds, most: int | None = None) -> None:
        """Store an application (see `save`)."""
        await self.save(APPLICATIONS, application, at, most=most)

    async def account(self, username: str) -> Account | None:
        """Return the account with exactly this login name."""
        return await self.get(ACCOUNTS, username)

    async def accounts(self, after: str = "", limit: int | None = None) -> list[Account]:
        """Return the accounts after a login name, ordered by it: all, or at most `limit` of them."""
        return await self.page(ACCOUNTS, after, limit)

    async def accounts_named(self, usernames: Sequence[str]) -> list[Account]:
        """Return the existing accounts among these login names, in any order; at most a thousand names per call."""
        return await self.some(ACCOUNTS, usernames)

    async def save_account(self, account: Account, at: Milliseconds) -> None:
        """Store an account (see `save`).

        A later `not_before` ends the account's sessions: their sign-out notices are added to the outbox, as by
        `end_session`. Families that it does not reach, because their application dated them ahead of it, are ended one by
        one (`identity/not_before.py`).
        """
        await self.save(ACCOUNTS, account, at)
