"""Where everything is mounted (spec §9.1, D12, D19, D23). The version is carried in the path."""

TOKEN = "/oauth2/v1/token"  # noqa: S105 - a path
REVOCATION = "/oauth2/v1/revokeToken"
KEYS = "/oauth2/v1/keys"
CONFIGURATION = "/.well-known/openid-configuration"
RISK = "/risk/business"
REPORT = "registeredcompanycredit"
SEARCH = "businesstargeter"
SCENARIOS = "/sandbox/scenarios"
OPENAPI = "/openapi.json"
DOCS = "/docs"
LIVE = "/livez"
READY = "/readyz"

METADATA = {"token_endpoint": TOKEN, "revocation_endpoint": REVOCATION, "jwks_uri": KEYS}
"""Which of them the provider configuration names, by their metadata names."""
