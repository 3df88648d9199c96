"""The screen of trusted issuers: what each may assert, and which accounts sign in there."""

from credence import paths
from credence.blocks.values import Block, Cell, Table, moment, state_mark
from credence.operations.issuer_links import delete_link, make_link
from credence.operations.issuers import add_issuer, look_at_issuer, remove_issuer
from credence.sites.console.accounts import address as address_of_account
from credence.sites.kit.lists import page_of
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.store.trusted_issuers import ISSUERS as TRUSTED
from credence.store.trusted_issuers import LINKS, IssuerLink, TrustedIssuer

PATH = f"{paths.CONSOLE}/issuers"


async def read(visit: Visit) -> Page:
    """Return the trusted issuers and the links of accounts to them."""
    store = visit.service.authority.store
    found = await store.page(TRUSTED)
    columns = ("Name", "Issuer", "May assert", "Mail domains", "State", "Test")
    blocks: list[Block] = [
        Table("Trusted issuers", columns, [_row(each) for each in found], "No issuer is trusted yet."),
        form_of(add_issuer),
    ]
    if found:
        names = [(each.id, each.name) for each in found]

        async def fetch(after: str, limit: int) -> list[IssuerLink]:
            return await store.page(LINKS, after, limit)

        links, following = await page_of(visit, fetch, lambda each: each.id, lambda each: (each.username, each.subject))
        rows = [_link_row(each) for each in links]
        columns = ("Account", "Issuer", "Subject", "Linked", "Last vouched for", "Remove")
        blocks += [
            Table("Accounts that sign in there", columns, rows, "No account is linked yet.", following),
            form_of(make_link),
            form_of(remove_issuer, choices=names),
        ]
    return Page("Trusted issuers", blocks, "credence issuer list")


def _row(each: TrustedIssuer) -> list[Cell]:
    return [
        Cell(each.name),
        Cell(each.issuer, code=True),
        Cell(", ".join(each.uses)),
        Cell(", ".join(each.mail_domains) or "all"),
        state_mark("disabled" if each.disabled else "enabled", good=not each.disabled),
        Cell("Test", act=look_at_issuer.slug, hidden=[("id", each.id)], about=each.name),
    ]


def _link_row(each: IssuerLink) -> list[Cell]:
    return [
        Cell(each.username, address_of_account(each.username)),
        Cell(each.owner),
        Cell(each.subject, code=True),
        moment(each.linked_at),
        moment(each.vouched_at or None),
        Cell("Remove", act=delete_link.slug, hidden=[("id", each.id)], about=each.username),
    ]


ISSUERS = Screen(
    PATH, "Issuers", "operator", read, acts_of(PATH, add_issuer, look_at_issuer, make_link, delete_link, remove_issuer)
)
