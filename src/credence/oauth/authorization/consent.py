"""Consent: what a person has allowed an application, and when they are asked (RFC 6749 §10.2, RFC 8252 §8.6, ASVS 10.7)."""

from collections.abc import Iterable

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.identity.applications import is_public, is_unverified
from credence.oauth.authorization.redirect_uris import is_local
from credence.oauth.authorization.request import AuthorizationRequest
from credence.oauth.parameters.scopes import REPORT
from credence.store.records import Application
from credence.store.sign_ins import Consent


def needs_consent(
    application: Application, request: AuthorizationRequest, consents: Iterable[Consent], asked_at: Milliseconds
) -> bool:
    """Return whether the person must be asked for consent. `asked_at` is when the request arrived; a later consent counts.

    First-party applications need no consent. A public client whose answer another program of the same machine could receive
    needs consent each time, because nothing proves which program it is; so does an unverified client, and a request with
    rights, which no stored consent has.
    """
    if application.first_party and not is_unverified(application):
        return False
    given = next((each for each in consents if each.client_id == application.client_id), None)
    scope = lasting(request.scope, with_rights=request.rights is not None)
    if given is None or not covers(given, application, scope):
        return True
    if given.granted_at >= asked_at:
        return False
    if is_unverified(application) or "consent" in request.prompts or request.rights is not None:
        return True
    return is_public(application) and is_local(request.redirect_uri)


def lasting(scope: str, *, with_rights: bool) -> str:
    """Return the part of a scope that a consent keeps.

    Consent to some reports (RFC 9396) does not keep `credit:report`, which opens every company in a request without rights.
    """
    return " ".join(each for each in scope.split() if not (with_rights and each == REPORT))


def covers(consent: Consent, application: Application, scope: str) -> bool:
    """Return whether a consent includes this scope and the application's terms are those that the person was shown."""
    return consent.terms == terms(application) and set(scope.split()) <= set(consent.scope.split())


def trusts(application: Application, consents: Iterable[Consent]) -> bool:
    """Return whether a person with these consents may be redirected to the application with an error (RFC 9700 §4.11.2).

    Any caller can register an unverified client with any address, so the person must have allowed it before.
    """
    if not is_unverified(application):
        return True
    return any(each.client_id == application.client_id and each.terms == terms(application) for each in consents)


def consented(
    application: Application, scope: str, username: str, earlier: Iterable[Consent], now: Milliseconds
) -> Consent:
    """Return the consent to this scope, together with the scopes of an earlier consent under the same terms."""
    scopes = dict.fromkeys(scope.split())
    for each in earlier:
        if each.client_id == application.client_id and each.terms == terms(application):
            scopes |= dict.fromkeys(each.scope.split())
    return Consent(username, application.client_id, " ".join(scopes), terms(application), now)


def terms(application: Application) -> bytes:
    """Return a digest of what consent depends on besides scopes: redirect URIs and client authentication."""
    parts = (*sorted(application.redirect_uris), application.authentication, application.application_type)
    return sha256("\n".join(parts).encode() + application.document_digest)[:16]
