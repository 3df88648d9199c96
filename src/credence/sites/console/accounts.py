"""The list of accounts, and the invitation of a person (D14)."""

from collections.abc import Mapping
from urllib.parse import quote

from credence import paths
from credence.blocks.values import Cell, Table, Tone, moment
from credence.operations.accounts import make_account
from credence.operations.password_links import invite
from credence.sites.kit.lists import page_of, search_of
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Page, Screen, Visit

LIST = f"{paths.CONSOLE}/accounts"

ACTS = (invite, make_account)

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
    columns = ("Username", "Name", "Email address", "Type", "State", "Sign-in", "Role here", "Registered")
    return Page(
        "Accounts",
        [
            search_of(visit, "Find an account", "Search by username, name, email address, state or role."),
            Table("Accounts", columns, rows, "No account matches.", following),
            *(form_of(each) for each in ACTS),
        ],
        "credence account list",
    )


ACCOUNTS = Screen(LIST, "Accounts", "support", read, acts_of(LIST, *ACTS))
