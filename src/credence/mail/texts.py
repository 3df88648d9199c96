"""All texts of the messages to people, so that a translation is this file and `web/browser/texts.py`."""

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
