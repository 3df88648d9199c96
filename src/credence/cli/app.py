"""`credence app`: client applications, their authentication and their rights (spec §2.1, §5.1, D15, D25)."""

import asyncio
from typing import Annotated

import msgspec
import typer

from credence.cli import application_options as options
from credence.cli.application_change import change_application
from credence.cli.client_hosts import host, hosts
from credence.cli.defaults import saying
from credence.cli.deployment import AsJson, DataDir, application_of, digest_key, opened, record, settings_of, time_of
from credence.cli.failure import Failure, WrongUsage
from credence.cli.invite import DEFAULT_LIMITS, invite
from credence.cli.output import instant, print_many, print_one, rendered, say
from credence.cli.password_grant_report import report
from credence.cli.rules import MaxAge, Networks, TimeZone, WeakestClass, Windows
from credence.clock import Milliseconds
from credence.deployment import key_encryption_keys
from credence.identity import applications
from credence.identity.client_keys import key_set
from credence.management.application_fields import configured
from credence.management.applications import described, publish_keys, require_offered
from credence.management.rules import described as rules_described
from credence.management.rules import with_rules
from credence.oauth.grants.client_credentials import CLIENT_CREDENTIALS
from credence.operations.audit_changes import changes
from credence.store.records import Application
from credence.token_lifetime_limits import MAX_LOGIN_SECONDS

commands = typer.Typer(help="Client applications.")
commands.command()(report)
commands.command(cls=saying(DEFAULT_LIMITS))(invite)
commands.command()(hosts)
commands.command()(host)

ClientId = Annotated[str, typer.Argument(help="The application's client_id.")]


