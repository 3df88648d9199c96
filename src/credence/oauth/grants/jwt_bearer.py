"""The JWT bearer grant: an employer's assertion about a person becomes an access token (RFC 7523 §2.1, ID-JAG).

The assertion is an identity assertion authorization grant (`oauth/trusted_issuers/identity_assertion.py`). There is no
consent page, because the employer has decided, and no refresh token: for the next token the client needs the employer's word
again (draft-ietf-oauth-identity-assertion-authz-grant §4.4). Scope, resource and rights are at most those of the assertion,
of the issuer in the table, and of the application.
"""

import msgspec

from credence.access.report_rights import ReportRights
from credence.clock import Milliseconds
from credence.identity.applications import application_time
from credence.identity.not_before import dated, is_cut_off
from credence.identity.sessions import CLASS_OF_POLICY, is_weaker
from credence.oauth.authority import Authority
from credence.oauth.grants.grant import ClaimedIdentity, Grant, Login, no_claimed_identity
from credence.oauth.issue import Issued, TokenOptions, access_token_lifetime, issue_access_token
from credence.oauth.parameters import scopes
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.parameters.authorization_details import granted, read_details
from credence.oauth.tokens.access_token import Claims, cnf_claim, new_token_id
from credence.oauth.trusted_issuers.identity_assertion import AssertedClaims, Assertion, use_assertion
from credence.oauth.trusted_issuers.verifying import UntrustedToken
from credence.refusals.grants import (
    ASSERTION_MISSING,
    ASSERTION_REFUSED,
    INVALID_AUTHORIZATION_DETAILS,
    INVALID_SCOPE,
    INVALID_TARGET,
)
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.records import Account, Application
from credence.store.trusted_issuers import TrustedIssuer

MAX_SECONDS = 900
"""The longest lifetime of a token: the employer decides again every quarter of an hour."""


class AssertionLogin(Login, frozen=True):
    """The account of an assertion, with the assertion."""

    account: Account
    assertion: Assertion


async def authenticate(
    authority: Authority,
    application: Application,
    request: RequestContext,
    attributes: Attributes,
    _claimed: ClaimedIdentity | None,
) -> AssertionLogin:
    """Return the account that the assertion is about; Refused for an assertion that is not acceptable (RFC 7523 §3.1)."""
    if application.clock is not None:
        raise Refused(ASSERTION_REFUSED, "assertion_grant.test_clock")
    try:
        assertion = await use_assertion(authority, application, attributes.assertion or "", request.now)
    except UntrustedToken as untrusted:
        raise Refused(ASSERTION_REFUSED, str(untrusted)) from None
    return AssertionLogin(assertion.account, assertion)


async def issue(
    authority: Authority, application: Application, login: AssertionLogin, options: TokenOptions, now: Milliseconds
) -> Issued:
    """Return an access token for the account, for at most `MAX_SECONDS`.

    Raises Refused for a scope, resource or rights beyond the assertion, the issuer or the application.
    """
    issuer, account, asserted = login.assertion
    not_before = application_time(application, max(account.not_before, application.not_before))
    issued_at = dated(now, not_before) // 1000
    auth_time = _auth_time(application, account, asserted)
    acr = _class(application, issuer, account, asserted)
    rights = granted(options.details, (_rights(asserted), issuer.report_rights, application.rights))
    claims = Claims(
        iss=authority.settings.issuer,
        sub=account.username,
        aud=_audience(authority, application, issuer, asserted, options),
        client_id=application.client_id,
        iat=issued_at,
        exp=issued_at + min(access_token_lifetime(authority, application), MAX_SECONDS),
        jti=new_token_id(),
        scope=_scope(application, issuer, asserted, options.scope, with_rights=rights is not None),
        Email=account.email,
        FirstName=account.first_name,
        LastName=account.last_name,
        account_type=account.type,
        auth_time=auth_time,
        acr=acr,
    )
    limits = {"cnf": cnf_claim(options.confirmation), "authorization_details": None if rights is None else (rights,)}
    return await issue_access_token(authority, application, msgspec.structs.replace(claims, **limits))


