"""GET and POST /account: sessions of a person, applications with access, all stored data (ASVS 7.5.2, 10.4.9, 10.7.3)."""

import datetime as dt

import msgspec

from credence import paths
from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.identity.factors import Enrolled
from credence.identity.sessions import public_id
from credence.management.instants import instant
from credence.management.rules import described as rules_described
from credence.monitoring.mailing import people_with_mail
from credence.oauth.authorization.decision import SignedIn
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.application_of_step import name_in_text
from credence.sign_in.browser.gate import Passed
from credence.sign_in.browser.people import end_session, live_sessions
from credence.sign_in.browser.steps import Step, write_step
from credence.store.families import SignIn
from credence.store.records import Account, TokenFamily
from credence.store.saved_views import saved_views
from credence.web.messages.answer import JSON, Answer, Headers
from credence.web.messages.caching import NO_STORE


async def account(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Account page.

    Where the person is signed in, and which applications have access.
    """
    return await account_page(service, request, passed.person)


async def change_account(service: Service, request: RequestContext, passed: Passed) -> Answer:
    """Forms of the account page.

    Ends another session or an application's access, or returns the stored data about the person as a file. For the page
    alone.
    """
    person, values = passed.person, passed.values
    if values.get("act") == "data":
        return await own_data(service, person, request.now)
    store, username = service.authority.store, person.account.username
    chosen = [each.key for each in await store.sessions_of(username) if public_id(each.key) == values.get("session")]
    events = ["session_ended" for key in chosen if await end_session(service, key, request.now)]
    client_id = values.get("client_id", "")
    if client_id and await store.withdraw_consent(username, client_id, request.now):
        request.client_id = client_id
        events.append("consent_withdrawn")
        await service.authority.follow(request.now)
    left = SignedIn(person.session, person.account, await store.consents_of(username))
    return (await account_page(service, request, left))._replace(events=tuple(events))


async def account_page(
    service: Service,
    request: RequestContext,
    person: SignedIn,
    *,
    problem: str | None = None,
    done: str | None = None,
    headers: Headers = (),
) -> Answer:
    """Return the account page, with a problem or a confirmation of the last act.

    An account that needs a passkey has no section about its password.
    """
    text, fields = write_step(service, request, Step("account", arrived_at=request.now))
    authority = service.authority
    sessions = [
        {
            "id": public_id(session.key),
            "label": session.label,
            "current": session.key == person.session.key,
            "since": texts.SINCE.format(time=_instant(session.signed_in_at)),
            "last_seen": texts.LAST_SEEN.format(time=_instant(session.last_seen_at)),
        }
        for session in await live_sessions(service, person.account, request.now)
    ]
    factors = await authority.store.factors_of(person.account.username)
    enrolled = Enrolled.of(factors)
    applications, used = [], last_used(await sign_ins_to_applications(service, person.account.username))
    for consent in person.consents:
        application = await authority.revocation_cache.application(consent.client_id)
        applications.append(
            {
                "client_id": consent.client_id,
                "name": name_in_text(application) if application else consent.client_id,
                "scopes": ", ".join(texts.SCOPES.get(scope, scope) for scope in consent.scope.split()),
                "since": texts.SINCE.format(time=_instant(consent.granted_at)),
                "last_used": texts.LAST_SEEN.format(time=_instant(used[consent.client_id]))
                if consent.client_id in used
                else texts.ACCESS_NOT_USED,
            }
        )
    return pages.page(
        service.settings,
        "account",
        texts.ACCOUNT_TITLE,
        headers=(*fields, *headers),
        lead=texts.SIGNED_IN_AS.format(username=person.account.username),
        problem=problem,
        done=done,
        password=None
        if person.account.sign_in == "passkey"
        else pages.address(service.settings, paths.CHANGE_PASSWORD),
        address=_address(person.account),
        change_address=pages.address(service.settings, paths.MAIL_ADDRESS),
        sessions=sessions,
        applications=applications,
        passkeys=[
            {
                "id": passkey_name(each.id),
                "name": each.name,
                "since": texts.SINCE.format(time=_instant(each.created_at)),
                "last_used": texts.LAST_SEEN.format(time=_instant(each.last_used_at))
                if each.last_used_at
                else texts.PASSKEY_NEVER_USED,
            }
            for each in factors
            if each.kind == "passkey"
        ],
        app=texts.SINCE.format(time=_instant(enrolled.apps[0].created_at)) if enrolled.apps else None,
        recovery=texts.RECOVERY_LEFT.format(count=enrolled.recovery_codes),
        factors=pages.address(service.settings, paths.FACTORS),
        action=pages.address(service.settings, paths.ACCOUNT),
        sign_out=pages.address(service.settings, paths.SIGN_OUT),
        step=text,
    )


def _address(account: Account) -> str:
    if not account.email:
        return texts.ADDRESS_NONE
    return account.email if account.email_verified else texts.ADDRESS_NOT_PROVED.format(address=account.email)


def passkey_name(identity: bytes) -> str:
    """Return the name of a passkey in a form: a digest, because a credential id may have a thousand octets."""
    return base64url.encode(sha256(identity)[:16])


def _instant(at: Milliseconds) -> str:
    return f"{dt.datetime.fromtimestamp(at / 1000, dt.UTC):%-d %B %Y, %H:%M} UTC"


MOST_SIGN_INS = 100
"""The most sign-ins that are read, those that expire last; a person has a few in a day."""


async def sign_ins_to_applications(service: Service, username: str) -> list[tuple[SignIn, TokenFamily]]:
    """Return the sign-ins to applications with their families, latest expiry first."""
    store = service.authority.store
    newest = (await store.sign_ins_of(username))[-MOST_SIGN_INS:]
    families = {each.id: each for each in await store.families_of([each.family_id for each in newest])}
    return [(each, families[each.family_id]) for each in reversed(newest) if each.family_id in families]


def last_used(sign_ins: list[tuple[SignIn, TokenFamily]]) -> dict[str, Milliseconds]:
    """Return client_id -> time at which the application last got a token."""
    newest: dict[str, Milliseconds] = {}
    for sign_in, family in sign_ins:
        newest[sign_in.client_id] = max(newest.get(sign_in.client_id, 0), family.issued_at)
    return newest


async def own_data(service: Service, person: SignedIn, now: Milliseconds) -> Answer:
    """Return the data of the account page as a JSON file (UK GDPR art. 15 and 20), without secrets.

    The logs, which also name the person, are given by the operator, because they name others too.
    """
    account, store = person.account, service.authority.store
    sign_ins = await sign_ins_to_applications(service, account.username)
    content = {
        "made_at": instant(now),
        "account": {
            "username": account.username,
            "email": account.email,
            "email_verified": account.email_verified,
            "first_name": account.first_name,
            "last_name": account.last_name,
            "status": account.status,
            "created_at": instant(account.created_at),
            "profile_updated_at": instant(account.profile_updated_at or None),
            "tokens_valid_from": instant(account.not_before or None),
            "sign_in_needs": account.sign_in,
            "console_role": account.console_role,
            "workbench_for": account.workbench_for or None,
            "invited_to_the_developer_portal": account.developer,
            "rules": rules_described(account.rules),
            "issuers": account.issuers.split(),
        },
        "logins_at_issuers": [
            {"issuer": each.owner, "subject": each.subject, "linked_at": instant(each.linked_at)}
            for each in await store.links_of(account.username)
        ],
        "own_applications": [
            {"client_id": each.client_id, "name": each.name, "created_at": instant(each.created_at)}
            for each in await store.applications_owned_by(account.username)
        ],
        "workbench": {
            "alerts_by_email": account.username in await people_with_mail(store),
            "saved_views": (await saved_views(store, account.username)).every,
        },
        "sessions": [
            {
                "browser": each.label,
                "signed_in_at": instant(each.signed_in_at),
                "last_used_at": instant(each.last_seen_at),
                "methods": each.methods.split(),
            }
            for each in await live_sessions(service, account, now)
        ],
        "applications": [
            {"client_id": each.client_id, "scope": each.scope, "allowed_at": instant(each.granted_at)}
            for each in person.consents
        ],
        "sign_ins": [
            {
                "client_id": each.client_id,
                "at": instant(family.created_at),
                "last_used_at": instant(family.issued_at),
                "ended_at": instant(family.ended_at) if family.ended_at else None,
                "methods": each.methods.split(),
            }
            for each, family in sign_ins
        ],
        "factors": [
            {
                "kind": each.kind,
                "name": each.name,
                "created_at": instant(each.created_at),
                "last_used_at": instant(each.last_used_at) if each.last_used_at else None,
            }
            for each in await store.factors_of(account.username)
        ],
    }
    body = msgspec.json.format(msgspec.json.encode(content), indent=2)
    disposition = ("content-disposition", 'attachment; filename="account.json"')
    return Answer(200, JSON, body, (NO_STORE, disposition), ("own_data_sent",))
