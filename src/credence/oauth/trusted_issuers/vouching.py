"""Whether a trusted issuer still vouches for a person whose login is refreshed: leavers lose their access (threats E14).

Only for accounts of an issuer with `vouch_seconds`, and only that often. The issuer is asked with the refresh token that it
gave at the sign-in, by one request at a time.
"""

import msgspec

from credence.clock import Milliseconds
from credence.crypto.sealing import seal, unseal
from credence.identity.accounts import with_everything_ended
from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.secrets import refresh_token_name, sealing
from credence.oauth.trusted_issuers.signing_in import NotSignedInThere, Proof, refreshed
from credence.oauth.trusted_issuers.ways import of_account
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


async def require_vouched(authority: Authority, account: Account, now: Milliseconds) -> None:
    """Raise Refused if the issuer of the account no longer vouches for the person; every login has ended then."""
    issuer = of_account(authority, account)
    if issuer is None or not issuer.vouch_seconds:
        return
    links = [each for each in await authority.store.links_of(account.username) if each.owner == issuer.id]
    if any(0 <= now - each.vouched_at < issuer.vouch_seconds * 1000 for each in links):
        return
    for link in links:
        if await _vouches(authority, issuer, link, now):
            return
    await authority.store.change(ACCOUNTS, account.username, lambda each: _ended(each, now), now)
    raise Refused(REFRESH_TOKEN_REFUSED, "refresh_token.not_vouched_for", account=account.username)


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
