"""Operations on trusted issuers: what this service believes of tokens that others have signed (threats E14)."""

from dataclasses import replace
from typing import Annotated, Final

import msgspec
from msgspec import Struct

from credence.crypto.sealing import seal
from credence.management.issuer_schema import IssuerBody, IssuerState
from credence.management.issuers import body_of, new_issuer, reconfigured_by, state_of
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import MANAGE_ACCOUNTS
from credence.oauth.trusted_issuers.examination import Examined, examine
from credence.oauth.trusted_issuers.verifying import are_apart, sealing, secret_name
from credence.operations.acting import READ, Access, Acting
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, Operation, operation
from credence.operations.reading import listing, showing
from credence.refusals.credentials import INSUFFICIENT_SCOPE
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_CHANGED
from credence.store.trusted_issuers import ISSUERS, TrustedIssuer

OWNER: Final = Access(MANAGE_ACCOUNTS, "owner", recent=True)
"""Who decides on trusted issuers: their word opens accounts."""
OPERATOR: Final = Access(MANAGE_ACCOUNTS, "operator")

_HERE = "The secret is typed where the store is: it is sent to no other machine."
_RIGHTS = because(INSUFFICIENT_SCOPE, "Only an owner decides which rights an issuer gives.")
_TAKEN = because(
    RESOURCE_CHANGED,
    "The name, or the issuer without a required claim that distinguishes its tenants, is in the table already.",
)


class NewIssuerBody(IssuerBody, forbid_unknown_fields=True, kw_only=True):
    """An issuer to be trusted."""

    id: Annotated[
        str,
        meaning("The name of it in addresses and commands; it never changes.", example="example-ltd"),
        Input("A short name, such as example-ltd. It cannot be changed.", argument=True, label="Short name"),
    ]


class Issuers(Struct):
    """The trusted issuers."""

    issuers: Annotated[list[IssuerState], meaning("The issuers, by name.")]
    next_page_token: Annotated[str, meaning("The token of the next page; empty at the end.")] = ""


async def _state(_by: Acting, issuer: TrustedIssuer) -> IssuerState:
    return state_of(issuer)


def _require_reach(by: Acting, found: TrustedIssuer | None, after: TrustedIssuer | None) -> None:
    had, has = (() if each is None else each.rights for each in (found, after))
    if had != has and has and not by.is_owner:
        raise Refused(_RIGHTS, "manage.owner")


ISSUER: Final[Noun[TrustedIssuer]] = Noun(
    name="issuer",
    path="issuers/{id}",
    help="The short name of the issuer.",
    example="example-ltd",
    kept=ISSUERS,
    state=_state,
    body_of=body_of,
    require_reach=_require_reach,
)

list_issuers = listing(
    ISSUER,
    "issuer list",
    Issuers,
    id="list_issuers",
    access=READ,
    columns=("id", "issuer", "name", "uses", "mail_domains", "disabled"),
    title="List the trusted issuers",
    text="List the issuers whose tokens are trusted, with their limits.",
)
read_issuer = showing(
    ISSUER,
    "issuer show",
    id="read_issuer",
    access=READ,
    title="Read a trusted issuer",
    text="Show what a trusted issuer may assert, about whom, and for what.",
)


@operation(
    "issuer add",
    on=ISSUER,
    api=("POST", ""),
    access=OWNER,
    title="Trust an issuer",
    id="add_issuer",
    makes=True,
)
async def add_issuer(by: Acting, _found: None, body: NewIssuerBody) -> Change[TrustedIssuer]:
    """Accept the tokens of an issuer, within these limits.

    Its metadata and keys are fetched only if CREDENCE_CALLS_OUT is on.
    """
    chosen = {name: getattr(body, name) for name in IssuerBody.__struct_fields__}
    made = new_issuer(body.id, IssuerBody(**chosen), by.now)
    if await by.means.store.get(ISSUERS, made.id) is not None:
        raise Refused(_TAKEN, "manage.taken")
    await _require_apart(by, made)
    pinned = made.keys and "sign_in" not in made.uses
    off = (
        "" if by.means.settings.calls_out or pinned else " Set CREDENCE_CALLS_OUT=on, so that its keys can be fetched."
    )
    return Change(made, said=f"{made.issuer} is trusted.{off}")


