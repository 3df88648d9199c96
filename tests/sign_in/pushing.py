"""Pushed and signed authorization requests, as a client makes them."""

from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit

from credence.identity.client_keys import read_key_set
from credence.store.records import Application
from tests.deployment import Deployment, Header, Reply
from tests.oauth import assertions
from tests.sign_in.browsing import AUTHORIZE, FORM, request_of

PAR = "/oauth2/v1/par"


def parameters_of(application: Application, **more: str | None) -> dict[str, str]:
    """The parameters of an authorization request."""
    return dict(parse_qsl(urlsplit(request_of(application, **more)).query))


async def push(deployment: Deployment, fields: dict[str, str], headers: list[Header] | None = None) -> Reply:
    """Push parameters; the application proves itself by HTTP Basic unless other headers are given."""
    chosen = [deployment.basic] if headers is None else headers
    return await deployment.send("POST", PAR, [FORM, *chosen], urlencode(fields).encode())


def by_reference(application: Application, uri: str, **more: str) -> str:
    """The request that a browser brings after a push."""
    return f"{AUTHORIZE}?{urlencode({'client_id': application.client_id, 'request_uri': uri, **more})}"


async def pushed(deployment: Deployment, application: Application, **more: str | None) -> str:
    """Push a request and return what the browser is sent with."""
    reply = await push(deployment, parameters_of(application, **more))
    assert reply.status == 201, reply
    return by_reference(application, reply.json["request_uri"])


def object_of(deployment: Deployment, application: Application, header: Any = None, **changes: Any) -> str:
    """A request object by joserfc, with the key that `keyed` registers; a change of None leaves a claim out."""
    seconds = deployment.now // 1000
    claims: dict[str, Any] = {
        **parameters_of(application),
        "iss": application.client_id,
        "aud": assertions.ISSUER,
        "nbf": seconds,
        "exp": seconds + 300,
    } | changes
    header = {"alg": "ES256", "typ": "oauth-authz-req+jwt", **(header or {})}
    return assertions.signed(
        assertions.EC, header, {name: value for name, value in claims.items() if value is not None}
    )


KEYS = read_key_set(assertions.key_set(assertions.public(assertions.EC, alg="ES256")))
"""The key set of an application that signs its requests."""
