"""The screen of tokens and logins: inspect a token, revoke it, or end every token of an application or of the service."""

from collections.abc import Mapping
from functools import partial

from credence import paths
from credence.crypto import base64url
from credence.identity.applications import application_time, with_every_login_ended
from credence.management.logins import end_logins_of, status_of_login
from credence.management.tokens import client_of, inspected
from credence.oauth.revoke import revoke as revoke_token
from credence.oauth.tokens.access_token import family_sid
from credence.operations.audit_changes import changes
from credence.operations.logins import end_login
from credence.store.contract import Conflict
from credence.store.records import TokenFamily
from credence.store.tallies import last_key
from credence.web.console.screens.accounts import address as address_of_account
from credence.web.console.screens.applications import address as address_of_application
from credence.web.console.screens.applications import require_reach_of_application
from credence.web.screens.application_change import require_changeable_here
from credence.web.screens.blocks import Block, Cell, Facts, Field, Form, Page, Table, ago, moment, state_mark
from credence.web.screens.lists import page_of, search_of
from credence.web.screens.operation_forms import acts_of
from credence.web.screens.screen import Act, Changed, Done, Screen, Visit, Wrong
from credence.web.screens.trail import record

PATH = f"{paths.CONSOLE}/tokens"
MAX_TOKEN_CHARACTERS = 8_192


async def read(visit: Visit) -> Page:
    """Return the logins, latest end first, and the forms."""
    return await _page(visit)


async def _page(visit: Visit, *before: Block) -> Page:
    found, following = await page_of(
        visit, partial(_fetch, visit), lambda each: family_sid(each.id), lambda each: (each.client_id, each.username)
    )
    rows = [await _row(visit, each) for each in found]
    columns = ("Application", "Account", "Opened", "Refreshed", "Ends", "State", "Act")
    blocks: list[Block] = [
        *before,
        search_of(visit, "Find a login", "By client_id or login name."),
        Table("Logins", columns, rows, "No login has this text here.", following, numbers=frozenset({3})),
        Form(
            "inspect",
            "Inspect a token",
            "Inspect",
            "An access or a refresh token. It is neither kept nor written to a log.",
            "credence token inspect -",
            [Field("token-text", "Token", required=True)],
        ),
        Form(
            "revoke",
            "Revoke a token",
            "Revoke",
            "A refresh token ends with its login, an access token alone.",
            "credence token revoke -",
            [Field("token-text", "Token", required=True)],
            dangerous=True,
        ),
        Form(
            "end-application",
            "End the logins of an application",
            "End its logins",
            "Every token of the application is invalid from now on. It stays enabled, and people sign in again.",
            "credence app set CLIENT_ID --disable, then --enable",
            [Field("client_id", "client_id", required=True)],
            dangerous=True,
        ),
        Form(
            "end-all",
            "End every login",
            "End every login of every application",
            "Every token of this deployment is invalid from now on, and every client logs in again, all at once.",
            fields=[Field("confirm", "Type END ALL to confirm", required=True)],
            dangerous=True,
        ),
    ]
    return Page("Tokens and logins", blocks, "credence token inspect -")


async def _fetch(visit: Visit, after: str, limit: int) -> list[TokenFamily]:
    """Return the logins that follow the login `after`, latest end first: the only order for which the table has an index."""
    return await visit.service.authority.store.families(_id(after) if after else last_key(b""), limit)


async def _row(visit: Visit, family: TokenFamily) -> list[Cell]:
    cache, now = visit.service.authority.revocation_cache, visit.request.now
    application, account = await cache.application(family.client_id), await cache.account(family.username)
    status = status_of_login(family, application, account, now)
    now = now if application is None else application_time(application, now)
    hidden = (("username", family.username), ("family", family_sid(family.id)))
    end = Cell("End it", act=end_login.slug, hidden=hidden, about=f"{family.username}")
    return [
        Cell(application.name if application else family.client_id, address_of_application(family.client_id)),
        Cell(family.username, address_of_account(family.username)),
        Cell(ago(family.created_at, now)),
        Cell(f"{family.generation:,}"),
        moment(family.expires_at),
        Cell(status, tone="good" if status == "open" else "soft"),
        end if status == "open" else Cell(""),
    ]


