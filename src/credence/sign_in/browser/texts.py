"""All texts of the pages for people, so that a translation is this file and `durations.py`. The pages fill in `{…}`."""

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
USERNAME = "Username"
PASSWORD = "Password"  # noqa: S105 - a label
SHOW = "Show"
HIDE = "Hide"
OR = "or"
WRONG = "Incorrect username or password."
USERNAME_MISSING = "Enter your username."
PASSWORD_MISSING = "Enter your password."  # noqa: S105 - a message
NOT_ACTIVE = "This account cannot sign in. Contact {support} to find out why."
SERVICE_ACCOUNT = "This is a service account. Service accounts cannot sign in here."
TOO_MANY = "Too many attempts. Try again in {wait}."
TOO_MANY_OR_RESET = "Too many attempts. Try again in {wait}, or reset your password."
BUSY = "Too many people are signing in at the moment. Wait a few seconds and try again."
THERE_IS_A_PROBLEM = "There is a problem"

CHOOSE_PASSWORD_TITLE = "Choose a password"  # noqa: S105 - a heading
CHOOSE_PASSWORD = "For the account {username}."  # noqa: S105 - a text
PASSWORD_RULES = "At least {characters} characters. Four unrelated words are easy to remember."  # noqa: S105 - a text
NEW_PASSWORD = "New password"  # noqa: S105 - a label
NEW_PASSWORD_AGAIN = "Confirm new password"  # noqa: S105 - a label
SAVE = "Save"
NOT_NOW = "Not now"
CHANGE_PASSWORD = "Change password"  # noqa: S105 - a label
CHANGE_PASSWORD_LEAD = (
    "You stay signed in here and are signed out everywhere else. Applications lose their access until you sign in to "  # noqa: S105 - a text
    "them again."
)
CURRENT_PASSWORD = "Current password"  # noqa: S105 - a label
CURRENT_PASSWORD_MISSING = "Enter your current password."  # noqa: S105 - a message
CURRENT_PASSWORD_WRONG = "Your current password is incorrect."  # noqa: S105 - a message
PASSWORD_UNCHANGED = "Your new password must be different from the current one."  # noqa: S105 - a message
PASSWORD_CHANGED = "Your password has been changed. You have been signed out everywhere else."  # noqa: S105 - a message
PASSWORDS_DIFFER = "The passwords do not match. Enter them again."
PASSWORD_CHOSEN_TITLE = "Password saved"  # noqa: S105 - a heading
PASSWORD_CHOSEN = "You have been signed out everywhere. Sign in with your new password."  # noqa: S105 - a text
LINK_LOST_TITLE = "This link does not work"
LINK_LOST = (
    "It has already been used, has expired, or is incomplete. Request a new link the same way you requested this one."
)

LINK_OF_ANOTHER_BROWSER = (
    "It only works in the browser you requested it from. Open it there, or request a new link here."
)

FORGOTTEN = "Reset your password"
FORGOTTEN_LINK = "Forgot your password?"
RESET_LEAD = "Enter your username. We will email you a link to choose a new password in this browser."
RESET_SENT = (
    "If the account {username} exists and has an email address, we have sent it a link. Open the link in this browser "
    "within 30 minutes. If you do not receive it, check your spam folder or contact {support}."
)
RESET_BY_SUPPORT = "This service does not send email. Ask {support} for a link to choose a new password."
CHECK_MAIL = "Check your email"

CHANGE_ADDRESS = "Change email address"
ADDRESS_NONE = "Your account has no email address."
ADDRESS_NOT_PROVED = "{address} (not confirmed)"
ADDRESS_LEAD = "Enter your new address. We will send a code to it."
ADDRESS_LEAD_BOTH = "Enter your new address. We will send one code to it and another to {address}."
ADDRESS_BY_SUPPORT = "This service does not send email. Ask {support} to change your email address."
ADDRESS_NEW = "New email address"
ADDRESS_WRONG = "Enter an email address in the format name@example.com."
ADDRESS_SAME = "This is already your confirmed email address. Enter a different one."
ADDRESS_SEND = "Send codes"
ADDRESS_CODES = (
    "Enter the code from each message within 30 minutes. If you do not receive a code, check your spam folder."
)
ADDRESS_CODE = "Code sent to {address}"
ADDRESS_CODES_WRONG = (
    "These codes are incorrect, or your account has changed since they were sent. Check them and try again."
)
ADDRESS_CODES_MISSING = "Enter the code from each message."
ADDRESS_CODES_OLD = "These codes have expired. Request new ones."
ADDRESS_CHANGED = "Your email address has been changed."

