"""This service as a client of a trusted issuer: the authorization request, the code, and the ID token.

Authorization code with PKCE (RFC 7636), pushed where the issuer offers it (RFC 9126), with a nonce and a redirect URI of
the issuer's own (RFC 9700 §4.4.2). Only the signed ID token says who the person is (OpenID Connect Core §3.1.3).
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlencode

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import constant_time_equal, keyed_digest, sha256
from credence.crypto.jws import sign
from credence.crypto.randomness import random_bytes
from credence.crypto.sealing import unseal
from credence.oauth.authority import Authority
from credence.oauth.issuer_metadata import IssuerUnavailable, Metadata
from credence.oauth.trusted_issuers.verifying import (
    MAX_SUBJECT_CHARACTERS,
    Expected,
    UntrustedToken,
    sealing,
    secret_name,
    verified,
)
from credence.outgoing.target import CallRefused
from credence.paths import FROM_ISSUER
from credence.store.trusted_issuers import TrustedIssuer

if TYPE_CHECKING:
    from credence.outgoing.client import OutgoingClient

PURPOSE = "sign_in_at_issuer"

ASSERTION_SECONDS = 60
ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
MAX_ANSWER_BYTES = 65_536

_CLAIMS = ("email", "email_verified", "given_name", "family_name", "auth_time", "acr", "amr")
"""The claims that are requested for the ID token of an issuer that takes such a request (Core §5.5)."""


class NotSignedInThere(Exception):
    """The issuer did not say, in a form that counts, who the person is. The message is a reason code."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a sign-in should be like."""

    login_hint: str = ""
    fresh: bool = False
    """Whether the person is to prove again who they are."""
    strongly: bool = False
    """Whether two factors are needed."""


class Proof(msgspec.Struct, frozen=True):
    """What the token endpoint of an issuer answers."""

    id_token: str
    refresh_token: str = ""


def redirect_uri(authority: Authority, issuer: TrustedIssuer) -> str:
    """Return the redirect URI of this service at an issuer; no other issuer has it."""
    return f"{authority.settings.issuer}{FROM_ISSUER}/{issuer.id}"


async def authorization_url(
    authority: Authority, client: "OutgoingClient", issuer: TrustedIssuer, state: str, wish: Wish, now: Milliseconds
) -> str:
    """Return the address to which the browser goes. Raises NotSignedInThere."""
    metadata = await metadata_of(authority, issuer, now)
    claims = dict.fromkeys((*_CLAIMS, *(each.claim for each in issuer.rights), *issuer.required_claims))
    parameters = {
        "response_type": "code",
        "client_id": issuer.client_id,
        "redirect_uri": redirect_uri(authority, issuer),
        "scope": " ".join(issuer.request_scopes),
        "state": state,
        "nonce": _derived(authority, "issuer nonce", state),
        "code_challenge": base64url.encode(sha256(_derived(authority, "issuer verifier", state).encode())),
        "code_challenge_method": "S256",
        **({"login_hint": wish.login_hint} if wish.login_hint else {}),
        **({"max_age": "0"} if wish.fresh else {}),
        **({"acr_values": " ".join(issuer.strong_classes)} if wish.strongly and issuer.strong_classes else {}),
        **(
            {"claims": msgspec.json.encode({"id_token": claims}).decode()}
            if metadata.claims_parameter_supported
            else {}
        ),
    }
    if metadata.pushed_authorization_request_endpoint:
        uri = metadata.pushed_authorization_request_endpoint
        pushed = await _posted(authority, client, issuer, uri, parameters, now)
        try:
            reference = msgspec.json.decode(pushed, type=dict[str, Any])["request_uri"]
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError):
            raise NotSignedInThere("issuer.pushed_request") from None
        parameters = {"client_id": issuer.client_id, "request_uri": str(reference)}
    begin = metadata.authorization_endpoint
    return f"{begin}{'&' if '?' in begin else '?'}{urlencode(parameters)}"


async def redeemed(
    authority: Authority, client: "OutgoingClient", issuer: TrustedIssuer, state: str, code: str, now: Milliseconds
) -> tuple[Mapping[str, Any], Proof]:
    """Return the claims of the ID token for a code, and the answer that had it. Raises NotSignedInThere."""
    metadata = await metadata_of(authority, issuer, now)
    parameters = {
        "grant_type": "authorization_code",
        "code": code,
        "redirect_uri": redirect_uri(authority, issuer),
        "code_verifier": _derived(authority, "issuer verifier", state),
    }
    proof = _proof(await _posted(authority, client, issuer, metadata.token_endpoint, parameters, now))
    claims = await identity(authority, issuer, proof.id_token, now)
    nonce = claims.get("nonce")
    if not isinstance(nonce, str) or not constant_time_equal(
        nonce.encode(), _derived(authority, "issuer nonce", state).encode()
    ):
        raise NotSignedInThere("issuer_token.nonce")
    return claims, proof


async def refreshed(
    authority: Authority,
    client: "OutgoingClient",
    issuer: TrustedIssuer,
    subject: str,
    refresh_token: str,
    now: Milliseconds,
) -> Proof | None:
    """Return the answer to a refresh token of the issuer; None if the token is not good any more (RFC 6749 §5.2).

    Raises NotSignedInThere for any other answer: a secret of this service that has expired says nothing about the person.
    """
    metadata = await metadata_of(authority, issuer, now)
    parameters = {"grant_type": "refresh_token", "refresh_token": refresh_token}
    try:
        answer = await _posted(authority, client, issuer, metadata.token_endpoint, parameters, now)
    except RefusedThere as refused:
        if refused.error == "invalid_grant":
            return None
        raise
    try:
        proof = msgspec.json.decode(answer, type=_Refreshed).proof()
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotSignedInThere("issuer.token_response") from None
    if proof.id_token:  # about the same person (Core §12.2); it may lack the mail address
        claims = await identity(authority, issuer, proof.id_token, now, about_person=False)
        if claims["sub"] != subject:
            raise NotSignedInThere("issuer_token.subject")
    return proof


