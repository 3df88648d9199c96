"""The fields of an application that operators choose (D4, D5, D16, D25): how each is parsed, displayed, and inherited.

The command line, the management API and `credence apply` use these functions.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import msgspec

from credence.access.report_rights import EXAMPLE, ReportRights
from credence.crypto.client_key import public_key
from credence.crypto.jws import ALGORITHMS
from credence.errors import InvalidInput
from credence.identity.applications import check_origin, has_secret, settled
from credence.identity.client_keys import CERTIFICATE_NAME_KINDS, certificate_name, key_set, read_key_set
from credence.management.application_schema import ACCESS_TOKEN_TYPES, APPLICATION_TYPES, METHODS
from credence.oauth.authorization.redirect_uris import with_checked_redirects
from credence.oauth.callable_addresses import check_callable
from credence.oauth.fapi import FAPI2, with_defaults
from credence.oauth.grants import GRANTS
from credence.oauth.parameters.authorization_details import read_details, stored
from credence.oauth.parameters.scopes import ALL_SCOPES, check_resource, of_application
from credence.oauth.registration.client_validity import registration_error
from credence.oauth.trusted_issuers.verifying import matches
from credence.store.records import Application, CertificateName, Pkce, SignInPolicy, Workload


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


PKCE_RULES: tuple[str, ...] = get_args(Pkce)
SIGN_IN_POLICIES: tuple[str, ...] = get_args(SignInPolicy)


def _unchanged(value: Any) -> object:
    return value


@dataclass(frozen=True, slots=True)
class Option:
    """How one field of `Application` is parsed and displayed. A field that is not given does not change."""

    field: str
    read: Callable[[Any], object] = _unchanged
    """Converts the given value to the field's value; raises InvalidInput with the reason."""
    inherits: str | None = None
    """The word for `--inherit`, if applications without a value of their own follow a setting of the service."""
    shown: Callable[[Application], object] | None = None
    """Returns the value to display, if that is not the field's value."""


def _one_of(kind: str, names: Collection[str]) -> Callable[[str], str]:
    def read(name: str) -> str:
        if name not in names:
            raise InvalidInput(f"There is no {kind} {name!r}: choose from {', '.join(names)}.")
        return name

    return read


def _profile(name: str) -> str | None:
    return _one_of("profile", (FAPI2,))(name) if name else None


def _algorithm_or_none(name: str) -> str | None:
    return _one_of("algorithm", ALGORITHMS)(name) if name else None


def _unless_empty(text: str) -> str | None:
    return text or None


