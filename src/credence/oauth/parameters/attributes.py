"""The attributes of a token, revocation or introspection request, in either dialect (spec §2.2, §2.4, §2.5, D2)."""

import msgspec


class Attributes(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of a request; None for one that is absent or blank (threats P10).

    `conflicting_values` is true if one attribute has two different values, or the Basic credentials are malformed.
    """

    client_id: str | None = None
    client_secret: str | None = None
    client_assertion: str | None = None
    client_assertion_type: str | None = None
    grant_type: str | None = None
    username: str | None = None
    password: str | None = None
    refresh_token: str | None = None
    code: str | None = None
    code_verifier: str | None = None
    redirect_uri: str | None = None
    device_code: str | None = None
    token: str | None = None
    scope: str | None = None
    authorization_details: str | None = None
    """What the token is for, as JSON (RFC 9396 §6)."""
    resources: tuple[str, ...]
    """The values of `resource`, each once (RFC 8707 §2)."""
    audiences: tuple[str, ...]
    """The values of `audience`, each once. Only token exchange uses them (RFC 8693 §2.1)."""
    assertion: str | None = None
    subject_token: str | None = None
    subject_token_type: str | None = None
    actor_token: str | None = None
    actor_token_type: str | None = None
    requested_token_type: str | None = None
    pushed: tuple[tuple[str, str], ...]
    """The parameters of a pushed authorization request, in order (RFC 9126 §2.1)."""
    conflicting_values: bool
    standard: bool
    """Whether the request is in the standard dialect (D1)."""
    secret_method: str | None
    """The method name of the place of the client secret in the standard dialect (RFC 6749 §2.3.1).

    None without a secret, and for a secret in the header fields of the house dialect (D2).
    """
    multiple_client_auth_methods: bool
    """Whether the request has more than one kind of client authentication (RFC 6749 §2.3)."""

    def __repr__(self) -> str:
        """Return no values, because some of them are secret (threats A11)."""
        return object.__repr__(self)