async def identity(
    authority: Authority, issuer: TrustedIssuer, id_token: str, now: Milliseconds, *, about_person: bool = True
) -> Mapping[str, Any]:
    """Return the claims of an ID token for this service, without its nonce (Core §3.1.3.7). Raises NotSignedInThere."""
    types, own = frozenset({"jwt", ""}), frozenset({issuer.client_id})
    expected = Expected(types, own, one_audience=False, about_person=about_person)
    try:
        claims = await verified(authority, issuer, id_token, expected, now)
    except UntrustedToken as untrusted:
        raise NotSignedInThere(str(untrusted)) from None
    party = claims.get("azp", issuer.client_id if isinstance(claims["aud"], str) or len(claims["aud"]) == 1 else None)
    if party != issuer.client_id:
        raise NotSignedInThere("issuer_token.audience")
    subject = claims.get("sub")
    if not isinstance(subject, str) or not 0 < len(subject) <= MAX_SUBJECT_CHARACTERS:
        raise NotSignedInThere("issuer_token.subject")
    return claims


async def metadata_of(authority: Authority, issuer: TrustedIssuer, now: Milliseconds) -> Metadata:
    """Return the metadata of an issuer at which people sign in. Raises NotSignedInThere if it lacks an endpoint."""
    try:
        metadata = await authority.issuer_metadata.of(issuer, now)
    except IssuerUnavailable as error:
        raise NotSignedInThere(str(error)) from None
    if not (metadata.authorization_endpoint and metadata.token_endpoint):
        raise NotSignedInThere("issuer.metadata_malformed")
    return metadata


class RefusedThere(NotSignedInThere):
    """The issuer refused what this service sent, with this error code; empty if it did not say."""

    def __init__(self, reason: str, *, error: str = "") -> None:
        super().__init__(reason)
        self.error = error


def _error_of(body: bytes) -> str:
    try:
        return msgspec.json.decode(body, type=_Error).error
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return ""


class _Error(msgspec.Struct, frozen=True):
    error: str = ""


class _Refreshed(msgspec.Struct, frozen=True):
    id_token: str = ""
    refresh_token: str = ""

    def proof(self) -> Proof:
        return Proof(self.id_token, self.refresh_token)


def _proof(answer: bytes) -> Proof:
    try:
        return msgspec.json.decode(answer, type=Proof)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        raise NotSignedInThere("issuer.token_response") from None


async def _posted(
    authority: Authority,
    client: "OutgoingClient",
    issuer: TrustedIssuer,
    address: str,
    parameters: Mapping[str, str],
    now: Milliseconds,
) -> bytes:
    """Return the body of a good answer to a form that this service sends as a client of the issuer."""
    # Imported only here: most deployments make no outgoing calls.
    from credence.outgoing.client import Call
    from credence.outgoing.connecting import CallFailed

    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    more, fields = _authentication(authority, issuer, now)
    body = urlencode({**parameters, **fields}).encode()
    call = Call(PURPOSE, "POST", address, {**headers, **more}, body, max_answer_bytes=MAX_ANSWER_BYTES)
    try:
        answer = await client.call(call)
    except (CallRefused, CallFailed):
        raise NotSignedInThere("issuer.no_answer") from None
    if answer.status in (400, 401, 403):
        raise RefusedThere("issuer.refused_request", error=_error_of(answer.body))
    if answer.status not in (200, 201):
        raise NotSignedInThere("issuer.no_answer")
    return answer.body


def _authentication(
    authority: Authority, issuer: TrustedIssuer, now: Milliseconds
) -> tuple[Mapping[str, str], Mapping[str, str]]:
    """Return the header fields and the form fields by which this service authenticates (RFC 6749 §2.3, RFC 7523 §2.2)."""
    if issuer.authentication == "private_key_jwt":
        claims = {
            "iss": issuer.client_id,
            "sub": issuer.client_id,
            "aud": issuer.issuer,
            "jti": base64url.encode(random_bytes(16)),
            "iat": now // 1000,
            "exp": now // 1000 + ASSERTION_SECONDS,
        }
        assertion = sign(authority.signing_key(None), "JWT", msgspec.json.encode(claims))
        fields = {"client_assertion_type": ASSERTION_TYPE, "client_assertion": assertion}
        return {}, {"client_id": issuer.client_id, **fields}
    if issuer.authentication == "none":
        return {}, {"client_id": issuer.client_id}
    secret = ""
    if issuer.client_secret:
        keys = sealing(authority.secrets.digest)
        secret = unseal(keys, secret_name(issuer.id), issuer.client_secret).decode()
    if issuer.authentication == "client_secret_post":
        return {}, {"client_id": issuer.client_id, "client_secret": secret}
    pair = f"{quote(issuer.client_id, safe='')}:{quote(secret, safe='')}"
    return {"Authorization": f"Basic {_base64(pair)}"}, {}


def _base64(text: str) -> str:
    encoded = base64url.encode(text.encode()).replace("-", "+").replace("_", "/")
    return encoded + "=" * (-len(encoded) % 4)


def _derived(authority: Authority, purpose: str, state: str) -> str:
    """Return a secret of one authorization request, which is stored nowhere and which no one else can compute."""
    return base64url.encode(keyed_digest(authority.secrets.refresh, purpose, state.encode()))
