"""The settings of tokens and of people who sign in."""

from pydantic import Field
from pydantic_settings import BaseSettings

from credence import setting_types as types
from credence.crypto.jws import OFFERED
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS, MAX_LOGIN_SECONDS


class TokenSettings(BaseSettings):
    """Tokens."""

    audience: types.ReadableUrl = Field("", description="The `aud` of access tokens. Default: the base address.")
    algorithm: types.Algorithm = Field(
        "RS256",
        description="Signs access tokens of applications that have no algorithm of their own (D5). With ES256 a signature "
        "takes a tenth of the time, or less (docs/keys.md).",
    )
    algorithms: types.Algorithms = Field(
        OFFERED,
        description="Algorithms with signing keys, comma separated, RS256 among them (OpenID Connect Core §15.1); "
        "ML-DSA-65 may be added (RFC 9964).",
    )
    key_age_days: int = Field(90, ge=1, le=3_650, description="Days for which a signing key signs (D13).")
    key_lead_days: int = Field(
        14, ge=1, le=365, description="Days for which a signing key is published before it signs."
    )
    access_token_lifetime_seconds: int = Field(
        10_800, ge=1, le=MAX_ACCESS_TOKEN_SECONDS, description="Seconds for which an access token is valid (D4)."
    )
    refresh_token_lifetime_seconds: int = Field(
        86_400, ge=1, le=MAX_LOGIN_SECONDS, description="Seconds from login until the last refresh (D4)."
    )
    refresh_retry_window_seconds: int = Field(
        30, ge=0, le=60, description="Seconds in which a repeated refresh gets the same answer (D7)."
    )
    experianone_token_path: bool = Field(
        False,
        description="Whether the token endpoint also has the path /oauth2/experianone/v1/token, with `issued_at` in seconds "
        "(docs/clients).",
    )
    registration: bool = Field(
        False,
        description="Whether applications may register themselves with an invitation (`credence app invite`, RFC 7591).",
    )
    open_registration: bool = Field(
        False,
        description="Whether they may do so without an invitation as well: public clients for people, unverified, five a "
        "minute from one address. What no person allows within a day is deleted.",
    )
    status_list: bool = Field(
        False,
        description="Whether access tokens name their index in a status list, for other verifiers (docs/verifying.md).",
    )


class SignInSettings(BaseSettings):
    """People who sign in."""

    operator_name: str = Field(
        "Credence", min_length=1, max_length=60, description="Name of the operator on the pages for people."
    )
    accent_colour: types.AccentColour = Field("#1f5f5b", description="Colour of buttons and links there.")
    accent_colour_dark: types.DarkAccentColour = Field("#7cc4bb", description="The same on dark pages.")
    logo_file: types.LogoFile = Field(
        None, description="Picture in place of the name: PNG, JPEG or WebP, at most 100 KB."
    )
    logo_file_dark: types.LogoFile = Field(None, description="The same on dark pages; none: the same picture.")
    session_idle_minutes: int = Field(30, ge=1, le=1_440, description="Minutes without use that end a session (D28).")
    session_lifetime_hours: int = Field(12, ge=1, le=720, description="Hours after which a session ends (D28).")
    known_browser_days: int = Field(
        90,
        ge=0,
        le=400,
        description="Days for which a browser keeps the cookie that lets a person in who signed in there before, also while "
        "others attack the account (threats A5); 0: no such cookie.",
    )
