"""Operations on applications, shared by the command line, the management API and `credence apply` (D15, D25, D30)."""

import msgspec
from msgspec import UNSET

from credence.clock import Milliseconds, rfc3339
from credence.crypto.sealing import KeyEncryptionKeys
from credence.errors import InvalidInput, OperatorError
from credence.identity import applications
from credence.identity.client_keys import key_set
from credence.management.application_fields import OPTIONS, configured, options_shown
from credence.management.application_schema import ApplicationBody, ApplicationState, SecretState
from credence.management.rules import ruled, rules_body_of
from credence.management.site_applications import site_of
from credence.oauth.applications_index import algorithms_of
from credence.oauth.grants.client_credentials import CLIENT_CREDENTIALS
from credence.oauth.keys.rotation import publish_ahead
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.records import Application


class AlgorithmNotOffered(OperatorError):
    """The profile of an application needs an algorithm that the service does not offer."""


async def publish_keys(
    store: Store, keks: KeyEncryptionKeys, settings: Settings, application: Application, now: Milliseconds
) -> None:
    """Publish keys of the algorithms that the application is registered for, before it is saved (D13).

    Raises AlgorithmNotOffered if its profile requires an algorithm that the service does not offer.
    """
    require_offered(settings, application)
    algorithms = algorithms_of([application])
    if algorithms:
        await publish_ahead(store, keks, settings, algorithms, now)


def require_offered(settings: Settings, application: Application) -> None:
    """Raise AlgorithmNotOffered if the application's profile requires an algorithm that the service does not offer."""
    missing = algorithms_of([application]).difference(settings.algorithms)
    if application.profile is not None and missing:
        names = ", ".join(sorted(missing))
        raise AlgorithmNotOffered(f"The profile {application.profile} needs {names} in CREDENCE_ALGORITHMS.")


def state_of(application: Application) -> ApplicationState:
    """Return the application as the management API shows it."""
    return ApplicationState(
        client_id=application.client_id,
        created_at=rfc3339(application.created_at),
        secrets=[
            SecretState(
                str(each.created_at),
                rfc3339(each.created_at),
                None if each.expires_at is None else rfc3339(each.expires_at),
            )
            for each in application.secrets
        ],
        owner=application.owner or None,
        tokens_valid_from=rfc3339(application.not_before) if application.not_before else None,
        **msgspec.structs.asdict(body_of(application)),
    )


def body_of(application: Application) -> ApplicationBody:
    """Return the operator's choices about an application; `configured_by` makes an equal application from them."""
    chosen = {name: value for name, value in options_shown(application).items() if name not in {"keys", "scopes"}}
    return ApplicationBody(
        name=application.name,
        disabled=application.disabled,
        scopes=None if application.scopes is None else list(application.scopes),
        jwks=key_set(application.keys) if application.keys else UNSET,
        rules=rules_body_of(application.rules),
        **chosen,  # type: ignore[arg-type]  # the options have the types of the members of their names
    )


def new_application(body: ApplicationBody, environment: str, now: Milliseconds) -> Application:
    """Return a new application without a secret; raises InvalidInput for a combination that cannot work."""
    made = _chosen(applications.without_secret(body.name, environment, now), body, now)
    return msgspec.structs.replace(made, version=1)


def configured_by(found: Application, body: ApplicationBody, settings: Settings, now: Milliseconds) -> Application:
    """Return the application as the body describes it, with defaults for absent members; version + 1 if it changed.

    What no operator chooses stays as it is stored (D40). Of a site's application only the rate has a default: all else
    that the body leaves out stays, because the site needs it.
    Disabling or enabling revokes its tokens. Changed fields can no longer be changed by its registration (threats E10).
    Raises InvalidInput for a combination that cannot work.
    """
    defaults = _DEFAULTS if site_of(found, settings) is None else {"spike_per_minute": None}
    unset = msgspec.structs.replace(found, name=body.name, **defaults)
    wanted = msgspec.structs.replace(_chosen(unset, body, now), registration=found.registration)
    changed = [option.field for option in OPTIONS if getattr(wanted, option.field) != getattr(found, option.field)]
    wanted = applications.settled(wanted, changed)
    if wanted == found:
        return found
    return msgspec.structs.replace(wanted, version=found.version + 1)


_DEFAULTS = {
    each.name: each.default
    for each in msgspec.structs.fields(Application)
    if each.name in {option.field for option in OPTIONS}
}
"""The default of each field that operators choose."""


def _chosen(unset: Application, body: ApplicationBody, now: Milliseconds) -> Application:
    if not body.name.strip():
        raise InvalidInput("An application needs a name.")
    values = {
        option.field: getattr(body, option.field)
        for option in OPTIONS
        if option.field != "keys" and getattr(body, option.field) not in (UNSET, None)
    }
    if body.jwks is not UNSET:
        values["keys"] = msgspec.json.encode(body.jwks)
    if values.get("profile") and "grants" not in values:
        values["grants"] = [CLIENT_CREDENTIALS.name]  # the profile excludes the password grant
    application = ruled(applications.with_disabled(unset, now, disabled=body.disabled), body.rules)
    return configured(application, values)
