"""Client metadata, as a client sends it and as the answer returns it (RFC 7591 §2, §3.2.1, RFC 7592 §2.2).

A member that is absent or null has its default: for grants and scopes, everything that the invitation allows. An unknown
member is ignored (RFC 7591 §2).
"""

import re
from collections.abc import Collection, Mapping
from typing import Any

import msgspec

from credence.errors import InvalidInput
from credence.identity.client_keys import CERTIFICATE_NAME_KINDS, certificate_name, key_set, read_key_set
from credence.oauth import fapi
from credence.oauth.authorization.redirect_uris import (
    MAX_URIS,
    application_type_of,
    check_page,
    with_checked_redirects,
)
from credence.oauth.callable_addresses import is_callable
from credence.oauth.client_authentication import methods
from credence.oauth.client_authentication.methods import CLIENT_SECRET, CLIENT_SECRET_BASIC
from credence.oauth.parameters.scopes import SCOPES, of_application
from credence.oauth.registration.client_validity import registration_error
from credence.oauth.tokens import id_token
from credence.refusals.refusal import Refusal, Refused, because
from credence.refusals.registration import INVALID_CLIENT_METADATA, INVALID_REDIRECT_URI
from credence.settings import Settings
from credence.store.records import (
    Application,
    ApplicationType,
    CertificateName,
    ClientKey,
    Registration,
)

MAX_NAME_CHARACTERS = 100

_CALLABLE = "https, of a host and port that this service calls"

_MEMBER_OF_ERROR = re.compile(r".*`\$\.([a-z_]+)").match
"""Finds the member in an error of msgspec; only names of `ClientMetadata` have this form."""

_CERTIFICATE_NAMES = {f"tls_client_auth_{kind}": kind for kind in CERTIFICATE_NAME_KINDS}  # RFC 8705 §2.1.2

_FIELDS: Mapping[str, str] = {
    "client_name": "name",
    "grant_types": "grants",
    "scope": "scopes",
    "token_endpoint_auth_method": "authentication",
    "jwks": "keys",
    "jwks_uri": "keys_uri",
    **dict.fromkeys(_CERTIFICATE_NAMES, "certificate_name"),
    "tls_client_certificate_bound_access_tokens": "certificate_bound_tokens",
    "dpop_bound_access_tokens": "dpop_required",
    "id_token_signed_response_alg": "id_token_algorithm",
    "userinfo_signed_response_alg": "user_info_algorithm",
    "redirect_uris": "redirect_uris",
    "post_logout_redirect_uris": "post_logout_redirect_uris",
    "backchannel_logout_uri": "backchannel_logout_uri",
    "backchannel_logout_session_required": "backchannel_logout_session_required",
    "application_type": "application_type",
    "policy_uri": "policy_uri",
    "tos_uri": "terms_uri",
    "require_pushed_authorization_requests": "pushed_requests_required",
    "require_signed_request_object": "signed_requests_required",
    "authorization_signed_response_alg": "id_token_algorithm",
}
"""Member of the metadata -> field of the application."""


class ClientMetadata(msgspec.Struct, frozen=True):
    """The supported members with their defaults (RFC 7591 §2, RFC 8705 §3.4, RFC 9101 §10.5, RFC 9126 §6, RFC 9449 §5.2)."""

    client_name: str | None = None
    grant_types: tuple[str, ...] | None = None
    response_types: tuple[str, ...] = ()
    redirect_uris: tuple[str, ...] = ()
    post_logout_redirect_uris: tuple[str, ...] = ()
    backchannel_logout_uri: str | None = None
    backchannel_logout_session_required: bool = False
    application_type: ApplicationType | None = None
    policy_uri: str | None = None
    tos_uri: str | None = None
    scope: str | None = None
    token_endpoint_auth_method: str = "client_secret_basic"  # noqa: S105 - the name of a method
    jwks: dict[str, Any] | None = None
    jwks_uri: str | None = None
    tls_client_auth_subject_dn: str | None = None
    tls_client_auth_san_dns: str | None = None
    tls_client_auth_san_uri: str | None = None
    tls_client_auth_san_ip: str | None = None
    tls_client_auth_san_email: str | None = None
    tls_client_certificate_bound_access_tokens: bool = False
    dpop_bound_access_tokens: bool = False
    id_token_signed_response_alg: str = id_token.ALGORITHM
    userinfo_signed_response_alg: str | None = None
    authorization_signed_response_alg: str | None = None
    require_pushed_authorization_requests: bool = False
    require_signed_request_object: bool = False


def read_metadata(members: Mapping[str, object]) -> ClientMetadata:
    """Return the typed metadata; Refused if a member has a wrong type. Unknown members are ignored."""
    try:
        return msgspec.convert({name: value for name, value in members.items() if value is not None}, ClientMetadata)
    except msgspec.ValidationError as error:
        found = _MEMBER_OF_ERROR(str(error))
        member = f"The member {found[1]}" if found else "A member"
        raise _invalid(f"{member} has a type other than the one in RFC 7591.", "registration.type") from None


