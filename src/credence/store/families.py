"""The token families of a store, and how people opened them (D27)."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

import msgspec

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.store.errors import Conflict
from credence.store.records import AccessTokenParameters, Account, FamilyStatistics, TokenFamily
from credence.store.statements import Act, Log, Row, Statements, columns, do, in_parts
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS


class SignIn(msgspec.Struct, frozen=True):
    """How a person opened a token family in a browser, stored in addition to the family."""

    family_id: bytes
    session: bytes
    """The `key` of the session."""
    client_id: str
    username: str
    signed_in_at: Milliseconds
    methods: str
    offline: bool
    """Whether the family outlives the session: the person granted `offline_access` (OpenID Connect Core §11)."""
    sid: bytes = b""
    """The session's `sid` at the application if the session was replaced; empty if it is the beginning of `session`."""
    rights: str = ""
    """The rights that the person gave with the login, as JSON (`access/report_rights.py`); empty for none."""
    issuer: str = ""
    """The id of the trusted issuer at which the session began; empty for none, and where that is not known."""


FAMILY, _PLACES = columns(TokenFamily)
SIGN_IN, _SIGN_IN_PLACES = columns(SignIn)

# The account stays locked until the commit: a change of it waits for this login, or this login sees it (threats L3). A row
# of the same version is the same row, so its document is parsed only after a change.
STANDING = """
SELECT 1 FROM accounts WHERE username = :account AND (version = :account_version OR (
    member(document, 'password_version')::bigint = :password_version AND member(document, 'status') = :account_status
    AND member(document, 'not_before')::bigint = :account_not_before
)) FOR SHARE
"""
"""Whether the account is still as it was when the person proved who they are."""

_OPEN = f"""
WITH standing AS ({STANDING})
INSERT INTO families ({FAMILY}) SELECT {_PLACES} FROM standing
WHERE NOT (:unless_enrolled AND EXISTS (SELECT 1 FROM factors WHERE username = :account AND kind <> 'recovery'))
RETURNING 1
"""  # noqa: S608 - constants, here and below

_BEGAN_AT = "coalesce((SELECT owner FROM issuer_sessions WHERE session = :session), '')"
_ADD_SIGN_IN = f"INSERT INTO sign_ins ({SIGN_IN}) VALUES ({_SIGN_IN_PLACES.replace(':issuer', _BEGAN_AT)})"  # noqa: S608 - constants
_SESSION = "SELECT 1 FROM sessions WHERE key = :key FOR SHARE"
_LOCK_FAMILIES = "SELECT 1 FROM families WHERE id = ANY(:ids::bytea[]) AND ended_at IS NULL ORDER BY id FOR UPDATE"
_END_FAMILIES = (
    "UPDATE families SET ended_at = :at, ended_because = :because WHERE id = ANY(:ids::bytea[]) AND ended_at IS NULL "
    "RETURNING id, expires_at"
)

_STATISTICS = """
SELECT families.client_id, sign_ins.family_id IS NOT NULL AS signed_in,
       count(*) FILTER (WHERE families.ended_at IS NULL
           AND families.created_at >= member(applications.document, 'not_before')::bigint
           AND families.created_at >= member(accounts.document, 'not_before')::bigint),
       max(families.created_at)
FROM families JOIN applications USING (client_id) JOIN accounts USING (username)
LEFT JOIN sign_ins ON sign_ins.family_id = families.id
WHERE families.expires_at > :now
GROUP BY families.client_id, signed_in ORDER BY families.client_id, signed_in
"""

# A lost answer is repeated from this row. The lock blocks no other transaction but is written to the WAL: the answer waits
# until a synchronous standby has it and everything before it, as the first answer would have (threats F4).
_READ = f"SELECT {FAMILY} FROM families WHERE id = :family_id FOR KEY SHARE"  # noqa: S608 - constants
_READ_BEFORE = f"SELECT {FAMILY} FROM families WHERE id < :before ORDER BY id DESC LIMIT :limit"  # noqa: S608 - constants


