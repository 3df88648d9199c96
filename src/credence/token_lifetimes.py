"""The longest lifetimes that a deployment or an application may set for tokens (threats T9).

The store, the settings and the OAuth endpoints share these bounds: a revocation must be kept for as long as a token that it
revokes can be valid.
"""

MAX_ACCESS_TOKEN_SECONDS = 86_400
"""No access token is issued for longer than a day."""

MAX_LOGIN_SECONDS = 31_536_000
"""No login is refreshed for longer than a year."""
