"""Access tokens: a signed JWT with the profile of the account (spec §2.3, §5.4, D5, RFC 9068)."""

from collections.abc import Mapping
from typing import Annotated, ClassVar, Literal

import msgspec

from credence.access.report_rights import ReportRights
from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.jws import SigningKey, sign
from credence.crypto.randomness import random_bytes
from credence.meanings import meaning
from credence.oauth.tokens import status_claim
from credence.oauth.tokens.status_claim import Status
from credence.store.records import AccessTokenType, Account, AccountType, TokenFamily

DPOP_KEY = "jkt"
"""Member of `cnf`: the thumbprint of a key that each request proves (RFC 9449 §6.1)."""

CERTIFICATE = "x5t#S256"
"""Member of `cnf`: the thumbprint of the certificate of the connection (RFC 8705 §3.1)."""


class Actor(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """An application that acts for the subject; `act` is the previous actor (RFC 8693 §4.1)."""

    sub: Annotated[str, meaning("The client_id of the acting application.", example="ledger-service")]
    act: Annotated["Actor | None", meaning("Who acted before it.")] = None


class Claims(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The claims of an access token; times are seconds since the epoch (RFC 7519 §4.1, RFC 9068 §2.2, D5).

    In a token that an application got for itself `sub` is its client_id, and there is no family and no profile.
    """

    typ: ClassVar[AccessTokenType] = "at+jwt"
    """The type in the header of a token with these claims (RFC 9068 §2.1)."""

    iss: str
    sub: str
    aud: str
    client_id: str
    iat: int
    exp: int
    jti: str
    sid: str | None = None
    scope: str
    Email: str | None
    FirstName: str | None
    LastName: str | None
    account_type: AccountType | Literal["application"]
    auth_time: int | None = None
    """When the person was authenticated (RFC 9068 §2.2.1)."""
    acr: str | None = None
    """The authentication class of a sign-in in a browser (RFC 9470 §6.1)."""
    cnf: dict[str, str] | None = None
    """The key or certificate that the token is bound to (RFC 7800)."""
    status: Status | None = None
    """The token's place in the status lists (draft-ietf-oauth-status-list §6.2)."""
    act: Actor | None = None
    """The actor of an exchanged token (RFC 8693 §4.1)."""
    login_client_id: str | None = None
    """The application of the login that an exchanged token comes from; the token ends with it too (threats L6)."""
    authorization_details: tuple[ReportRights, ...] | None = None
    """The rights of the token, if they are narrower than its scope (RFC 9396 §9.1)."""
    clock_resets: int | None = None
    """How often the test clock of its application had been reset; None for never (`identity/applications.py`)."""

    @property
    def speaks_for_account(self) -> bool:
        """Whether the token was issued for an account, and not to the application itself."""
        return self.account_type != "application"


class UntypedClaims(Claims, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The claims of an access token of the type `JWT`, for verifiers that refuse `at+jwt` (D36)."""

    typ: ClassVar[AccessTokenType] = "JWT"


def family_sid(family_id: bytes) -> str:
    """Return the family's id in the form of the `sid` claim and of the revocation log."""
    return base64url.encode(family_id)


def of_family(
    family: TokenFamily,
    account: Account,
    issuer: str,
    audience: str,
    signed_in_at: Milliseconds | None = None,
    acr: str | None = None,
    clock_resets: int | None = None,
) -> Claims:
    """Return the claims of the newest access token of a family. The same family and account give the same claims (D7).

    `signed_in_at` is when the user was authenticated, if that was before the family was opened; `acr` is the class of that
    sign-in.

    The token id consists of the family's id and the generation: it is unique and need not be stored (threats T16).
    """
    sid = family_sid(family.id)
    issued_at = family.issued_at // 1000
    claims = Claims(
        iss=issuer,
        sub=account.username,
        aud=family.audience or audience,
        client_id=family.client_id,
        iat=issued_at,
        exp=issued_at + family.expires_in,
        jti=f"{sid}.{family.generation}",
        sid=sid,
        scope=family.scope if family.narrowed is None else family.narrowed,
        Email=account.email,
        FirstName=account.first_name,
        LastName=account.last_name,
        account_type=account.type,
        auth_time=(family.created_at if signed_in_at is None else signed_in_at) // 1000,
        acr=acr,
    )
    # Few tokens have one of these claims: with more than 15 arguments by name, a call takes three times as long.
    if family.confirmation or family.status_block is not None or clock_resets is not None:
        cnf, status = cnf_claim(family.confirmation), _status(family, issuer)
        return msgspec.structs.replace(claims, cnf=cnf, status=status, clock_resets=clock_resets)
    return claims


def actors(claims: Claims) -> list[str]:
    """Return the client_ids of all actors, the newest first."""
    found, actor = [], claims.act
    while actor is not None:
        found.append(actor.sub)
        actor = actor.act
    return found


def _status(family: TokenFamily, issuer: str) -> Status | None:
    block = family.status_block
    return None if block is None else status_claim.claim(issuer, status_claim.of_generation(block, family.generation))


def parties(claims: Claims) -> tuple[str, ...]:
    """Return the client_ids of the applications whose end ends the token: its own, and those of earlier exchanges."""
    if claims.act is None:
        return (claims.client_id,)
    return (claims.client_id, claims.login_client_id or claims.client_id, *actors(claims)[1:])


def sign_access_token(claims: Claims, key: SigningKey, typ: AccessTokenType) -> str:
    """Return the signed access token with these claims and this type."""
    return sign(key, typ, msgspec.json.encode(claims))


def new_token_id() -> str:
    """Return the id of a token without family: 128 random bits (threats T16)."""
    return base64url.encode(random_bytes(16))


def cnf_claim(confirmation: str) -> dict[str, str] | None:
    """Return the `cnf` claim (RFC 7800 §3.1) for a stored text such as `jkt:<thumbprint>`; None if the text is empty."""
    if not confirmation:
        return None
    member, _, thumbprint = confirmation.partition(":")
    return {member: thumbprint}


def token_type(cnf: Mapping[str, str] | None) -> Literal["Bearer", "DPoP"]:
    """Return the `token_type` of a token with this `cnf`; certificate-bound tokens are Bearer (RFC 9449 §5, RFC 8705 §3)."""
    return "DPoP" if cnf is not None and DPOP_KEY in cnf else "Bearer"