SIGN_UP_TITLE = "Sign up for the developer portal"
SIGN_UP = "Use an email address at {domains}. We will send you a link to confirm that the address is yours."
EMAIL_ADDRESS = "Email address"
SEND_LINK = "Send link"
SIGN_UP_WRONG = "Enter an email address at {domains}. To use another address, ask an operator to invite you."
SIGN_UP_NOT_SENT = "The message could not be sent. Try again later."
SIGN_UP_SENT = "We have sent a link to {address}. It is valid for 24 hours. You can request another after 10 minutes."
ALERT_MAIL_TITLE = "Alerts by email"
ALERT_MAIL = "You get an email each morning on which there are alerts about your customers."
ALERT_MAIL_STOP = "Stop these emails"
ALERT_MAIL_STOPPED_TITLE = "Emails stopped"
ALERT_MAIL_STOPPED = "You will no longer get alerts by email. You can start them again in the workbench."
ALERT_MAIL_UNKNOWN = "This link is not valid. Open the whole link from the email."
SIGN_UP_DONE_TITLE = "Account created"
SIGN_UP_DONE = "Sign in with the username {address} and the password you chose."

SECOND_FACTOR_TITLE = "Enter your code"
SECOND_FACTOR_LEAD = (
    "Enter the 6-digit code from your authenticator app. You can also use a recovery code; each works once."
)
CODE = "Code"
CODE_MISSING = "Enter the code from your authenticator app."
CODE_WRONG = "That code is incorrect or has already been used. Wait for the next code and try again."
GO_ON = "Continue"
SIGN_IN_AGAIN = "Sign in again to change your sign-in settings."

SET_UP_TITLE = "Set up an authenticator app"
SET_UP_LEAD = "You will enter a code from the app after your password each time you sign in."
SET_UP_EFFECT = (
    "Programs that ask for your password themselves will no longer be able to sign you in, unless {operator} allows it."
)
SET_UP_REQUIRED = (
    "Your account requires two-factor authentication: a code from an app on your phone, after your password."
)
SET_UP_SCAN = "Scan the QR code with your authenticator app, open it on this device, or enter the key."
SET_UP_DRAWING = "QR code with the key below"
SET_UP_OPEN = "Open in an app on this device"
SET_UP_KEY = "Key"
SET_UP_CODE = "6-digit code from the app"
CODE_WRONG_AT_SET_UP = "That code does not match this key. Check that the time on your phone is correct and try again."

RECOVERY_TITLE = "Save your recovery codes"
RECOVERY_LEAD = (
    "Use a recovery code in place of a code from the app, for example if you lose your phone. Each works once. Print "
    "them or write them down: they will not be shown again."
)
RECOVERY_KEPT = "I have saved them"

CONSENT_TITLE = "Allow {application}?"
CONSENT_LEAD = "{application} ({host}) wants to access your account {username}."
CONSENT_SCOPES = "It will be able to:"
CONSENT_LIFETIME = "It will keep this access for {lifetime}. You can remove it earlier on your account page."
CONSENT_LIFETIME_OFFLINE = (
    "It will keep this access for {lifetime}, even after you sign out. You can remove it on your account page."
)
CONSENT_REPORTS = "Credit reports: {rights}."
CONSENT_REPORTS_ON = "only on {companies}"
CONSENT_REPORTS_COUNT = "at most {count:,}"
CONSENT_REPORTS_UNTIL = "until {until}"
CONSENT_REPORTS_PURPOSE = "for “{purpose}”, as the application says"
CONSENT_WARNING = (
    "Access is given to a program on this computer, at {place}. Allow it only if you have just started that program "
    "yourself."
)
CONSENT_UNVERIFIED = (
    "This application describes itself on a page at {host}. {operator} has not checked its name or who runs it. Allow it "
    "only if you know {host} and have just started this connection yourself."
)
CONSENT_SELF_REGISTERED = (
    "This application registered itself. {operator} has not checked its name or who runs it. Allow it only if you have "
    "just started this connection yourself."
)
NAMED_BY_ITSELF = "“{name}”"
NAMED_BY_DOCUMENT = "{application} from {host}"
POLICY = "{application} privacy policy (opens in a new window)"
TERMS = "{application} terms of service (opens in a new window)"
ALLOW = "Allow"
REFUSE = "Deny"
CANCEL = "Cancel and return to {application}"

