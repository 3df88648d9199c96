"""The screens of trusted issuers: what each may assert, and which accounts sign in there."""

from urllib.parse import quote

import msgspec

from credence import paths
from credence.blocks.values import Block, Cell, Facts, Table, moment, state_mark
from credence.management.issuers import body_of, state_of
from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.signing_in import redirect_uri
from credence.operations.issuer_links import delete_link, make_link
from credence.operations.issuers import add_issuer, change_issuer, look_at_issuer, remove_issuer
from credence.refusals.refusal import Refused
from credence.refusals.resources import RESOURCE_UNKNOWN
from credence.sites.console.accounts import address as address_of_account
from credence.sites.kit.lists import page_of
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Page, Screen, Visit
from credence.store.trusted_issuers import ISSUERS as TRUSTED
from credence.store.trusted_issuers import LINKS, IssuerLink, TrustedIssuer

LIST = f"{paths.CONSOLE}/issuers"
PATH = f"{LIST}/{{id}}"


async def read(visit: Visit) -> Page:
    """Return the trusted issuers and the links of accounts to them."""
    store = visit.service.authority.store
    found = await store.page(TRUSTED)
    columns = ("Name", "Issuer", "Trusted for", "Email domains", "State", "Test")
    blocks: list[Block] = [
        Table("Trusted issuers", columns, [_row(each) for each in found], "No issuer is trusted yet. Add one below."),
        form_of(add_issuer),
    ]
    if found:

        async def fetch(after: str, limit: int) -> list[IssuerLink]:
            return await store.page(LINKS, after, limit)

        links, following = await page_of(visit, fetch, lambda each: each.id, lambda each: (each.username, each.subject))
        rows = [_link_row(each) for each in links]
        columns = ("Account", "Issuer", "Subject", "Linked", "Last vouched for", "Remove")
        blocks += [
            Table("Linked accounts", columns, rows, "No account is linked yet.", following),
            form_of(make_link),
        ]
    return Page("Trusted issuers", blocks, "credence issuer list")


async def read_one(visit: Visit) -> Page:
    """Return the screen of one issuer: what has to be registered there, and what it may assert."""
    found = await visit.service.authority.store.get(TRUSTED, visit.request.segments[0])
    if found is None:
        raise Refused(RESOURCE_UNKNOWN, "manage.unknown")
    state = Facts(
        "State",
        [
            ("State", _state(found)),
            ("Issuer", Cell(found.issuer, code=True)),
            ("Short name", Cell(found.id, code=True)),
            ("Added", moment(found.created_at)),
            ("Client secret", Cell("kept" if found.client_secret else "none")),
            ("Keys", Cell("pinned" if found.keys else "fetched from the issuer")),
        ],
    )
    blocks: list[Block] = [
        state,
        Facts("What to register at the issuer", _to_register(visit.service.authority, found)),
        form_of(look_at_issuer, found.id),
        form_of(change_issuer, found.id, present=msgspec.structs.asdict(body_of(found)), state=state_of(found)),
        form_of(remove_issuer, found.id),
    ]
    return Page(found.name, blocks, f"credence issuer show {found.id}", above=("Trusted issuers", LIST))


def _to_register(authority: Authority, issuer: TrustedIssuer) -> list[tuple[str, Cell | str]]:
    address = redirect_uri(authority, issuer)
    return [
        ("Redirect URI", Cell(address, code=True)),
        ("Post-logout redirect URI", Cell(f"{address}{paths.SIGNED_OUT_THERE}", code=True)),
        ("Back-channel logout URI", Cell(f"{address}{paths.LOGOUT_THERE}", code=True)),
        ("Receiver of signals (SSF)", Cell(f"{address}{paths.SIGNALS_THERE}", code=True)),
        ("Key set (private_key_jwt)", Cell(f"{authority.settings.issuer}{paths.KEYS}", code=True)),
    ]


def _state(issuer: TrustedIssuer) -> Cell:
    return state_mark("disabled" if issuer.disabled else "enabled", good=not issuer.disabled)


def _row(each: TrustedIssuer) -> list[Cell]:
    return [
        Cell(each.name, f"{LIST}/{quote(each.id)}"),
        Cell(each.issuer, code=True),
        Cell(", ".join(each.uses)),
        Cell(", ".join(each.mail_domains) or "all"),
        _state(each),
        Cell("Test", act=look_at_issuer.slug, hidden=[("id", each.id)], about=each.name),
    ]


def _link_row(each: IssuerLink) -> list[Cell]:
    return [
        Cell(each.username, address_of_account(each.username)),
        Cell(each.owner, f"{LIST}/{quote(each.owner)}"),
        Cell(each.subject, code=True),
        moment(each.linked_at),
        moment(each.vouched_at or None),
        Cell("Remove", act=delete_link.slug, hidden=[("id", each.id)], about=each.username),
    ]


ISSUERS = Screen(LIST, "Issuers", "operator", read, acts_of(LIST, add_issuer, look_at_issuer, make_link, delete_link))
ISSUER = Screen(
    PATH,
    "Issuer",
    "operator",
    read_one,
    acts_of(PATH, look_at_issuer, change_issuer, remove_issuer),
    listed=False,
)
