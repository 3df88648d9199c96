"""Whoever uses a bound token, or asks for one, shows that they hold its key (RFC 7800, RFC 9449, RFC 8705 §3).

A token is bound by its `cnf` claim: to a key that each request proves, or to the certificate of the connection. One that is
bound is good for nothing without that, at every route alike.
"""

from collections.abc import Mapping

from credence.oauth.client_authentication.methods import is_public
from credence.oauth.dpop import nonce, proof
from credence.oauth.dpop.proof import MadeFor, Proof
from credence.oauth.tokens import confirmation
from credence.refusals import CERTIFICATE_MISSING, DPOP_REQUIRED, INVALID_DPOP_PROOF, INVALID_TOKEN, Refused
from credence.service import Service
from credence.store.records import Application
from credence.web.messages.client_certificates import shown_certificate
from credence.web.messages.request import Request


def require_possession(
    service: Service, request: Request, scheme: str, token: str, bound_to: Mapping[str, str] | None
) -> None:
    """Refuse a token that is not shown by the holder of its key. `bound_to` is its `cnf`, None for a bearer token."""
    if bound_to is None:
        if scheme == "dpop":
            raise Refused(INVALID_TOKEN, "token.not_bound")
        return
    if confirmation.CERTIFICATE in bound_to:
        _require_certificate(service, request, scheme, bound_to[confirmation.CERTIFICATE])
        return
    if confirmation.KEY not in bound_to:
        raise Refused(INVALID_TOKEN, "token.bound_otherwise")
    if scheme != "dpop":  # RFC 9449 §7.2: a key that need not be shown protects nothing
        raise Refused(INVALID_TOKEN, "token.bound_to_key")
    shown = _proof(service, request, token)
    if shown.thumbprint != bound_to[confirmation.KEY]:
        raise Refused(INVALID_TOKEN, "token.bound_to_other_key")
    if not service.proofs.consume_once(shown.mark, shown.step, nonce.latest_refused(request.now)):
        raise Refused(INVALID_DPOP_PROOF, "dpop.used_before")


async def proven_binding(service: Service, request: Request, application: Application, *, standard: bool) -> str:
    """Return what a token is to be bound to (`confirmation`); empty for nothing (RFC 9449 §5, RFC 8705 §3).

    The house dialect knows no proofs. An application may be held to them, in both dialects (§5.2), and one that proves
    nothing of itself always is. Certificates belong to the connection, so they are known in both.
    """
    if application.certificate_bound_tokens:
        return _proven_certificate(service, request)
    if not (standard and "dpop" in request.headers):
        if application.dpop_required or is_public(application):
            raise Refused(DPOP_REQUIRED, "dpop.required")
        return ""
    shown = _proof(service, request)
    if not await service.authority.store.consume_once(shown.mark, nonce.useless_from(shown.step)):
        raise Refused(INVALID_DPOP_PROOF, "dpop.used_before")
    return confirmation.to_key(shown.thumbprint)


def _require_certificate(service: Service, request: Request, scheme: str, thumbprint: str) -> None:
    shown = shown_certificate(service.settings, request)
    if scheme == "dpop" or shown is None or shown.thumbprint != thumbprint:
        raise Refused(INVALID_TOKEN, "token.bound_to_certificate")


def _proven_certificate(service: Service, request: Request) -> str:
    shown = shown_certificate(service.settings, request)
    if shown is None:
        raise Refused(CERTIFICATE_MISSING, "certificate.missing")
    return confirmation.to_certificate(shown.thumbprint)


def _proof(service: Service, request: Request, token: str | None = None) -> Proof:
    """Return the proof that came with the request, and note whether its sender is to be told a newer nonce."""
    key, text = service.authority.secrets.digest, request.headers.get("dpop")
    request.trace.nonce = nonce.newest(key, request.now)  # whoever is refused needs it
    if text is None:
        raise Refused(INVALID_DPOP_PROOF, "dpop.missing")
    made_for = MadeFor(request.method, service.settings.issuer + request.path, token)
    shown = proof.check(service.proofs, key, text, made_for, request.now)
    if nonce.is_newest(shown.step, request.now):
        request.trace.nonce = None
    return shown