SCOPES: Mapping[str, str] = {
    OPENID: "see who you are",
    PROFILE: "see your name",
    EMAIL: "see your email address",
    OFFLINE_ACCESS: "keep its access when you are not using it",
    REPORT: "read credit reports on companies",
    SEARCH: "search for companies",
    DIRECTORS: "search for directors and see their appointments",
    DISPUTES: "dispute facts in credit reports, and read disputes",
    MONITOR: "watch companies in portfolios and read events about them",
    SIGNALS: "be notified when your sign-ins end and your account changes",
    MANAGE_READ: "read the applications, accounts and settings of this service",
    MANAGE_APPLICATIONS: "change the applications of this service, and create secrets for them",
    MANAGE_ACCOUNTS: "change the accounts of this service, and end their sessions",
    MANAGE_KEYS: "change the key that signs the tokens of this service",
    MANAGE_DATA: "pause changes to the credit data of this service",
}

DEVICE_TITLE = "Connect a device"
DEVICE_LEAD = "Enter the code shown on your device."
DEVICE_COMPARE = "Continue only if your device shows this code and you started this on the device yourself."
DEVICE_CODE = "Device code"
DEVICE_CODE_HINT = "8 letters. You can leave out the dash."
DEVICE_CODE_MISSING = "Enter the code shown on the device."
DEVICE_CODE_UNKNOWN = "No device is waiting for this code. Check each letter, or start again on the device."
DEVICE_CONSENT_LEAD = "A device running {application} wants to access your account {username}."
DEVICE_SHOWS = "The device shows"
DEVICE_ASKED = "Requested"
DEVICE_ASKED_AT = "{time} ago, from {address}"
DEVICE_NEARBY, DEVICE_ELSEWHERE = "the same network as this browser", "a different network from this browser"
DEVICE_WARNING = (
    "If someone sent you this code or a link with it, do not allow it: you would give that person access to your account. "
    "Support staff never ask for this code."
)
DEVICE_ALLOWED_TITLE = "Device connected"
DEVICE_ALLOWED = "Return to your device; it will continue on its own. You can remove its access on your account page."
DEVICE_REFUSED_TITLE = "Device not connected"
DEVICE_REFUSED = (
    "The device was not given access. If you did not start this, someone may have tried to access your account."
)

BACK_TITLE = "Back to {application}"
BACK = "Taking you back to {application} ({host})."
CONTINUE = "Continue"
ERROR_TITLE = "Something is wrong with this request"
ERROR_UNTRUSTED = (
    "An application sent you here with a request that is incomplete or not registered. Nothing was sent back to it. "
    "Its developer can look up the reason with the reference below."
)
NOT_FOUND_TITLE = "Page not found"
NOT_FOUND = "There is no page at this address. Check it, or go to the API reference."
NOT_FOUND_REFERENCE = "API reference"
API_TITLE = "This address is for programs"
API_METHODS = "It accepts {methods} requests only. The API reference shows how to send one."
API_UNAUTHORIZED = "It needs an access token, which a browser does not send. The API reference shows how to get one."
API_REFUSED = "The request was refused with status {status}. The API reference says what that means."
API_BUSY = "Too many requests were sent. Wait a few seconds and try again."
ERROR_REDIRECT_URI = "The redirect URI {uri} is not registered for {application}. Registered: {registered}."
NONE_REGISTERED = "none"
_AGAIN = "Go back to the application and start again there."
ERROR_OF_REQUEST: Mapping[str, str] = {
    "authorization.client_unknown": (
        "The application that sent you here is not registered or has been disabled. Nothing was sent back to it. Its "
        "developer can look up the reason with the reference below."
    ),
    "authorization.redirect_uri_unknown": (
        "The application asked to send you to an address that is not registered for it, so we stopped here. Its developer "
        "can look up the reason with the reference below."
    ),
    "authorization.request_uri_used": f"This sign-in has already been completed, and its link works only once. {_AGAIN}",
    "authorization.request_uri_expired": f"This sign-in was started too long ago. {_AGAIN}",
    "authorization.request_uri_unknown": f"The link for this sign-in is incomplete or has expired. {_AGAIN}",
    "sign_out.redirect_uri": (
        "The application asked to send you to an address that is not registered for it. You are still signed in."
    ),
    "sign_out.client": "The request to sign out names two different applications. You are still signed in.",
    "sign_out.id_token_hint": (
        "The request to sign out does not prove which application it comes from. You are still signed in."
    ),
}
"""Reason code -> what the page about a refused request says, if it is not the usual text."""
UNTRUSTED = (
    "{application} sent you here with an invalid request and wants to send you to {place}. {operator} has not checked this "
    "application, and nothing was sent to it. Continue only if you have just started this connection yourself."
)
DENIED_TITLE = "Access not allowed"
UNTRUSTED_DENIED = (
    "{application} was not given access. It wants to send you to {place}, which {operator} has not checked. You can close "
    "this page instead."
)
UNTRUSTED_CONTINUE = "Continue to {place}"
ON_THIS_COMPUTER = "a program on this computer ({place})"
ERROR_STEP_LOST = (
    "This page was opened in another browser, or before this browser was closed. Go back to the application and start "
    "again."
)
ERROR_STEP_EXPIRED = "This page was open for too long. Nothing was changed. Start again."
ERROR_FORM_ADDRESS = "This address only receives a form from another page. Go back to the application and start again."
START_AGAIN = "Start again"
ERROR_REFUSED = "This request was refused. Contact {support} with the reference below to find out why."
ERROR_EXCLUDED = (
    "Your account cannot be used from this network or at this time. Contact {support} with the reference below."
)
ERROR_INTERNAL = "Something went wrong on our side. Nothing was changed. Try again in a minute."
REFERENCE = "Reference"

