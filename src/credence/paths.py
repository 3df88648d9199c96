"""The path of every route (spec §9.1, D12, D19, D23); paths carry the version of the API."""

TOKEN = "/oauth2/v1/token"  # noqa: S105 - a path
TOKEN_IN_SECONDS = "/oauth2/experianone/v1/token"  # noqa: S105 - a path
"""A second path of the token endpoint, with `issued_at` in seconds; a setting mounts it."""
REVOCATION = "/oauth2/v1/revokeToken"
AUTHORIZATION = "/oauth2/v1/authorize"
PUSHED_REQUESTS = "/oauth2/v1/par"
DEVICE_AUTHORIZATION = "/oauth2/v1/device-authorization"
DEVICE = "/device"
"""The page for user codes; a short path, because people type it (RFC 8628 §3.3)."""
SIGN_IN = "/oauth2/v1/sign-in"
FROM_ISSUER = "/oauth2/v1/from-issuer"
SIGNED_OUT_THERE = "/signed-out"
LOGOUT_THERE = "/logout"
SIGNALS_THERE = "/signals"
"""After `FROM_ISSUER` and the name of a trusted issuer: where it sends the browser back, logout tokens and signals."""
"""Where a trusted issuer sends the browser back, and its notices; its short name follows as a segment."""
CONSENT = "/oauth2/v1/consent"
SECOND_FACTOR = "/oauth2/v1/second-factor"
PASSKEY = "/oauth2/v1/passkey"
CONTINUE = "/oauth2/v1/continue"
SIGN_OUT = "/oauth2/v1/sign-out"
ACCOUNT = "/account"
FACTORS = "/account/second-factor"
LOGO = "/logo"
"""The operator's logo; a name computed from its content follows as a segment."""

PASSWORD = "/account/password"  # noqa: S105 - a path
"""The page to which a link for choosing a password leads."""
FORGOTTEN_PASSWORD = "/account/forgotten-password"  # noqa: S105 - a path
CHANGE_PASSWORD = "/account/change-password"  # noqa: S105 - a path
MAIL_ADDRESS = "/account/mail-address"
INTROSPECTION = "/oauth2/v1/introspect"
KEYS = "/oauth2/v1/keys"
USER_INFO = "/oauth2/v1/userinfo"
FORWARD_AUTH = "/oauth2/v1/forward-auth"
STATUS_LISTS = "/oauth2/v1/statuslists"
REGISTRATION = "/oauth2/v1/register"
CONFIGURATION = "/.well-known/openid-configuration"
AUTHORIZATION_SERVER = "/.well-known/oauth-authorization-server"
PROTECTED_RESOURCE = "/.well-known/oauth-protected-resource"
SCENARIOS = "/sandbox/scenarios"
OPENAPI = "/openapi.json"
ROOT = "/"
DOCS = "/docs"
REFERENCE = "/docs/reference"
"""The pages of the reference; a subject follows as a segment."""
SCHEMAS = "/schemas"
"""JSON Schemas; the name of a model follows as a segment."""

MODEL_CARD = "/docs/model-card"
LLMS = "/llms.txt"
FAVICON = "/favicon.ico"
MCP = "/mcp"
"""The endpoint to which agents send messages; it is a resource of its own (D32)."""

LIVE = "/livez"
READY = "/readyz"
CALLER = "/callerz"

RISK_VERSIONS = ("v1", "v2")


def report(version: str) -> str:
    """Return the path of reports; the company number follows as a segment or as a parameter (D19)."""
    return f"/risk/business/{version}/registeredcompanycredit"


DISPUTES = "/risk/business/v2/disputes"
CORRECTIONS = "/risk/business/v2/corrections"
"""The paths of disputes, and of those decided in the last six months."""

MONITORING = "/monitoring/v1"
PORTFOLIOS = "/monitoring/v1/portfolios"
MONITORING_RULES = "/monitoring/v1/rules"
EVENTS = "/monitoring/v1/events"
ALERTS = "/monitoring/v1/alerts"
COMPANY_ALERTS = "/monitoring/v1/company-alerts"
LIMITS = "/monitoring/v1/limits"
DIGEST = "/monitoring/v1/digest"
WEBHOOKS = "/monitoring/v1/webhooks"
"""The paths of monitoring: JSON resources with problem details."""

SIGNAL_CONFIGURATION = "/.well-known/ssf-configuration"
SIGNAL_STREAMS = "/ssf/v1/streams"
SIGNAL_STATUS = "/ssf/v1/status"
SIGNAL_SUBJECTS_ADD = "/ssf/v1/subjects/add"
SIGNAL_SUBJECTS_REMOVE = "/ssf/v1/subjects/remove"
SIGNAL_VERIFICATION = "/ssf/v1/verification"
SIGNAL_POLL = "/ssf/v1/poll"
"""The paths of shared signals; the id of the stream follows the last."""

DECISIONS = "/risk/business/v2/decisions"
BATCHES = "/risk/business/v2/batches"
"""The paths of decisions by a policy, for one company and for a list."""

DIRECTOR_SEARCH = "/risk/business/v2/directortargeter"
DIRECTOR = "/risk/business/v2/directordetails"
"""The paths of directors, in v2 only (report schema §1); a director number follows as a segment."""


def search(version: str) -> str:
    """Return the path of the company search."""
    return f"/risk/business/{version}/businesstargeter"


CONSOLE = "/console"
"""The first path of the operator console, on the address of the management API; those of its screens begin with it."""

DEVELOPERS = "/developers"
"""The first path of the developer portal; those of its screens begin with it."""
SIGN_UP = "/developers/sign-up"
"""The page on which a person with an address at an allowed domain creates an account for the portal."""
DEVELOPERS_TRY = "/developers/try"
"""The path to which the portal sends a request on behalf of its developer."""
WORKBENCH = "/workbench"
ALERT_MAIL = "/alert-mail"
"""The path of the credit workbench; its screens follow it."""

MANAGEMENT = "/manage/v1"
"""The path of the management API, which is served on an address of its own (D30)."""
