"""Tokens: how they are granted, refreshed, revoked, checked, and what is published about them.

Before a token: `client_authentication`, `dpop`, `grants`. The tokens: `issue`, `access_token`, `refresh_token`, `id_token`,
what they are good for (`scopes`, `resources`, `confirmation`), and the `keys` that sign. After: `bearer`, `revoke`,
`introspection`, `status`. What is told of all that: `discovery`, `protected_resource`. Clients that make themselves known:
`registration`.

Every act takes the time and the store as arguments and returns a value or raises a refusal; none knows of HTTP.
"""
