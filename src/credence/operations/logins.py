"""Operations on the sessions, logins, consents and factors of an account (D14, D28, D30, RFC 6238, threats E12)."""

from typing import Annotated

from msgspec import Struct

from credence.clock import rfc3339
from credence.crypto import base64url
from credence.identity.accounts import with_everything_ended
from credence.identity.sessions import authentication_class, public_id
from credence.management.logins import status_of_login
from credence.management.schema import Families, LoginState, Sessions, SessionState
from credence.management.service_schema import Consents, ConsentState
from credence.meanings import Input, meaning
from credence.oauth.tokens.access_token import family_sid
from credence.operations.accounts import ACCOUNT, SUPPORT
from credence.operations.acting import READ, Access, Acting
from credence.operations.operation import Change, operation
from credence.operations.reading import reading
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.store.people import Factor
from credence.store.records import Account


@reading(
    "account sessions",
    on=ACCOUNT,
    api="sessions",
    rows="sessions",
    access=READ,
    title="List the sessions of an account",
)
async def list_sessions(by: Acting, found: Account, _query: None) -> Sessions:
    """List the browsers in which a person is signed in."""
    return Sessions(
        [
            SessionState(
                public_id(each.key),
                each.label,
                rfc3339(each.signed_in_at),
                rfc3339(each.last_seen_at),
                rfc3339(each.expires_at),
                authentication_class(each.methods),
            )
            for each in await by.means.store.sessions_of(found.username)
        ]
    )


class SessionBody(Struct):
    """A session that is to end."""

    session: Annotated[str, meaning("Its `id`.", example="<SESSION>"), Input(argument=True)]


@operation(
    "account end-session",
    on=ACCOUNT,
    api=("DELETE", "sessions/{session}"),
    access=SUPPORT,
    title="End a session",
    id="end_session",
    silent=True,
    is_versioned=False,
)
async def end_session(by: Acting, found: Account, body: SessionBody) -> Change[Account]:
    """End a session with the logins that it opened, except those that outlive it."""
    store = by.means.store
    key = next(
        (each.key for each in await store.sessions_of(found.username) if public_id(each.key) == body.session), b""
    )
    if not key:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return Change(
        found,
        effect=lambda: store.end_session(key, by.now),
        effects={"session": {"before": body.session}},
        said="The session has ended, and what it opened with it.",
    )


@reading(
    "account logins",
    on=ACCOUNT,
    api="families",
    rows="families",
    access=READ,
    title="List the logins of an account",
    id="list_families",
)
async def list_logins(by: Acting, found: Account, _query: None) -> Families:
    """List the logins that a person opened in a browser; those by the password grant are not listed."""
    store, states = by.means.store, []
    ids = [each.family_id for each in await store.sign_ins_of(found.username)]
    for each in sorted(await store.families_of(ids), key=lambda each: each.id):
        state = status_of_login(each, await store.application(each.client_id), found, by.now)
        times = rfc3339(each.created_at), rfc3339(each.expires_at)
        states.append(LoginState(family_sid(each.id), each.client_id, each.scope, *times, each.generation, state))
    return Families(states)


class LoginBody(Struct):
    """A login that is to end."""

    family: Annotated[
        str, meaning("Its `id`, the `sid` of its access tokens.", example="<FAMILY>"), Input(argument=True)
    ]


@operation(
    "account end-login",
    on=ACCOUNT,
    api=("DELETE", "families/{family}"),
    access=SUPPORT,
    title="End a login",
    id="end_family",
    silent=True,
    is_versioned=False,
)
async def end_login(by: Acting, found: Account, body: LoginBody) -> Change[Account]:
    """Revoke all tokens of a login, which any grant may have opened."""
    try:
        identity = base64url.decode(body.family)
    except ValueError:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown") from None
    family = await by.means.store.family(identity)
    if family is None or family.username != found.username:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    if family.ended_at is not None:
        return Change(found, said="The login has ended already.")
    return Change(
        found,
        effect=lambda: by.means.store.end_family(identity, by.now, "revoked"),
        effects={"login": {"before": body.family}},
        named={"application": family.client_id},
        said=f"The login {body.family} has ended with all its tokens.",
    )


@reading(
    "account consents",
    on=ACCOUNT,
    api="consents",
    rows="consents",
    access=READ,
    title="List the consents of an account",
)
async def list_consents(by: Acting, found: Account, _query: None) -> Consents:
    """List what a person has allowed applications."""
    consents = await by.means.store.consents_of(found.username)
    return Consents([ConsentState(each.client_id, each.scope, rfc3339(each.granted_at)) for each in consents])


class ConsentBody(Struct):
    """A consent that is to be withdrawn."""

    client_id: Annotated[str, meaning("The application.", example="<CLIENT_ID>"), Input(argument=True)]


@operation(
    "account withdraw-consent",
    on=ACCOUNT,
    api=("DELETE", "consents/{client_id}"),
    access=SUPPORT,
    title="Withdraw a consent",
    silent=True,
    is_versioned=False,
)
async def withdraw_consent(by: Acting, found: Account, body: ConsentBody) -> Change[Account]:
    """Withdraw a consent, and end the logins that the person opened for the application in a browser."""
    store = by.means.store
    if body.client_id not in {each.client_id for each in await store.consents_of(found.username)}:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return Change(
        found,
        effect=lambda: store.withdraw_consent(found.username, body.client_id, by.now),
        named={"application": body.client_id},
        said="The consent is withdrawn, and the logins of it have ended.",
    )


class FactorState(Struct):
    """A second factor or passkey, without its key."""

    kind: Annotated[str, meaning("Its kind, such as `totp`, `passkey` or `recovery`.")]
    name: Annotated[str, meaning("What the person calls it.")]
    created_at: Annotated[str, meaning("When it was set up.")]
    last_used_at: Annotated[str | None, meaning("When it was last used; null: never.")] = None


class Factors(Struct):
    """The second factors and passkeys of an account."""

    factors: Annotated[list[FactorState], meaning("The factors.")]


@reading(
    "account factors",
    on=ACCOUNT,
    api="factors",
    rows="factors",
    access=READ,
    title="List the factors of an account",
)
async def list_factors(by: Acting, found: Account, _query: None) -> Factors:
    """List the second factors and passkeys of an account."""
    return Factors([_factor(each) for each in await by.means.store.factors_of(found.username)])


def _factor(factor: Factor) -> FactorState:
    used = rfc3339(factor.last_used_at) if factor.last_used_at else None
    return FactorState(factor.kind, factor.name, rfc3339(factor.created_at), used)


@operation(
    "account remove-factors",
    on=ACCOUNT,
    api=("DELETE", "factors"),
    access=Access(SUPPORT.scope, SUPPORT.role, recent=True),
    title="Remove every factor",
    id="remove_factors",
    is_versioned=False,
    dangerous=True,
)
async def remove_factors(by: Acting, found: Account, _body: None) -> Change[Account]:
    """Remove every second factor and passkey, when a phone is lost. Make sure that the request comes from the person.

    The sessions end, and the next sign-in sets up a factor if one is needed.
    """
    store, factors = by.means.store, await by.means.store.factors_of(found.username)
    if not factors:
        return Change(found, said="The account has no factor.")
    return Change(
        with_everything_ended(found, by.now),  # saved first, so that sessions end before the factors are removed
        effect=lambda: store.remove_factors(found.username, [each.id for each in factors]),
        effects={"factors": {"before": [each.kind for each in factors], "after": []}},
        said=f"{len(factors)} factors and recovery codes are removed, and the sessions have ended.",
    )
