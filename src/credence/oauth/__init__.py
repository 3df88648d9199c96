"""OAuth 2.0 and OpenID Connect: how tokens are issued, refreshed, revoked, checked, and described.

Read from the outside in:

- `endpoints`: the steps of each endpoint, in the order of D3.
- `client_authentication`, `grants`, `registration`, `metadata`: what the endpoints use.
- `bearer`, `introspection`, `revoke`, `issue`, `sender_constraint`: one act each, on tokens.
- `liveness`, `family_life`: whether a token is still valid, and what a refresh token does.
- `authority`: the keys, the store and the caches that all of them share.
- `status_lists`, `tokens`, `keys`, `dpop`, `parameters`: the formats.

Functions take the time and their parts as arguments, return a value and raise refusals. None depends on the web layer.
"""
