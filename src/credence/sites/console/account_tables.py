"""Tables of an account: wrong passwords, sessions, logins, consents and factors."""

from credence.blocks.text import ago
from credence.blocks.values import Cell, Facts, Table, moment, state_mark
from credence.crypto import base64url
from credence.identity.login_attempts import ACCOUNT, ACCOUNT_UNDER_ATTACK, account_key, failures_counted
from credence.identity.sessions import authentication_class, public_id
from credence.management.logins import status_of_login
from credence.operations.account_access import unlock
from credence.operations.logins import end_login, end_session, withdraw_consent
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.screen import Visit
from credence.store.records import Account

_CLASSES = {"1": "one factor", "2": "two factors", "phr": "a passkey"}


async def guesses_of(visit: Visit, found: Account) -> Facts:
    """Return the wrong passwords that count against the account now."""
    authority, now = visit.service.authority, visit.request.now
    (tally,) = await authority.store.tallies([account_key(authority.secrets.digest, found.username)])
    throttled = ACCOUNT_UNDER_ATTACK.wait(tally, now) > 0
    return Facts(
        "Wrong passwords",
        [
            ("Counted against it now", Cell(str(failures_counted(tally, ACCOUNT, now)))),
            ("Unknown origins", state_mark("throttled" if throttled else "admitted", good=not throttled)),
            ("Reset", Cell("Forget them", act=unlock.slug, about=f"wrong passwords of {found.username}")),
        ],
    )


async def sessions_of(visit: Visit, found: Account) -> Table:
    """Return the sessions of the person."""
    now = visit.request.now
    rows = [
        [
            Cell(each.label),
            Cell(ago(each.signed_in_at, now)),
            Cell(ago(each.last_seen_at, now)),
            moment(each.expires_at),
            Cell(_CLASSES[authentication_class(each.methods)]),
            Cell("End", act=end_session.slug, hidden=[("session", public_id(each.key))], about=each.label),
        ]
        for each in await visit.service.authority.store.sessions_of(found.username)
    ]
    columns = ("Browser", "Signed in", "Last seen", "Expires", "Signed in with", "Action")
    return Table("Sessions", columns, rows, "This account is not signed in anywhere.")


async def logins_of(visit: Visit, found: Account) -> Table:
    """Return the open logins of the person in a browser."""
    store, now = visit.service.authority.store, visit.request.now
    applications = visit.service.authority.revocation_cache.application
    rows = []
    ids = [each.family_id for each in await store.sign_ins_of(found.username)]
    for family in sorted(await store.families_of(ids), key=lambda each: each.id):
        if status_of_login(family, await applications(family.client_id), found, now) != "open":
            continue
        rows.append(
            [
                Cell(family.client_id, address_of_application(family.client_id), code=True),
                Cell(family.scope),
                Cell(ago(family.created_at, now)),
                moment(family.expires_at),
                Cell(str(family.generation)),
                Cell(
                    "Revoke",
                    act=end_login.slug,
                    hidden=[("family", base64url.encode(family.id))],
                    about=f"login at {family.client_id}",
                ),
            ]
        )
    columns = ("Application", "Scope", "Started", "Expires", "Refreshes", "Action")
    return Table("Logins opened in a browser", columns, rows, "No application has tokens from a browser.")


async def consents_of(visit: Visit, found: Account) -> Table:
    """Return the consents of the person."""
    rows = [
        [
            Cell(each.client_id, address_of_application(each.client_id), code=True),
            Cell(each.scope),
            moment(each.granted_at),
            Cell(
                "Withdraw",
                act=withdraw_consent.slug,
                hidden=[("client_id", each.client_id)],
                about="consent",
            ),
        ]
        for each in await visit.service.authority.store.consents_of(found.username)
    ]
    return Table(
        "Consents", ("Application", "Scope", "Since", "Action"), rows, "No application has access to this account."
    )


async def factors_of(visit: Visit, found: Account) -> Table:
    """Return the second factors and passkeys, without the recovery codes."""
    now = visit.request.now
    rows = [
        [
            Cell(each.kind),
            Cell(each.name),
            Cell(ago(each.created_at, now)),
            Cell(ago(each.last_used_at, now) if each.last_used_at else "never"),
        ]
        for each in await visit.service.authority.store.factors_of(found.username)
        if each.kind != "recovery"
    ]
    return Table("Factors", ("Kind", "Name", "Set up", "Last used"), rows, "A password alone.")
