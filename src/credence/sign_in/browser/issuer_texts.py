"""The texts of the pages about sign-ins at trusted issuers."""

from collections.abc import Mapping

SIGN_IN_WITH = "Sign in with {issuer}"
SIGNS_IN_ELSEWHERE = "You sign in with your organisation. Enter your work email address, or choose its button."
OUT_OF_ORDER = "The sign-in of your organisation does not work at the moment. Try again in a few minutes."
STRONGER_TITLE = "A second factor is needed"
STRONGER_ELSEWHERE = "Sign in with {issuer} again, this time with a second factor."
CONTINUE_TITLE = "Continue to {issuer}"
CONTINUE = "You sign in with {issuer} and come back here."

SIGNING_OUT_THERE = "You have signed out here. Continue to sign out of {issuer} as well."
STILL_SIGNED_IN = (
    "You have signed out here, but you may still be signed in to {issuer}. If other people use this computer, sign out "
    "there as well, and close your browser."
)

FAILED_TITLE = "You are not signed in"
OTHER_SIGN_IN_TITLE = "Another sign-in is needed"
FAILED = (
    "The sign-in of your organisation did not confirm who you are in a way that this service accepts. Try again. If it "
    "happens again, send {support} the reference below."
)
_NO_ANSWER = "The sign-in of your organisation does not answer at the moment. Try again in a few minutes."
FAILURES: Mapping[str, str] = {
    "issuer.denied": "The sign-in was cancelled, or your organisation did not let you in.",
    "issuer.no_account": (
        "Your organisation confirmed who you are, but you have no account here yet. Ask the person in your organisation who "
        "looks after this service."
    ),
    "issuer.address_taken": (
        "An account with your email address exists already and is not connected to the sign-in of your organisation. "
        "Contact {support} to have them connected."
    ),
    "issuer.account_not_active": "This account cannot sign in. Contact {support} to find out why.",
    "issuer.not_offered": (
        "The sign-in of your organisation is not for this application. Sign in another way, or ask the person in your "
        "organisation who looks after this service."
    ),
    "issuer.session_not_for_application": (
        "The application on your device does not accept the way you signed in here. Sign out, enter the code again, and "
        "sign in another way."
    ),
    "issuer.another_is_the_only_way": (
        "Your account signs in with another organisation. Go back, and choose its button or enter your email address there."
    ),
    "issuer.no_answer": _NO_ANSWER,
    "issuer.metadata_unavailable": _NO_ANSWER,
    "issuer_token.auth_time": "You have to sign in again, and your organisation reported an earlier sign-in. Try again.",
    "issuer_token.mail_domain": "Your organisation named an email address that is not one of its own.",
}
"""Reason code -> what the person reads; `FAILED` for others."""
