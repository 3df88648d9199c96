"""GET /oauth2/v1/keys: the public keys (spec §1.4, §4.4, §5.9, D13)."""

from contextlib import suppress
from typing import Annotated

from msgspec import Struct

from credence.meanings import meaning
from credence.oauth.keys.ring import max_age
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.revocation_cache import StaleRevocationState
from credence.web.messages.answer import Answer
from credence.web.messages.caching import cacheable


class PublicKey(Struct, omit_defaults=True):
    """A key of RFC 7517, with the further members of its type."""

    kty: Annotated[str, meaning("Type of the key, such as RSA, EC or OKP.", example="EC")]
    kid: Annotated[str, meaning("Name of the key, which the header of a token repeats.", example="2026-11-a")]
    use: Annotated[str, meaning("Always `sig`: the key verifies signatures.", example="sig")]
    alg: Annotated[str, meaning("Algorithm of the signatures.", example="ES256")]
    n: Annotated[str | None, meaning("Of an RSA key: the modulus, base64url.", example="0vx7agoebGcQSuuPiLJXZpt…")] = (
        None
    )
    e: Annotated[str | None, meaning("Of an RSA key: the exponent, base64url.", example="AQAB")] = None
    crv: Annotated[str | None, meaning("Of an EC or OKP key: the curve.", example="P-256")] = None
    x: Annotated[
        str | None, meaning("Of an EC or OKP key: x, base64url.", example="f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU")
    ] = None
    y: Annotated[
        str | None, meaning("Of an EC key: y, base64url.", example="x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0")
    ] = None


class KeySet(Struct):
    """Every key that signs or will sign, and those whose tokens may still be valid."""

    keys: Annotated[
        list[PublicKey], meaning("The keys; one verifies a token if its `kid` is in the header of the token.")
    ]


async def key_set(service: Service, request: RequestContext) -> Annotated[Answer, KeySet]:
    """Public keys.

    The keys that verify the signatures of tokens. A new key is published here before it signs.
    """
    authority = service.authority
    # Also served while the store is unavailable: verifiers need the keys for tokens that are in use (threats F3).
    with suppress(StaleRevocationState):
        await authority.revocation_cache.ensure_current()
    await authority.follow_keys(request.now)
    ring = authority.ring
    # Cacheable until the next change of a key's state at the latest (threats K2).
    return cacheable(request, ring.key_set, max_age(ring, request.now))
