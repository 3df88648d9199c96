"""Checks that a registered application can authenticate and get tokens, for commands and dynamic registration."""

from credence.identity.applications import is_public
from credence.oauth import fapi
from credence.oauth.client_authentication import mutual_tls, private_key_jwt
from credence.oauth.grants import GRANTS
from credence.store.records import Application


def registration_error(application: Application) -> str | None:
    """Return why the application could never get tokens, as a sentence without a full stop; None if it can."""
    method, public = application.authentication, is_public(application)
    if application.keys and application.keys_uri is not None:
        return "an application registers its keys (jwks) or their address (jwks_uri), not both"  # RFC 7591 §2
    if method == private_key_jwt.METHOD and not (application.keys or application.keys_uri or application.workloads):
        return f"the method {method} needs a key set (jwks or jwks_uri), or workloads of a trusted issuer"
    if method == mutual_tls.SELF_SIGNED_TLS_CLIENT_AUTH and not any(key.certificate for key in application.keys):
        return f"the method {method} needs a key set (jwks) with certificates (x5c)"
    if method == mutual_tls.TLS_CLIENT_AUTH and application.certificate_name is None:
        return f"the method {method} needs the one name that its certificates have"
    open_to_public = [grant.name for grant in GRANTS.values() if grant.open_to_public]
    if public and not set(application.grants) <= set(open_to_public):
        return f"a public application may use only {', '.join(open_to_public)}"
    if public and application.pkce == "off":
        return "a public application needs PKCE"  # D35
    if application.certificate_bound_tokens and (application.dpop_required or public):
        return (
            "a token is bound to one thing: a certificate (tls_client_certificate_bound_access_tokens), or a key that each "
            "request proves (dpop_bound_access_tokens)"
        )
    return fapi.registration_error(application)
