"""The screen of one account: status, factors, sessions, logins and wrong passwords, and the acts of support (D14, D28)."""

from collections.abc import Mapping
from urllib.parse import quote

from credence import paths
from credence.crypto import base64url
from credence.identity import accounts
from credence.identity.login_attempts import account_key
from credence.identity.sessions import public_id
from credence.identity.usernames import login_name
from credence.management.factors import remove_all, removed
from credence.management.password_links import RESET_SECONDS, password_link
from credence.management.rules import described as rules_described
from credence.oauth.revoke import end_family as end_login
from credence.oauth.tokens.access_token import family_sid
from credence.operations.audit_changes import changes
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.store.records import Account, AccountStatus
from credence.web.browser.people import end_session as end_session_of_person
from credence.web.console.screens import account_tables as tables
from credence.web.console.screens.accounts import LIST, STATUS_TONES
from credence.web.console.screens.reach import require_reach
from credence.web.console.screens.week import week_of
from credence.web.screens.blocks import Block, Cell, Facts, Field, Form, Page, moment
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong
from credence.web.screens.trail import record

_STATUSES: tuple[AccountStatus, ...] = ("active", "suspended", "locked", "expired")
"""The statuses that can be undone."""


async def read(visit: Visit) -> Page:
    """Return the screen of one account with its sessions, logins and consents."""
    found = await _found(visit)
    blocks: list[Block] = [
        Facts(
            "State",
            [
                ("State", Cell(found.status, tone=STATUS_TONES.get(found.status, "soft"))),
                ("Name", Cell(" ".join(each for each in (found.first_name, found.last_name) if each))),
                ("Mail address", Cell(found.email or "")),
                ("Type", Cell("person" if found.type == "user" else "service")),
                ("A sign-in needs at least", Cell(found.sign_in)),
                ("Role in this console", Cell(found.console_role)),
                ("Registered", moment(found.created_at)),
                ("Tokens valid from", moment(found.not_before or None)),
                *((f"Rules: {name}", Cell(_text(value))) for name, value in rules_described(found.rules).items()),
            ],
        ),
        *week_of(found.rules, visit.request.now),
        await tables.guesses_of(visit, found),
        await tables.sessions_of(visit, found),
        await tables.logins_of(visit, found),
        await tables.consents_of(visit, found),
        await tables.factors_of(visit, found),
    ]
    blocks += _forms(found)
    return Page(
        found.username,
        blocks,
        f"credence account show {found.username}",
        above=("Accounts", LIST),
        links=(
            ("Log lines of it", f"{paths.CONSOLE}/log?q={quote(f'account:{found.username}')}"),
            ("Audit lines of it", f"{paths.CONSOLE}/audit?q={quote(found.username)}"),
        ),
    )


def _forms(found: Account) -> list[Block]:
    username = found.username
    if found.status == "closed":
        return []
    return [
        Form(
            "status",
            "Change the state",
            "Change the state",
            "Every change revokes the tokens of the account and ends its sessions.",
            f"credence account status {username} STATUS",
            [Field("status", "State", found.status, options=[(each, each) for each in _STATUSES])],
        ),
        Form(
            "end-all",
            "End everything",
            "End every session and login",
            "The person signs in again everywhere, and every application of theirs needs a new login.",
            f"credence account status {username} suspended, then active",
            dangerous=True,
        ),
        Form(
            "reset-link",
            "A new password",
            "Make a link",
            "The link lets the person choose a new password within an hour. The present one stays valid until then.",
            f"credence account reset-link {username}",
        ),
        Form(
            "reset-factors",
            "A lost telephone",
            "Remove every factor",
            "Be sure that this is the person. The sessions end, and the next sign-in sets up a factor if one is needed.",
            f"credence account factors {username} --remove",
            dangerous=True,
        ),
        Form(
            "close",
            "Close the account",
            "Close it permanently",
            "A closed account never opens again, and its login name is never given to anybody else.",
            f"credence account status {username} closed",
            [Field("confirm", "Type the login name to confirm", required=True)],
            dangerous=True,
        ),
    ]


async def change_status(visit: Visit, values: Mapping[str, str]) -> Done:
    """Change the status to one that can be undone."""
    found = await _reached(visit)
    status = next((each for each in _STATUSES if each == values.get("status")), None)
    if status is None:
        raise Wrong("Choose a state.", "status")
    if status == found.status:
        return Done(f"{found.username} is {status} already. Nothing was changed.")
    await _save_status(visit, found, status)
    return Done(f"{found.username} is {status}.")


