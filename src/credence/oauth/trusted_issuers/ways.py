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


def of_account(authority: Authority, account: Account) -> TrustedIssuer | None:
    """Return the issuer at which the person of an account signs in; None for none."""
    return named(authority, account.issuer) if account.issuer else None


def must_sign_in_there(authority: Authority, account: Account, application: Application | None) -> bool:
    """Return whether the person signs in at an issuer alone: no password and no passkey of this service counts.

    That holds for the people of such an issuer, for those with an address of its domains, and for its applications. The
    domains do not bind an owner who has not signed in there: else a fault of the issuer could lock every owner out.
    """
    if account.type == "service":
        return False
    alone = [each for each in authority.issuers if _signs_in(each) and each.only_way]
    if any(each.id == account.issuer or (each.applications and _is_for(each, application)) for each in alone):
        return True
    domains = {mail_domain(account.username), mail_domain(account.email)} if account.console_role != "owner" else set()
    return any(_is_for(each, application) and not domains.isdisjoint(each.mail_domains) for each in alone)


async def is_for_application(
    authority: Authority, session: Session, account: Account, application: Application
) -> bool:
    """Return whether a session counts for an application: its issuer may be for others, or another be the only way.

    Reads no row unless an issuer names applications.
    """
    if not any(each.applications for each in authority.issuers):
        return True
    begun = await authority.store.issuer_session(session.key)
    came_by = begun.owner if begun is not None else account.issuer if METHOD in session.methods.split() else ""
    issuer = next((each for each in authority.issuers if each.id == came_by), None)  # disabled or not
    alone = only_ones(authority, application)
    return issuer in alone if alone else issuer is None or _is_for(issuer, application)


def _signs_in(issuer: TrustedIssuer) -> bool:
    return "sign_in" in issuer.uses and not issuer.disabled and bool(issuer.client_id)


def _is_for(issuer: TrustedIssuer, application: Application | None) -> bool:
    return not issuer.applications or (application is not None and application.client_id in issuer.applications)
