"""All texts of the pages for people, so that a translation is this one file. The pages fill in `{…}`."""

from collections.abc import Mapping

from credence.oauth.parameters.scopes import (
    DIRECTORS,
    DISPUTES,
    EMAIL,
    MANAGE_ACCOUNTS,
    MANAGE_APPLICATIONS,
    MANAGE_DATA,
    MANAGE_KEYS,
    MANAGE_READ,
    MONITOR,
    OFFLINE_ACCESS,
    OPENID,
    PROFILE,
    REPORT,
    SEARCH,
    SIGNALS,
)

SIGN_IN = "Sign in"
SIGN_IN_TO = "Sign in to {operator}"
FOR_APPLICATION = "Sign in to continue to {application} ({host})."
USERNAME = "Login name"
PASSWORD = "Password"  # noqa: S105 - a label
WRONG = "That login name and password do not belong together. Check both and try again."
USERNAME_MISSING = "Enter your login name."
PASSWORD_MISSING = "Enter your password."  # noqa: S105 - a message
NOT_ACTIVE = "This account cannot sign in at the moment. {support} can tell you why."
SERVICE_ACCOUNT = "This account belongs to a program. It cannot sign in here."
TOO_MANY = "Too many attempts. Try again in {wait}."
TOO_MANY_OR_RESET = "Too many attempts. Try again in {wait}, or reset your password."
BUSY = "Too many people are signing in at the moment. Wait a few seconds and try again."
THERE_IS_A_PROBLEM = "There is a problem"

CHOOSE_PASSWORD_TITLE = "Choose a password"  # noqa: S105 - a heading
CHOOSE_PASSWORD = "For the account {username}."  # noqa: S105 - a text
PASSWORD_RULES = "At least {characters} characters. Four unrelated words are easy to remember."  # noqa: S105 - a text
NEW_PASSWORD = "New password"  # noqa: S105 - a label
NEW_PASSWORD_AGAIN = "New password again"  # noqa: S105 - a label
SAVE = "Save"
NOT_NOW = "Not now"
CHANGE_PASSWORD = "Change password"  # noqa: S105 - a label
CHANGE_PASSWORD_LEAD = (
    "You stay signed in here. Everywhere else you are signed out, and applications lose their access until you sign in to "  # noqa: S105 - a text
    "them again."
)
CURRENT_PASSWORD = "Current password"  # noqa: S105 - a label
CURRENT_PASSWORD_MISSING = "Enter your current password."  # noqa: S105 - a message
CURRENT_PASSWORD_WRONG = "That is not your current password. Try again."  # noqa: S105 - a message
PASSWORD_UNCHANGED = "The new password is the current one. Choose another."  # noqa: S105 - a message
PASSWORD_CHANGED = "Your password is changed. You are signed out everywhere else."  # noqa: S105 - a message
PASSWORDS_DIFFER = "The two passwords differ. Type them again."
PASSWORD_CHOSEN_TITLE = "Your password is saved"  # noqa: S105 - a heading
PASSWORD_CHOSEN = "You are signed out everywhere. Sign in with the new password."  # noqa: S105 - a text
LINK_LOST_TITLE = "This link does not work"
LINK_LOST = "It was used already, is too old, or is not complete. Ask for a new one where you got this one."

LINK_OF_ANOTHER_BROWSER = (
    "It works only in the browser in which you asked for it. Open it there, or ask for another link in this browser."
)

FORGOTTEN = "Forgotten password"
FORGOTTEN_LINK = "Forgotten your password?"
RESET_LEAD = "Enter your login name. We send you a link with which you choose a new password in this browser."
RESET_SENT = (
    "If there is an account {username} with a mail address, a message is on its way. Open its link in this browser within "
    "half an hour. If none comes, check your spam folder, or ask {support}."
)
RESET_BY_SUPPORT = "This service sends no mail. Ask {support} for a link with which you choose a new password."
CHECK_MAIL = "Check your mail"

CHANGE_ADDRESS = "Change mail address"
ADDRESS_NONE = "Your account has no mail address."
ADDRESS_NOT_PROVED = "{address} (not confirmed yet)"
ADDRESS_LEAD = "Enter the new address. We send a code to it."
ADDRESS_LEAD_BOTH = "Enter the new address. We send a code to it, and another to {address}."
ADDRESS_BY_SUPPORT = "This service sends no mail. Ask {support} to change your mail address."
ADDRESS_NEW = "New mail address"
ADDRESS_WRONG = "Enter a mail address, such as name@example.com."
ADDRESS_SAME = "This is your mail address already, and you have confirmed it. Enter another one."
ADDRESS_SEND = "Send me the codes"
ADDRESS_CODES = "Enter the code of each message within half an hour. If none comes, check your spam folder."
ADDRESS_CODE = "Code sent to {address}"
ADDRESS_CODES_WRONG = "These codes are wrong, or your account was changed since. Check them and try again."
ADDRESS_CODES_MISSING = "Enter the code of each message."
ADDRESS_CODES_OLD = "Those codes have expired. Request new ones."
ADDRESS_CHANGED = "Your mail address is changed."