@commands.command(cls=saying(options.OF_A_NEW_APPLICATION))
def create(
    name: Annotated[str, typer.Argument(help="Name for people.")],
    grants: options.Grants = None,
    scopes: options.Scopes = None,
    audiences: options.Audiences = None,
    authentication: options.Authentication = None,
    keys: options.Keys = None,
    keys_uri: options.KeysUri = None,
    certificate_name: options.CertificateName = None,
    certificate_bound_tokens: options.CertificateBoundTokens = None,
    dpop_required: options.DpopRequired = None,
    profile: options.Profile = None,
    origins: options.Origins = None,
    introspects: options.Introspects = None,
    algorithm: options.Algorithm = None,
    access_token_type: options.AccessTokenType = None,
    id_token_algorithm: options.IdTokenAlgorithm = None,
    claims_in_id_token: options.ClaimsInIdToken = None,
    user_info_algorithm: options.UserInfoAlgorithm = None,
    access_token_lifetime: options.AccessTokenLifetime = None,
    refresh_token_lifetime: options.RefreshTokenLifetime = None,
    application_type: options.Type = None,
    redirect_uris: options.RedirectUris = None,
    post_logout_redirect_uris: options.PostLogoutRedirectUris = None,
    backchannel_logout_uri: options.BackchannelLogoutUri = None,
    backchannel_logout_session_required: options.BackchannelLogoutSession = None,
    policy_uri: options.PolicyUri = None,
    terms_uri: options.TermsUri = None,
    pkce: options.Pkce = None,
    pushed_requests_required: options.PushedRequestsRequired = None,
    signed_requests_required: options.SignedRequestsRequired = None,
    first_party: options.FirstParty = None,
    sign_in: options.SignIn = None,
    password_alone: options.PasswordAlone = None,
    spike_per_minute: options.SpikePerMinute = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Register an application. A client secret is printed once, here."""
    typed = options.typed(locals())
    if typed.get("profile") and "grants" not in typed:
        typed["grants"] = [CLIENT_CREDENTIALS.name]  # the profile excludes the password grant
    settings = settings_of(data_dir)
    if not name.strip():
        raise WrongUsage("An application needs a name.")

    async def act() -> tuple[str, str]:
        async with opened(settings, make=True) as store:
            key, now = await digest_key(settings, store), time_of(store)
            environment = settings.environment.prefix
            application = configured(applications.without_secret(name, environment, now), typed)
            created = {"client_id": application.client_id}
            if applications.has_secret(application):
                application, secret = applications.with_first_secret(application, environment, key, now)
                created["client_secret"] = secret
            shown = rendered(created, as_json=as_json)
            advice = "" if as_json else _advice(application)
            require_offered(settings, application)
            record(settings, "app create", changes(None, application), application=application.client_id)
            await publish_keys(store, key_encryption_keys(settings), settings, application, now)
            await store.save_application(application, now)
            return application.client_id, shown + advice

    client_id, shown = asyncio.run(act())
    _deliver(shown, client_id)


@commands.command("list")
def list_all(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """List every application."""

    async def act() -> list[Application]:
        async with opened(settings_of(data_dir)) as store:
            return await store.applications()

    columns = ("client_id", "name", "disabled", "grants", "created_at")
    rows = [{name: described(each)[name] for name in columns} for each in asyncio.run(act())]
    print_many(rows, as_json=as_json)


@commands.command()
def show(client_id: ClientId, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show one application. Its secrets appear by their dates only."""

    async def act() -> Application:
        async with opened(settings_of(data_dir)) as store:
            return await application_of(store, client_id)

    print_one(described(asyncio.run(act())), as_json=as_json)


@commands.command("set", cls=saying(options.UNCHANGED))
def set_options(
    client_id: ClientId,
    grants: options.Grants = None,
    scopes: options.Scopes = None,
    audiences: options.Audiences = None,
    authentication: options.Authentication = None,
    keys: options.Keys = None,
    keys_uri: options.KeysUri = None,
    certificate_name: options.CertificateName = None,
    certificate_bound_tokens: options.CertificateBoundTokens = None,
    dpop_required: options.DpopRequired = None,
    profile: options.Profile = None,
    origins: options.Origins = None,
    introspects: options.Introspects = None,
    algorithm: options.Algorithm = None,
    access_token_type: options.AccessTokenType = None,
    id_token_algorithm: options.IdTokenAlgorithm = None,
    claims_in_id_token: options.ClaimsInIdToken = None,
    user_info_algorithm: options.UserInfoAlgorithm = None,
    access_token_lifetime: options.AccessTokenLifetime = None,
    refresh_token_lifetime: options.RefreshTokenLifetime = None,
    application_type: options.Type = None,
    redirect_uris: options.RedirectUris = None,
    post_logout_redirect_uris: options.PostLogoutRedirectUris = None,
    backchannel_logout_uri: options.BackchannelLogoutUri = None,
    backchannel_logout_session_required: options.BackchannelLogoutSession = None,
    policy_uri: options.PolicyUri = None,
    terms_uri: options.TermsUri = None,
    pkce: options.Pkce = None,
    pushed_requests_required: options.PushedRequestsRequired = None,
    signed_requests_required: options.SignedRequestsRequired = None,
    first_party: options.FirstParty = None,
    sign_in: options.SignIn = None,
    password_alone: options.PasswordAlone = None,
    spike_per_minute: options.SpikePerMinute = None,
    inherit: options.Inherit = None,
    enable: Annotated[bool | None, typer.Option("--enable/--disable", help="Disabling revokes its tokens.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Change the options of an application. Running servers apply the change at once."""
    typed = options.typed(locals())

    def change(found: Application, now: Milliseconds) -> Application:
        switched = found if enable is None else applications.with_disabled(found, now, disabled=not enable)
        return configured(switched, typed, inherit or ())

    changed, _ = change_application(settings_of(data_dir), "app set", client_id, change)
    print_one(described(changed), as_json=as_json)


@commands.command()
def rotate_secret(
    client_id: ClientId,
    keep_old: Annotated[
        int, typer.Option(min=0, max=MAX_LOGIN_SECONDS, help="Seconds for which the old secret stays valid.")
    ] = 86_400,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Add a second secret and print it; the old one stays valid while you roll out the new one."""
    settings = settings_of(data_dir)

    async def act() -> None:
        async with opened(settings) as store:
            found, key = await application_of(store, client_id), await digest_key(settings, store)
            if not applications.has_secret(found):
                raise Failure(f"The application authenticates by {found.authentication}: it has no secret.")
            now = time_of(store)
            old_until = now + keep_old * 1000
            application, secret = applications.rotate_secret(found, settings.environment.prefix, key, now, old_until)
            shown = {"client_id": client_id, "client_secret": secret, "old_until": instant(old_until)}
            text = rendered(shown, as_json=as_json) + ("" if as_json else "\n\nThe secret is printed only once.")
            record(settings, "app rotate-secret", changes(found, application), application=client_id)
            await store.save_application(application, now)
            try:
                _deliver(text, client_id)
            except Failure:
                # Without this, the next rotation keeps the undelivered secret valid and ends the one in use.
                before = msgspec.structs.replace(application, secrets=found.secrets, version=application.version + 1)
                await store.save_application(before, time_of(store))
                raise

    asyncio.run(act())


@commands.command(cls=saying({"keys": "unchanged"}))
def keys(client_id: ClientId, keys: options.Keys = None, data_dir: DataDir = None) -> None:
    """Print the public keys of an application as a JWK Set, after replacing them when --jwks names a file."""
    typed = options.typed(locals())
    changed, _ = change_application(
        settings_of(data_dir), "app keys", client_id, lambda found, _now: configured(found, typed)
    )
    say(msgspec.json.format(msgspec.json.encode(key_set(changed.keys)), indent=2).decode())


@commands.command()
def rules(
    client_id: ClientId,
    networks: Networks = None,
    windows: Windows = None,
    time_zone: TimeZone = None,
    weakest_class: WeakestClass = None,
    max_age: MaxAge = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show or change the addresses and hours from which an application may call."""

    def change(found: Application, _now: Milliseconds) -> Application:
        return with_rules(found, networks, windows, time_zone, weakest_class, max_age)

    changed, _ = change_application(settings_of(data_dir), "app rules", client_id, change)
    print_one(rules_described(changed.rules), as_json=as_json)


def _advice(application: Application) -> str:
    lines = ["\n"]
    if applications.has_secret(application):
        lines = ["\n\nThe secret is printed only once. Keep it on servers: never in an app, a page or a repository."]
    if "password" in application.grants:
        lines.append(
            "The password grant is allowed, as the specification requires; RFC 9700 advises against that grant."
        )
    return "\n".join(lines)


def _deliver(text: str, client_id: str) -> None:
    """Print text that contains a secret.

    Raises Failure if it cannot be printed; the message names the command that makes another secret.
    """
    try:
        say(text)
    except Failure as failure:
        raise Failure(
            *failure.lines, f"The new secret was not delivered; make another: credence app rotate-secret {client_id}"
        ) from failure