async def close(visit: Visit, values: Mapping[str, str]) -> Done:
    """Close the account permanently, after the operator has typed its login name."""
    found = await _reached(visit)
    if login_name(values.get("confirm", "").strip()) != found.username:
        raise Wrong("Type the login name of the account.", "confirm")
    await _save_status(visit, found, "closed")
    return Done(f"{found.username} is closed.")


async def end_all(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Make every token and session of the account invalid."""
    found = await _reached(visit)
    store, now = visit.service.authority.store, visit.request.now
    wanted = accounts.with_everything_ended(found, now)
    await record(visit, "account end-all", changes(found, wanted), account=found.username)
    await store.save_account(wanted, now)
    return Done("Every session and login of the account has ended.")


async def _save_status(visit: Visit, found: Account, status: AccountStatus) -> None:
    now = visit.request.now
    wanted = accounts.with_status(found, status, now)
    await record(visit, "account status", changes(found, wanted), account=found.username)
    await visit.service.authority.store.save_account(wanted, now)


async def end_session(visit: Visit, values: Mapping[str, str]) -> Done:
    """End one session with the logins that it opened."""
    found = await _reached(visit)
    for each in await visit.service.authority.store.sessions_of(found.username):
        if public_id(each.key) == values.get("session"):
            await record(visit, "session end", account=found.username)
            await end_session_of_person(visit.service, each.key, visit.request.now)
            return Done("The session has ended, and what it opened with it.")
    raise Wrong("The session has ended already.")


async def end_family(visit: Visit, values: Mapping[str, str]) -> Done:
    """End one login with all its tokens."""
    found, authority = await _reached(visit), visit.service.authority
    try:
        family = await authority.store.family(base64url.decode(values.get("family", "")))
    except ValueError:
        family = None
    if family is None or family.username != found.username:
        raise Wrong("The login has ended already.")
    await record(visit, "family end", account=found.username, application=family.client_id)
    await end_login(authority, family.id, visit.request.now, "revoked")
    return Done(f"The login {family_sid(family.id)} has ended with all its tokens.")


async def withdraw(visit: Visit, values: Mapping[str, str]) -> Done:
    """Withdraw a consent, and end the logins that the person opened for the application in a browser."""
    found, store, client_id = await _reached(visit), visit.service.authority.store, values.get("client_id", "")
    if client_id not in {each.client_id for each in await store.consents_of(found.username)}:
        raise Wrong("The consent is withdrawn already.")
    await record(visit, "consent withdraw", account=found.username, application=client_id)
    await store.withdraw_consent(found.username, client_id, visit.request.now)
    return Done("The consent is withdrawn, and the logins of it have ended.")


async def unlock(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Delete the wrong passwords that count against the account."""
    found, authority = await _reached(visit), visit.service.authority
    await record(visit, "account unlock", account=found.username)
    await authority.store.clear_failures(account_key(authority.secrets.digest, found.username))
    return Done("No wrong password counts against it any more.")


async def reset_link(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Make a link with which the person chooses a new password."""
    found, service = await _reached(visit), visit.service
    until = visit.request.now + RESET_SECONDS * 1000
    link = password_link(service.settings, service.authority.secrets.digest, found, until)
    await record(visit, "account reset-link", account=found.username)
    return Done("The link is valid for an hour.", ("Send the person this link:", link))


async def reset_factors(visit: Visit, _values: Mapping[str, str]) -> Done:
    """Remove every factor of the account, which ends its sessions."""
    found = await _reached(visit)
    store = visit.service.authority.store
    await record(visit, "account factors", removed(await store.factors_of(found.username)), account=found.username)
    count = await remove_all(store, found, visit.request.now)
    return Done(f"{count} factors and recovery codes are removed, and the sessions have ended.")


async def _reached(visit: Visit) -> Account:
    found = await _found(visit)
    require_reach(visit, found)
    return found


async def _found(visit: Visit) -> Account:
    found = await visit.service.authority.store.account(login_name(visit.request.segment))
    if found is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    return found


def _text(value: object) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    return "" if value is None else str(value)


ACCOUNT = Screen(
    f"{LIST}/{{username}}",
    "Account",
    "support",
    read,
    (
        Act("status", "support", change_status),
        Act("end-all", "support", end_all),
        Act("end-session", "support", end_session),
        Act("end-family", "support", end_family),
        Act("withdraw", "support", withdraw),
        Act("unlock", "support", unlock),
        Act("reset-link", "support", reset_link, grave=True),
        Act("reset-factors", "support", reset_factors, grave=True),
        Act("close", "operator", close, grave=True),
    ),
    listed=False,
)
