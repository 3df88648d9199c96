"""Sends logout tokens to applications whose session has ended (OpenID Connect Back-Channel Logout 1.0)."""

from typing import TYPE_CHECKING
from urllib.parse import urlencode

import msgspec

from credence.clock import Clock
from credence.crypto import base64url
from credence.crypto.jws import sign
from credence.crypto.randomness import random_bytes
from credence.identity.sessions import public_id
from credence.oauth.authority import Authority
from credence.outbox.answers import outcome_of
from credence.outbox.engine import SIGN_OUTS, AttemptOutcome, DeliveryKind
from credence.store.deliveries import Delivery
from credence.store.records import Application
from credence.store.sign_out_notices import SignOutNotice, read_notice

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient

TYPE = "logout+jwt"

LIFETIME_SECONDS = 120
"""The lifetime of a logout token: the maximum that §2.4 recommends. Each attempt makes a new token."""

EVENT = "http://schemas.openid.net/event/backchannel-logout"

PURPOSE = "sign_out_notice"


def logout_token(authority: Authority, application: Application, notice: SignOutNotice, now: int) -> str:
    """Return a logout token, signed like the application's ID tokens (§2.4, §2.6). It has no nonce."""
    claims = {
        "iss": authority.settings.issuer,
        "sub": notice.username,
        "aud": application.client_id,
        "iat": now // 1000,
        "exp": now // 1000 + LIFETIME_SECONDS,
        "jti": base64url.encode(random_bytes(16)),
        "events": {EVENT: {}},
        "sid": public_id(notice.session_id),
    }
    return sign(authority.id_token_key(application.id_token_algorithm, now), TYPE, msgspec.json.encode(claims))


def sign_out_deliveries(authority: Authority, client: "OutgoingClient", clock: Clock) -> DeliveryKind:
    """Return the delivery kind that sends sign-out notices (§2.5)."""
    # Imported only here: most deployments make no outgoing calls.
    from credence.outgoing.client import Call

    async def attempt(delivery: Delivery) -> AttemptOutcome:
        application = await authority.revocation_cache.application(delivery.receiver)
        if application is None or application.disabled or application.backchannel_logout_uri is None:
            return AttemptOutcome(delivered=True, text="not_wanted")
        token = logout_token(authority, application, read_notice(delivery), clock())
        call = Call(
            PURPOSE,
            "POST",
            application.backchannel_logout_uri,
            {"Content-Type": "application/x-www-form-urlencoded"},
            urlencode({"logout_token": token}).encode(),
            max_answer_bytes=1_024,
            cut_answer=True,
            application=application.client_id,
        )
        return await outcome_of(client, call)

    return DeliveryKind(attempt, SIGN_OUTS)
