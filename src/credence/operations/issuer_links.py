"""Operations on the links of people to their subjects at trusted issuers (OpenID Connect Core §2: `iss` and `sub`)."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from credence.clock import rfc3339
from credence.errors import InvalidInput
from credence.identity.usernames import login_name
from credence.meanings import Input, meaning
from credence.operations.acting import READ, Acting, require_role
from credence.operations.audit_changes import members_of
from credence.operations.issuers import OWNER
from credence.operations.operation import Change, Noun, operation
from credence.operations.reading import listing
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.store.registry import ACCOUNTS
from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, link_id, with_issuer, without_issuer

_TAKEN = because(RESOURCE_CHANGED, "This subject is linked to an account already.")


class IssuerLinkBody(Struct, forbid_unknown_fields=True):
    """The link of an account to a subject at a trusted issuer."""

    issuer: Annotated[
        str,
        meaning("The short name of the issuer."),
        Input("The short name of the issuer.", argument=True, label="Issuer"),
    ]
    subject: Annotated[
        Annotated[str, Meta(min_length=1, max_length=255)],
        meaning("The person's `sub` at the issuer."),
        Input("The person's sub at the issuer.", argument=True, label="Subject"),
    ]
    username: Annotated[
        str,
        meaning("The username of the account."),
        Input("The username of the account.", argument=True, label="Username"),
    ]


class IssuerLinkState(Struct):
    """A person's account and subject at a trusted issuer."""

    id: Annotated[str, meaning("Its id.", example="<LINK>")]
    issuer: Annotated[str, meaning("The short name of the issuer.")]
    subject: Annotated[str, meaning("The person's `sub` at the issuer.")]
    username: Annotated[str, meaning("The username of the account.")]
    linked_at: Annotated[str, meaning("When it was made.")]
    vouched_at: Annotated[str | None, meaning("When the issuer last vouched for the person; null: never yet.")]


class IssuerLinks(Struct):
    """The links."""

    links: Annotated[list[IssuerLinkState], meaning("The links, by id.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.")] = ""


async def _state(_by: Acting, link: IssuerLink) -> IssuerLinkState:
    return IssuerLinkState(
        link.id,
        link.owner,
        link.subject,
        link.username,
        rfc3339(link.linked_at),
        rfc3339(link.vouched_at) if link.vouched_at else None,
    )


LINK: Final[Noun[IssuerLink]] = Noun(
    name="issuer link",
    path="issuer-links/{id}",
    help="The id of the link.",
    example="<LINK>",
    kept=LINKS,
    state=_state,
    member="link",
    also_named=lambda link: {"issuer": link.owner, "account": link.username},
    untagged=("vouched_at",),
)

list_links = listing(
    LINK,
    "issuer links",
    IssuerLinks,
    id="list_issuer_links",
    access=READ,
    columns=("id", "issuer", "subject", "username", "linked_at"),
    title="List the links to trusted issuers",
    text="List which account belongs to which subject at which issuer.",
)


@operation(
    "issuer link", on=LINK, api=("POST", ""), access=OWNER, title="Link an account", id="make_issuer_link", makes=True
)
async def make_link(by: Acting, _found: None, body: IssuerLinkBody) -> Change[IssuerLink]:
    """Let a person sign in to an account at a trusted issuer, as the subject that the issuer calls the person."""
    store = by.means.store
    account = await store.account(login_name(body.username))
    if await store.get(ISSUERS, body.issuer) is None:
        raise InvalidInput(f"There is no trusted issuer {body.issuer!r}.", member="issuer")
    if account is None or account.type != "user":
        raise InvalidInput(f"There is no person with the username {body.username!r}.", member="username")
    require_role(by, account.console_role)
    made = IssuerLink(link_id(body.issuer, body.subject), body.issuer, body.subject, account.username, by.now)
    if await store.get(LINKS, made.id) is not None:
        raise Refused(_TAKEN, "manage.taken")

    async def mark() -> None:
        await store.change(
            ACCOUNTS, account.username, lambda each: replace(each, issuers=with_issuer(each, body.issuer)), by.now
        )

    return Change(made, effect=mark, said=f"{account.username} signs in at {body.issuer}.")


@operation(
    "issuer unlink",
    on=LINK,
    api=("DELETE", ""),
    access=OWNER,
    title="Remove a link",
    button="Remove it",
    id="delete_issuer_link",
    silent=True,
    dangerous=True,
)
async def delete_link(by: Acting, found: IssuerLink, _body: None) -> Change[IssuerLink]:
    """Remove the link of an account to a subject at a trusted issuer; sessions go on."""
    store = by.means.store

    async def unmark() -> None:
        if not any(each.owner == found.owner for each in await store.links_of(found.username)):
            await store.change(
                ACCOUNTS, found.username, lambda each: replace(each, issuers=without_issuer(each, found.owner)), by.now
            )

    return Change(None, effect=unmark, said=f"{found.username} no longer signs in at {found.owner}.")


@members_of.register
def _of_link(link: IssuerLink) -> dict[str, object]:
    return {"issuer": link.owner, "subject": link.subject, "username": link.username}