SIGN_UP_TITLE = "Sign up for the developer portal"
SIGN_UP = "With a mail address at {domains}. You get a message with a link, which proves that the address is yours."
EMAIL_ADDRESS = "Mail address"
SEND_LINK = "Send me the link"
SIGN_UP_WRONG = "Enter a mail address at {domains}. An operator invites people with other addresses."
SIGN_UP_NOT_SENT = "The message cannot be sent at the moment. Try again later."
SIGN_UP_SENT = (
    "A message goes to {address}. Its link is valid for a day, and leads to the page on which you choose a password. If "
    "none comes, ask for it again after ten minutes."
)
SIGN_UP_DONE_TITLE = "You have an account"
SIGN_UP_DONE = "Sign in with the login name {address} and the password that you have chosen."
SIGN_UP_MAIL_SUBJECT = "Your account in the developer portal of {operator}"
SIGN_UP_MAIL = (
    "Somebody, probably you, wants an account for {address} in the developer portal of {operator}.\n\n"
    "Choose a password here, within a day:\n\n{link}\n\n"
    "If it was not you, do nothing: without the link no account is made.\n"
)
SIGN_UP_MAIL_KNOWN = (
    "Somebody, probably you, wants an account for {address} in the developer portal of {operator}.\n\n"
    "There is one already, with this address as its login name. Sign in at {portal}.\n"
    "{support} helps if the password is lost.\n"
)

SECOND_FACTOR_TITLE = "Enter your code"
SECOND_FACTOR_LEAD = (
    "Open your authenticator app and enter the six digits that it shows. A recovery code works too, once."
)
CODE = "Code"
CODE_MISSING = "Enter the code of your authenticator app."
CODE_WRONG = "That code is wrong, or was used already. Wait for the next one and try again."
GO_ON = "Continue"
SIGN_IN_AGAIN = "Sign in again to change how you sign in."

SET_UP_TITLE = "Set up an authenticator app"
SET_UP_LEAD = "From then on you enter a code of the app after your password."
SET_UP_EFFECT = (
    "Programs that ask for your password themselves can then no longer sign you in, unless {operator} allows it."
)
SET_UP_REQUIRED = "Your account needs a second factor: a code of an app on your telephone, after the password."
SET_UP_SCAN = "Scan this drawing with the app, open it on this device, or type the key."
SET_UP_DRAWING = "QR code of the key below"
SET_UP_OPEN = "Open in an app on this device"
SET_UP_KEY = "Key"
SET_UP_CODE = "Code that the app shows now"
CODE_WRONG_AT_SET_UP = "That code does not belong to this key. Check the clock of your telephone and try again."

RECOVERY_TITLE = "Keep these recovery codes"
RECOVERY_LEAD = (
    "Each opens your account once in place of a code of the app, for instance when the telephone is lost. Print them or "
    "write them down. They are not shown again."
)
RECOVERY_KEPT = "I have kept them"

CONSENT_TITLE = "Allow {application}?"
CONSENT_LEAD = "{application} ({host}) would like access to your account {username}."
CONSENT_SCOPES = "It will be able to:"
CONSENT_LIFETIME = "It keeps this access for {lifetime}. You can end it earlier on your account page."
CONSENT_LIFETIME_OFFLINE = (
    "It keeps this access for {lifetime}, also after you have signed out. You can end it on your account page."
)
CONSENT_WARNING = (
    "The answer goes to a program on this computer, at {place}. Allow it only if you have just started that program "
    "yourself."
)
CONSENT_UNVERIFIED = (
    "This application describes itself on a page at {host}. {operator} has checked neither its name nor who runs it. Allow "
    "it only if you know {host} and have just started to connect the two yourself."
)
CONSENT_SELF_REGISTERED = (
    "This application registered itself. {operator} has checked neither its name nor who runs it. Allow it only if you have "
    "just started to connect it yourself."
)
NAMED_BY_ITSELF = "“{name}”"
NAMED_BY_DOCUMENT = "{application} of {host}"
POLICY = "Privacy policy of {application} (opens a new window)"
TERMS = "Terms of {application} (opens a new window)"
ALLOW = "Allow"
REFUSE = "Do not allow"
CANCEL = "Cancel and return to {application}"

