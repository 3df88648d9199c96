"""The settings of passwords and rate limits."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic_settings import BaseSettings

from credence import setting_types as types


class LimitSettings(BaseSettings):
    """Passwords and rate limits."""

    password_profile: types.PasswordProfile = Field(
        "standard", description="Cost of password hashes: standard, strong or testing."
    )
    password_cache_seconds: int = Field(
        300, ge=0, le=3_600, description="Seconds for which a verified password is cached as a keyed hash; 0: never."
    )
    password_failures_per_hour_per_address: int = Field(
        100,
        ge=0,
        le=3_600_000,
        description="Wrong passwords from one address in an hour before unknown origins wait, twice as many from a /56 and "
        "four times as many from a /48 (threats A4); 0: unlimited.",
    )
    password_failures_per_hour_per_application: int = Field(
        1_000,
        ge=0,
        le=3_600_000,
        description="The same through one application with a secret (threats A4); 0: unlimited.",
    )
    spike_per_minute: int = Field(
        60_000, ge=0, description="Requests per minute and application, smoothed (D16); 0: no spike arrest."
    )
    spike_burst: int = Field(200, ge=1, description="Requests of one application before smoothing begins (D16).")
    spike_account_per_minute: int = Field(
        60_000, ge=0, description="Requests per minute and account, through all applications (D16); 0: unlimited."
    )
    spike_account_burst: int = Field(200, ge=1, description="Requests of one account before smoothing begins.")
    spike_address_per_minute: int = Field(
        120_000, ge=0, description="Requests per minute and address, /64 for IPv6 (D16); 0: unlimited."
    )
    spike_address_burst: int = Field(400, ge=1, description="Requests of one address before smoothing begins.")
    spike_status: Annotated[Literal[401, 429], types.FromText] = Field(
        401, description="Status of a spike arrest: 401 as the specification has it, or 429."
    )
    counters_url: types.CounterUrl = Field(
        "",
        repr=False,
        description="Valkey or Redis with the rate counters of all nodes: redis://, rediss:// or unix://. Default: each "
        "node counts for itself.",
    )
