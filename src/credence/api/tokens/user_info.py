"""GET and POST /oauth2/v1/userinfo (OpenID Connect Core §5.3)."""

from typing import Annotated, ClassVar, Literal

import msgspec
from msgspec import Meta, Struct

from credence.meanings import meaning
from credence.oauth.bearer import Bearer
from credence.oauth.endpoints.userinfo import SIGNED, claims_of, signed_user_info
from credence.refusals.credentials import BEARER_MALFORMED
from credence.request_context import RequestContext
from credence.service import Service
from credence.web.messages.answer import JSON, Answer
from credence.web.messages.caching import NO_STORE
from credence.web.messages.request import MediaType
from credence.web.routing.operation import Content


class UserInfo(Struct, omit_defaults=True):
    """The account of the token; unknown members are absent."""

    # `Email` is not declared: of two members whose names differ only in case, generators for Java and C# make one name.
    is_open: ClassVar[bool] = True

    sub: Annotated[str, Meta(description="Username, the same as in the ID token.")]
    name: Annotated[str, Meta(description="With the scope `profile`, as the next seven.")] | None = None
    given_name: Annotated[str | None, meaning("First name.")] = None
    family_name: Annotated[str | None, meaning("Last name.")] = None
    preferred_username: Annotated[str | None, meaning("Username.")] = None
    updated_at: Annotated[
        int | None,
        meaning("When name or email address were last changed, since 1970.", unit="seconds", example=1795339800),
    ] = None
    FirstName: Annotated[
        str | None, meaning("First name, as the house names it, for applications with the password grant.")
    ] = None
    LastName: Annotated[str | None, meaning("Last name, as the house names it.")] = None
    account_type: Annotated[Literal["service", "user"] | None, meaning("Kind of account.")] = None
    email: Annotated[
        str | None,
        meaning("With the scope `email`, as the next. Applications with the password grant get it as `Email` too."),
    ] = None
    email_verified: Annotated[
        bool | None, meaning("Whether a message to the address proved it, or the operator has vouched for it.")
    ] = None


class AccessTokenForm(Struct, omit_defaults=True):
    """An access token as RFC 6750 §2.2 sends it, instead of the header."""

    access_token: Annotated[str | None, meaning("The access token.")] = None


_IN_FORM = Content(MediaType.FORM.value, (AccessTokenForm,))
_SIGNED = Content(SIGNED, (), {"For an application that registered an algorithm": "<JWT>"})


async def user_info(
    service: Service, request: Annotated[RequestContext, _IN_FORM], bearer: Bearer
) -> Annotated[Answer, UserInfo, _SIGNED, BEARER_MALFORMED]:
    """User information.

    The account of the access token, by its scopes: `openid` is required, `profile` and `email` add members (OpenID Connect
    Core §5.3). A token has `openid` if it was requested by a form with `scope=openid`. With POST the token may be in a
    form instead of the header, never in both.
    """
    algorithm = bearer.application.user_info_algorithm
    if algorithm is None:
        return Answer(200, JSON, msgspec.json.encode(claims_of(bearer)), (NO_STORE,))
    body = signed_user_info(service.authority, bearer, algorithm, request.now)
    return Answer(200, SIGNED, body.encode(), (NO_STORE,))
