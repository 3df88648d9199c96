"""What the operator types of how an application proves itself, and how that is shown (RFC 7523, RFC 8705)."""

from pathlib import Path
from typing import get_args

import msgspec

from credence.crypto.client_key import public_key
from credence.errors import InvalidInput
from credence.identity.client_keys import CERTIFICATE_NAME_KINDS, certificate_name, key_set, read_key_set
from credence.oauth.client_authentication.methods import CLIENT_SECRET
from credence.oauth.registration.client_validity import fault_of_registration
from credence.store.records import Application, AuthenticationMethod, CertificateName, ClientKey

METHODS: tuple[str, ...] = get_args(AuthenticationMethod)


def read_keys(file: Path) -> tuple[ClientKey, ...]:
    """Return the keys of a JWK Set in a file; ValueError says what is wrong with it, OSError that it cannot be read."""
    return read_key_set(file.read_bytes())


def read_certificate_name(text: str) -> CertificateName | None:
    """Return the name that `san_dns=client.example.com` and the like stand for, None for empty text; ValueError."""
    if not text:
        return None
    kind, equals, value = text.partition("=")
    if not equals or kind not in CERTIFICATE_NAME_KINDS:
        raise InvalidInput(
            f"The name of a certificate is typed as KIND=VALUE, KIND one of {', '.join(CERTIFICATE_NAME_KINDS)}."
        )
    return certificate_name(kind, value)


def keys_shown(application: Application) -> object:
    """Return of each key its name, its algorithm and its thumbprint (RFC 7638)."""
    found = []
    for jwk in key_set(application.keys)["keys"]:
        certified = "with certificate" if "x5c" in jwk else ""
        key = public_key({name: value for name, value in jwk.items() if name != "x5c"})
        found.append(" ".join(filter(None, (jwk.get("kid"), key.algorithm, key.kid, certified))))
    return found


def certificate_name_shown(application: Application) -> object:
    """Return it as it is typed."""
    name = application.certificate_name
    return None if name is None else f"{name.kind}={name.value}"


def able_to_prove_itself(application: Application) -> Application:
    """Return the application without secrets that its method has no use for; ValueError when it could not prove itself.

    A secret that is kept would be good again on the day when the method is changed back.
    """
    fault = fault_of_registration(application)
    if fault is not None:
        raise InvalidInput(f"{fault[0].upper()}{fault[1:]}.")
    if application.authentication == CLIENT_SECRET:
        return application
    return msgspec.structs.replace(application, secrets=())
