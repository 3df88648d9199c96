"""Documentation of user information."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from credence.refusals import BEARER_MALFORMED
from credence.web.dialects.media import Form
from credence.web.messages.answer import JSON
from credence.web.reference.operations.tokens import TAG
from credence.web.routing.operation import Content, Operation


class UserInfo(Struct, omit_defaults=True):
    """The account of the token; unknown members are absent."""

    sub: Annotated[str, Meta(description="Login name, the same as in the ID token.")]
    name: Annotated[str, Meta(description="With the scope `profile`, as the next six.")] | None = None
    given_name: str | None = None
    family_name: str | None = None
    preferred_username: str | None = None
    FirstName: str | None = None
    LastName: str | None = None
    account_type: Literal["service", "user"] | None = None
    email: Annotated[str, Meta(description="With the scope `email`, as the next. Not verified.")] | None = None
    Email: str | None = None


class AccessTokenForm(Struct, omit_defaults=True):
    """An access token as RFC 6750 §2.2 sends it, instead of the header."""

    access_token: str | None = None


USER_INFO = Operation(
    id="user_info",
    tag=TAG,
    summary="User information",
    description=(
        "The account of the access token, by its scopes: `openid` is required, `profile` and `email` add members "
        "(OpenID Connect Core §5.3). With POST the token may be in a form instead of the header, never in both."
    ),
    bodies=(Content(Form.FORM.value, (AccessTokenForm,), {"Token": {"access_token": "<ACCESS_TOKEN>"}}),),
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
    ),
    refusals=(BEARER_MALFORMED,),
)
