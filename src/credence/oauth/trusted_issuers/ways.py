"""Which trusted issuers people may sign in at, and who signs in there alone."""

from collections.abc import Sequence

from credence.oauth.authority import Authority
from credence.oauth.trusted_issuers.verifying import mail_domain
from credence.store.records import Account, Application
from credence.store.trusted_issuers import TrustedIssuer

METHOD = "fed"
"""The value of `amr` of a sign-in at a trusted issuer. Others that the issuer asserts follow."""


def offered(authority: Authority, application: Application | None) -> Sequence[TrustedIssuer]:
    """Return the issuers at which people may sign in to an application, or to the pages of this service without one."""
    return [each for each in authority.issuers if _signs_in(each) and _is_for(each, application)]


def only_one(authority: Authority, application: Application | None) -> TrustedIssuer | None:
    """Return the issuer that is the only way to sign in to this application; None without one that names it."""
    return next((each for each in offered(authority, application) if each.only_way and each.applications), None)


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


def must_sign_in_there(authority: Authority, account: Account) -> bool:
    """Return whether the person signs in at an issuer alone: no password and no passkey of this service counts."""
    issuer = of_account(authority, account)
    return issuer is not None and issuer.only_way


def _signs_in(issuer: TrustedIssuer) -> bool:
    return "sign_in" in issuer.uses and not issuer.disabled and bool(issuer.client_id)


def _is_for(issuer: TrustedIssuer, application: Application | None) -> bool:
    return not issuer.applications or (application is not None and application.client_id in issuer.applications)
