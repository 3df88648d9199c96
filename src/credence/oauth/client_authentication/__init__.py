"""How an application proves that a request is its own: one file per method, and here which one holds (RFC 6749 §2.3).

An application has one registered method. What comes by another is refused, however good it is: the stronger method would
else be worth no more than the weakest one.
"""

from credence.clock import Milliseconds
from credence.identity.applications import authenticates
from credence.oauth.attributes import Attributes
from credence.oauth.authority import Authority
from credence.oauth.client_authentication import mutual_tls, private_key_jwt
from credence.oauth.client_authentication.mutual_tls import ShownCertificate
from credence.settings import Settings
from credence.store.records import Application

BY_SECRET = "client_secret"  # noqa: S105 - the name of a method
PUBLIC = "none"

PUBLIC_GRANTS = frozenset({"urn:ietf:params:oauth:grant-type:token-exchange"})
"""What an application without credentials may use: a grant in which the request proves more than a client_id."""

SIGNING_ALGORITHMS = private_key_jwt.ALGORITHMS


async def fault(
    authority: Authority,
    application: Application | None,
    attributes: Attributes,
    shown: ShownCertificate | None,
    now: Milliseconds,
) -> str | None:
    """Return why the request is not proven to be this application's, None when it is.

    StoreUnavailable when the single use of an assertion could not be noted.
    """
    if attributes.contradicts:
        return "client.contradicts"
    if attributes.client_assertion is not None:
        return await private_key_jwt.fault(authority, application, attributes, now)
    method = application.authentication if application is not None else BY_SECRET
    if attributes.client_secret is not None or method == BY_SECRET:
        genuine = authenticates(application, attributes.client_secret or "", authority.secrets.digest, now)
        return _fault_of_secret(method, genuine=genuine)
    if application is None or application.disabled:
        return "client.mismatch"
    if method in mutual_tls.METHODS:
        return mutual_tls.fault(application, shown, now)
    return None if method == PUBLIC else "client.other_method"


def _fault_of_secret(method: str, *, genuine: bool) -> str | None:
    if method != BY_SECRET:
        return "client.other_method"
    return None if genuine else "client.mismatch"


def named_client(attributes: Attributes) -> str | None:
    """Return the client_id that a request names: an assertion may stand for it (RFC 7521 §4.2)."""
    if attributes.client_id is None and attributes.client_assertion is not None:
        return private_key_jwt.subject(attributes.client_assertion)
    return attributes.client_id


def methods(settings: Settings) -> tuple[str, ...]:
    """Return what clients may use in the standard dialect, by their registered names (RFC 8414 §2, RFC 8705 §2)."""
    return (*proofs(settings), PUBLIC)


def proofs(settings: Settings) -> tuple[str, ...]:
    """Return those of them that prove who the client is."""
    found = ["client_secret_basic", "client_secret_post", private_key_jwt.METHOD]
    if settings.client_certificate_header and certificates_arrive(settings):
        found.append(mutual_tls.BY_NAME)
    if certificates_arrive(settings):
        found.append(mutual_tls.BY_CERTIFICATE)
    return tuple(found)


def certificates_arrive(settings: Settings) -> bool:
    """Tell whether a proxy passes certificates on: then tokens can be bound to them (RFC 8705 §3.3)."""
    named = settings.client_certificate_header or settings.unverified_certificate_header
    return bool(named and settings.trusted_proxies)


def fault_of_registration(application: Application) -> str | None:
    """Return what keeps an application from ever proving itself as it is registered, None when nothing does."""
    method = application.authentication
    if method == private_key_jwt.METHOD and not application.keys:
        return f"{method} needs a key set"
    if method == mutual_tls.BY_CERTIFICATE and not any(key.certificate for key in application.keys):
        return f"{method} needs a key set with certificates (x5c)"
    if method == mutual_tls.BY_NAME and application.certificate_name is None:
        return f"{method} needs the one name that its certificates have"
    if method == PUBLIC and not PUBLIC_GRANTS.issuperset(application.grants):
        return f"an application that proves nothing may use {', '.join(PUBLIC_GRANTS)} alone"
    if application.certificate_bound_tokens and (application.dpop_required or method == PUBLIC):
        return "a token is bound to one thing: a certificate, or a key that each request proves"
    return None