def _auth_time(application: Application, account: Account, asserted: AssertedClaims) -> int | None:
    """Return when the person was authenticated, as the issuer says; None if it does not say.

    Raises Refused for a sign-in, or else an assertion, from before a change that ended all logins, and without a time if a
    rule limits its age: the time of the token would pass for it.
    """
    stated = asserted.iat if asserted.auth_time is None else asserted.auth_time
    if is_cut_off(int(stated) * 1000, account.not_before):
        raise Refused(ASSERTION_REFUSED, "assertion_grant.auth_time", account=account.username)
    if asserted.auth_time is None:
        if application.rules.max_age is not None or account.rules.max_age is not None:
            raise Refused(ASSERTION_REFUSED, "assertion_grant.auth_time", account=account.username)
        return None
    return int(asserted.auth_time)


def _class(application: Application, issuer: TrustedIssuer, account: Account, asserted: AssertedClaims) -> str | None:
    """Return the `acr` of the token: that of two factors if the issuer says so, else None.

    Raises Refused if the policy of the account or the application needs more, as the password grant does.
    """
    found = CLASS_OF_POLICY["factor"] if asserted.acr in issuer.strong_classes else None
    for policy in (account.sign_in, application.sign_in):
        if is_weaker(found or CLASS_OF_POLICY["password"], CLASS_OF_POLICY[policy]):
            raise Refused(ASSERTION_REFUSED, "account.needs_factor", account=account.username)
    return found


def _scope(
    application: Application,
    issuer: TrustedIssuer,
    asserted: AssertedClaims,
    requested: str | None,
    *,
    with_rights: bool,
) -> str:
    """Return the scope: what application, issuer and assertion allow of the credit API, or less if less is requested."""
    allowed = scopes.CREDIT_SCOPES.keys() & scopes.of_application(application)
    if with_rights:
        allowed &= scopes.WITH_RIGHTS
    if issuer.scopes:
        allowed &= set(issuer.scopes)
    if asserted.scope is not None:
        allowed &= set(asserted.scope.split(" "))
    if requested is None and asserted.scope is not None:
        found = scopes.format_scope(frozenset(allowed))
    else:
        found = scopes.granted(requested, allowed)
    if not found:  # a token with an empty scope would have all scopes of its application
        raise Refused(INVALID_SCOPE, "scope.not_allowed")
    return found


def _audience(
    authority: Authority,
    application: Application,
    issuer: TrustedIssuer,
    asserted: AssertedClaims,
    options: TokenOptions,
) -> str:
    """Return the resource: the requested one, by default that of the assertion (RFC 8707 §2.2)."""
    if asserted.resources and not scopes.are_among(options.resources, asserted.resources):
        raise Refused(INVALID_TARGET, "resource.not_granted")
    found = scopes.audience_of_resources(options.resources or asserted.resources, application, authority.settings)
    if found == scopes.management_resource(authority.settings) or (
        issuer.resources and not scopes.are_among((found,), issuer.resources)
    ):
        raise Refused(INVALID_TARGET, "resource.not_allowed")
    return found


def _rights(asserted: AssertedClaims) -> ReportRights | None:
    """Return the rights of the assertion; Refused if they are of a type that this service does not know."""
    if asserted.authorization_details is None:
        return None
    try:
        return read_details(msgspec.json.encode(asserted.authorization_details).decode())
    except ValueError:
        raise Refused(INVALID_AUTHORIZATION_DETAILS, "authorization_details.malformed") from None


JWT_BEARER = Grant(
    name="urn:ietf:params:oauth:grant-type:jwt-bearer",
    needs=("assertion",),
    missing=ASSERTION_MISSING,
    claimed_identity=no_claimed_identity,
    authenticate=authenticate,
    issue=issue,
    takes_details=True,
)