SCOPES: Mapping[str, str] = {
    OPENID: "know who you are",
    PROFILE: "see your name",
    EMAIL: "see your mail address",
    OFFLINE_ACCESS: "stay connected when you are not there",
    REPORT: "read credit reports on companies",
    SEARCH: "search for companies",
    DIRECTORS: "search for directors and read what they direct",
    DISPUTES: "dispute facts of credit reports, and read disputes",
    MONITOR: "watch companies in portfolios and read events about them",
    SIGNALS: "be notified when your sign-ins end and your account changes",
    MANAGE_READ: "read the applications, accounts and settings of this service",
    MANAGE_APPLICATIONS: "change the applications of this service, and make secrets for them",
    MANAGE_ACCOUNTS: "change the accounts of this service, and end their sessions",
    MANAGE_KEYS: "change the key that signs tokens of this service",
    MANAGE_DATA: "hold the credit data of this service as it is",
}

DEVICE_TITLE = "Connect a device"
DEVICE_LEAD = "Enter the code that your device shows."
DEVICE_COMPARE = "Continue only if your device shows this code, and you started this there yourself."
DEVICE_CODE = "Code of the device"
DEVICE_CODE_HINT = "Eight letters; the dash may be left out."
DEVICE_CODE_MISSING = "Enter the code that the device shows."
DEVICE_CODE_UNKNOWN = "No device waits for this code. Compare it letter by letter, or start again at the device."
DEVICE_CONSENT_LEAD = "A device with {application} asks for access to your account {username}."
DEVICE_SHOWS = "The device shows"
DEVICE_ASKED = "It asked"
DEVICE_ASKED_AT = "{time} ago, from {address}"
DEVICE_NEARBY = "the network of this browser"
DEVICE_ELSEWHERE = "not the network of this browser"
DEVICE_WARNING = (
    "If somebody sent you this code, or a link with it, do not allow it: you would give that person access to your account. "
    "No support service asks for such a code."
)
DEVICE_ALLOWED_TITLE = "The device is connected"
DEVICE_ALLOWED = "Go back to the device: it goes on by itself. You can end its access on your account page."
DEVICE_REFUSED_TITLE = "The device is not connected"
DEVICE_REFUSED = "It got no access. If you did not start this, somebody may have tried to get into your account."

BACK_TITLE = "Back to {application}"
BACK = "You go back to {application} ({host})."
CONTINUE = "Continue"

ERROR_TITLE = "This request cannot be answered"
ERROR_UNTRUSTED = (
    "An application sent you here with a request that is not complete or not registered. Nothing was sent back to it. "
    "Its operator can look up the reason under the number below."
)
_AGAIN = "Go back to the application and start again there."
ERROR_OF_REQUEST: Mapping[str, str] = {
    "authorization.client_unknown": (
        "The application that sent you here is not registered, or was switched off. Nothing was sent back to it. Its "
        "operator can look up the reason under the number below."
    ),
    "authorization.redirect_uri_unknown": (
        "The application wants you to go on to an address that it has not registered. You are still here, so that "
        "nothing reaches a stranger. Its operator can look up the reason under the number below."
    ),
    "authorization.request_uri_used": f"This sign-in is complete already, and its address works only once. {_AGAIN}",
    "authorization.request_uri_expired": f"The application began this sign-in too long ago. {_AGAIN}",
    "authorization.request_uri_unknown": f"The address of this sign-in is not complete, or its time is over. {_AGAIN}",
    "sign_out.redirect_uri": (
        "The application wants you to go on to an address that it has not registered. You are still signed in."
    ),
    "sign_out.client": "The request to sign out names two different applications. You are still signed in.",
    "sign_out.id_token_hint": (
        "The request to sign out does not prove which application it comes from. You are still signed in."
    ),
}
"""Reason code -> what the page about a refused request says, if it is not the usual text."""
UNTRUSTED = (
    "{application} sent you here with a request that cannot be answered, and wants you to go on to {place}. {operator} has "
    "not checked this application, and nothing was sent to it. Go on only if you have just started to connect it yourself."
)
DENIED_TITLE = "You did not allow access"
UNTRUSTED_DENIED = (
    "{application} got no access. It wants you to go on to {place}, which {operator} has not checked. You can close this "
    "page instead."
)
UNTRUSTED_CONTINUE = "Go on to {place}"
ON_THIS_COMPUTER = "a program on this computer ({place})"
ERROR_STEP_LOST = (
    "This page belongs to another browser, or was open before this one was closed. Go back to the application and start "
    "again."
)
ERROR_STEP_EXPIRED = "This page was open for too long. Start again; nothing was changed."
ERROR_FORM_ADDRESS = (
    "This address belongs to a form of another page, and shows nothing by itself. Go back to the application and start "
    "again."
)
START_AGAIN = "Start again"
ERROR_REFUSED = "This service does not accept the request. {support} can look up the reason under the number below."
ERROR_EXCLUDED = (
    "Your account cannot be used from this network or at this time. {support} can look it up by the number."
)
ERROR_INTERNAL = "Something went wrong here. Nothing was changed. Try again in a minute."
REFERENCE = "Number of this request"

