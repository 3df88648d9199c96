"""The client authentication of an application: parses and displays keys and certificate names (RFC 7523, RFC 8705)."""

import msgspec

from credence.crypto.client_key import public_key
from credence.errors import InvalidInput
from credence.identity.applications import has_secret
from credence.identity.client_keys import CERTIFICATE_NAME_KINDS, certificate_name, key_set
from credence.oauth.registration.client_validity import registration_error
from credence.store.records import Application, CertificateName


def read_certificate_name(text: str) -> CertificateName | None:
    """Return the certificate name in a text such as `san_dns=client.example.com`, None for empty text; else InvalidInput."""
    if not text:
        return None
    kind, equals, value = text.partition("=")
    if not equals or kind not in CERTIFICATE_NAME_KINDS:
        raise InvalidInput(
            f"The name of a certificate has the form KIND=VALUE with a KIND of {', '.join(CERTIFICATE_NAME_KINDS)}."
        )
    return certificate_name(kind, value)


def keys_shown(application: Application) -> object:
    """Return a line for each key: its `kid`, algorithm and thumbprint (RFC 7638)."""
    found = []
    for jwk in key_set(application.keys)["keys"]:
        certified = "with certificate" if "x5c" in jwk else ""
        key = public_key({name: value for name, value in jwk.items() if name != "x5c"})
        found.append(" ".join(filter(None, (jwk.get("kid"), key.algorithm, key.kid, certified))))
    return found


def certificate_name_shown(application: Application) -> object:
    """Return the certificate name in the form KIND=VALUE."""
    name = application.certificate_name
    return None if name is None else f"{name.kind}={name.value}"


def able_to_authenticate(application: Application) -> Application:
    """Return the application without secrets that its method does not use; InvalidInput if it cannot authenticate.

    A secret that was kept would be valid again as soon as the method is changed back.
    """
    error = registration_error(application)
    if error is not None:
        raise InvalidInput(f"{error[0].upper()}{error[1:]}.")
    if has_secret(application):
        return application
    return msgspec.structs.replace(application, secrets=())
