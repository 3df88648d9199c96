"""Operations for an incident: they end everything that an application or account could still use (docs/incidents.md)."""

import asyncio
from dataclasses import replace

import msgspec

from credence.crypto.randomness import new_password
from credence.identity.accounts import with_everything_ended, with_password, with_status
from credence.identity.applications import with_disabled
from credence.identity.password_policy import hash_new_password
from credence.management.logins import status_of_login
from credence.oauth.signals.streams import change_status
from credence.operations.accounts import ACCOUNT
from credence.operations.accounts import OPERATOR as OF_ACCOUNTS
from credence.operations.acting import Acting
from credence.operations.applications import APPLICATION
from credence.operations.applications import OPERATOR as OF_APPLICATIONS
from credence.operations.operation import Change, operation
from credence.store.contract import Store
from credence.store.records import Account, Application
from credence.store.signals import SignalStream
from credence.store.webhooks import Webhook

_REASON = "The operator has ended everything of the application."


@operation(
    "app end-everything",
    on=APPLICATION,
    api=("POST", "end-everything"),
    access=replace(OF_APPLICATIONS, recent=True),
    title="End everything of this application",
    button="End everything",
    id="end_everything_of_application",
    dangerous=True,
    shows_effect=True,
)
async def end_everything_of_application(by: Acting, found: Application, _body: None) -> Change[Application]:
    """End all that an application can use: its tokens and logins, its secrets, webhooks and streams of signals.

    It is disabled. To let it in again, give it a new secret or new keys, enable it, and have its webhooks verified.
    """
    store = by.means.store
    webhooks = [each for each in await store.webhooks() if each.owner == found.client_id and each.state != "disabled"]
    streams = [
        each
        for each in await store.signal_streams()
        if each.owner == found.client_id and (each.status, each.set_by_operator) != ("disabled", True)
    ]
    if found.disabled and not found.secrets and not webhooks and not streams:
        return Change(found, said=f"Everything of {found.name} has ended already.")
    ended = {name: {"before": [each.id for each in kept]} for name, kept in _named(webhooks, streams) if kept}
    counts = ", ".join(
        _counted(count, name)
        for name, count in (("secret", len(found.secrets)), ("webhook", len(webhooks)), ("stream", len(streams)))
    )
    return Change(
        msgspec.structs.replace(with_disabled(found, by.now, disabled=True), secrets=()),
        effect=lambda: _stop(by, webhooks, streams),
        effects=ended,
        said=f"{found.name} is disabled, and every token and login of it has ended, with {counts}.",
    )


@operation(
    "account end-everything",
    on=ACCOUNT,
    api=("POST", "end-everything"),
    access=replace(OF_ACCOUNTS, recent=True),
    title="End everything of this account",
    button="End everything",
    id="end_everything_of_account",
    dangerous=True,
    shows_effect=True,
)
async def end_everything_of_account(by: Acting, found: Account, _body: None) -> Change[Account]:
    """End all that an account can use: its sessions, logins and tokens, its password, consents, passkeys and factors.

    It is suspended. To let the person in again, make it active and hand over a link for a new password. Roles stay.
    """
    store, username = by.means.store, found.username
    sessions = await store.sessions_of(username)
    consents = [each.client_id for each in await store.consents_of(username)]
    factors = await store.factors_of(username)
    hashed = await asyncio.to_thread(hash_new_password, by.means.settings.password_profile, new_password())
    ended = with_everything_ended(with_password(found, hashed, by.now), by.now)

    async def effect() -> None:
        for client_id in consents:
            await store.withdraw_consent(username, client_id, by.now)
        await store.remove_factors(username, [each.id for each in factors])

    counts = ", ".join(
        _counted(count, name)
        for name, count in (
            ("session", len(sessions)),
            ("open login", await _open_logins(store, found, by)),
            ("consent", len(consents)),
            ("factor", len(factors)),
        )
    )
    after = ended if found.status == "closed" else with_status(ended, "suspended", by.now)
    removed = (("consents", consents), ("factors", [each.kind for each in factors]))
    return Change(
        after,
        effect=effect,
        effects={name: {"before": kept, "after": []} for name, kept in removed if kept},
        said=f"{username} is {after.status}, every token of it has ended and its password opens nothing, with {counts}.",
    )


async def _stop(by: Acting, webhooks: list[Webhook], streams: list[SignalStream]) -> None:
    """Disable webhooks and streams. Raises Conflict, after which the act begins again with what is left."""
    store = by.means.store
    for webhook in webhooks:
        await store.change_webhook(
            webhook.id, lambda kept: msgspec.structs.replace(kept, state="disabled", disabled_reason="by_hand")
        )
    for stream in streams:
        await change_status(store, stream, "disabled", _REASON, by.now, notify=True)


async def _open_logins(store: Store, found: Account, by: Acting) -> int:
    """Return how many logins that the person opened in a browser are open."""
    families = await store.families_of([each.family_id for each in await store.sign_ins_of(found.username)])
    states = [status_of_login(each, await store.application(each.client_id), found, by.now) for each in families]
    return states.count("open")


def _named(
    webhooks: list[Webhook], streams: list[SignalStream]
) -> tuple[tuple[str, list[Webhook] | list[SignalStream]], ...]:
    return ("webhooks", webhooks), ("streams", streams)


def _counted(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