ACCOUNT_TITLE = "Your account"
SIGNED_IN_AS = "You are signed in as {username}."
SESSIONS = "Where you are signed in"
THIS_BROWSER = "this browser"
SINCE = "since {time}"
LAST_SEEN = "last used {time}"
END_SESSION = "Sign out there"
ACCESS = "Applications with access"
NO_ACCESS = "You have given no application access."
ACCESS_NOT_USED = "not used in the last days"
WITHDRAW = "End access"
OWN_DATA = "Your data"
OWN_DATA_LEAD = (
    "Your account, sessions, applications, newest sign-ins and factors, as a file. The logs of the service are not in it: "
    "{support} answers for them."
)
OWN_DATA_SAVE = "Download your data"
SIGN_OUT = "Sign out"
FACTOR = "Second factor"
FACTOR_NONE = "You sign in with a password alone."
FACTOR_APP = "Authenticator app"
FACTOR_SET_UP = "Set up an app"
FACTOR_ANOTHER = "Set up another app"
FACTOR_LAST = "Your account needs a second factor, and this is the last. Add a passkey first, or set up another app."
FACTOR_REMOVE = "Remove"
RECOVERY_CODES = "Recovery codes"
RECOVERY_LEFT = "{count} left"
RECOVERY_RENEW = "Make new codes"

PASSKEYS = "Passkeys"
PASSKEYS_LEAD = "A passkey signs you in by your fingerprint, face or device PIN, without password and code."
PASSKEY_TITLE = "Use your passkey"
PASSKEY_LEAD = "Your device asks for your fingerprint, your face or its PIN. It needs a browser with scripts."
PASSKEY_REQUIRED = "Your account needs a passkey: it signs you in by your fingerprint, face or device PIN."
PASSKEY_LAST = "Your account needs a passkey, and this is the last. Add another one first."
PASSKEY_ADD = "Add a passkey"
PASSKEY_NEVER_USED = "not used yet"
PASSKEY_SET_UP_TITLE = "Add a passkey"
PASSKEY_SET_UP_LEAD = "Your device asks for your fingerprint, your face or its PIN. It needs a browser with scripts."
PASSKEY_NAME = "Name, by which you recognise it"
PASSKEY_CREATE = "Create it on this device"
PASSKEY_SIGN_IN = "Sign in with a passkey"
PASSKEY_FAILED = "That did not work. Try again, or use your password."
PASSKEY_AGAIN = "That did not work. Try again."
PASSKEY_WRONG = "This passkey was not accepted. Try again, or use your password."
PASSKEY_NOT_ADDED = "The passkey was not added. Try again."

SIGN_OUT_TITLE = "Sign out?"
SIGN_OUT_ASK = (
    "You are signed in as {username}. Applications that you opened from here lose their access, unless you allowed them to "
    "keep it."
)
STAY = "Stay signed in"
SIGNED_OUT_TITLE = "You are signed out"
SIGNED_OUT = "Close the browser if other people use this computer."


def in_words(seconds: int) -> str:
    """Return a duration as text for a person, rounded down to whole days, hours or minutes."""
    for size, name in ((86_400, "day"), (3_600, "hour"), (60, "minute")):
        if seconds >= size:
            count = seconds // size
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "less than a minute"


def at_most_in_words(seconds: int) -> str:
    """Return a waiting time as text for a person, rounded up to whole minutes, or from two hours on to whole hours."""
    count, name = (-(-seconds // 3_600), "hour") if seconds > 7_200 else (-(-seconds // 60), "minute")
    return f"{count} {name}{'' if count == 1 else 's'}"


def support(address: str) -> str:
    """Return the name of the support with its mail address."""
    return f"Support ({address})"
