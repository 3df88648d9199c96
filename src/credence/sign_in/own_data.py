"""The stored data about the signed-in person: the last use by each application, and all of it as a file."""

import msgspec

from credence.clock import Milliseconds
from credence.management.instants import instant
from credence.management.rules import described as rules_described
from credence.oauth.authorization.decision import SignedIn
from credence.service import Service
from credence.sign_in.browser.people import live_sessions
from credence.store.families import SignIn
from credence.store.records import TokenFamily
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE

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
