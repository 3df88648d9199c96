"""The attributes of a token or revocation request, whatever the dialect (spec §2.2, §2.4, §2.5, D2)."""

import msgspec


class Attributes(msgspec.Struct, frozen=True):
    """What the client said. None where nothing, or nothing but blanks, was said (threats P10).

    `conflicting_values` is set when one attribute was said twice with different values, or Basic could not be read.
    """

    client_id: str | None = None
    client_secret: str | None = None
    client_assertion: str | None = None
    client_assertion_type: str | None = None
    grant_type: str | None = None
    username: str | None = None
    password: str | None = None
    refresh_token: str | None = None
    token: str | None = None
    scope: str | None = None
    resources: tuple[str, ...] = ()
    """The values of `resource`, each once (RFC 8707 §2)."""
    audiences: tuple[str, ...] = ()
    """The values of `audience`, each once. Token exchange alone uses them (RFC 8693 §2.1)."""
    subject_token: str | None = None
    subject_token_type: str | None = None
    actor_token: str | None = None
    actor_token_type: str | None = None
    requested_token_type: str | None = None
    conflicting_values: bool = False
    standard: bool = False
    """Whether it was said in the standard dialect (D1)."""
    multiple_client_auth_methods: bool = False
    """Whether the client proves itself in more than one way there (RFC 6749 §2.3)."""

    def __repr__(self) -> str:
        """Say nothing of what it holds: secrets are among that (threats A11)."""
        return object.__repr__(self)
