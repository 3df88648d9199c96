"""`credence webhook`: the webhooks of applications, for the operator (D31)."""

from typing import Annotated

import typer

from credence.cli import outbox
from credence.cli.deployment import AsJson, DataDir, act_on_store, application_of, digest_key, record, settings_of
from credence.cli.failure import Failure, NotFound, WrongUsage
from credence.cli.output import instant, print_many, print_one
from credence.clock import Milliseconds
from credence.monitoring.webhooks import changing
from credence.monitoring.webhooks.changing import Wish
from credence.monitoring.webhooks.keys import WebhookKeys, signing
from credence.monitoring.webhooks.message import message_id
from credence.monitoring.webhooks.schema import SIGNATURES, Signature
from credence.oauth.callable_addresses import is_callable
from credence.operations.audit_changes import changes
from credence.store.contract import Store
from credence.store.webhooks import Webhook

commands = typer.Typer(help="Webhooks: where applications get their events.")

WebhookId = Annotated[str, typer.Argument(help="The id of the webhook.")]

MAX_SHOWN = 100

_SIGNATURES = "; ".join(f"{name}: {words}" for name, words in SIGNATURES.items())


@commands.command("list")
def list_webhooks(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List all webhooks with their owners and states."""

    async def find(store: Store, _now: Milliseconds) -> list[dict[str, object]]:
        return [
            {
                "id": each.id,
                "owner": each.owner,
                "url": each.url,
                "state": each.state,
                "reason": each.disabled_reason,
                "failing_since": instant(each.failing_since) if each.failing_since else "",
            }
            for each in await store.webhooks()
        ]

    print_many(act_on_store(settings_of(data_dir), find), as_json=as_json)


@commands.command()
def show(webhook: WebhookId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Print a webhook and the number of its waiting deliveries; never its secret."""

    async def find(store: Store, now: Milliseconds) -> dict[str, object]:
        kept = await _found(store, webhook)
        return {**_row(kept, now), **await outbox.counts(store, kept.id)}

    print_one(act_on_store(settings_of(data_dir), find), as_json=as_json)


@commands.command()
def make(
    client: Annotated[str, typer.Argument(help="The client_id of an application.")],
    url: Annotated[str, typer.Argument(help="Where its events are sent: https.")],
    signature: Annotated[str, typer.Option(help=f"{_SIGNATURES}.")] = "hmac-sha256",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Make a webhook for an application; an HMAC secret is printed this once."""
    settings = settings_of(data_dir)
    kind: Signature = "ed25519" if signature == "ed25519" else "hmac-sha256"
    if signature != kind:
        raise WrongUsage(f"A signature is {' or '.join(SIGNATURES)}.")
    if not is_callable(url, settings):
        raise WrongUsage(f"{url!r} is no address that this deployment calls; CREDENCE_CALLS_OUT allows calls.")

    async def save(store: Store, now: Milliseconds) -> dict[str, object]:
        await application_of(store, client)
        keys = WebhookKeys(await digest_key(settings, store))
        if len(await store.webhooks_of(client, "", changing.MAX_WEBHOOKS)) >= changing.MAX_WEBHOOKS:
            raise Failure(f"The application {client} has {changing.MAX_WEBHOOKS} webhooks, the most.")
        record(settings, "webhook make", application=client, url=url)
        made, secret = await changing.make(store, keys, client, Wish(url), kind, now)
        return {**_row(made, now), **({"secret": secret} if secret else {})}

    print_one(act_on_store(settings, save), as_json=as_json)


@commands.command()
def attempts(webhook: WebhookId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List the newest hundred attempts at deliveries to a webhook, the newest first."""

    async def find(store: Store, _now: Milliseconds) -> list[dict[str, object]]:
        kept = await _found(store, webhook)
        return [
            {
                "at": instant(each.at),
                "webhook_id": each.message_id,
                "type": each.type,
                "sequence": each.sequence,
                "outcome": each.outcome,
                "milliseconds": each.milliseconds,
            }
            for each in await store.attempts_of(kept.id, "", MAX_SHOWN)
        ]

    print_many(act_on_store(settings_of(data_dir), find), as_json=as_json)


@commands.command()
def verify(webhook: WebhookId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Have a running server request the consent of the endpoint again; this enables a webhook that was disabled."""
    settings = settings_of(data_dir)

    async def save(store: Store, now: Milliseconds) -> dict[str, object]:
        kept = await _found(store, webhook)
        record(settings, "webhook verify", webhook=webhook, application=kept.owner)
        return _row(await changing.verify(store, kept, now), now)

    print_one(act_on_store(settings, save), as_json=as_json)


@commands.command()
def disable(webhook: WebhookId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Stop the deliveries to a webhook."""

    settings = settings_of(data_dir)

    async def off(store: Store, now: Milliseconds) -> dict[str, object]:
        kept = await _found(store, webhook)
        wanted = changing.disabled(kept)
        if wanted != kept:
            record(settings, "webhook disable", changes(kept, wanted), webhook=webhook, application=kept.owner)
            await store.save_webhook(wanted)
        return _row(wanted, now)

    print_one(act_on_store(settings, off), as_json=as_json)


@commands.command()
def delete(webhook: WebhookId, data_dir: DataDir = None) -> None:
    """Delete a webhook with its waiting deliveries."""
    settings = settings_of(data_dir)

    async def away(store: Store, _now: Milliseconds) -> None:
        kept = await _found(store, webhook)
        record(settings, "webhook delete", changes(kept, None), webhook=webhook, application=kept.owner)
        await store.delete_webhook(kept)

    act_on_store(settings, away)


@commands.command("keys")
def exchange_keys(webhook: WebhookId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Give a webhook a new key; the previous key signs as well for a day. An HMAC secret is printed this once."""
    settings = settings_of(data_dir)

    async def exchange(store: Store, now: Milliseconds) -> dict[str, object]:
        keys, kept = WebhookKeys(await digest_key(settings, store)), await _found(store, webhook)
        record(settings, "webhook keys", webhook=webhook, application=kept.owner)
        changed, secret = await changing.exchange_keys(store, keys, kept, now)
        return {**_row(changed, now), **({"secret": secret} if secret else {})}

    print_one(act_on_store(settings, exchange), as_json=as_json)


@commands.command("test")
def send_test(webhook: WebhookId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Have a running server send a test message."""
    settings = settings_of(data_dir)

    async def send(store: Store, now: Milliseconds) -> dict[str, object]:
        kept = await _active(store, webhook)
        record(settings, "webhook test", webhook=webhook, application=kept.owner)
        return {"webhook_id": message_id((await changing.send_test(store, kept, now)).id)}

    print_one(act_on_store(settings, send), as_json=as_json)


@commands.command()
def replay(
    webhook: WebhookId,
    event: Annotated[int | None, typer.Option(help="The number of one event.", min=1, show_default="none")] = None,
    after: Annotated[int | None, typer.Option(help="The events above this number.", min=0, show_default="none")] = None,
    until: Annotated[int | None, typer.Option(help="With --after: the last event.", min=0, show_default="none")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Have a running server deliver again: one event, the events of a range, or every delivery that was given up."""
    settings = settings_of(data_dir)
    if event is not None and (after, until) == (None, None):
        after, until = event - 1, event
    elif event is not None or (after is None) != (until is None):
        raise WrongUsage("Name --event, or --after and --until, or none of them for every delivery that was given up.")

    async def again(store: Store, now: Milliseconds) -> dict[str, object]:
        kept = await _active(store, webhook)
        record(settings, "webhook replay", webhook=webhook, application=kept.owner)
        if after is None or until is None:
            result = await changing.replay_given_up(store, kept, now)
        else:
            result = await changing.replay_range(store, kept, after, until, now)
        return {"deliveries": result.deliveries, "next": result.next}

    print_one(act_on_store(settings, again), as_json=as_json)


async def _found(store: Store, identity: str) -> Webhook:
    found = await store.webhook(identity)
    if found is None:
        raise NotFound(f"There is no webhook {identity!r}.")
    return found


async def _active(store: Store, identity: str) -> Webhook:
    found = await _found(store, identity)
    if found.state != "active":
        raise Failure("The webhook is not active: have it verified first.")
    return found


def _row(webhook: Webhook, now: Milliseconds) -> dict[str, object]:
    return {
        "id": webhook.id,
        "owner": webhook.owner,
        "url": webhook.url,
        "signature": webhook.signature,
        "public_keys": " ".join(each.public for each in signing(webhook, now) if each.public),
        "portfolios": " ".join(webhook.portfolios),
        "rules": " ".join(webhook.rules),
        "state": webhook.state,
        "reason": webhook.disabled_reason,
    }
