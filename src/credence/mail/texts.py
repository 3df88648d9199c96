"""All texts of the messages to people, so that a translation is this file and `sign_in/browser/texts.py`."""

from collections.abc import Mapping

NOTICE_SUBJECT = "Your account at {operator} was changed"
NOTICE = (
    "Your account {username} at {operator} was changed on {time}:\n\n{changes}\n\n"
    "If it was you, do nothing.\n\n"
    "If it was not you, {to_do}\n"
)
NOT_YOU = "choose a new password at {password}, end the sessions that you do not know at {account}, and tell {support}."
NOT_YOU_AND_ANOTHER_ADDRESS = (
    "tell {support} at once. If you can still sign in, end the sessions that you do not know at {account}."
)
"""After a change of the address a link for a new password goes to the new one."""

RESET_SUBJECT = "Choose a new password for your account at {operator}"
RESET = (
    "Somebody, probably you, has asked to choose a new password for the account {username} at {operator}.\n\n"
    "Open this link in the browser in which you asked for it, by {time}. It works once:\n\n{link}\n\n"
    "If it was not you, do nothing: without the link the password stays as it is.\n"
)
RESET_BY_PASSKEY = (
    "Somebody, probably you, has asked to choose a new password for the account {username} at {operator}.\n\n"
    "This account signs in with a passkey and has no use for a password. If you have lost every device with a passkey, "
    "{support} can help you.\n\n"
    "If it was not you, do nothing.\n"
)

ADDRESS_CODE_SUBJECT = "Your code for a new mail address at {operator}"
ADDRESS_CODES: Mapping[str, str] = {
    "old": (
        "Somebody, probably you, wants to change the mail address of the account {username} at {operator}. This is the code "
        "for the present address:\n\n{code}\n\n"
        "Enter it by {time} on the page on which you asked for it. Nobody from {operator} asks you for it.\n\n"
        "If it was not you, somebody else is signed in to your account: tell nobody the code, end the sessions that you do "
        "not know at {account}, and tell {support}.\n"
    ),
    "new": (
        "Somebody, probably you, wants to use this mail address for an account at {operator}. This is the code for the new "
        "address:\n\n{code}\n\n"
        "Enter it by {time} on the page on which you asked for it. Nobody from {operator} asks you for it.\n\n"
        "If it was not you, do nothing: without the code this address is not used.\n"
    ),
}
"""What a message with a code says, to the old and to the new address. Only the old one learns the login name."""

CHANGES: Mapping[str, str] = {
    "password": "The password was changed.",
    "address": "The mail address was changed. Further messages go to the new one.",
    "totp added": "An authenticator app was added.",
    "totp removed": "An authenticator app was removed.",
    "passkey added": "A passkey was added.",
    "passkey removed": "A passkey was removed.",
    "recovery added": "New recovery codes were made.",
    "recovery removed": "A recovery code was used, or the codes were removed.",
}
"""What a notice says of each change, in the order in which it says it."""