async def inspect(visit: Visit, values: Mapping[str, str]) -> Done:
    """Return the claims and the state of a token."""
    found = await inspected(visit.service.authority, _token(values), visit.request.now)
    state = str(found.pop("state"))
    rows = [(name, _claim(name, value)) for name, value in found.items() if value not in (None, "")]
    facts = Facts("The token", [("state", state_mark(state, good=state == "valid")), *rows])
    return Done("It was read here, and is neither kept nor written to a log.", page=await _page(visit, facts))


_SECONDS = frozenset({"iat", "exp", "nbf", "auth_time"})
"""Claims that are seconds since the epoch (RFC 7519 §4.1)."""


def _claim(name: str, value: object) -> Cell:
    if name in _SECONDS and isinstance(value, int):
        return Cell(f"{value}, {moment(value * 1000).text}")
    text = str(value)
    if name == "client_id":
        return Cell(text, address_of_application(text), code=True)
    return Cell(text, address_of_account(text)) if name == "sub" else Cell(text)


async def revoke(visit: Visit, values: Mapping[str, str]) -> Done:
    """Revoke a token."""
    authority, token = visit.service.authority, _token(values)
    client_id = await client_of(authority, token)
    application = await authority.store.application(client_id)
    if application is None:
        raise Wrong("The application of this token no longer exists.", "token-text")
    await record(visit, "token revoke", application=client_id)
    await revoke_token(authority, application, token, visit.request.now)
    return Done(f"The token of {application.name} is revoked.")


async def end_application(visit: Visit, values: Mapping[str, str]) -> Done:
    """Make every token of an application invalid."""
    store, now = visit.service.authority.store, visit.request.now
    found = await store.application(values.get("client_id", "").strip())
    if found is None:
        raise Wrong("There is no such application.", "client_id")
    require_reach_of_application(visit, found)
    require_changeable_here(visit, found, None)
    ended = changes(found, with_every_login_ended(found, now))
    await record(visit, "app end-logins", ended, application=found.client_id)
    if not await end_logins_of(store, found, now):
        raise Conflict(found.client_id)
    return Done(f"Every token of {found.name} is invalid.")


async def end_all(visit: Visit, values: Mapping[str, str]) -> Done:
    """Make every token of every application invalid, after the operator has typed a confirmation."""
    if values.get("confirm", "").strip() != "END ALL":
        raise Wrong("Type END ALL, in capitals, if you mean it.", "confirm")
    store, now = visit.service.authority.store, visit.request.now
    found = await store.applications()
    await record(visit, "app end-logins", change="every application")
    kept = [each.client_id for each in found if not await end_logins_of(store, each, now)]
    if kept:
        raise Changed(
            f"The tokens of {len(kept)} of {len(found)} applications are still valid, because others changed them at the "
            f"same time: {', '.join(kept)}. Every token of the others is invalid. Try again."
        )
    return Done(f"Every token of {len(found)} applications is invalid.")


def _id(text: str) -> bytes:
    """Return the id of a login; empty for text that is not an id."""
    try:
        return base64url.decode(text)
    except ValueError:
        return b""


def _token(values: Mapping[str, str]) -> str:
    token = values.get("token-text", "").strip()
    if not token or len(token) > MAX_TOKEN_CHARACTERS:
        raise Wrong("Paste a token.", "token-text")
    return token


TOKENS = Screen(
    PATH,
    "Tokens and logins",
    "support",
    read,
    (
        Act("inspect", "support", inspect),
        Act("revoke", "support", revoke),
        *acts_of(PATH, end_login),
        Act("end-application", "operator", end_application, grave=True),
        Act("end-all", "owner", end_all, grave=True),
    ),
)