ACCOUNT_TITLE = "Your account"
SIGNED_IN_AS = "You are signed in as {username}."
SIGNING_IN, SESSIONS = "How you sign in", "Where you are signed in"
THIS_BROWSER = "this browser"
SINCE, LAST_SEEN = "since {time}", "last used {time}"
END_SESSION = "End session"
ACCESS = "Applications with access"
NO_ACCESS = "No applications have access to your account."
ACCESS_NOT_USED = "not used recently"
WITHDRAW = "Remove access"
OWN_DATA = "Your data"
OWN_DATA_LEAD = (
    "Download your account, sessions, applications, recent sign-ins and sign-in methods as a file. It does not include the "
    "logs of the service; contact {support} about those."
)
OWN_DATA_SAVE = "Download your data"
SIGN_OUT = "Sign out"
FACTOR = "Two-factor authentication"
FACTOR_ON = "On, {since}"
FACTOR_NONE = "Off. You sign in with your password only."
FACTOR_SET_UP = "Set up an authenticator app"
FACTOR_ANOTHER = "Set up another app"
FACTOR_LAST = (
    "Your account requires two-factor authentication, and this is your only method. Add a passkey or another app first."
)
FACTOR_REMOVE = "Remove"
FACTOR_OFF_TITLE = "Remove the authenticator app"
FACTOR_OFF = "After this, a password alone signs you in, unless you have a passkey."
RECOVERY_CODES = "Recovery codes"
RECOVERY_LEFT = "{count} left"
RECOVERY_RENEW = "Create new codes"

PASSKEYS = "Passkeys"
PASSKEYS_LEAD = "Sign in with your fingerprint, face or device PIN instead of a password and code."
PASSKEY_TITLE = "Use your passkey"
PASSKEY_LEAD = "Your device will ask for your fingerprint, face or PIN. Your browser must allow JavaScript."
PASSKEY_REQUIRED = "Your account requires a passkey: you sign in with your fingerprint, face or device PIN."
PASSKEY_LAST = "Your account requires a passkey, and this is your only one. Add another passkey first."
PASSKEY_ADD = "Add a passkey"
PASSKEY_NEVER_USED = "not used yet"
PASSKEY_SET_UP_TITLE = "Add a passkey"
PASSKEY_SET_UP_LEAD = PASSKEY_LEAD
PASSKEY_NAME = "Passkey name"
PASSKEY_CREATE = "Create passkey"
PASSKEY_SIGN_IN = "Sign in with a passkey"
PASSKEY_FAILED = "That did not work. Try again, or use your password."
PASSKEY_AGAIN = "That did not work. Try again."
PASSKEY_WRONG = "This passkey was not accepted. Try again, or use your password."
PASSKEY_NOT_ADDED = "The passkey was not added. Try again."

SIGN_OUT_TITLE = "Sign out?"
SIGN_OUT_ASK = (
    "You are signed in as {username}. Applications you opened from here will lose their access, unless you allowed them to "
    "keep it."
)
STAY = "Stay signed in"
SIGNED_OUT_TITLE = "You have signed out"
SIGNED_OUT = "If other people use this computer, close your browser."


def support(address: str) -> str:
    """Return the name of the support with its mail address."""
    return f"Support ({address})"
