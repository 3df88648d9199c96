"""POST /oauth2/v1/from-issuer/{id}/logout and …/signals: a trusted issuer says that a session or a person has ended there.

Access ends before the answer on this node, and on the others when they have read the change log (Back-Channel Logout §2.7,
RFC 8935 §2).
"""

from typing import Annotated

import msgspec

from credence.clock import Milliseconds
from credence.clock_tolerances import ASSERTION_TOLERANCE_SECONDS as TOLERANCE_SECONDS
from credence.crypto.digest import keyed_digest
from credence.identity.accounts import with_everything_ended, with_status
from credence.oauth.trusted_issuers.notices import (
    EVENT_KEPT_SECONDS,
    MAX_AGE_SECONDS,
    Event,
    SignOut,
    account_of_subject,
    read_event_token,
    read_logout_token,
)
from credence.oauth.trusted_issuers.verifying import UntrustedToken
from credence.oauth.trusted_issuers.ways import named
from credence.operations.audit_changes import changes
from credence.request_context import RequestContext
from credence.service import Service
from credence.sign_in.browser.forms import form_values
from credence.sign_in.browser.people import end_session
from credence.store.records import Account
from credence.store.registry import ACCOUNTS
from credence.store.trusted_issuers import TrustedIssuer
from credence.telemetry.log import warning
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.recorded import record_act
from credence.web.routing.operation import Content, Parameter

_ID = Parameter("id", "path", "The short name of the issuer.", "example-ltd")
_REFUSED = Content(JSON, status=400)
_RECEIVED = Content("", status=202)


async def receive_logout(service: Service, request: Annotated[RequestContext, _ID]) -> Annotated[Answer, _REFUSED]:
    """Receive a logout token of a trusted issuer.

    Ends the session that began with the named one, or every session of the person if the token names none that is known
    here (OpenID Connect Back-Channel Logout 1.0). Tokens with `offline_access` outlive the session. A token that is sent
    again changes nothing.
    """
    issuer = named(service.authority, request.segments[0])
    token = form_values(request).get("logout_token", "")
    try:
        if issuer is None:
            raise UntrustedToken("issuer_token.issuer")
        said = await read_logout_token(service.authority, issuer, token, request.now)
    except UntrustedToken as untrusted:
        return _refused("error", "invalid_request", untrusted)
    mark = _mark(service, "issuer logout", issuer, said.id)
    if await service.authority.store.kept_answer(mark, request.now) is not None:
        return Answer(200, JSON, b"", (NO_STORE,))
    ended = await _sign_out(service, issuer, said, request.now)
    await _remember(service, mark, request.now, MAX_AGE_SECONDS)
    return Answer(200, JSON, b"", (NO_STORE,), ("signed_out",) if ended else ())


async def _sign_out(service: Service, issuer: TrustedIssuer, said: SignOut, now: Milliseconds) -> bool:
    """End what began with the named session there, or else the sessions of the person; return whether there was any."""
    store, known = service.authority.store, False
    while said.sid and (keys := await store.sessions_with_sid(issuer.id, said.sid)):
        known = True
        for key in keys:  # of a login under way too, which may become a session meanwhile: then it is found once more
            await end_session(service, key, now)
            await store.forget_issuer_session(key)
    account = None if known else await account_of_subject(service.authority, issuer, said.subject)
    sessions = [] if account is None else await store.sessions_of(account.username)
    for each in sessions:
        await end_session(service, each.key, now)
    return known or bool(sessions)


async def receive_signal(
    service: Service, request: Annotated[RequestContext, _ID]
) -> Annotated[Answer, _RECEIVED, _REFUSED]:
    """Receive a security event token of a trusted issuer.

    `session-revoked` ends every session and login of the person; `account-disabled` and `account-purged` suspend the account
    as well (CAEP 1.0, RISC 1.0, pushed as RFC 8935 says). Other events change nothing.
    """
    issuer = named(service.authority, request.segments[0])
    try:
        if issuer is None:
            raise UntrustedToken("issuer_token.issuer")
        event = await read_event_token(service.authority, issuer, request.body.decode("latin-1").strip(), request.now)
    except UntrustedToken as untrusted:
        return _refused("err", "invalid_request", untrusted)
    if event is not None:
        await _end_once(service, request, issuer, event)
    return Answer(202, JSON, b"", (NO_STORE,))


async def _end_once(service: Service, request: RequestContext, issuer: TrustedIssuer, event: Event) -> None:
    """Do what an event says, unless it was done before.

    The event is remembered after that: a node that stops in between does it again when the issuer sends the event again.
    """
    authority = service.authority
    mark = _mark(service, "issuer event", issuer, event.id)
    account = await account_of_subject(authority, issuer, event.subject)
    if account is None or await authority.store.kept_answer(mark, request.now) is not None:
        return
    await _end(service, request, issuer, account, disables=event.disables)
    await _remember(service, mark, request.now, EVENT_KEPT_SECONDS)


def _mark(service: Service, kind: str, issuer: TrustedIssuer, identity: str) -> bytes:
    return keyed_digest(service.authority.secrets.digest, kind, issuer.id.encode(), identity.encode())


async def _remember(service: Service, mark: bytes, now: Milliseconds, seconds: int) -> None:
    """Remember what was done for as long as the issuer may send the same token again."""
    await service.authority.store.keep_answer(mark, b"done", now + (seconds + TOLERANCE_SECONDS) * 1000)


async def _end(
    service: Service, request: RequestContext, issuer: TrustedIssuer, account: Account, *, disables: bool
) -> None:
    """End everything of an account, and suspend it if the issuer has disabled it and it is not an owner's."""
    authority, now = service.authority, request.now
    act = "account status" if _ended(account, now, disables=disables).status != account.status else "account end-all"
    changed = changes(account, _ended(account, now, disables=disables))
    fields = {"account": account.username, "issuer": issuer.id}
    await record_act(service, request, f"issuer {issuer.id}", "signals", act, changed, **fields)
    await authority.store.change(ACCOUNTS, account.username, lambda each: _ended(each, now, disables=disables), now)
    await authority.follow(now)


def _ended(account: Account, now: Milliseconds, *, disables: bool) -> Account:
    suspends = disables and account.status == "active" and account.console_role != "owner"
    ended = with_status(account, "suspended", now) if suspends else with_everything_ended(account, now)
    return msgspec.structs.replace(ended, version=account.version)


def _refused(member: str, code: str, untrusted: UntrustedToken) -> Answer:
    """Return the refusal of a token, which says no more than that; the log has the reason."""
    warning("issuer_notice_refused", reason=str(untrusted))
    body = msgspec.json.encode({member: code, "description": "The token is not one of this issuer for this service."})
    return Answer(400, JSON, body, (NO_STORE,))
