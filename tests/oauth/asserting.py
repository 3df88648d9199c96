"""Assertions of an employer about a person, made with joserfc, and a service that trusts them (RFC 7523, ID-JAG)."""

from collections.abc import Mapping
from typing import Any

from joserfc.jwk import ECKey

from credence.identity.client_keys import read_key_set
from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, TrustedIssuer, link_id
from tests.deployment import NOW, Deployment, Reply
from tests.oauth.assertions import EC, key_set, public, signed
from tests.oauth.standard import ask

GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer"
EMPLOYER, OTHER_EMPLOYER = "https://login.example.com", "https://login.other.example"
US = "https://localhost:8443"
SECONDS = NOW // 1000
SUBJECT = "U019488227"
TYPE = "oauth-id-jag+jwt"
HEADER = {"alg": "ES256", "typ": TYPE, "kid": "e1"}


def issuer(id_: str = "example", identifier: str = EMPLOYER, key: ECKey = EC, **changes: Any) -> TrustedIssuer:
    keys = read_key_set(key_set(public(key, alg="ES256", kid="e1")))
    return TrustedIssuer(id_, identifier, "Example Ltd", NOW, **{"uses": ("assertions",), "keys": keys, **changes})


async def trusting(deployment: Deployment, *issuers: TrustedIssuer, **changes: Any) -> None:
    """Trust the employer, whose subject is Ada, and let the application use the grant."""
    for each in issuers or (issuer(),):
        await deployment.store.save(ISSUERS, each, NOW)
    await deployment.store.save(LINKS, IssuerLink(link_id("example", SUBJECT), "example", SUBJECT, "ada", NOW), NOW)
    await deployment.change_application(**{"grants": (GRANT,), **changes})


_serial = iter(range(10**9))


def asserted(deployment: Deployment, **changes: Any) -> dict[str, Any]:
    """The claims of an assertion for the application; a change of None leaves one out."""
    usual = {
        "iss": EMPLOYER,
        "sub": SUBJECT,
        "aud": US,
        "client_id": deployment.application.client_id,
        "jti": f"id-{next(_serial)}",
        "iat": SECONDS,
        "exp": SECONDS + 300,
    }
    return {name: value for name, value in (usual | changes).items() if value is not None}


def assertion(deployment: Deployment, header: Mapping[str, Any] = HEADER, key: Any = EC, **changes: Any) -> str:
    return signed(key, dict(header), asserted(deployment, **changes))


async def present(deployment: Deployment, text: str, **more: str) -> Reply:
    return await ask(deployment, {"grant_type": GRANT, "assertion": text, **more})


async def by_assertion(deployment: Deployment) -> Reply:
    """A token on the word of the employer."""
    await trusting(deployment)
    return await present(deployment, assertion(deployment))
