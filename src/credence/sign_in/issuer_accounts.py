"""The account of a person whom a trusted issuer asserts: found by `iss` and `sub`, linked or made (threats E14)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from credence.crypto.randomness import new_password
from credence.crypto.sealing import seal
from credence.errors import InvalidInput
from credence.identity import accounts
from credence.identity.console_roles import CONSOLE_ROLES
from credence.identity.usernames import login_name
from credence.oauth.trusted_issuers.signing_in import NotSignedInThere, Proof
from credence.oauth.trusted_issuers.verifying import has_value, mail_domain, refresh_token_name, sealing
from credence.oauth.trusted_issuers.ways import only_ones_for
from credence.operations.audit_changes import changes
from credence.request_context import RequestContext
from credence.service import Service
from credence.store.contract import Conflict
from credence.store.records import Account, Application
from credence.store.registry import ACCOUNTS
from credence.store.trusted_issuers import LINKS, IssuerLink, TrustedIssuer, link_id, with_issuer
from credence.web.messages.recorded import record_act

MAX_NAME_CHARACTERS = 200


async def account_of(
    service: Service,
    request: RequestContext,
    issuer: TrustedIssuer,
    application: Application | None,
    claims: Mapping[str, Any],
    proof: Proof,
) -> Account:
    """Return the account of the person, with the rights that the claims give, and note that the issuer vouches for it.

    An unknown subject is linked to the account of a proven address, or gets an account, if the operator wants that.
    Raises NotSignedInThere, also for a person who signs in at other issuers alone.
    """
    authority, subject = service.authority, claims["sub"]
    identity = link_id(issuer.id, subject)
    link = await authority.store.get(LINKS, identity)
    if link is None:
        link = IssuerLink(identity, issuer.id, subject, "", request.now)
        known = await _by_address(service, issuer, claims)
        found = known or await _new(service, request, issuer, claims)
        _require_way(service, issuer, found, application)
        if known is None:
            await _add(service, request, issuer, found)
        link = msgspec.structs.replace(link, username=found.username)
        await _record(service, request, issuer, "issuer link", found.username, link=identity, subject=subject)
        await _saved(service, request, link)
    account = await _with_rights(service, request, issuer, application, link.username, claims)
    await authority.store.change(LINKS, identity, lambda each: _vouched(service, each, issuer, proof, request.now))
    await authority.follow(request.now)
    return account


def _vouched(service: Service, link: IssuerLink, issuer: TrustedIssuer, proof: Proof, now: int) -> IssuerLink:
    sealed = b""
    if issuer.vouch_seconds and proof.refresh_token:
        keys = sealing(service.authority.secrets.digest)
        sealed = seal(keys, refresh_token_name(link.id), proof.refresh_token.encode())
    return msgspec.structs.replace(link, refresh_token=sealed, vouched_at=now)


async def _by_address(service: Service, issuer: TrustedIssuer, claims: Mapping[str, Any]) -> Account | None:
    """Return the account whose name and proven address are the address that the issuer asserts as verified.

    Only for an issuer that is trusted with domains, and never an account with a role in the console.
    """
    address = _proven_address(issuer, claims)
    if not (issuer.links_by_mail and address):
        return None
    found = await service.authority.store.account(login_name(address))
    if found is None or found.type != "user" or found.issuers or found.console_role != "none":
        return None
    return found if found.email_verified and login_name(found.email or "") == login_name(address) else None


def _require_way(service: Service, issuer: TrustedIssuer, account: Account, application: Application | None) -> None:
    """Raise NotSignedInThere if others are the only ways for the person, before anything of the account is changed."""
    alone = only_ones_for(service.authority, account, application)
    if alone and issuer not in alone:
        raise NotSignedInThere("issuer.another_is_the_only_way")


async def _new(service: Service, request: RequestContext, issuer: TrustedIssuer, claims: Mapping[str, Any]) -> Account:
    """Return a new account that is not stored yet."""
    if not issuer.makes_accounts:
        raise NotSignedInThere("issuer.no_account")
    authority, address = service.authority, _proven_address(issuer, claims)
    username = login_name(address or f"{issuer.id}.{link_id(issuer.id, claims['sub'])[:16]}")
    if await authority.store.account(username) is not None:
        raise NotSignedInThere("issuer.address_taken")
    hashed = await authority.passwords.hash_new(new_password(), username, request.disconnected)
    try:
        made = accounts.register(
            username,
            "user",
            hashed,
            request.now,
            email=address or None,
            email_verified=bool(address),
            first_name=_name(claims, "given_name"),
            last_name=_name(claims, "family_name"),
        )
    except InvalidInput:
        raise NotSignedInThere("issuer.no_account") from None
    return msgspec.structs.replace(made, issuers=issuer.id)


async def _add(service: Service, request: RequestContext, issuer: TrustedIssuer, made: Account) -> None:
    await _record(service, request, issuer, "account create", made.username, changed=changes(None, made))
    try:
        await service.authority.store.save_account(made, request.now)
    except Conflict:
        raise NotSignedInThere("issuer.address_taken") from None


async def _saved(service: Service, request: RequestContext, link: IssuerLink) -> None:
    try:
        await service.authority.store.save(LINKS, link, request.now)
    except Conflict:  # the same person in another browser, a moment ago
        kept = await service.authority.store.get(LINKS, link.id)
        if kept is None or kept.username != link.username:
            raise NotSignedInThere("issuer.no_account") from None


async def _with_rights(
    service: Service,
    request: RequestContext,
    issuer: TrustedIssuer,
    application: Application | None,
    username: str,
    claims: Mapping[str, Any],
) -> Account:
    store = service.authority.store
    before = await store.account(username)
    if before is None:
        raise NotSignedInThere("issuer.no_account")
    _require_way(service, issuer, before, application)
    wanted = with_rights(before, issuer, claims)
    if wanted != before:
        await _record(service, request, issuer, "account rights", username, changed=changes(before, wanted))
        await store.change(ACCOUNTS, username, lambda each: with_rights(each, issuer, claims), request.now)
    found = await store.account(username)
    if found is None or found.status != "active":
        raise NotSignedInThere("issuer.account_not_active")
    return found


def with_rights(account: Account, issuer: TrustedIssuer, claims: Mapping[str, Any]) -> Account:
    """Return the account as the claims give it rights, linked to the issuer.

    A kind of right that no rule of the issuer gives is left as it is; so is the role of an owner.
    """
    given = [each for each in issuer.rights if has_value(claims, each.claim, each.value)]
    changed: dict[str, Any] = {"issuers": with_issuer(account, issuer.id)}
    if any(each.console_role != "none" for each in issuer.rights) and account.console_role != "owner":
        changed["console_role"] = max((each.console_role for each in given), key=CONSOLE_ROLES.index, default="none")
    if any(each.workbench_for for each in issuer.rights):
        changed["workbench_for"] = next((each.workbench_for for each in given if each.workbench_for), "")
    if any(each.developer for each in issuer.rights):
        changed["developer"] = any(each.developer for each in given)
    return msgspec.structs.replace(account, **changed)


def _proven_address(issuer: TrustedIssuer, claims: Mapping[str, Any]) -> str:
    """Return the mail address if the issuer has verified it and is trusted with its domain; empty otherwise."""
    address = claims.get("email")
    proven = claims.get("email_verified") is True and mail_domain(address) in issuer.mail_domains
    return str(address) if proven and len(str(address)) <= 254 and str(address).isprintable() else ""


def _name(claims: Mapping[str, Any], claim: str) -> str | None:
    value = claims.get(claim)
    return value[:MAX_NAME_CHARACTERS] if isinstance(value, str) and value and value.isprintable() else None


async def _record(
    service: Service,
    request: RequestContext,
    issuer: TrustedIssuer,
    act: str,
    username: str,
    changed: Any = (),
    **more: str,
) -> None:
    named = {"account": username, "issuer": issuer.id, **more}
    await record_act(service, request, f"issuer {issuer.id}", "sign-in", act, changed or {}, **named)
