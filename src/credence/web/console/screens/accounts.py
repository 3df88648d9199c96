"""The list of accounts, and the invitation of a person (D14)."""

from collections.abc import Mapping
from urllib.parse import quote

from credence import paths
from credence.identity.usernames import check_login_name
from credence.management.password_links import INVITATION_SECONDS, invited, password_link
from credence.operations.audit_changes import changes
from credence.web.screens.blocks import Cell, Field, Form, Page, Table, Tone, moment
from credence.web.screens.lists import page_of, search_of
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong
from credence.web.screens.trail import record

LIST = f"{paths.CONSOLE}/accounts"

STATUS_TONES: Mapping[str, Tone] = {"active": "good", "suspended": "bad", "locked": "bad", "expired": "warn"}


def address(username: str) -> str:
    """Return the path of the screen of an account."""
    return f"{LIST}/{quote(username, safe='')}"


async def read(visit: Visit) -> Page:
    """Return the accounts in the order of their login names."""
    found, following = await page_of(
        visit,
        visit.service.authority.store.accounts,
        lambda each: each.username,
        lambda each: (each.username, each.email, each.first_name, each.last_name, each.status, each.console_role),
    )
    rows = [
        [
            Cell(each.username, address(each.username)),
            Cell(" ".join(part for part in (each.first_name, each.last_name) if part)),
            Cell(each.email or ""),
            Cell("person" if each.type == "user" else "service"),
            Cell(each.status, tone=STATUS_TONES.get(each.status, "soft")),
            Cell(each.sign_in),
            Cell(each.console_role if each.console_role != "none" else ""),
            moment(each.created_at),
        ]
        for each in found
    ]
    columns = ("Login name", "Name", "Mail address", "Type", "State", "Sign-in", "Role here", "Registered")
    invite_form = Form(
        "invite",
        "Invite a person",
        "Invite",
        "It makes the account, and a link with which the person chooses the password. The link is valid for a week.",
        "credence account invite USERNAME",
        [
            Field("username", "Login name", required=True, hint="It never changes and is never reassigned."),
            Field("email", "Mail address"),
            Field("first_name", "First name"),
            Field("last_name", "Last name"),
        ],
    )
    return Page(
        "Accounts",
        [
            search_of(visit, "Find an account", "By login name, name, mail address, state or role."),
            Table("Accounts", columns, rows, "No account has this text.", following),
            invite_form,
        ],
        "credence account list",
    )


async def invite(visit: Visit, values: Mapping[str, str]) -> Done:
    """Make an account, and the link with which its person chooses a password."""
    service, now = visit.service, visit.request.now
    try:
        username = check_login_name(values.get("username", "").strip())
    except ValueError as error:
        raise Wrong(str(error), "username") from None
    if await service.authority.store.account(username) is not None:
        raise Wrong("The login name is taken.", "username")
    names = {name: values.get(name, "").strip() or None for name in ("email", "first_name", "last_name")}
    for name, text in names.items():
        if text is not None and (len(text) > 254 or not text.isprintable()):
            raise Wrong("It is one line of at most 254 characters.", name)
    account = invited(service.settings, username, now, **names)
    link = password_link(service.settings, service.authority.secrets.digest, account, now + INVITATION_SECONDS * 1000)
    await record(visit, "account invite", changes(None, account), account=username)
    await service.authority.store.save_account(account, now)
    return Done(f"{username} is invited.", ("Send the person this link:", link))


ACCOUNTS = Screen(LIST, "Accounts", "support", read, (Act("invite", "support", invite),))
