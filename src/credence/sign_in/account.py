"""GET and POST /account: sessions of a person, and applications with access (ASVS 7.5.2, 10.4.9, 10.7.3)."""

import datetime as dt

from credence import paths
from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.digest import sha256
from credence.identity.factors import Enrolled
from credence.identity.sessions import public_id
from credence.oauth.authorization.decision import SignedIn
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser import pages, texts
from credence.sign_in.browser.application_names import name_in_text
from credence.sign_in.browser.gate import Passed
from credence.sign_in.browser.people import end_session, live_sessions
from credence.sign_in.browser.steps import Step, write_step
from credence.sign_in.own_data import last_used, own_data, sign_ins_to_applications
from credence.store.records import Account
from credence.web.messages.answer import Answer, Headers


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