def _each(read: Callable[[str], str]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Return a parser of a repeatable option, which removes duplicates."""
    return lambda texts: tuple(dict.fromkeys(read(text) for text in texts))


def _each_or_none(read: Callable[[str], str]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    """Return a parser of a repeatable option for which a single empty text means None."""
    each = _each(read)
    return lambda texts: () if list(texts) == [""] else each(texts)


def _listed(field: str) -> Callable[[Application], object]:
    return lambda application: list(getattr(application, field))


def read_rights(text: str) -> ReportRights | None:
    """Return the rights in the text of `authorization_details`, None for empty text; else InvalidInput."""
    try:
        return read_details(text) if text else None
    except ValueError:
        raise InvalidInput(f"The rights are not authorization details: they have the form {EXAMPLE}.") from None


def read_workload(text: str) -> Workload:
    """Return the workload in `ISSUER SUBJECT [EXAMPLE]`; InvalidInput for a pattern that is not tested by an example."""
    parts = text.split()
    if not 2 <= len(parts) <= 3:
        raise InvalidInput(f"{text!r} is not ISSUER SUBJECT, or ISSUER PATTERN EXAMPLE.")
    issuer, subject, example = (*parts, "")[:3]
    if subject.startswith("*"):
        raise InvalidInput("A pattern of subjects begins with the text that they share.")
    if "*" in subject and not (example and matches(subject, example)):
        raise InvalidInput(f"After {subject}, name a subject that it is to match, so that the pattern is tested.")
    return Workload(issuer, subject, example if "*" in subject else "")


def _workloads(texts: Sequence[str]) -> tuple[Workload, ...]:
    return () if list(texts) == [""] else tuple(dict.fromkeys(map(read_workload, texts)))


def workloads_shown(application: Application) -> object:
    """Return each workload as `read_workload` takes it."""
    return [" ".join(filter(None, (each.issuer, each.subject, each.example))) for each in application.workloads]


OPTIONS = (
    Option("grants", _each(_one_of("grant", GRANTS)), shown=_listed("grants")),
    Option(
        "scopes",
        _each_or_none(_one_of("scope", ALL_SCOPES)),
        inherits="scope",
        shown=lambda application: list(of_application(application)),
    ),
    Option("rights", read_rights, shown=lambda application: application.rights and stored(application.rights)),
    Option("audiences", _each_or_none(check_resource), shown=_listed("audiences")),
    Option("authentication", _one_of("method of authentication", METHODS)),
    Option("keys", read_key_set, shown=keys_shown),
    Option("keys_uri", _unless_empty),
    Option("workloads", _workloads, shown=workloads_shown),
    Option("certificate_name", read_certificate_name, shown=certificate_name_shown),
    Option("certificate_bound_tokens"),
    Option("dpop_required"),
    Option("profile", _profile),
    Option("origins", _each_or_none(check_origin), shown=_listed("origins")),
    Option("introspects", _each_or_none(check_resource), shown=_listed("introspects")),
    Option("algorithm", _one_of("algorithm", ALGORITHMS), inherits="algorithm"),
    Option("access_token_type", _one_of("type of access tokens", ACCESS_TOKEN_TYPES)),
    Option("id_token_algorithm", _one_of("algorithm", ALGORITHMS), inherits="id-token-algorithm"),
    Option("claims_in_id_token"),
    Option("user_info_algorithm", _algorithm_or_none),
    Option("access_token_lifetime", inherits="access-token-lifetime"),
    Option("refresh_token_lifetime", inherits="refresh-token-lifetime"),
    Option("application_type", _one_of("kind of application", APPLICATION_TYPES)),
    Option("redirect_uris", _each_or_none(str), shown=_listed("redirect_uris")),
    Option("post_logout_redirect_uris", _each_or_none(str), shown=_listed("post_logout_redirect_uris")),
    Option("backchannel_logout_uri", _unless_empty),
    Option("backchannel_logout_session_required"),
    Option("policy_uri", _unless_empty),
    Option("terms_uri", _unless_empty),
    Option("pkce", _one_of("rule for PKCE", PKCE_RULES)),
    Option("pushed_requests_required"),
    Option("signed_requests_required"),
    Option("first_party"),
    Option("sign_in", _one_of("kind of sign-in", SIGN_IN_POLICIES)),
    Option("password_alone"),
    Option("spike_per_minute", inherits="spike-per-minute"),
)
"""Every field, in the order in which `credence app show` prints them."""

INHERITED: Mapping[str, str] = {option.inherits: option.field for option in OPTIONS if option.inherits}
"""Word for `--inherit` -> field, which then follows the setting of the service."""


def read(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return field -> parsed value for the given values; raises InvalidInput for one that is invalid."""
    return {option.field: _read(option, values[option.field]) for option in OPTIONS if option.field in values}


def _read(option: Option, value: Any) -> Any:
    try:
        return option.read(value)
    except InvalidInput as error:
        error.member = option.field
        raise


def configured(application: Application, values: Mapping[str, Any]) -> Application:
    """Return the application with the given values; raises InvalidInput for an unknown or unusable one."""
    changes = with_defaults(application, read(values))
    changed = msgspec.structs.replace(settled(application, tuple(changes)), **changes)
    for uri in (changed.keys_uri, changed.backchannel_logout_uri):
        if uri is not None:
            check_callable(uri)
    return able_to_authenticate(with_checked_redirects(changed))


def options_shown(application: Application) -> dict[str, object]:
    """Return every field of an application that operators choose, in the form in which it is displayed."""
    return {
        option.field: option.shown(application) if option.shown else getattr(application, option.field)
        for option in OPTIONS
    }
