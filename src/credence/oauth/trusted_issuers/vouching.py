"""Whether a trusted issuer still vouches for a person whose login is refreshed: leavers lose their access (threats E14).

Only for accounts that are linked to an issuer with `vouch_seconds`, and only that often. A login is vouched for by the
issuer at which it began; one that began at no issuer, such as by password, by each issuer of the person. The issuer is
asked with the refresh token that it gave at the sign-in, by one request at a time.
"""

from collections.abc import Sequence

import msgspec

from credence.clock import Milliseconds
from credence.crypto.sealing import seal, unseal
from credence.identity.accounts import with_everything_ended
from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.signing_in import NotSignedInThere, Proof, refreshed
from credence.oauth.trusted_issuers.verifying import refresh_token_name, sealing
from credence.oauth.trusted_issuers.ways import linked
from credence.refusals.credentials import REFRESH_TOKEN_REFUSED
from credence.refusals.refusal import Refused
from credence.store.contract import Conflict
from credence.store.records import Account
from credence.store.registry import ACCOUNTS
from credence.store.trusted_issuers import LINKS, IssuerLink, TrustedIssuer

ONE_AT_A_TIME_MS = 30_000
"""For how long other refreshes go on while one queries the issuer."""

_STILL = 2
"""How many times `vouch_seconds` an issuer that does not answer is believed to vouch."""


async def require_vouched(authority: Authority, account: Account, family_id: bytes, now: Milliseconds) -> None:
    """Raise Refused if an issuer that has to vouch for a login no longer does; every login of the person has ended then."""
    vouching = [each for each in linked(authority, account) if each.vouch_seconds]
    if not vouching:
        return
    sign_in = await authority.store.sign_in(family_id)
    began_at = "" if sign_in is None else sign_in.issuer
    links = await authority.store.links_of(account.username)
    for issuer in vouching:
        theirs = [each for each in links if each.owner == issuer.id]
        if began_at in ("", issuer.id) and not await _any_vouches(authority, issuer, theirs, now):
            await authority.store.change(ACCOUNTS, account.username, lambda each: _ended(each, now), now)
            raise Refused(REFRESH_TOKEN_REFUSED, "refresh_token.not_vouched_for", account=account.username)


async def _any_vouches(
    authority: Authority, issuer: TrustedIssuer, links: Sequence[IssuerLink], now: Milliseconds
) -> bool:
    if any(0 <= now - each.vouched_at < issuer.vouch_seconds * 1000 for each in links):
        return True
    for link in links:
        if await _vouches(authority, issuer, link, now):
            return True
    return False


async def _vouches(authority: Authority, issuer: TrustedIssuer, link: IssuerLink, now: Milliseconds) -> bool:
    client = authority.issuer_metadata.client
    if not link.refresh_token or client is None:
        return False
    if 0 <= now - link.asked_at < ONE_AT_A_TIME_MS:
        return True
    try:
        await authority.store.save(LINKS, msgspec.structs.replace(link, version=link.version + 1, asked_at=now), now)
    except Conflict:  # another refresh queries it now
        return True
    keys, name = sealing(authority.secrets.digest), refresh_token_name(link.id)
    try:
        token = unseal(keys, name, link.refresh_token).decode()
        proof = await refreshed(authority, client, issuer, link.subject, token, now)
    except NotSignedInThere:
        return now - link.vouched_at < _STILL * issuer.vouch_seconds * 1000
    if proof is None:
        return False
    await authority.store.change(LINKS, link.id, lambda each: _with_proof(authority, each, proof, now), now)
    return True


def _with_proof(authority: Authority, link: IssuerLink, proof: Proof, now: Milliseconds) -> IssuerLink:
    """Return the link as vouched for now, with the next refresh token if the issuer rotates them."""
    sealed = link.refresh_token
    if proof.refresh_token:
        keys = sealing(authority.secrets.digest)
        sealed = seal(keys, refresh_token_name(link.id), proof.refresh_token.encode())
    return msgspec.structs.replace(link, refresh_token=sealed, vouched_at=now)


def _ended(account: Account, now: Milliseconds) -> Account:
    return msgspec.structs.replace(with_everything_ended(account, now), version=account.version)
