"""Which trusted issuers people may sign in at, and who signs in there alone."""

from collections.abc import Sequence

from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.verifying import mail_domain
from credence.store.records import Account, Application
from credence.store.sign_ins import Session
from credence.store.trusted_issuers import TrustedIssuer

METHOD = "fed"
"""The value of `amr` of a sign-in at a trusted issuer. Others that the issuer asserts follow."""


def offered(authority: Authority, application: Application | None) -> Sequence[TrustedIssuer]:
    """Return the issuers at which people may sign in to an application, or to the pages of this service without one."""
    return [each for each in authority.issuers if _signs_in(each) and _is_for(each, application)]


def only_ones(authority: Authority, application: Application | None) -> Sequence[TrustedIssuer]:
    """Return the issuers that are the only ways to sign in to this application; none without one that names it."""
    return [each for each in offered(authority, application) if each.only_way and each.applications]


def of_address(authority: Authority, application: Application | None, typed: str) -> TrustedIssuer | None:
    """Return the issuer for the domain of a mail address that was typed; None for any other text."""
    domain = mail_domain(typed)
    return next((each for each in offered(authority, application) if domain in each.mail_domains), None)


def named(authority: Authority, identity: str) -> TrustedIssuer | None:
    """Return the issuer with this short name at which people may sign in."""
    return next((each for each in authority.issuers if each.id == identity and _signs_in(each)), None)


def linked(authority: Authority, account: Account) -> Sequence[TrustedIssuer]:
    """Return the issuers to which the person of an account is linked, and at which people may sign in."""
    ids = account.issuers.split()
    return [each for each in authority.issuers if each.id in ids and _signs_in(each)] if ids else []


def of_account(authority: Authority, account: Account) -> Sequence[TrustedIssuer]:
    """Return the issuers at which the person of an account signs in: of the linked ones only the only ways, if any is."""
    found = linked(authority, account)
    return [each for each in found if each.only_way] or found


def only_ones_for(authority: Authority, account: Account, application: Application | None) -> Sequence[TrustedIssuer]:
    """Return the issuers at which alone a person signs in: no password, passkey or other issuer counts. None: any way does.

    They are the only ways of the linked issuers, of those with the domain of an address of the person, and of those that
    name the application. The domains do not bind an owner who is not linked: else a fault of the issuer could lock every
    owner out.
    """
    alone = [each for each in authority.issuers if _signs_in(each) and each.only_way]
    if not alone or account.type == "service":
        return ()
    ids, domains = account.issuers.split(), {mail_domain(account.username), mail_domain(account.email)}
    if account.console_role == "owner":
        domains.clear()
    return [
        each
        for each in alone
        if each.id in ids
        or (_is_for(each, application) and (each.applications or not domains.isdisjoint(each.mail_domains)))
    ]


def must_sign_in_there(authority: Authority, account: Account, application: Application | None) -> bool:
    """Return whether the person signs in at an issuer alone."""
    return bool(only_ones_for(authority, account, application))


async def is_for_application(authority: Authority, session: Session, application: Application) -> bool:
    """Return whether a session counts for an application: its issuer may be for others, or another be the only way.

    A password or passkey that replaced the sign-in at an issuer counts like any other. Reads no row unless an issuer names
    applications.
    """
    if not any(each.applications for each in authority.issuers):
        return True
    begun = await authority.store.issuer_session(session.key) if METHOD in session.methods.split() else None
    came_by = None if begun is None else begun.owner
    issuer = next((each for each in authority.issuers if each.id == came_by), None)  # disabled or not
    alone = only_ones(authority, application)
    return issuer in alone if alone else issuer is None or _is_for(issuer, application)


def _signs_in(issuer: TrustedIssuer) -> bool:
    return "sign_in" in issuer.uses and not issuer.disabled and bool(issuer.client_id)


def _is_for(issuer: TrustedIssuer, application: Application | None) -> bool:
    return not issuer.applications or (application is not None and application.client_id in issuer.applications)