def standing(account: Account) -> dict[str, object]:
    """Return the values of `STANDING` for an account as it was read."""
    return {
        "account": account.username,
        "account_version": account.version,
        "password_version": account.password_version,
        "account_status": account.status,
        "account_not_before": account.not_before,
    }


def end_families(ids: Sequence[bytes], at: Milliseconds, because: str) -> Act[bool]:
    """End these families and log it; return whether one had not ended. Rows are locked in the order of their ids."""
    ended: list[Row] = []
    for part in in_parts(sorted(ids)):
        yield do(_LOCK_FAMILIES, ids=part)
        ended += yield do(_END_FAMILIES, ids=part, at=at, because=because)
    if ended:
        yield Log(
            "family", [(base64url.encode(each), until + MAX_ACCESS_TOKEN_SECONDS * 1000) for each, until in ended]
        )
    return bool(ended)


def _opening(family: Mapping[str, object], sign_in: SignIn) -> Act[bool]:
    if not (yield do(_OPEN, **family)):
        return False
    if not sign_in.offline and not (yield do(_SESSION, key=sign_in.session)):
        raise Conflict("session")
    values = msgspec.structs.asdict(sign_in) | {"offline": int(sign_in.offline)}
    del values["issuer"]
    yield do(_ADD_SIGN_IN, **values)
    return True


class Families(Statements, ABC):
    """The part of a store that has token families."""

    async def open_family(
        self, family: TokenFamily, account: Account, sign_in: SignIn | None = None, *, unless_enrolled: bool = False
    ) -> None:
        """Store a new family if the stored account has the same password version, status and `not_before` as `account`.

        Raises Conflict otherwise, and for a family id that exists. A login that was verified before a change of the account
        must not take effect after it (threats L3). `sign_in` is stored with the family, if the session it names still
        exists or the family outlives its session; otherwise Conflict is raised too. Its `issuer` is found by the session.
        Conflict is raised also with `unless_enrolled` for an account that has an authenticator app or a passkey.
        """
        values = msgspec.structs.asdict(family) | standing(account) | {"unless_enrolled": unless_enrolled}
        opened = await (self._write(_OPEN, **values) if sign_in is None else self._transact(_opening, values, sign_in))
        if not opened:
            raise Conflict("family")

    async def family(self, family_id: bytes) -> TokenFamily | None:
        """Return the family, ended or not."""
        rows = await self._rows(_READ, family_id=family_id)
        return TokenFamily(*rows[0]) if rows else None

    async def families(self, before: bytes, limit: int) -> list[TokenFamily]:
        """Return at most `limit` families with an id below `before`, in descending order: those that expire last first."""
        return [TokenFamily(*row) for row in await self._rows(_READ_BEFORE, before=before, limit=limit)]

    @abstractmethod
    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds = 0
    ) -> TokenFamily | None:
        """Advance a live family from exactly this generation and return it with its new values.

        Returns None if the family has another generation, has ended, was created before `not_before`, expires at or before
        `parameters.issued_at`, or is bound to a key or certificate and would not be with these parameters. Of any number of
        concurrent calls with one generation exactly one gets the family (D7, threats L1). `issued_at` never decreases, even
        if the clock was set back (threats T11).
        """

    async def end_family(self, family_id: bytes, at: Milliseconds, because: str) -> bool:
        """End a family permanently and add it to the log. Returns whether this call ended it.

        The cost does not depend on how often the family was rotated.
        """
        return await self._transact(end_families, [family_id], at, because)

    async def family_statistics(self, now: Milliseconds) -> list[FamilyStatistics]:
        """Return the statistics of each application and kind that has families, ordered by both. Reads the whole table."""
        rows = await self._long_query(_STATISTICS, now=now)
        return [FamilyStatistics(client_id, bool(signed_in), *rest) for client_id, signed_in, *rest in rows]

    async def revoke_token(self, jti: str, until: Milliseconds) -> None:
        """Add the revocation of one access token to the log, until the token's expiry."""

        def revoking() -> Act[None]:
            yield Log("token", [(jti, until)])

        await self._transact(revoking)