@operation(
    "issuer set", on=ISSUER, api=("PATCH", ""), access=OWNER, title="Change a trusted issuer", id="change_issuer"
)
async def change_issuer(by: Acting, found: TrustedIssuer, body: IssuerBody) -> Change[TrustedIssuer]:
    """Change what a trusted issuer may assert, on all nodes at once. Its identifier never changes."""
    changed = reconfigured_by(found, body)
    await _require_apart(by, changed)
    state = "disabled" if changed.disabled else "trusted"
    is_about_state = changed == found or changed.disabled != found.disabled
    return Change(changed, said=f"{found.id} is {state if is_about_state else 'changed'}.")


async def _require_apart(by: Acting, made: TrustedIssuer) -> None:
    """Raise Refused if a token could be of this issuer and of another in the table."""
    for each in await by.means.store.page(ISSUERS):
        if each.id != made.id and not are_apart(each, made):
            raise Refused(_TAKEN, "manage.taken")


def _or_add(identity: str, body: IssuerBody) -> tuple[Operation, NewIssuerBody]:
    return add_issuer, NewIssuerBody(id=identity, **msgspec.structs.asdict(body))


set_issuer = replace(
    change_issuer,
    api=("PUT", ""),
    typed=IssuerBody,
    title="Replace or add a trusted issuer",
    text="Make everything that operators choose what the body says; what it leaves out gets its default.",
    id="put_issuer",
    or_makes=_or_add,
)


class NewSecret(Struct):
    """The secret of this service at an issuer."""

    secret: Annotated[str, Input("Read the secret from standard input.", secret=True)]


@operation("issuer set-secret", on=ISSUER, access=OWNER, title="Set the client secret", here_only=_HERE)
async def set_secret(by: Acting, found: TrustedIssuer, body: NewSecret) -> Change[TrustedIssuer]:
    """Store, sealed, the secret that this service uses to authenticate at an issuer."""
    keys = sealing(await by.means.read_digest_key())
    return Change(msgspec.structs.replace(found, client_secret=seal(keys, secret_name(found.id), body.secret.encode())))


@operation(
    "issuer remove",
    on=ISSUER,
    api=("DELETE", ""),
    access=OWNER,
    title="Remove a trusted issuer",
    button="Remove it",
    id="remove_issuer",
    silent=True,
    dangerous=True,
    confirm="{key}",
)
async def remove_issuer(_by: Acting, found: TrustedIssuer, _body: None) -> Change[TrustedIssuer]:
    """Stop trusting an issuer, on all nodes at once, and delete its links.

    The accounts stay; their people then need a password or passkey of this service.
    """
    return Change(None, said=f"{found.issuer} is no longer trusted.")


@operation(
    "issuer test",
    on=ISSUER,
    api=("POST", "test"),
    access=OPERATOR,
    title="Test a trusted issuer",
    button="Test it",
    id="test_issuer",
    answers=Examined,
)
async def look_at_issuer(by: Acting, found: TrustedIssuer, _body: None) -> Change[TrustedIssuer]:
    """Fetch metadata and keys of a trusted issuer now, and say what is missing. Nothing is changed."""
    examined = await examine(by.means.settings, found)

    async def answer() -> Examined:
        return examined

    return Change(found, effect=answer, said=" ".join(examined.problems) or f"{found.issuer} can be used.")


@members_of.register
def _of_issuer(issuer: TrustedIssuer) -> dict[str, object]:
    shown = msgspec.to_builtins(state_of(issuer))
    return {name: value for name, value in shown.items() if name not in {"id", "created_at", "jwks"}} | {
        "keys": [each.jwk for each in issuer.keys],
        "client_secret": bool(issuer.client_secret),
    }
