"""The rows of the route table for people at a browser (D27, D28); `routes.py` has the others."""

from credence import paths
from credence.web.browser.logo import logo
from credence.web.endpoints.account import account, change_account
from credence.web.endpoints.authorization import authorize, submit_consent, submit_sign_in
from credence.web.endpoints.device import device, submit_device
from credence.web.endpoints.passkey import submit_passkey
from credence.web.endpoints.password import choose_password, submit_password
from credence.web.endpoints.second_factor import change_factors, submit_second_factor
from credence.web.endpoints.sign_out import sign_out
from credence.web.endpoints.sign_up import sign_up, submit_sign_up
from credence.web.reference.operations import sign_in as operations
from credence.web.routing.route import Protection, Route

PAGES_FOR_PEOPLE = (
    Route(
        ("GET", "POST"),
        paths.AUTHORIZATION,
        Protection.BROWSER,
        authorize,
        operations.AUTHORIZE,
        metadata="authorization_endpoint",
    ),  # D27
    Route(("POST",), paths.SIGN_IN, Protection.BROWSER, submit_sign_in, operations.SUBMIT_SIGN_IN),
    Route(("POST",), paths.PASSKEY, Protection.BROWSER, submit_passkey, operations.SUBMIT_PASSKEY),
    Route(("POST",), paths.SECOND_FACTOR, Protection.BROWSER, submit_second_factor, operations.SUBMIT_SECOND_FACTOR),
    Route(("POST",), paths.CONSENT, Protection.BROWSER, submit_consent, operations.SUBMIT_CONSENT),
    Route(
        ("GET", "POST"),
        paths.SIGN_OUT,
        Protection.BROWSER,
        sign_out,
        operations.SIGN_OUT,
        metadata="end_session_endpoint",
    ),
    Route(("GET",), paths.ACCOUNT, Protection.BROWSER, account, operations.ACCOUNT),
    Route(("POST",), paths.ACCOUNT, Protection.BROWSER, change_account, operations.CHANGE_ACCOUNT),
    Route(("POST",), paths.FACTORS, Protection.BROWSER, change_factors, operations.CHANGE_FACTORS),
    Route(("GET",), paths.DEVICE, Protection.BROWSER, device, operations.DEVICE),  # RFC 8628 §3.3
    Route(("POST",), paths.DEVICE, Protection.BROWSER, submit_device, operations.SUBMIT_DEVICE),
    Route(("GET",), paths.PASSWORD, Protection.BROWSER, choose_password, operations.CHOOSE_PASSWORD),
    Route(("POST",), paths.PASSWORD, Protection.BROWSER, submit_password, operations.SUBMIT_PASSWORD),
    Route(("GET",), paths.SIGN_UP, Protection.BROWSER, sign_up, operations.SIGN_UP, setting="serves_sign_up"),
    Route(
        ("POST",),
        paths.SIGN_UP,
        Protection.BROWSER,
        submit_sign_up,
        operations.SUBMIT_SIGN_UP,
        setting="serves_sign_up",
    ),
    Route(("GET", "HEAD"), f"{paths.LOGO}/{{name}}", Protection.PUBLIC, logo, operations.LOGO, setting="logo_file"),
)
