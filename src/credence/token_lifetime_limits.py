"""The longest lifetimes that a deployment or an application may set for tokens (threats T9).

The store, the settings and the OAuth endpoints share these bounds: a revocation must be stored for as long as the revoked
token can be valid. The lifetimes in force are computed in `oauth/issue.py`.
"""

MAX_ACCESS_TOKEN_SECONDS = 86_400
"""The maximum lifetime of an access token: a day."""

MAX_LOGIN_SECONDS = 31_536_000
"""The maximum lifetime of a login, over all its refreshes: a year."""