def with_metadata(
    application: Application, registration: Registration, members: Mapping[str, object], settings: Settings
) -> Application:
    """Return the application changed to this metadata; Refused with the first error.

    Fields in `registration.settled` were set by the operator and are kept. A request that contains one must have the stored
    value.
    """
    metadata = read_metadata(members)
    algorithm = metadata.id_token_signed_response_alg
    if metadata.authorization_signed_response_alg not in (None, algorithm):  # one algorithm signs both (JARM §3)
        both = "authorization_signed_response_alg must be the same as id_token_signed_response_alg."
        raise _invalid(both, "registration.algorithm")
    settled = registration.settled
    wanted: dict[str, Any] = {
        "name": _name(metadata.client_name, application),
        "grants": _grants(metadata.grant_types, application.grants if "grants" in settled else registration.grants),
        "scopes": _scopes(metadata.scope, of_application(application) if "scopes" in settled else registration.scopes),
        "authentication": _authentication(metadata.token_endpoint_auth_method, settings),
        "keys": _keys(metadata.jwks),
        "keys_uri": metadata.jwks_uri,
        "certificate_name": _certificate_name(metadata),
        "certificate_bound_tokens": metadata.tls_client_certificate_bound_access_tokens,
        "dpop_required": metadata.dpop_bound_access_tokens,
        "id_token_algorithm": _algorithm(algorithm, settings),
        "user_info_algorithm": _user_info_algorithm(metadata.userinfo_signed_response_alg, settings),
        "redirect_uris": metadata.redirect_uris,
        "post_logout_redirect_uris": metadata.post_logout_redirect_uris,
        "backchannel_logout_uri": metadata.backchannel_logout_uri,
        "backchannel_logout_session_required": metadata.backchannel_logout_session_required,
        "application_type": metadata.application_type or application_type_of(metadata.redirect_uris),
        "policy_uri": metadata.policy_uri,
        "terms_uri": metadata.tos_uri,
        "pushed_requests_required": metadata.require_pushed_authorization_requests,
        "signed_requests_required": metadata.require_signed_request_object,
    }
    requested, before = metadata_of(msgspec.structs.replace(application, **wanted)), metadata_of(application)
    for name, field in _FIELDS.items():
        if field in settled and members.get(name) is not None and requested.get(name) != before.get(name):
            text = f"The operator has set {name}; a registration cannot change it."
            raise _invalid(text, "registration.set_by_operator")
    changed = msgspec.structs.replace(
        application, **{field: value for field, value in wanted.items() if field not in settled}
    )
    problem = registration_error(changed)
    if problem is not None:
        raise _invalid(f"{problem[0].upper()}{problem[1:]} (token_endpoint_auth_method).", "registration.proof")
    if changed.keys_uri is not None and not is_callable(changed.keys_uri, settings):
        raise _invalid(f"The jwks_uri must be {_CALLABLE}.", "registration.jwks_uri")
    if changed.backchannel_logout_uri is not None and not is_callable(changed.backchannel_logout_uri, settings):
        raise _invalid(f"The backchannel_logout_uri must be {_CALLABLE}.", "registration.sign_out_address")
    try:
        for uri in (changed.policy_uri, changed.terms_uri):
            if uri is not None:
                check_page(uri)
    except InvalidInput:
        raise _invalid("The policy_uri and the tos_uri must be https.", "registration.page") from None
    if not set(metadata.response_types) <= set(_response_types(changed)):
        text = "The response_types may be code alone, and only with the grant_types value authorization_code."
        raise _invalid(text, "registration.response_types")
    try:
        return with_checked_redirects(changed)
    except InvalidInput:
        raise Refused(_redirect_uri_refusal(changed), "registration.redirect_uri") from None


def metadata_of(application: Application) -> dict[str, object]:
    """Return the registered metadata of an application (RFC 7591 §3.2.1)."""
    metadata: dict[str, object] = {
        "client_name": application.name,
        "grant_types": list(application.grants),
        "response_types": _response_types(application),
        "scope": " ".join(of_application(application)),
        "token_endpoint_auth_method": _METHOD_NAMES.get(application.authentication, application.authentication),
        "id_token_signed_response_alg": application.id_token_algorithm or id_token.ALGORITHM,
        "dpop_bound_access_tokens": application.dpop_required,
        "tls_client_certificate_bound_access_tokens": application.certificate_bound_tokens,
    }
    pages = {"policy_uri": application.policy_uri, "tos_uri": application.terms_uri}
    metadata |= {name: uri for name, uri in pages.items() if uri is not None}
    if application.redirect_uris:
        metadata["redirect_uris"] = list(application.redirect_uris)
        metadata["post_logout_redirect_uris"] = list(application.post_logout_redirect_uris)
        metadata["application_type"] = application.application_type
        metadata["require_pushed_authorization_requests"] = fapi.needs_pushed_requests(application)
        metadata["require_signed_request_object"] = application.signed_requests_required
        metadata["authorization_signed_response_alg"] = application.id_token_algorithm or id_token.ALGORITHM
    if application.backchannel_logout_uri is not None:
        metadata["backchannel_logout_uri"] = application.backchannel_logout_uri
        metadata["backchannel_logout_session_required"] = application.backchannel_logout_session_required
    if application.keys:
        metadata["jwks"] = key_set(application.keys)
    if application.keys_uri is not None:
        metadata["jwks_uri"] = application.keys_uri
    if application.user_info_algorithm is not None:
        metadata["userinfo_signed_response_alg"] = application.user_info_algorithm
    if application.certificate_name is not None:
        metadata[f"tls_client_auth_{application.certificate_name.kind}"] = application.certificate_name.value
    return metadata


