"""The rows of the route table for people at a browser (D27, D28); `web/routes.py` has the others.

A row is behind the gate, unless its page is for people who are not signed in yet. Those pages act on nothing that belongs to
a person before that person has proved who they are: the sign-in, links of messages, and authorization requests, whose own
decision passes the same gate (`oauth/authorization/decision.py`). Signing out needs no strength.
"""

from dataclasses import replace
from functools import partial
from typing import Final

from credence import paths
from credence.identity.address_codes import LIFETIME_MS
from credence.identity.gate import Needs
from credence.identity.sessions import RECENT_SIGN_IN_MS
from credence.sign_in.account import account, change_account
from credence.sign_in.alert_mail import alert_mail, stop_alert_mail
from credence.sign_in.authorization import authorize, continue_sign_in, submit_consent
from credence.sign_in.browser.gate import gate
from credence.sign_in.browser.logo import logo
from credence.sign_in.browser.people import PASSWORD
from credence.sign_in.browser.steps import Target
from credence.sign_in.device import device, submit_device
from credence.sign_in.forgotten_password import forgotten_password, submit_forgotten_password
from credence.sign_in.from_issuer import come_from_issuer
from credence.sign_in.issuer_notices import receive_logout, receive_signal
from credence.sign_in.mail_address import mail_address, submit_mail_address
from credence.sign_in.password import (
    change_password,
    choose_password,
    submit_change_of_password,
    submit_password,
)
from credence.sign_in.second_factor import change_factors, submit_second_factor
from credence.sign_in.sign_in import submit_passkey, submit_sign_in
from credence.sign_in.sign_out import come_back_signed_out, sign_out
from credence.sign_in.sign_up import sign_up, submit_sign_up
from credence.web.routing.route import Protection, Route

_CHANGES_SIGN_IN = Needs(within_ms=RECENT_SIGN_IN_MS, own=frozenset({"totp", "passkey"}))
"""A change of how a person signs in needs a recent sign-in, with a second factor if the person has one (ASVS 7.5.1)."""

_CHANGES_PASSWORD = replace(_CHANGES_SIGN_IN, proved_by_act=(PASSWORD,))
_PROVES_ADDRESS = replace(_CHANGES_SIGN_IN, within_ms=RECENT_SIGN_IN_MS + LIFETIME_MS)
"""The sign-in was recent when the codes were requested, which is at most half an hour ago."""

_ADDS_FACTOR = replace(_CHANGES_SIGN_IN, on_the_way=True)
_PROVES_FACTOR = Needs(on_the_way=True)

_WITH_FORMS: Final[tuple[Target, ...]] = (
    "account",
    "authorization",
    "device",
    "device-consent",
    "change-password",
    "mail-address",
)
"""The steps that the forms of factors carry: people prove or add a factor on the way to each of them."""

_BROWSER, _PERSON = Protection.BROWSER, Protection.PERSON
TAG = "People sign in"
_SIGN_UP = "serves_sign_up"

_BOTH, _GET, _POST = ("GET", "POST"), ("GET",), ("POST",)

_PROVING = gate(*_WITH_FORMS, needs=_PROVES_FACTOR)
_CHANGING = gate(*_WITH_FORMS, needs=_CHANGES_SIGN_IN, by_act={"confirm": _ADDS_FACTOR, "passkey": _ADDS_FACTOR})
_PASSWORD = gate("change-password", needs=_CHANGES_PASSWORD)
_ADDRESS = gate("mail-address", needs=_CHANGES_SIGN_IN, by_act={"codes": _PROVES_ADDRESS})
_CODE = gate("device", "device-consent", carries="user_code")
_ACCOUNT, _CONSENT = gate("account"), gate("authorization")

_page = partial(Route, tag=TAG)

PAGES_FOR_PEOPLE = (
    _page(_BOTH, paths.AUTHORIZATION, _BROWSER, authorize, metadata="authorization_endpoint"),  # D27
    _page(_POST, paths.SIGN_IN, _BROWSER, submit_sign_in),
    _page(_POST, paths.PASSKEY, _BROWSER, submit_passkey),
    _page(_GET, f"{paths.FROM_ISSUER}/{{id}}", _BROWSER, come_from_issuer),
    _page(_GET, f"{paths.FROM_ISSUER}/{{id}}{paths.SIGNED_OUT_THERE}", _BROWSER, come_back_signed_out),
    _page(_POST, f"{paths.FROM_ISSUER}/{{id}}{paths.LOGOUT_THERE}", _BROWSER, receive_logout),
    _page(_POST, f"{paths.FROM_ISSUER}/{{id}}{paths.SIGNALS_THERE}", _BROWSER, receive_signal),
    _page(_POST, paths.SECOND_FACTOR, _PERSON, submit_second_factor, gate=_PROVING),
    _page(_POST, paths.CONSENT, _PERSON, submit_consent, gate=_CONSENT),
    _page(_POST, paths.CONTINUE, _BROWSER, continue_sign_in),
    _page(_BOTH, paths.SIGN_OUT, _BROWSER, sign_out, metadata="end_session_endpoint"),
    _page(_GET, paths.ACCOUNT, _PERSON, account, gate=_ACCOUNT),
    _page(_POST, paths.ACCOUNT, _PERSON, change_account, gate=_ACCOUNT),
    _page(_POST, paths.FACTORS, _PERSON, change_factors, gate=_CHANGING),
    _page(_GET, paths.DEVICE, _PERSON, device, gate=_CODE),  # RFC 8628 §3.3
    _page(_POST, paths.DEVICE, _PERSON, submit_device, gate=_CODE),
    _page(_GET, paths.PASSWORD, _BROWSER, choose_password),
    _page(_POST, paths.PASSWORD, _BROWSER, submit_password),
    _page(_GET, paths.FORGOTTEN_PASSWORD, _BROWSER, forgotten_password),
    _page(_POST, paths.FORGOTTEN_PASSWORD, _BROWSER, submit_forgotten_password),
    _page(_GET, paths.CHANGE_PASSWORD, _PERSON, change_password, gate=_PASSWORD),
    _page(_POST, paths.CHANGE_PASSWORD, _PERSON, submit_change_of_password, gate=_PASSWORD),
    _page(_GET, paths.MAIL_ADDRESS, _PERSON, mail_address, gate=_ADDRESS),
    _page(_POST, paths.MAIL_ADDRESS, _PERSON, submit_mail_address, gate=_ADDRESS),
    _page(_GET, paths.ALERT_MAIL, _BROWSER, alert_mail),
    _page(_POST, paths.ALERT_MAIL, _BROWSER, stop_alert_mail),  # RFC 8058
    _page(_GET, paths.SIGN_UP, _BROWSER, sign_up, setting=_SIGN_UP),
    _page(_POST, paths.SIGN_UP, _BROWSER, submit_sign_up, setting=_SIGN_UP),
    _page(("GET", "HEAD"), f"{paths.LOGO}/{{name}}", Protection.PUBLIC, logo, setting="logo_file"),
)
