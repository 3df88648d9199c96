"""Request objects: an authorization request as a JWT that the client signed (RFC 9101, FAPI 2.0 Message Signing §5.3).

Only the parameters in the object are used (RFC 9101 §6.3). It is sent by value in `request`; a `request_uri` is accepted
only for a pushed request, because any other would have to be fetched (threats E3).
"""

import msgspec

from credence.clock import Milliseconds
from credence.clock_tolerances import ASSERTION_TOLERANCE_SECONDS
from credence.crypto.client_jws import ClientJws, is_signed_by, read
from credence.crypto.jws import InvalidSignature
from credence.identity.client_keys import key_of
from credence.oauth import fapi
from credence.store.records import Application, ClientKey

MAX_CHARACTERS = 6_000

FAPI_MAX_SECONDS = 3_600
"""The maximum age of `nbf`, and the maximum time from `nbf` to `exp`, in seconds (FAPI 2.0 Message Signing §5.3.1)."""

_TYPES = frozenset({"jwt", "oauth-authz-req+jwt"})
"""Accepted values of `typ`, in lower case (RFC 9101 §10.8)."""

_ABOUT_THE_OBJECT = frozenset({"iss", "aud", "exp", "nbf", "iat", "jti"})

_FORBIDDEN = frozenset({"request", "request_uri", "sub"})
"""Claims that an object must not have: other requests (RFC 9101 §4), and `sub`, as a client assertion has (§10.8)."""


class InvalidRequestObject(Exception):
    """The request object is refused."""

    error = "invalid_request_object"  # RFC 9101 §7
    description = "The request object is not valid."

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class _Times(msgspec.Struct, frozen=True):
    aud: str | list[str] | None = None
    exp: int | float | None = None
    nbf: int | float | None = None


def parameters_of_object(
    text: str, application: Application, keys: tuple[ClientKey, ...], issuer: str, at: Milliseconds
) -> tuple[tuple[str, str], ...]:
    """Return the parameters of an object that the application signed for this service with one of its keys.

    `at` is when the object arrived.

    Raises InvalidRequestObject.
    """
    if len(text) > MAX_CHARACTERS:
        raise InvalidRequestObject("request_object.malformed")
    try:
        found = read(text)
        times = msgspec.convert(found.claims, _Times)
    except (InvalidSignature, msgspec.ValidationError):
        raise InvalidRequestObject("request_object.malformed") from None
    if str(found.header.get("typ", "jwt")).lower() not in _TYPES:
        raise InvalidRequestObject("request_object.type")
    _check_signature(found, application, keys)
    if found.claims.get("client_id") != application.client_id:
        raise InvalidRequestObject("request_object.client_id")
    if found.claims.get("iss", application.client_id) != application.client_id:
        raise InvalidRequestObject("request_object.issuer")
    if _FORBIDDEN & found.claims.keys():
        raise InvalidRequestObject("request_object.forbidden")
    _check_audience(times, application, issuer)
    _check_times(times, application, at / 1000)
    return tuple(pair for name, value in found.claims.items() for pair in _pairs(name, value))


def _check_signature(found: ClientJws, application: Application, keys: tuple[ClientKey, ...]) -> None:
    if fapi.is_fapi2(application) and found.algorithm not in fapi.ALGORITHMS:
        raise InvalidRequestObject("request_object.algorithm")
    key = key_of(keys, found)
    if key is None or not is_signed_by(found, key):
        raise InvalidRequestObject("request_object.signature")


def _check_audience(times: _Times, application: Application, issuer: str) -> None:
    named = {times.aud} if isinstance(times.aud, str) else set(times.aud or ())
    if issuer not in named and (named or fapi.is_fapi2(application)):
        raise InvalidRequestObject("request_object.audience")


def _check_times(times: _Times, application: Application, seconds: float) -> None:
    if times.exp is not None and times.exp <= seconds:
        raise InvalidRequestObject("request_object.times")
    if times.nbf is not None and times.nbf > seconds + ASSERTION_TOLERANCE_SECONDS:
        raise InvalidRequestObject("request_object.times")
    if fapi.is_fapi2(application) and (
        times.exp is None
        or times.nbf is None
        or seconds - times.nbf > FAPI_MAX_SECONDS
        or times.exp - times.nbf > FAPI_MAX_SECONDS
    ):
        raise InvalidRequestObject("request_object.times")


def _pairs(name: str, value: object) -> tuple[tuple[str, str], ...]:
    """Return a claim as parameters of this name: a number or an object becomes its JSON text (RFC 9101 §4)."""
    if name in _ABOUT_THE_OBJECT or value is None:
        return ()
    if isinstance(value, str):
        return ((name, value),)
    if isinstance(value, list) and name == "resource":
        return tuple((name, each) for each in value if isinstance(each, str))
    if isinstance(value, bool | float):
        raise InvalidRequestObject("request_object.value")
    return ((name, msgspec.json.encode(value).decode()),)
