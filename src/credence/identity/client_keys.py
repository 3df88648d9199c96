"""The public keys and certificates that an application registers (RFC 7591 §2 `jwks`, RFC 7517 §5, RFC 8705 §2.2.2)."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import Any, cast, get_args

import msgspec

from credence.crypto import certificates
from credence.crypto.certificates import UnreadableCertificate, normal_name
from credence.crypto.client_jws import ClientJws
from credence.crypto.client_key import UnusableKey, public_key
from credence.crypto.jws import VerifyingKey
from credence.errors import InvalidInput
from credence.store.records import CertificateName, CertificateNameKind, ClientKey

MAX_KEYS = 10
"""The most keys that an application registers."""
MAX_PUBLISHED_KEYS = 100
"""The most keys that are read at an address: providers publish the keys of several services and years in one set."""
MAX_KID_CHARACTERS = 255

CERTIFICATE_NAME_KINDS: tuple[str, ...] = get_args(CertificateNameKind)
"""The kinds of certificate names that may be registered (RFC 8705 §2.1.2)."""


def read_key_set(text: str | bytes) -> tuple[ClientKey, ...]:
    """Return the keys of a JWK Set. Several keys need different `kid` values, so that an assertion can name one.

    ValueError names the key that cannot be used and the reason, without any key material.
    """
    keys = _members(text)
    if not 0 < len(keys) <= MAX_KEYS:
        raise InvalidInput(f"An application has 1 to {MAX_KEYS} keys.")
    names = [key.get("kid") for key in keys]
    if len(keys) > 1 and (None in names or len(set(map(str, names))) < len(names)):
        raise InvalidInput("Of several keys each needs a kid of its own.")
    return tuple(_read(number, key) for number, key in enumerate(keys, start=1))


def usable_keys(text: bytes) -> tuple[ClientKey, ...]:
    """Return at most `MAX_PUBLISHED_KEYS` keys of a published set; ValueError if it is not a JWK Set.

    Keys of other kinds or for encryption are ignored (RFC 7517 §5), and if there are several, so are keys without a `kid`
    of their own.
    """
    found: dict[str | None, ClientKey] = {}
    for number, key in enumerate(_members(text), start=1):
        with suppress(InvalidInput):
            found.setdefault(key.get("kid"), _read(number, {**key, "x5c": None}))
    if len(found) > 1:
        found.pop(None, None)
    return tuple(found.values())[:MAX_PUBLISHED_KEYS]


def certificate_name(kind: str, value: str) -> CertificateName:
    """Return a certificate name in the normal form of its kind; ValueError with the reason if it is malformed."""
    try:
        return CertificateName(cast("CertificateNameKind", kind), normal_name(kind, value))
    except UnreadableCertificate as fault:
        raise InvalidInput(f"This certificate name cannot be used: {fault}.") from fault


def key_set(keys: Sequence[ClientKey]) -> dict[str, list[dict[str, Any]]]:
    """Return the keys as a JWK Set, with the members that were stored."""
    return {"keys": [_described(key) for key in keys]}


@lru_cache(maxsize=4_096)
def verifying_keys(keys: tuple[ClientKey, ...]) -> tuple[tuple[str | None, VerifyingKey], ...]:
    """Return each key with its `kid`, or None if it has none."""
    members = [msgspec.json.decode(key.jwk, type=dict[str, str]) for key in keys]
    return tuple((each.get("kid"), public_key(each)) for each in members)


def key_of(keys: tuple[ClientKey, ...], signed: ClientJws) -> VerifyingKey | None:
    """Return the key with the `kid` of the header, or the only key; its algorithm must be that of the header."""
    kid = signed.header.get("kid")
    registered = verifying_keys(keys)
    for name, key in registered:
        if name == kid or (len(registered) == 1 and None in (name, kid)):
            return key if key.algorithm == signed.algorithm else None
    return None


def _members(text: str | bytes) -> list[dict[str, Any]]:
    try:
        keys = msgspec.json.decode(text, type=dict[str, Any]).get("keys")
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise InvalidInput("A JWK Set is a JSON object with a member keys.") from error
    if not isinstance(keys, list) or not all(isinstance(key, dict) for key in keys):
        raise InvalidInput("A JWK Set is a JSON object with a member keys.")
    return keys


def _read(number: int, jwk: Mapping[str, Any]) -> ClientKey:
    kid = jwk.get("kid")
    if kid is not None and not (isinstance(kid, str) and 0 < len(kid) <= MAX_KID_CHARACTERS):
        raise InvalidInput(f"Key {number}: its kid is a text of at most {MAX_KID_CHARACTERS} characters.")
    try:
        key = public_key(jwk)
        certificate = _certificate(jwk, key)
    except (UnusableKey, UnreadableCertificate) as fault:
        raise InvalidInput(f"Key {number} cannot be used: {fault}.") from fault
    kept = {**key.jwk, "alg": key.algorithm} | ({} if kid is None else {"kid": kid})
    return ClientKey(msgspec.json.encode(kept).decode(), certificate)


def _certificate(jwk: Mapping[str, Any], key: VerifyingKey) -> str:
    """Return the first certificate of `x5c`, which must contain this key (RFC 7517 §4.7); empty without `x5c`."""
    chain = jwk.get("x5c")
    if chain is None:
        return ""
    if not isinstance(chain, list) or not chain or not isinstance(chain[0], str):
        raise UnreadableCertificate("its x5c is a list of certificates")
    if certificates.public_members(certificates.from_base64(chain[0])) != key.jwk:
        raise UnreadableCertificate("its certificate is for another key")
    return chain[0]


def _described(key: ClientKey) -> dict[str, Any]:
    members: dict[str, Any] = msgspec.json.decode(key.jwk)
    return members | ({"x5c": [key.certificate]} if key.certificate else {})
