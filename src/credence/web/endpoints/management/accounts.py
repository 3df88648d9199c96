"""/manage/v1/accounts: lists, makes, reads and changes accounts, and ends their sessions and logins (D14, D28, D30)."""

import asyncio

import msgspec

from credence import paths
from credence.clock import Milliseconds, rfc3339
from credence.crypto import base64url
from credence.crypto.randomness import new_password
from credence.identity.password_policy import hash_new_password
from credence.identity.sessions import authentication_class, public_id
from credence.identity.usernames import check_login_name, login_name
from credence.management.accounts import body_of, configured_by, new_account, state_of
from credence.management.logins import status_of_login
from credence.management.schema import (
    AccountBody,
    Accounts,
    Families,
    LoginState,
    NewAccountBody,
    Sessions,
    SessionState,
)
from credence.oauth.bearer import Bearer
from credence.oauth.revoke import end_family as end_login
from credence.oauth.tokens.access_token import family_sid
from credence.operations.audit_changes import changes
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED, RESOURCE_UNKNOWN
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.records import Account, Application, TokenFamily
from credence.web.browser.people import end_session as end_session_of_person
from credence.web.endpoints.management.acts import record, require_reach_of_account, require_version, shown
from credence.web.messages.answer import Answer
from credence.web.messages.caching import NO_STORE
from credence.web.resource_api.bodies import converted, merge, read_model, read_patch
from credence.web.resource_api.explained import explained
from credence.web.resource_api.idempotency import once
from credence.web.resource_api.pages import first_of, is_preview, page_of, require_parameters
from credence.web.resource_api.preconditions import require_absent

_TAKEN = because(RESOURCE_CHANGED, "The login name is taken.")


async def list_accounts(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return a page of the accounts in the order of their login names."""
    require_parameters(request.parameters, "page_size", "page_token")
    page = page_of(request.parameters)
    found = await service.authority.store.accounts(page.after, page.size + 1)
    part, next_page, links = first_of(found, lambda each: each.username, page, request)
    return shown(Accounts([state_of(each) for each in part], next_page), headers=links)


async def make_account(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Make an account, once for each Idempotency-Key; only this answer has its password."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)

    async def make() -> Answer:
        body = read_model(request, NewAccountBody)
        return await _make(service, request, bearer, body.username, body)

    if preview:
        return await make()
    return await once(service.authority.store, request, bearer, make, ("password",))


async def read(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return an account."""
    return shown(state_of(await found_account(service, request)))


async def put(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Replace the options of an account, or make it with a new password if it does not exist."""
    require_parameters(request.parameters, "preview")
    body = read_model(request, AccountBody)
    found = await service.authority.store.account(login_name(request.segments[0]))
    if found is None:
        require_absent(request)
        return await _make(service, request, bearer, request.segments[0], body)
    require_version(request, state_of(found))
    return await _changed(service, request, bearer, found, body)


async def change(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """Change an account by a merge patch (RFC 7396); null sets a member to its default."""
    require_parameters(request.parameters, "preview")
    found = await found_account(service, request)
    require_version(request, state_of(found))
    present = {name: value for name, value in msgspec.to_builtins(body_of(found)).items() if value is not None}
    return await _changed(service, request, bearer, found, converted(merge(present, read_patch(request)), AccountBody))


async def list_sessions(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the browser sessions of a person."""
    account = await found_account(service, request)
    sessions = [
        SessionState(
            public_id(each.key),
            each.label,
            rfc3339(each.signed_in_at),
            rfc3339(each.last_seen_at),
            rfc3339(each.expires_at),
            authentication_class(each.methods),
        )
        for each in await service.authority.store.sessions_of(account.username)
    ]
    return shown(Sessions(sessions))


async def end_session(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """End a session with the logins that it opened, except those with `offline_access`."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    account = await found_account(service, request)
    require_reach_of_account(service, bearer, account)
    for each in await service.authority.store.sessions_of(account.username):
        if public_id(each.key) == request.segments[1]:
            if not preview:
                await record(service, request, bearer, "session end", account=account.username)
                await end_session_of_person(service, each.key, request.now)
            return Answer(204, "", b"", (NO_STORE,))
    raise Refused(RESOURCE_UNKNOWN, "manage.unknown")


async def list_families(service: Service, request: RequestContext, _bearer: Bearer) -> Answer:
    """Return the logins that a person opened in a browser, as far as they are stored."""
    account, store = await found_account(service, request), service.authority.store
    ids = [each.family_id for each in await store.sign_ins_of(account.username)]
    families = sorted(await store.families_of(ids), key=lambda each: each.id)
    applications = service.authority.revocation_cache.application
    states = [_login_state(each, await applications(each.client_id), account, request.now) for each in families]
    return shown(Families(states))


async def end_family(service: Service, request: RequestContext, bearer: Bearer) -> Answer:
    """End a login of an account with all its tokens; any grant may have opened it."""
    require_parameters(request.parameters, "preview")
    preview = is_preview(request)
    account = await found_account(service, request)
    require_reach_of_account(service, bearer, account)
    try:
        identity = base64url.decode(request.segments[1])
    except ValueError:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown") from None
    family = await service.authority.store.family(identity)
    if family is None or family.username != account.username:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    if not preview:
        await record(service, request, bearer, "family end", account=account.username, application=family.client_id)
        await end_login(service.authority, identity, request.now, "revoked")
    return Answer(204, "", b"", (NO_STORE,))


async def _make(service: Service, request: RequestContext, bearer: Bearer, username: str, body: AccountBody) -> Answer:
    with explained():
        name = check_login_name(username)
    store = service.authority.store
    if await store.account(name) is not None:
        raise Refused(_TAKEN, "manage.taken")
    password = new_password()
    with explained():
        hashed = await asyncio.to_thread(hash_new_password, service.settings.password_profile, password)
        made = new_account(name, body, hashed, request.now)
    if is_preview(request):
        return shown(state_of(made))
    await record(service, request, bearer, "account create", changes(None, made), account=made.username)
    with explained():
        await store.save_account(made, request.now)
    location = ("location", f"{paths.MANAGEMENT}/accounts/{made.username}")
    return shown(state_of(made), 201, (location,), password=password)


async def _changed(
    service: Service, request: RequestContext, bearer: Bearer, found: Account, body: AccountBody
) -> Answer:
    preview = is_preview(request)
    with explained():
        wanted = configured_by(found, body, request.now)
    require_reach_of_account(service, bearer, found, wanted)
    if wanted != found and not preview:
        await record(service, request, bearer, "account set", changes(found, wanted), account=found.username)
        with explained():
            await service.authority.store.save_account(wanted, request.now)
    return shown(state_of(wanted))


async def found_account(service: Service, request: RequestContext) -> Account:
    """Return the account that the path names. Raises Refused with 404 for an unknown account."""
    found = await service.authority.store.account(login_name(request.segments[0]))
    if found is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return found


def _login_state(
    family: TokenFamily, application: Application | None, account: Account, now: Milliseconds
) -> LoginState:
    return LoginState(
        family_sid(family.id),
        family.client_id,
        family.scope,
        rfc3339(family.created_at),
        rfc3339(family.expires_at),
        family.generation,
        status_of_login(family, application, account, now),
    )
