"""Access tokens: a signed JWT with the profile of the account (spec §2.3, §5.4, D5, RFC 9068)."""

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.crypto.jwk import SigningKey
from credence.crypto.jws import sign
from credence.store.records import Account, AccountType, Family

TYPE = "at+jwt"


class Claims(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What an access token says; times are seconds since the epoch (RFC 7519 §4.1, D5)."""

    iss: str
    sub: str
    aud: str
    client_id: str
    iat: int
    exp: int
    jti: str
    sid: str
    scope: str
    Email: str | None
    FirstName: str | None
    LastName: str | None
    account_type: AccountType


def family_sid(family_id: bytes) -> str:
    """Return the family's id as it stands in the `sid` claim and in the revocation log."""
    return base64url.encode(family_id)


def mint(family: Family, account: Account, issuer: str, audience: str, key: SigningKey) -> str:
    """Return the newest access token of the family: the same family, account and key give the same claims (D7).

    The token id is the family's and its generation, so it is unique without being stored (threats T16).
    """
    sid = family_sid(family.id)
    issued_at = family.issued_at // 1000
    claims = Claims(
        iss=issuer,
        sub=account.username,
        aud=audience,
        client_id=family.client_id,
        iat=issued_at,
        exp=issued_at + family.expires_in,
        jti=f"{sid}.{family.generation}",
        sid=sid,
        scope=family.scope,
        Email=account.email,
        FirstName=account.first_name,
        LastName=account.last_name,
        account_type=account.type,
    )
    return sign(key, TYPE, msgspec.json.encode(claims))


def first_whole_second(instant: Milliseconds) -> Milliseconds:
    """Return the first instant at or after this one that a token's whole-second `iat` can express."""
    return -(-instant // 1000) * 1000
