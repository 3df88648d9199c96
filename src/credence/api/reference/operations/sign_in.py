"""Documentation of the pages on which people sign in."""

from credence.refusals.requests import NOT_FOUND
from credence.web.messages.answer import HTML
from credence.web.routing.operation import Content, Operation, Parameter

TAG = "People sign in"

_REQUEST = (
    Parameter("response_type", "query", "Always `code`.", "code"),
    Parameter("client_id", "query", "Of the application.", "<CLIENT_ID>"),
    Parameter(
        "redirect_uri", "query", "One of the application's, letter for letter.", "https://app.example.com/callback"
    ),
    Parameter("scope", "query", "Scopes, separated by spaces.", "openid profile credit:report"),
    Parameter("state", "query", "Comes back unchanged.", "af0ifjsldkj"),
    Parameter("nonce", "query", "Comes back in the ID token.", "n-0S6_WzA2Mj"),
    Parameter(
        "code_challenge",
        "query",
        "SHA-256 of the code verifier in base64url (RFC 7636).",
        "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    ),
    Parameter("code_challenge_method", "query", "Always `S256`.", "S256"),
    Parameter("response_mode", "query", "`query`, `form_post`, `jwt`, `query.jwt`, `form_post.jwt`."),
    Parameter("prompt", "query", "`none`, `login`, `consent`, `select_account`."),
    Parameter("max_age", "query", "Seconds since the sign-in, at most."),
    Parameter("login_hint", "query", "Login name to propose."),
    Parameter("id_token_hint", "query", "An ID token of the person who is expected."),
    Parameter("acr_values", "query", "Classes of authentication, in order of preference."),
    Parameter("claims", "query", "Single claims, as JSON (OpenID Connect Core §5.5)."),
    Parameter("resource", "query", "The resource of the token (RFC 8707)."),
    Parameter("dpop_jkt", "query", "Thumbprint of the key that redeems the code (RFC 9449 §10)."),
    Parameter("request", "query", "All parameters as a JWT that the application signed (RFC 9101)."),
    Parameter("request_uri", "query", "Of a pushed request; of the rest only the client_id counts (RFC 9126)."),
)

_PAGE = (*(Content(HTML, status=status) for status in (200, 400, 403, 429, 500)), Content("", status=303))

AUTHORIZE = Operation(
    id="authorize",
    tag=TAG,
    summary="Ask a person for access",
    description=(
        "The authorization endpoint (RFC 6749 §3.1, OpenID Connect Core §3.1.2). The browser is sent here; after sign-in "
        "and consent it goes back to the redirect URI with a code. The parameters may also come in a form."
    ),
    parameters=_REQUEST,
    answers=_PAGE,
)

SUBMIT_SIGN_IN = Operation(
    id="submit_sign_in", tag=TAG, summary="Form of the sign-in page", description="For the page alone.", answers=_PAGE
)

SUBMIT_PASSKEY = Operation(
    id="submit_passkey",
    tag=TAG,
    summary="Passkey of the sign-in page",
    description="For the page alone (WebAuthn).",
    answers=_PAGE,
)

SUBMIT_CONSENT = Operation(
    id="submit_consent", tag=TAG, summary="Form of the consent page", description="For the page alone.", answers=_PAGE
)

SUBMIT_SECOND_FACTOR = Operation(
    id="submit_second_factor",
    tag=TAG,
    summary="Form of the page for a code",
    description="For the page alone.",
    answers=_PAGE,
)

CONTINUE = Operation(
    id="continue_sign_in",
    tag=TAG,
    summary="Form of the page with recovery codes",
    description="Goes on with what the person was about to do. For the page alone.",
    answers=_PAGE,
)

CHANGE_FACTORS = Operation(
    id="change_factors",
    tag=TAG,
    summary="Forms of the second factor",
    description="Sets up or removes an authenticator app. For the pages alone.",
    answers=_PAGE,
)

DEVICE = Operation(
    id="device",
    tag=TAG,
    summary="Connect a device",
    description="The page on which a person enters the code of a device (RFC 8628 §3.3).",
    parameters=(Parameter("user_code", "query", "The code, filled in for the person to compare.", "WDJB-MJHT"),),
    answers=_PAGE,
)

SUBMIT_DEVICE = Operation(
    id="submit_device",
    tag=TAG,
    summary="Forms of the page for a device",
    description="For the pages alone.",
    answers=_PAGE,
)

CHOOSE_PASSWORD = Operation(
    id="choose_password",
    tag=TAG,
    summary="Choose a password",
    description="The page to which a link leads: of a message, or of `credence account invite` or `reset-link`.",
    parameters=(Parameter("link", "query", "What the link contains."),),
    answers=_PAGE,
)

SIGN_UP = Operation(
    id="sign_up",
    tag=TAG,
    summary="Sign up for the developer portal",
    description="For people with a mail address at one of `CREDENCE_DEVELOPER_DOMAINS`: the page that asks for the address, "
    "and the one to which the link of the message leads.",
    parameters=(Parameter("link", "query", "What the link contains."),),
    answers=_PAGE,
)

SUBMIT_SIGN_UP = Operation(
    id="submit_sign_up",
    tag=TAG,
    summary="Forms of the pages for signing up",
    description="For the pages alone: they send the message, and make the account.",
    answers=_PAGE,
)

SUBMIT_PASSWORD = Operation(
    id="submit_password",
    tag=TAG,
    summary="Form of the page of a link",
    description="For the page alone.",
    answers=_PAGE,
)

FORGOTTEN_PASSWORD = Operation(
    id="forgotten_password",
    tag=TAG,
    summary="Forgotten password",
    description="The page on which a person requests a link for a new password; without a mail relay it says whom to ask.",
    answers=_PAGE,
)

SUBMIT_FORGOTTEN_PASSWORD = Operation(
    id="submit_forgotten_password",
    tag=TAG,
    summary="Form of the page for a forgotten password",
    description="For the page alone.",
    answers=_PAGE,
)

CHANGE_PASSWORD = Operation(
    id="change_password",
    tag=TAG,
    summary="Change the password",
    description="The page on which a person who is signed in changes the password.",
    answers=_PAGE,
)

SUBMIT_CHANGE_OF_PASSWORD = Operation(
    id="submit_change_of_password",
    tag=TAG,
    summary="Form of the page for changing the password",
    description="For the page alone.",
    answers=_PAGE,
)

MAIL_ADDRESS = Operation(
    id="mail_address",
    tag=TAG,
    summary="Change the mail address",
    description="The page on which a person who is signed in changes the mail address, with codes sent to the old and to "
    "the new one; without a mail relay it says whom to ask.",
    answers=_PAGE,
)

SUBMIT_MAIL_ADDRESS = Operation(
    id="submit_mail_address",
    tag=TAG,
    summary="Forms of the page for changing the mail address",
    description="For the page alone.",
    answers=_PAGE,
)

SIGN_OUT = Operation(
    id="sign_out",
    tag=TAG,
    summary="Sign out",
    description="Ends the session of the person at the browser (OpenID Connect RP-Initiated Logout 1.0).",
    parameters=(
        Parameter("id_token_hint", "query", "An ID token of the session; without it the person is asked."),
        Parameter("post_logout_redirect_uri", "query", "Where to go afterwards, registered by the application."),
        Parameter("client_id", "query", "Of the application, if the hint does not name it."),
        Parameter("state", "query", "Comes back unchanged."),
    ),
    answers=_PAGE,
)

ACCOUNT = Operation(
    id="account",
    tag=TAG,
    summary="Account page",
    description="Where the person is signed in, and which applications have access.",
    answers=_PAGE,
)

LOGO = Operation(
    id="logo",
    tag=TAG,
    summary="Logo of the operator",
    description="The picture on the pages for people. Its address changes with its content, so it may be kept for ever.",
    parameters=(Parameter("name", "path", "As the pages have it.", "3q2-7wAAAAAAAAAA"),),
    answers=tuple(Content(f"image/{each}") for each in ("png", "jpeg", "webp")),
    refusals=(NOT_FOUND,),
)

CHANGE_ACCOUNT = Operation(
    id="change_account", tag=TAG, summary="Forms of the account page", description="For the page alone.", answers=_PAGE
)
