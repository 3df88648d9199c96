"""Documentation of the UserInfo endpoint."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from credence.api.reference.operations.tokens import TAG
from credence.meanings import meaning
from credence.oauth.endpoints.userinfo import SIGNED
from credence.refusals.credentials import BEARER_MALFORMED
from credence.web.dialects.media import MediaType
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation


class UserInfo(Struct, omit_defaults=True):
    """The account of the token; unknown members are absent."""

    sub: Annotated[str, Meta(description="Login name, the same as in the ID token.")]
    name: Annotated[str, Meta(description="With the scope `profile`, as the next seven.")] | None = None
    given_name: Annotated[str | None, meaning("First name.")] = None
    family_name: Annotated[str | None, meaning("Last name.")] = None
    preferred_username: Annotated[str | None, meaning("Login name.")] = None
    updated_at: Annotated[
        int | None,
        meaning("When name or mail address were last changed, since 1970.", unit="seconds", example=1795339800),
    ] = None
    FirstName: Annotated[
        str | None, meaning("First name, as the house names it, for applications with the password grant.")
    ] = None
    LastName: Annotated[str | None, meaning("Last name, as the house names it.")] = None
    account_type: Annotated[Literal["service", "user"] | None, meaning("Kind of account.")] = None
    email: Annotated[str, Meta(description="With the scope `email`, as the next two.")] | None = None
    email_verified: Annotated[
        bool | None, meaning("Whether a message to the address proved it, or the operator has vouched for it.")
    ] = None
    Email: Annotated[str | None, meaning("Mail address, as the house names it.")] = None


class AccessTokenForm(Struct, omit_defaults=True):
    """An access token as RFC 6750 §2.2 sends it, instead of the header."""

    access_token: Annotated[str | None, meaning("The access token.")] = None


USER_INFO = Operation(
    id="user_info",
    tag=TAG,
    summary="User information",
    description=(
        "The account of the access token, by its scopes: `openid` is required, `profile` and `email` add members "
        "(OpenID Connect Core §5.3). A token has `openid` if it was requested by a form with "
        "`scope=openid`. With POST the token may be in a form instead of the header, never in both."
    ),
    bodies=(Content(MediaType.FORM.value, (AccessTokenForm,), {"Token": {"access_token": "<ACCESS_TOKEN>"}}),),
    answers=(
        Content(
            JSON,
            (UserInfo,),
            {
                "With profile and email": {
                    "sub": "ada",
                    "name": "Ada Lovelace",
                    "given_name": "Ada",
                    "family_name": "Lovelace",
                    "preferred_username": "ada",
                    "FirstName": "Ada",
                    "LastName": "Lovelace",
                    "account_type": "user",
                    "email": "ada@example.com",
                    "Email": "ada@example.com",
                }
            },
        ),
        Content(SIGNED, (), {"For an application that registered an algorithm": "<JWT>"}),
    ),
    refusals=(BEARER_MALFORMED,),
)
