"""The device grant (RFC 8628 §3.4): a device polls until its person has decided.

The row of a device has the time of its last poll, so all nodes together limit its rate. Once the person has decided, every
poll is answered.
"""

from credence.clock import Milliseconds
from credence.crypto.digest import sha256
from credence.identity.not_before import is_cut_off
from credence.oauth.authority import Authority
from credence.oauth.authorization.code import code_key
from credence.oauth.devices import INTERVAL_SECONDS, DeviceCode, read_device_code
from credence.oauth.grants.family_of_person import consent_stands, end_if_redeemed, open_family_of_person
from credence.oauth.grants.grant import ClaimedIdentity, Grant, Login, no_claimed_identity
from credence.oauth.issue import Issued, TokenOptions, issue_pair
from credence.oauth.parameters.attributes import Attributes
from credence.oauth.parameters.authorization_details import granted, stored
from credence.oauth.parameters.scopes import are_among
from credence.refusals.grants import (
    DEVICE_CODE_EXPIRED,
    DEVICE_CODE_MISSING,
    DEVICE_PENDING,
    DEVICE_REFUSED,
    DEVICE_TOO_FAST,
    INVALID_DEVICE_CODE,
    INVALID_TARGET,
)
from credence.refusals.refusal import Refused
from credence.request_context import RequestContext
from credence.store.contract import Conflict
from credence.store.devices import DeviceRequest
from credence.store.families import SignIn
from credence.store.records import Account, Application

TOLERANCE_MS = 1_000
"""How much too early a poll may arrive, because the network delay varies."""

_REUSED = "device_code_reused"


class DeviceLogin(Login, frozen=True):
    """The account that allowed a device, with the device code and its row."""

    account: Account
    code: DeviceCode
    allowed: DeviceRequest


async def authenticate(
    authority: Authority,
    application: Application,
    request: RequestContext,
    attributes: Attributes,
    _claimed: ClaimedIdentity | None,
) -> DeviceLogin:
    """Return the account that allowed the device.

    Raises Refused while no person has decided, after a denial, and for a code of another client (§3.5).
    """
    environment, now = authority.settings.environment.prefix, request.now
    code = read_device_code(environment, code_key(authority.secrets.refresh), attributes.device_code or "")
    if code is None or code.client_id != application.client_id:
        raise Refused(INVALID_DEVICE_CODE, "device_code.invalid")
    if now >= code.expires_at:
        await end_if_redeemed(authority, code.family_id, now, _REUSED)
        raise Refused(DEVICE_CODE_EXPIRED, "device_code.expired")
    found = await authority.store.device_request(code.key)
    if found is None or found.client_id != code.client_id:
        raise Refused(DEVICE_CODE_EXPIRED, "device_code.expired")
    if found.decision == "refused":
        raise Refused(DEVICE_REFUSED, "device_code.refused")
    if not found.decision:
        raise await _pending(authority, found, now)
    account = await authority.revocation_cache.account(found.username)
    if account is None:
        raise Refused(INVALID_DEVICE_CODE, "device_code.account_unknown")
    return DeviceLogin(account, code, found)


async def open_family(
    authority: Authority, application: Application, login: DeviceLogin, options: TokenOptions, now: Milliseconds
) -> Issued:
    """Open the family whose id the code carries and return its first tokens; Refused for a code used before.

    The family does not end with the browser session in which the person decided, because the device is used elsewhere.
    """
    account, allowed = login.account, login.allowed
    if is_cut_off(allowed.signed_in_at, account.not_before):
        raise _invalid_code(login, "device_code.account_changed")
    if not await consent_stands(authority, application, account.username, allowed.scope):
        raise _invalid_code(login, "device_code.consent_withdrawn")
    resources = tuple(allowed.resources.split())
    if resources and not are_among(options.resources, resources):
        raise Refused(INVALID_TARGET, "resource.not_granted")
    requested = TokenOptions(allowed.scope, options.resources or resources, options.confirmation)
    sign_in = SignIn(
        family_id=login.code.family_id,
        session=sha256(login.code.family_id),
        client_id=application.client_id,
        username=account.username,
        signed_in_at=allowed.signed_in_at,
        methods=allowed.methods,
        offline=True,
        rights=stored(granted(options.details, (application.rights,))),
    )
    try:
        family = await open_family_of_person(authority, application, account, requested, sign_in, now)
    except Conflict:
        if await end_if_redeemed(authority, login.code.family_id, now, _REUSED):
            raise _invalid_code(login, "device_code.already_used") from None
        raise _invalid_code(login, "device_code.account_changed") from None
    return issue_pair(authority, family, application, account, sign_in)


DEVICE_CODE = Grant(
    name="urn:ietf:params:oauth:grant-type:device_code",
    needs=("device_code",),
    missing=DEVICE_CODE_MISSING,
    claimed_identity=no_claimed_identity,
    authenticate=authenticate,
    issue=open_family,
    open_to_public=True,
    public_proves_key=False,
    takes_details=True,
)


async def _pending(authority: Authority, found: DeviceRequest, now: Milliseconds) -> Refused:
    """Store the time of a poll before the decision, and return the refusal for it (§3.5)."""
    early = now - found.polled_at < found.pause - TOLERANCE_MS
    pause = found.pause + INTERVAL_SECONDS * 1000 if early else found.pause
    await authority.store.note_device_poll(found.key, now, pause)
    return Refused(DEVICE_TOO_FAST, "device_code.too_fast") if early else Refused(DEVICE_PENDING, "device_code.pending")


def _invalid_code(login: DeviceLogin, reason: str) -> Refused:
    return Refused(INVALID_DEVICE_CODE, reason, account=login.account.username)