_METHOD_NAMES = {CLIENT_SECRET: CLIENT_SECRET_BASIC}
"""RFC 7591 has no name for the default method, which accepts the secret in both places (D1)."""


def _response_types(application: Application) -> list[str]:
    """Return the response types that the grants imply (RFC 7591 §2.1)."""
    return ["code"] if "authorization_code" in application.grants else []


def _name(requested: str | None, application: Application) -> str:
    name = application.client_id if requested is None else requested
    if not name.strip() or len(name) > MAX_NAME_CHARACTERS or not name.isprintable():
        text = f"The client_name must have 1 to {MAX_NAME_CHARACTERS} printable characters."
        raise _invalid(text, "registration.name")
    return name


def _grants(requested: Collection[str] | None, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requested grants that are allowed, all allowed ones for None; Refused if none of them is.

    The answer names the granted ones, and the client decides whether they are enough (RFC 7591 §2, §3.2.1).
    """
    if requested is None:
        return allowed
    granted = tuple(grant for grant in allowed if grant in requested)
    if not granted:
        raise _invalid(f"The grant_types must name one of {', '.join(allowed)}.", "registration.grants")
    return granted


def _scopes(requested: str | None, allowed: tuple[str, ...]) -> tuple[str, ...]:
    """Return the requested scopes that are allowed, all allowed ones for None; unknown scopes are ignored."""
    if requested is None:
        return allowed
    wanted = SCOPES.keys() & requested.split(" ")
    if not wanted <= set(allowed):
        raise _invalid(f"The scope may have some of {', '.join(allowed)}.", "registration.scope")
    return tuple(scope for scope in allowed if scope in wanted)


def _authentication(method: str, settings: Settings) -> str:
    if method not in methods.supported(settings):
        names = ", ".join(methods.supported(settings))
        raise _invalid(f"The token_endpoint_auth_method must be one of {names}.", "registration.method")
    return method


def _keys(jwks: Mapping[str, Any] | None) -> tuple[ClientKey, ...]:
    if jwks is None:
        return ()
    try:
        return read_key_set(msgspec.json.encode(jwks))
    except ValueError:
        text = "The jwks must have 1 to 10 public keys that this service can use, each with a kid of its own."
        raise _invalid(text, "registration.keys") from None


def _certificate_name(metadata: ClientMetadata) -> CertificateName | None:
    names = {kind: value for name, kind in _CERTIFICATE_NAMES.items() if (value := getattr(metadata, name)) is not None}
    if len(names) > 1:
        raise _invalid(f"Only one of {', '.join(_CERTIFICATE_NAMES)} may be set.", "registration.certificate_name")
    try:
        return next((certificate_name(kind, value) for kind, value in names.items()), None)
    except ValueError:
        member = next(name for name, kind in _CERTIFICATE_NAMES.items() if kind in names)
        raise _invalid(f"The {member} is not a name of this kind.", "registration.certificate_name") from None


def _algorithm(requested: str, settings: Settings) -> str | None:
    if requested not in settings.algorithms:
        raise _wrong_algorithm("id_token_signed_response_alg", settings)
    return None if requested == id_token.ALGORITHM else requested


def _user_info_algorithm(requested: str | None, settings: Settings) -> str | None:
    if requested is not None and requested not in settings.algorithms:
        raise _wrong_algorithm("userinfo_signed_response_alg", settings)
    return requested


def _wrong_algorithm(member: str, settings: Settings) -> Refused:
    return _invalid(f"The {member} must be one of {', '.join(settings.algorithms)}.", "registration.algorithm")


def _redirect_uri_refusal(application: Application) -> Refusal:
    """Return the refusal of addresses that `with_checked_redirects` has refused."""
    if not application.redirect_uris and "authorization_code" in application.grants:
        return because(INVALID_REDIRECT_URI, "The grant_types value authorization_code needs redirect_uris.")
    if application.application_type == "native":
        form = "https, http on the loopback interface, or a scheme of the application's own"
    else:
        form = "https, or http on localhost"
    return because(
        INVALID_REDIRECT_URI,
        f"The redirect_uris and post_logout_redirect_uris of a {application.application_type} application must be {form}; "
        f"at most {MAX_URIS}, without fragment, user name and dot segments, and without parameters such as code.",
    )


def _invalid(message: str, reason: str) -> Refused:
    """Return the refusal with a message that names the member, and what is allowed, but never a value of the client."""
    return Refused(because(INVALID_CLIENT_METADATA, message), reason)
