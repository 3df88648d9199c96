"""Operations that let people choose their own passwords by a link (ASVS 6.4.1, 6.4.6)."""

import asyncio
from dataclasses import replace
from typing import Annotated, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence import paths
from credence.clock import Milliseconds, rfc3339
from credence.crypto.passwords import hash_password
from credence.crypto.randomness import new_password
from credence.errors import OperatorError
from credence.identity import accounts
from credence.identity.activation import MAX_LIFETIME_SECONDS, Activation, write_activation
from credence.identity.usernames import check_login_name
from credence.meanings import Input, meaning
from credence.operations.accounts import ACCOUNT, OPERATOR, SUPPORT, TAKEN
from credence.operations.acting import Access, Acting
from credence.operations.operation import Change, Noun, operation
from credence.refusals.refusal import Refused
from credence.settings import Settings
from credence.store.records import Account

INVITATION_SECONDS: Final = 604_800
RESET_SECONDS: Final = 3_600

_Expires = Annotated[
    Annotated[int, Meta(ge=60, le=MAX_LIFETIME_SECONDS)],
    meaning("For how long the link is valid.", unit="seconds"),
    Input("Seconds for which the link is valid.", in_form=False),
]


class LinkBody(Struct, forbid_unknown_fields=True):
    """The options of a link."""

    expires: _Expires = RESET_SECONDS


class InvitedPersonBody(Struct, forbid_unknown_fields=True):
    """A person who is invited."""

    username: Annotated[
        Annotated[str, Meta(min_length=1, max_length=160)],
        meaning("The username. It never changes and is never reassigned."),
        Input(
            "Username of the new account.",
            argument=True,
            label="Username",
            hint="It never changes and is never reassigned.",
        ),
    ]
    email: Annotated[
        Annotated[str, Meta(max_length=254)] | None,
        meaning("The email address.", example="ada@example.com"),
        Input("Email address.", default="none", label="Email address", hint=""),
    ] = None
    email_verified: Annotated[
        bool,
        meaning("Whether the email address is verified."),
        Input(
            "The email address is verified; applications receive it as verified.",
            flag="--email-verified",
            label="Email address is verified",
            hint="Applications receive it as verified.",
        ),
    ] = False
    developer: Annotated[
        bool,
        meaning("Whether the person is invited to the developer portal as well."),
        Input("Invite the person to the developer portal as well.", flag="--developer", in_form=False),
    ] = False
    first_name: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        meaning("First name.", example="Ada"),
        Input("First name.", default="none"),
    ] = None
    last_name: Annotated[
        Annotated[str, Meta(max_length=200)] | None,
        meaning("Last name.", example="Lovelace"),
        Input("Last name.", default="none"),
    ] = None
    expires: _Expires = INVITATION_SECONDS


class LinkState(Struct):
    """A link with which a person chooses a password. The link is secret, and stored nowhere."""

    username: Annotated[str, meaning("The username.")]
    link: Annotated[str | UnsetType, meaning("The link. Only the answer that made it has it.", example="<LINK>")] = (
        UNSET
    )
    expires_at: Annotated[str | UnsetType, meaning("Until when it is valid.", example="2026-11-22T10:30:00Z")] = UNSET


async def _link_state(_by: Acting, account: Account) -> LinkState:
    return LinkState(account.username)


LINK: Final[Noun[Account]] = replace(
    ACCOUNT, path="accounts/{username}/password-link", state=_link_state, body_of=None, untagged=()
)
INVITED: Final[Noun[Account]] = replace(LINK, path="account-invitations/{username}")


@operation(
    "account invite",
    on=INVITED,
    api=("POST", ""),
    access=SUPPORT,
    title="Invite a person",
    button="Invite",
    id="invite_person",
    makes=True,
    once=("link", "expires_at"),
)
async def invite(by: Acting, _found: None, body: InvitedPersonBody) -> Change[Account]:
    """Create an account for a person, and a link for them to choose its password."""
    name = check_login_name(body.username)
    if await by.means.store.account(name) is not None:
        raise Refused(TAKEN, "manage.taken")
    texts = (body.email, body.first_name, body.last_name)
    if not all(each.isprintable() for each in texts if each is not None):
        raise OperatorError("Email address and names are text of one line.")
    unknown = await asyncio.to_thread(hash_password, by.means.settings.password_profile, new_password())
    email, first_name, last_name = (each or None for each in texts)
    made = accounts.register(
        name,
        "user",
        unknown,
        by.now,
        email=email,
        email_verified=body.email_verified,
        first_name=first_name,
        last_name=last_name,
    )
    if body.developer:
        OPERATOR.require(by)
        made = msgspec.structs.replace(made, developer=True)
    return Change(made, await _link(by, made, body.expires), said=f"{name} is invited. Send the person this link.")


@operation(
    "account reset-link",
    on=LINK,
    api=("POST", ""),
    access=Access(SUPPORT.scope, SUPPORT.role, recent=True),
    title="Create a password link",
    button="Create link",
    id="make_password_link",
    once=("link", "expires_at"),
)
async def reset_link(by: Acting, found: Account, body: LinkBody) -> Change[Account]:
    """Create a link for a person to choose a new password. The current one stays valid until then."""
    return Change(found, await _link(by, found, body.expires), said="Send the person this link.")


def password_link(settings: Settings, digest_key: bytes, account: Account, until: Milliseconds) -> str:
    """Return the URL at which the person may choose a password until `until`; OperatorError for an inactive account."""
    if account.status != "active":
        raise OperatorError(f"The account is {account.status}: its password cannot be chosen.")
    activation = Activation(account.username, account.password_version, until)
    text = write_activation(settings.environment.prefix, digest_key, activation)
    return f"{settings.issuer}{paths.PASSWORD}?link={text}"


async def _link(by: Acting, account: Account, expires: int) -> dict[str, str]:
    until = by.now + expires * 1000
    link = password_link(by.means.settings, await by.means.read_digest_key(), account, until)
    return {"link": link, "expires_at": rfc3339(until)}
