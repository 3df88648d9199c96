"""/monitoring/v1/webhooks: makes, reads, changes and deletes the webhooks of an application; a secret is returned once."""

import msgspec

from credence import paths
from credence.api.resources.bodies import read_model, read_patch
from credence.api.resources.idempotency import once
from credence.api.resources.pages import MAX_PAGE_SIZE, first_of, page_of, require_parameters
from credence.api.resources.preconditions import require_match, tag_of
from credence.clock import Milliseconds
from credence.monitoring.rules import RULES
from credence.monitoring.webhooks import changing
from credence.monitoring.webhooks.changing import MAX_WEBHOOKS, Wish
from credence.monitoring.webhooks.keys import WebhookKeys
from credence.monitoring.webhooks.message import message_id
from credence.monitoring.webhooks.schema import (
    Attempts,
    NewWebhookBody,
    ReplayBody,
    ReplayResult,
    TestMessage,
    WebhookBody,
    Webhooks,
    WebhookWithSecret,
    attempt_of,
    state_of,
)
from credence.oauth.bearer import Bearer
from credence.oauth.callable_addresses import is_callable
from credence.operations.merge_patch import converted, merged
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_MALFORMED, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict, Full
from credence.store.webhooks import Webhook
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import PRIVATE, is_held

_NO_CALLS = because(RESOURCE_CHANGED, "The operator does not allow calls to other servers.")
_TOO_MANY = because(RESOURCE_CHANGED, f"An application has at most {MAX_WEBHOOKS} webhooks.")
_NOT_ACTIVE = because(RESOURCE_CHANGED, "The webhook is not active: have it verified first.")
_URL = because(RESOURCE_MALFORMED, "The url must be https to a host and port that this service calls.")
_TEXT = because(RESOURCE_MALFORMED, "The description must be text of one line.")
_FILTER = because(RESOURCE_MALFORMED, "A portfolio or rule is unknown.")
_RANGE = because(RESOURCE_MALFORMED, "Say `event`, or `after` and `until`, or nothing for all that was given up.")

_encode = msgspec.json.Encoder().encode


