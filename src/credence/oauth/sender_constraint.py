"""Sender-constrained tokens: DPoP and mutual TLS binding (RFC 7800, RFC 9449, RFC 8705 §3).

A token with a `cnf` claim is bound to a key, of which each request proves possession, or to the certificate of the
connection. Every route refuses the token without that proof.
"""

from collections.abc import Mapping

from credence.identity.applications import is_public
from credence.oauth import fapi
from credence.oauth.authority import Authority
from credence.oauth.dpop import nonce, proof
from credence.oauth.dpop.proof import MadeFor, Proof
from credence.oauth.forwarded_certificate import forwarded_certificate
from credence.oauth.tokens.access_token import CERTIFICATE, DPOP_KEY
from credence.refusals.credentials import CERTIFICATE_MISSING, DPOP_REQUIRED, INVALID_DPOP_PROOF, INVALID_TOKEN
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.records import Application


def check_sender_constraint(
    authority: Authority,
    request: RequestContext,
    application: Application,
    scheme: str,
    token: str,
    cnf: Mapping[str, str] | None,
) -> None:
    """Raise Refused unless the request proves the key or certificate of the token. A plain bearer token has no `cnf`.

    `application` is the one to which the token was issued.
    """
    if cnf is None:
        if scheme == "dpop":
            raise Refused(INVALID_TOKEN, "token.not_bound")
        return
    if CERTIFICATE in cnf:
        certificate = forwarded_certificate(authority.settings, request)
        if scheme == "dpop" or certificate is None or certificate.thumbprint != cnf[CERTIFICATE]:
            raise Refused(INVALID_TOKEN, "token.bound_to_certificate")
        return
    if DPOP_KEY not in cnf:
        raise Refused(INVALID_TOKEN, "token.bound_otherwise")
    if scheme != "dpop":  # RFC 9449 §7.2: otherwise a stolen token needs no key
        raise Refused(INVALID_TOKEN, "token.bound_to_key")
    found = _proof(authority, request, application, token)
    if found.thumbprint != cnf[DPOP_KEY]:
        raise Refused(INVALID_TOKEN, "token.bound_to_other_key")
    if not authority.proofs.consume_once(found.mark, found.step, nonce.latest_refused(request.now)):
        raise Refused(INVALID_DPOP_PROOF, "dpop.used_before")


async def token_binding(
    authority: Authority,
    request: RequestContext,
    application: Application,
    *,
    standard: bool,
    public_proves_key: bool = True,
) -> str:
    """Return the binding of the new token, such as `jkt:<thumbprint>`; empty for none (RFC 9449 §5, RFC 8705 §3).

    Requests in the house dialect need no DPoP proof, unless the application requires one in both dialects (RFC 9449 §5.2),
    or is a public client whose grant has `public_proves_key`. A certificate belongs to the connection and binds tokens in
    both dialects.

    Raises Refused without the required proof or certificate, and StoreUnavailable.
    """
    if application.certificate_bound_tokens:
        certificate = forwarded_certificate(authority.settings, request)
        if certificate is None:
            raise Refused(CERTIFICATE_MISSING, "certificate.missing")
        return f"{CERTIFICATE}:{certificate.thumbprint}"
    if not (standard and "dpop" in request.headers):
        if application.dpop_required or (public_proves_key and is_public(application)):
            raise Refused(DPOP_REQUIRED, "dpop.required")
        return ""
    return f"{DPOP_KEY}:{await _proven(authority, request, application)}"


async def proven_key(authority: Authority, request: RequestContext, application: Application) -> str | None:
    """Return the thumbprint of the key that the request proves; None without a proof (RFC 9449 §10.1).

    Raises Refused for an invalid proof, and StoreUnavailable.
    """
    return await _proven(authority, request, application) if "dpop" in request.headers else None


async def _proven(authority: Authority, request: RequestContext, application: Application) -> str:
    found = _proof(authority, request, application)
    if not await authority.store.consume_once(found.mark, nonce.useless_from(found.step)):
        raise Refused(INVALID_DPOP_PROOF, "dpop.used_before")
    return found.thumbprint


def _proof(authority: Authority, request: RequestContext, application: Application, token: str | None = None) -> Proof:
    """Return the DPoP proof of the request.

    Sets the nonce of the answer if the proof is refused or its nonce is not the newest.
    """
    key, text = authority.secrets.digest, request.headers.get("dpop")
    request.dpop_nonce = nonce.newest(key, request.now)  # every refusal of a proof carries one
    if text is None:
        raise Refused(INVALID_DPOP_PROOF, "dpop.missing")
    made_for = MadeFor(request.method, authority.settings.issuer + request.path, token)
    found = proof.check(authority.proofs, key, text, made_for, request.now)
    if found.algorithm not in fapi.proof_algorithms(application):
        raise Refused(INVALID_DPOP_PROOF, "dpop.algorithm_of_profile")
    if nonce.is_newest(found.step, request.now):
        request.dpop_nonce = None
    return found
