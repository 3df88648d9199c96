"""Tokens and logins: what a token is, its end, and the end of everything that an application or the service has issued."""

import asyncio
from collections.abc import Mapping

from credence.identity import applications
from credence.management.tokens import client_of, inspected
from credence.oauth.revoke import revoke as revoke_token
from credence.web.console.screens.applications import address as address_of_application
from credence.web.console.screens.applications import require_reach_of_application
from credence.web.screens.blocks import Block, Cell, Field, Form, Page, Table, ago
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong
from credence.web.screens.trail import record

MAX_TOKEN_CHARACTERS = 8_192


async def read(visit: Visit) -> Page:
    """Return the open logins of each application, and the forms."""
    store, now = visit.service.authority.store, visit.request.now
    found, names = await asyncio.gather(store.family_statistics(now), store.applications())
    name_of = {each.client_id: each.name for each in names}
    rows = [
        [
            Cell(name_of.get(each.client_id, each.client_id), address_of_application(each.client_id)),
            Cell(f"{each.live:,}"),
            Cell(ago(each.newest, now)),
        ]
        for each in sorted(found, key=lambda each: -each.live)
    ]
    blocks: list[Block] = [
        Table(
            "Logins by application",
            ("Application", "Open", "Newest"),
            rows,
            "No application has a login.",
            numbers=frozenset({1}),
        ),
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


async def inspect(visit: Visit, values: Mapping[str, str]) -> Done:
    """Return what a token says."""
    found = await inspected(visit.service.authority, _token(values), visit.request.now)
    return Done(", ".join(f"{name}: {value}" for name, value in found.items() if value not in (None, "")))


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
    await record(visit, "app end-logins", application=found.client_id)
    await store.save_application(applications.with_every_login_ended(found, now), now)
    return Done(f"Every token of {found.name} is invalid.")


async def end_all(visit: Visit, values: Mapping[str, str]) -> Done:
    """Make every token of every application invalid, after the operator has typed so."""
    if values.get("confirm", "").strip() != "END ALL":
        raise Wrong("Type END ALL, in capitals, if you mean it.", "confirm")
    store, now = visit.service.authority.store, visit.request.now
    found = await store.applications()
    await record(visit, "app end-logins", change="every application")
    for each in found:
        await store.save_application(applications.with_every_login_ended(each, now), now)
    return Done(f"Every token of {len(found)} applications is invalid.")


def _token(values: Mapping[str, str]) -> str:
    token = values.get("token-text", "").strip()
    if not token or len(token) > MAX_TOKEN_CHARACTERS:
        raise Wrong("Paste a token.", "token-text")
    return token


TOKENS = Screen(
    "/console/tokens",
    "Tokens and logins",
    "support",
    read,
    (
        Act("inspect", "support", inspect),
        Act("revoke", "support", revoke),
        Act("end-application", "operator", end_application, grave=True),
        Act("end-all", "owner", end_all, grave=True),
    ),
)