async def list_webhooks(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return a page of the webhooks of the application."""
    require_parameters(request.parameters, "page_size", "page_token")
    page = page_of(request.parameters)
    owner = bearer.application.client_id
    found = await service.authority.store.webhooks_of(owner, page.after, page.size + 1)
    shown, next_page, links = first_of(found, lambda each: each.id, page, request)
    body = Webhooks(tuple(state_of(each, request.now) for each in shown), next_page)
    return Answer(200, JSON, _encode(body), (PRIVATE, *links))


async def make_webhook(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Make a webhook and verify it, once for each Idempotency-Key; a repetition does not return the secret again."""
    store, owner = service.authority.store, bearer.application.client_id

    async def make() -> Answer:
        made, secret = await made_of(service, owner, read_model(request, NewWebhookBody), request.now)
        answered = _answer(made, request, 201, "webhook_made", secret)
        return answered._replace(headers=(*answered.headers, ("location", f"{paths.WEBHOOKS}/{made.id}")))

    return await once(store, request, bearer, make, shown_once=("secret",))


async def made_of(service: Service, owner: str, body: NewWebhookBody, now: Milliseconds) -> tuple[Webhook, str]:
    """Make a webhook of an application, and return it with its secret; the secret is empty for Ed25519.

    Raises Refused if deliveries are off, there are too many webhooks, or a value is not allowed.
    """
    store = service.authority.store
    if service.outgoing is None:
        raise Refused(_NO_CALLS, "webhook.no_calls")
    wish = await _wish(service, owner, body)
    try:
        return await changing.make(store, _keys(service), owner, wish, body.signature, now)
    except Full:
        raise Refused(_TOO_MANY, "webhook.too_many") from None


async def read_webhook(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return a webhook; 304 if If-None-Match has its tag."""
    answered = _answer(await _webhook_of(service, request, bearer), request)
    return Answer(304, JSON, b"", answered.headers) if is_held(request, dict(answered.headers)["etag"]) else answered


async def change_webhook(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Change a webhook by a merge patch (RFC 7396); a new address is verified before any delivery to it."""
    kept = await _read_version(service, request, bearer)
    written = {name: getattr(kept, name) for name in Wish._fields}
    body = converted(merged(written, read_patch(request)), WebhookBody)
    wish = await _wish(service, kept.owner, body)
    try:
        changed = await changing.change(service.authority.store, kept, wish, request.now)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "webhook.changed") from None
    return _answer(changed, request, event="webhook_changed")


async def delete_webhook(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Delete a webhook with its deliveries and attempts."""
    kept = await _read_version(service, request, bearer)
    try:
        await service.authority.store.delete_webhook(kept)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "webhook.changed") from None
    return Answer(204, "", b"", (PRIVATE,), ("webhook_deleted",))


async def verify_webhook(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Request the consent of the endpoint again; this enables a webhook that was disabled."""
    kept = await _webhook_of(service, request, bearer)
    try:
        changed = await changing.verify(service.authority.store, kept, request.now)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "webhook.changed") from None
    return _answer(changed, request, 202, "webhook_verification")


async def disable_webhook(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Stop the deliveries; waiting deliveries are given up."""
    kept = await _webhook_of(service, request, bearer)
    try:
        changed = await changing.disable(service.authority.store, kept)
    except Conflict:
        raise Refused(RESOURCE_CHANGED, "webhook.changed") from None
    return _answer(changed, request, event="webhook_disabled")


async def exchange_keys(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Give the webhook a new key; the previous key signs as well for a day."""
    store, kept = service.authority.store, await _webhook_of(service, request, bearer)

    async def exchange() -> Answer:
        try:
            changed, secret = await changing.exchange_keys(store, _keys(service), kept, request.now)
        except Conflict:
            raise Refused(RESOURCE_CHANGED, "webhook.changed") from None
        return _answer(changed, request, 201, "webhook_key_made", secret)

    return await once(store, request, bearer, exchange, shown_once=("secret",))


async def send_test(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Send a message without an event."""
    kept = await _active(service, request, bearer)
    delivery = await changing.send_test(service.authority.store, kept, request.now)
    body = _encode(TestMessage(message_id(delivery.id)))
    return Answer(202, JSON, body, (PRIVATE,), ("webhook_tested",))


async def replay(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Deliver again: one event, the events of a range, or all given-up deliveries."""
    kept, store = await _active(service, request, bearer), service.authority.store
    body = read_model(request, ReplayBody)
    said = (body.event is not None, body.after is not None, body.until is not None)
    if said == (False, False, False):
        result = await changing.replay_given_up(store, kept, request.now)
    elif said == (True, False, False) and body.event:
        result = await changing.replay_range(store, kept, body.event - 1, body.event, request.now)
    elif said == (False, True, True):
        result = await changing.replay_range(store, kept, body.after or 0, body.until or 0, request.now)
    else:
        raise Refused(_RANGE, "resource.members")
    return Answer(202, JSON, _encode(ReplayResult(*result)), (PRIVATE,), ("webhook_replayed",))


async def list_attempts(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Return a page of the attempts, the newest first."""
    kept = await _webhook_of(service, request, bearer)
    require_parameters(request.parameters, "page_size", "page_token")
    page = page_of(request.parameters)
    found = await service.authority.store.attempts_of(kept.id, page.after, page.size + 1)
    shown, next_page, links = first_of(found, lambda each: each.key, page, request)
    return Answer(200, JSON, _encode(Attempts(tuple(map(attempt_of, shown)), next_page)), (PRIVATE, *links))


async def _webhook_of(service: Service, request: RequestContext, bearer: Bearer) -> Webhook:
    """Return the webhook that the path names.

    Raises Refused with the same 404 for another owner's webhook as for an unknown one.
    """
    found = await service.authority.store.webhook(request.segments[0])
    if found is None or found.owner != bearer.application.client_id:
        raise Refused(RESOURCE_UNKNOWN, "webhook.unknown")
    return found


async def _read_version(service: Service, request: RequestContext, bearer: Bearer) -> Webhook:
    """Return the webhook if If-Match has its entity tag. Raises Refused with 428 or 412 otherwise."""
    kept = await _webhook_of(service, request, bearer)
    require_match(request, dict(_answer(kept, request).headers)["etag"])
    return kept


async def _active(service: Service, request: RequestContext, bearer: Bearer) -> Webhook:
    kept = await _webhook_of(service, request, bearer)
    if kept.state != "active":
        raise Refused(_NOT_ACTIVE, "webhook.state")
    return kept


async def _wish(service: Service, owner: str, body: WebhookBody) -> Wish:
    """Return the wanted properties of a webhook.

    Raises Refused with 422 for an address that may not be called, a text that is not printable, or an unknown filter.
    """
    if not is_callable(body.url, service.settings):
        raise Refused(_URL, "webhook.url")
    if not body.description.isprintable():
        raise Refused(_TEXT, "webhook.text")
    if body.portfolios:
        known = {each.id for each in await service.authority.store.portfolios_of(owner, "", MAX_PAGE_SIZE)}
        if not known.issuperset(body.portfolios):
            raise Refused(_FILTER, "webhook.filter")
    if not RULES.keys() >= set(body.rules):
        raise Refused(_FILTER, "webhook.filter")
    return Wish(body.url, body.description, body.portfolios, body.rules)


def _keys(service: Service) -> WebhookKeys:
    return WebhookKeys(service.authority.secrets.digest)


def _answer(webhook: Webhook, request: RequestContext, status: int = 200, event: str = "", secret: str = "") -> Answer:
    state = state_of(webhook, request.now)
    body = _encode(WebhookWithSecret(**msgspec.structs.asdict(state), secret=secret) if secret else state)
    return Answer(status, JSON, body, (PRIVATE, ("etag", tag_of(_encode(state)))), (event,) if event else ())
