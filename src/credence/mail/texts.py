"""All texts of the messages to people, so that a translation is this file and `sign_in/browser/texts.py`."""

from collections.abc import Mapping

NOTICE_SUBJECT = "Your {operator} account has been changed"
NOTICE = (
    "Your account {username} at {operator} was changed on {time}:\n\n{changes}\n\n"
    "If you made this change, you do not need to do anything.\n\n"
    "If you did not, {to_do}\n"
)
NOT_YOU = (
    "choose a new password at {password}, end any session you do not recognise at {account}, and contact {support}."
)
NOT_YOU_AND_ANOTHER_ADDRESS = (
    "contact {support} at once. If you can still sign in, end any session you do not recognise at {account}."
)
"""After a change of the address a link for a new password goes to the new one."""

RESET_SUBJECT = "Reset your {operator} password"
RESET = (
    "Someone, probably you, asked to reset the password of the account {username} at {operator}.\n\n"
    "Open this link by {time}, in the browser you requested it from. It works once:\n\n{link}\n\n"
    "If it was not you, ignore this message. Your password stays the same.\n"
)
RESET_BY_PASSKEY = (
    "Someone, probably you, asked to reset the password of the account {username} at {operator}.\n\n"
    "This account uses a passkey and has no password. If you have lost every device with a passkey, contact {support}.\n\n"
    "If it was not you, ignore this message.\n"
)
RESET_ELSEWHERE = (
    "Someone, probably you, asked to reset the password of the account {username} at {operator}.\n\n"
    "You sign in with your organisation, so there is no password to reset. If that does not work, contact your "
    "organisation.\n\n"
    "If it was not you, ignore this message.\n"
)

SIGN_UP_MAIL_SUBJECT = "Your account in the {operator} developer portal"
SIGN_UP_MAIL = (
    "Someone, probably you, asked for an account for {address} in the {operator} developer portal.\n\n"
    "Choose a password within 24 hours:\n\n{link}\n\n"
    "If it was not you, ignore this message. No account is created unless the link is used.\n"
)
SIGN_UP_MAIL_KNOWN = (
    "Someone, probably you, asked for an account for {address} in the {operator} developer portal.\n\n"
    "The account already exists; its username is this address. Sign in at {portal}.\n"
    "If you have lost the password, contact {support}.\n"
)

ADDRESS_CODE_SUBJECT = "Your code to change your email address at {operator}"
ADDRESS_CODES: Mapping[str, str] = {
    "old": (
        "Someone, probably you, asked to change the email address of the account {username} at {operator}. This is the code "
        "for your current address:\n\n{code}\n\n"
        "Enter it by {time} on the page you requested it from. {operator} will never ask you for this code.\n\n"
        "If it was not you, someone else is signed in to your account. Do not share the code. End any session you do not "
        "recognise at {account}, and contact {support}.\n"
    ),
    "new": (
        "Someone, probably you, asked to use this email address for an account at {operator}. This is the code for the new "
        "address:\n\n{code}\n\n"
        "Enter it by {time} on the page you requested it from. {operator} will never ask you for this code.\n\n"
        "If it was not you, ignore this message. The address is not used without the code.\n"
    ),
}
"""What a message with a code says, to the old and to the new address. Only the old one learns the login name."""

CHANGES: Mapping[str, str] = {
    "password": "The password was changed.",
    "address": "The email address was changed. Messages now go to the new address.",
    "totp added": "An authenticator app was added.",
    "totp removed": "An authenticator app was removed.",
    "passkey added": "A passkey was added.",
    "passkey removed": "A passkey was removed.",
    "recovery added": "New recovery codes were created.",
    "recovery removed": "A recovery code was used, or the codes were removed.",
}
"""What a notice says of each change, in the order in which it says it."""
