"""The screen of tokens and logins: inspect a token, revoke it, or end every token of an application or of the service."""

from collections.abc import Mapping
from functools import partial

from credence import paths
from credence.blocks.forms import Field, Form
from credence.blocks.text import ago
from credence.blocks.values import Block, Cell, Facts, Table, moment, state_mark
from credence.crypto import base64url
from credence.identity.applications import application_time
from credence.management.logins import status_of_login
from credence.management.tokens import inspected
from credence.oauth.tokens.access_token import family_sid
from credence.operations.application_logins import end_every_login, end_logins
from credence.operations.logins import end_login
from credence.operations.tokens import MAX_TOKEN_CHARACTERS, revoke
from credence.sites.console.accounts import address as address_of_account
from credence.sites.console.applications import address as address_of_application
from credence.sites.kit.lists import page_of, search_of
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Act, ActResult, InvalidForm, Page, Screen, Visit
from credence.store.records import TokenFamily
from credence.store.tallies import last_key

PATH = f"{paths.CONSOLE}/tokens"
ENDING = (revoke, end_logins, end_every_login)


async def read(visit: Visit) -> Page:
    """Return the logins, latest end first, and the forms."""
    return await _page(visit)


async def _page(visit: Visit, *before: Block) -> Page:
    found, following = await page_of(
        visit, partial(_fetch, visit), lambda each: family_sid(each.id), lambda each: (each.client_id, each.username)
    )
    rows = [await _row(visit, each) for each in found]
    columns = ("Application", "Account", "Opened", "Refreshed", "Expires", "State", "Action")
    blocks: list[Block] = [
        *before,
        search_of(visit, "Find a login", "Search by client_id or username."),
        Table(
            "Logins",
            columns,
            rows,
            "No logins match." if visit.parameter("q") else "No one has signed in yet.",
            following,
            numbers=frozenset({3}),
        ),
        Form(
            "inspect",
            "Inspect a token",
            "Inspect",
            "An access or refresh token. It is not stored or logged.",
            "credence token inspect -",
            [Field("token-text", "Token", required=True)],
        ),
        *(form_of(each) for each in ENDING),
    ]
    return Page("Tokens and logins", blocks, "")


async def _fetch(visit: Visit, after: str, limit: int) -> list[TokenFamily]:
    """Return the logins that follow the login `after`, latest end first: the only order for which the table has an index."""
    return await visit.service.authority.store.families(_id(after) if after else last_key(b""), limit)


async def _row(visit: Visit, family: TokenFamily) -> list[Cell]:
    cache, now = visit.service.authority.revocation_cache, visit.request.now
    application, account = await cache.application(family.client_id), await cache.account(family.username)
    status = status_of_login(family, application, account, now)
    now = now if application is None else application_time(application, now)
    hidden = (("username", family.username), ("family", family_sid(family.id)))
    end = Cell("End", act=end_login.slug, hidden=hidden, about=f"{family.username}")
    return [
        Cell(application.name if application else family.client_id, address_of_application(family.client_id)),
        Cell(family.username, address_of_account(family.username)),
        Cell(ago(family.created_at, now)),
        Cell(f"{family.generation:,}"),
        moment(family.expires_at),
        Cell(status, tone="good" if status == "open" else "soft"),
        end if status == "open" else Cell(""),
    ]


async def inspect(visit: Visit, values: Mapping[str, str]) -> ActResult:
    """Return the claims and the state of a token."""
    found = await inspected(visit.service.authority, _token(values), visit.request.now)
    state = str(found.pop("state"))
    rows = [(name, _claim(name, value)) for name, value in found.items() if value not in (None, "")]
    facts = Facts("The token", [("state", state_mark(state, good=state == "valid")), *rows])
    return ActResult("The token was not stored or logged.", page=await _page(visit, facts))


_SECONDS = frozenset({"iat", "exp", "nbf", "auth_time"})
"""Claims that are seconds since the epoch (RFC 7519 §4.1)."""


def _claim(name: str, value: object) -> Cell:
    if name in _SECONDS and isinstance(value, int):
        return Cell(f"{value}, {moment(value * 1000).text}")
    text = str(value)
    if name == "client_id":
        return Cell(text, address_of_application(text), code=True)
    return Cell(text, address_of_account(text)) if name == "sub" else Cell(text)


def _id(text: str) -> bytes:
    """Return the id of a login; empty for text that is not an id."""
    try:
        return base64url.decode(text)
    except ValueError:
        return b""


def _token(values: Mapping[str, str]) -> str:
    token = values.get("token-text", "").strip()
    if not token or len(token) > MAX_TOKEN_CHARACTERS:
        raise InvalidForm("Enter a token.", "token-text")
    return token


TOKENS = Screen(
    PATH,
    "Tokens and logins",
    "support",
    read,
    (
        Act("inspect", "support", inspect),
        *acts_of(PATH, end_login, *ENDING),
    ),
)
