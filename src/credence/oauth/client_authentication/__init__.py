"""How an application proves that a request is its own: one file per method, and here which one holds (RFC 6749 §2.3).

`methods` says which there are, `registered` whether an application can prove itself as it is registered.

An application has one registered method. What comes by another is refused, however good it is: the stronger method would
else be worth no more than the weakest one.
"""

from credence.clock import Milliseconds
from credence.identity.applications import authenticates
from credence.oauth.authority import Authority
from credence.oauth.client_authentication import mutual_tls, private_key_jwt
from credence.oauth.client_authentication.methods import BY_SECRET, is_public
from credence.oauth.client_authentication.mutual_tls import ShownCertificate
from credence.oauth.parameters.attributes import Attributes
from credence.store.records import Application


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
        return "client.conflicting_values"
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
    return None if is_public(application) else "client.other_method"


def _fault_of_secret(method: str, *, genuine: bool) -> str | None:
    if method != BY_SECRET:
        return "client.other_method"
    return None if genuine else "client.mismatch"


def named_client(attributes: Attributes) -> str | None:
    """Return the client_id that a request names: an assertion may stand for it (RFC 7521 §4.2)."""
    if attributes.client_id is None and attributes.client_assertion is not None:
        return private_key_jwt.subject(attributes.client_assertion)
    return attributes.client_id
