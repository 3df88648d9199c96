"""The rows of the route table for people at a browser (D27, D28); `web/routes.py` has the others.

A row is behind the gate, unless its page is for people who are not signed in yet. Those pages act on nothing that belongs to
a person before that person has proved who they are: the sign-in, links of messages, and authorization requests, whose own
decision passes the same gate (`oauth/authorization/decision.py`). Signing out needs no strength.
"""

from dataclasses import replace
from typing import Final

from credence import paths
from credence.api.reference.operations import sign_in as operations
from credence.identity.address_codes import LIFETIME_MS
from credence.identity.gate import Needs
from credence.identity.sessions import RECENT_SIGN_IN_MS
from credence.sign_in.account import account, change_account
from credence.sign_in.authorization import authorize, go_on, submit_consent
from credence.sign_in.browser.gate import gate
from credence.sign_in.browser.logo import logo
from credence.sign_in.browser.people import PASSWORD
from credence.sign_in.browser.steps import Target
from credence.sign_in.device import device, submit_device
from credence.sign_in.forgotten_password import forgotten_password, submit_forgotten_password
from credence.sign_in.mail_address import mail_address, submit_mail_address
from credence.sign_in.password import (
    change_password,
    choose_password,
    submit_change_of_password,
    submit_password,
)
from credence.sign_in.second_factor import change_factors, submit_second_factor
from credence.sign_in.sign_in import submit_passkey, submit_sign_in
from credence.sign_in.sign_out import sign_out
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
_SIGN_UP = "serves_sign_up"

_BOTH, _GET, _POST = ("GET", "POST"), ("GET",), ("POST",)

_PROVING = gate(*_WITH_FORMS, needs=_PROVES_FACTOR)
_CHANGING = gate(*_WITH_FORMS, needs=_CHANGES_SIGN_IN, by_act={"confirm": _ADDS_FACTOR, "passkey": _ADDS_FACTOR})
_PASSWORD = gate("change-password", needs=_CHANGES_PASSWORD)
_ADDRESS = gate("mail-address", needs=_CHANGES_SIGN_IN, by_act={"codes": _PROVES_ADDRESS})
_CODE = gate("device", "device-consent", carries="user_code")
_ACCOUNT, _CONSENT = gate("account"), gate("authorization")

PAGES_FOR_PEOPLE = (
    Route(
        _BOTH, paths.AUTHORIZATION, _BROWSER, authorize, operations.AUTHORIZE, metadata="authorization_endpoint"
    ),  # D27
    Route(_POST, paths.SIGN_IN, _BROWSER, submit_sign_in, operations.SUBMIT_SIGN_IN),
    Route(_POST, paths.PASSKEY, _BROWSER, submit_passkey, operations.SUBMIT_PASSKEY),
    Route(_POST, paths.SECOND_FACTOR, _PERSON, submit_second_factor, operations.SUBMIT_SECOND_FACTOR, gate=_PROVING),
    Route(_POST, paths.CONSENT, _PERSON, submit_consent, operations.SUBMIT_CONSENT, gate=_CONSENT),
    Route(_POST, paths.CONTINUE, _BROWSER, go_on, operations.CONTINUE),
    Route(_BOTH, paths.SIGN_OUT, _BROWSER, sign_out, operations.SIGN_OUT, metadata="end_session_endpoint"),
    Route(_GET, paths.ACCOUNT, _PERSON, account, operations.ACCOUNT, gate=_ACCOUNT),
    Route(_POST, paths.ACCOUNT, _PERSON, change_account, operations.CHANGE_ACCOUNT, gate=_ACCOUNT),
    Route(_POST, paths.FACTORS, _PERSON, change_factors, operations.CHANGE_FACTORS, gate=_CHANGING),
    Route(_GET, paths.DEVICE, _PERSON, device, operations.DEVICE, gate=_CODE),  # RFC 8628 §3.3
    Route(_POST, paths.DEVICE, _PERSON, submit_device, operations.SUBMIT_DEVICE, gate=_CODE),
    Route(_GET, paths.PASSWORD, _BROWSER, choose_password, operations.CHOOSE_PASSWORD),
    Route(_POST, paths.PASSWORD, _BROWSER, submit_password, operations.SUBMIT_PASSWORD),
    Route(_GET, paths.FORGOTTEN_PASSWORD, _BROWSER, forgotten_password, operations.FORGOTTEN_PASSWORD),
    Route(_POST, paths.FORGOTTEN_PASSWORD, _BROWSER, submit_forgotten_password, operations.SUBMIT_FORGOTTEN_PASSWORD),
    Route(_GET, paths.CHANGE_PASSWORD, _PERSON, change_password, operations.CHANGE_PASSWORD, gate=_PASSWORD),
    Route(
        _POST,
        paths.CHANGE_PASSWORD,
        _PERSON,
        submit_change_of_password,
        operations.SUBMIT_CHANGE_OF_PASSWORD,
        gate=_PASSWORD,
    ),
    Route(_GET, paths.MAIL_ADDRESS, _PERSON, mail_address, operations.MAIL_ADDRESS, gate=_ADDRESS),
    Route(_POST, paths.MAIL_ADDRESS, _PERSON, submit_mail_address, operations.SUBMIT_MAIL_ADDRESS, gate=_ADDRESS),
    Route(_GET, paths.SIGN_UP, _BROWSER, sign_up, operations.SIGN_UP, setting=_SIGN_UP),
    Route(_POST, paths.SIGN_UP, _BROWSER, submit_sign_up, operations.SUBMIT_SIGN_UP, setting=_SIGN_UP),
    Route(("GET", "HEAD"), f"{paths.LOGO}/{{name}}", Protection.PUBLIC, logo, operations.LOGO, setting="logo_file"),
)
