"""Token exchange as a service requests it (RFC 8693 §2.1)."""

import msgspec

from credence.identity import applications
from credence.store.records import Application
from tests.deployment import NOW, Deployment, Reply
from tests.oauth.standard import ask

GRANT = "urn:ietf:params:oauth:grant-type:token-exchange"
ACCESS_TOKEN = "urn:ietf:params:oauth:token-type:access_token"
JWT = "urn:ietf:params:oauth:token-type:jwt"
API = "credit:report credit:search credit:directors"


async def service(deployment: Deployment, name: str = "Gateway", **options: object) -> Deployment:
    """Return the deployment as another application sees it, which may exchange tokens."""
    digest_key = deployment.service.authority.secrets.digest
    registered, secret = applications.register(name, "sbx", digest_key, NOW)
    chosen: Application = msgspec.structs.replace(
        registered,
        **{"grants": (GRANT, "client_credentials"), **options},
    )
    await deployment.store.save_application(chosen, NOW)
    return Deployment(deployment.service, deployment.asgi, deployment.store, chosen, secret, deployment.now)


async def exchange(deployment: Deployment, subject_token: str, /, **more: str) -> Reply:
    """Request a token to act with; `subject_token_type_` and the like leave that field out."""
    fields = {"grant_type": GRANT, "subject_token": subject_token, "subject_token_type": ACCESS_TOKEN, **more}
    return await ask(deployment, {name: value for name, value in fields.items() if f"{name}_" not in more})


async def exchanged(deployment: Deployment, subject_token: str, /, **more: str) -> str:
    """Return the token of a successful exchange."""
    reply = await exchange(deployment, subject_token, **more)
    assert reply.status == 200, reply
    token: str = reply.json["access_token"]
    return token
