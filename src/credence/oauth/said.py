"""What a client said to the token or the revocation endpoint, whatever the dialect (spec §2.2, §2.4, §2.5, D2)."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, repr=False)
class Said:
    """The attributes of a request. None where nothing, or nothing but blanks, was said (threats P10).

    `contradicts` is set when one attribute was said twice with different values, or Basic could not be read.
    """

    standard: bool = False
    client_id: str | None = None
    client_secret: str | None = None
    grant_type: str | None = None
    username: str | None = None
    password: str | None = None
    refresh_token: str | None = None
    token: str | None = None
    contradicts: bool = False
