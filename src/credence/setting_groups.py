"""Every setting, by group: its name, its variable (`CREDENCE_` and the name in capitals), default, bounds and meaning.

A name carries the unit of its quantity. `docs/settings.md` is generated from this file.
"""

from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field
from pydantic_settings import BaseSettings

from credence import setting_types as types
from credence.crypto.algorithms import OFFERED
from credence.token_lifetimes import MAX_ACCESS_TOKEN_SECONDS, MAX_LOGIN_SECONDS


class Environment(StrEnum):
    """One deployment serves one environment; tokens of one environment are invalid in every other (spec §5.11, D18)."""

    SANDBOX = "sandbox"
    UAT = "uat"
    PRODUCTION = "production"

    @cached_property
    def prefix(self) -> str:
        """The part after `crd_` in every credential of this environment."""
        return {"sandbox": "sbx", "uat": "uat", "production": "prd"}[self.value]


class DeploymentSettings(BaseSettings):
    """Deployment."""

    environment: Environment = Field(Environment.SANDBOX, description="sandbox, uat or production (D18).")
    data_dir: types.NamedPath = Field(
        Path("credence-data"), description="Folder of the store, the keys, the audit trail and the credit data."
    )


class ServerSettings(BaseSettings):
    """Server."""

    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(
        8443, ge=0, le=65_535, description="Port to listen on; 0: any that is free, which `serve` prints."
    )
    http: bool = Field(
        False, description="Serve plain HTTP: only on loopback or behind a declared trusted proxy (D18)."
    )
    base_url: str = Field("", description="Public base address, the issuer. Default: made from host and port.")
    hosts: types.HostNames = Field((), description="Further host names of the service; requests for others get 421.")
    workers: int = Field(1, ge=1, le=64, description="Worker processes. A SQLite store takes one.")
    tls_certificate: Path | None = Field(
        None, description="Certificate chain in PEM. Default: the sandbox issues its own."
    )
    tls_key: Path | None = Field(None, description="Private key of the certificate in PEM.")
    trusted_proxies: types.Networks = Field(
        (), description="Networks whose forwarded-address headers are trusted (D26), comma separated."
    )
    client_certificate_header: types.HeaderName = Field(
        "",
        description="Header in which trusted proxies forward a client certificate whose chain they verified (RFC 8705, "
        "RFC 9440), such as Client-Cert. Default: none.",
    )
    unverified_certificate_header: types.HeaderName = Field(
        "",
        description="Header in which trusted proxies forward any client certificate, for applications that registered "
        "theirs. Default: none.",
    )
    connections_per_address: int = Field(
        1_000, ge=0, description="Open connections per address, trusted proxies excepted; 0: unlimited."
    )
    metrics_port: int = Field(0, ge=0, le=65_535, description="Port of the metrics of all workers; 0: none.")
    metrics_host: str = Field(
        "127.0.0.1",
        description="Address on which the metrics are served, without TLS or credentials: outside loopback let only the "
        "collector reach it (threats E1).",
    )
    manage_port: int = Field(0, ge=0, le=65_535, description="Port of the management API (D30); 0: none.")
    manage_host: str = Field(
        "127.0.0.1",
        description="Address on which the management API is served, with the certificate of the service (threats E1).",
    )
    manage_url: str = Field(
        "",
        description="Public base address of the operator console. Default: the host of the base address with the port of "
        "the management API.",
    )
    sandbox_scenarios_to: Literal["loopback", "all"] = Field(
        "loopback",
        description="Who gets `/sandbox/scenarios`, which has the sandbox's credentials: callers on its machine, or all.",
    )
    support_email: str = Field("support@localhost", description="Address in the messages that offer help (spec §7).")


class StoreSettings(BaseSettings):
    """Store and sealing."""

    store_file: types.OptionalPath = Field(
        None, description="File with the URL of a store that nodes share; set this or `CREDENCE_STORE`."
    )
    store: types.StoreUrl = Field(
        "",
        repr=False,
        validate_default=True,
        description="URL of a store that nodes share: postgresql://, with every parameter of libpq. Default: a SQLite "
        "file, for one node. The URL holds a password, so prefer the file.",
    )
    max_revocation_staleness_seconds: float = Field(
        5,
        ge=4,
        le=60,
        description="Seconds without an answer from the change log of a shared store after which a node refuses every "
        "token (threats L9).",
    )
    key_encryption_key: str = Field(
        "", repr=False, description="Key that seals all other keys: 64 hexadecimal digits. Prefer the file."
    )
    key_encryption_key_file: Path | None = Field(
        None, description="File with that key. Default: the sandbox makes one in the data folder."
    )


class TokenSettings(BaseSettings):
    """Tokens."""

    audience: str = Field("", description="The `aud` of access tokens. Default: the base address.")
    algorithm: types.Algorithm = Field(
        "RS256", description="Signs access tokens of applications that have no algorithm of their own (D5)."
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
    session_idle_minutes: int = Field(30, ge=1, le=1_440, description="Minutes without use that end a session (D28).")
    session_lifetime_hours: int = Field(12, ge=1, le=720, description="Hours after which a session ends (D28).")


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
        description="Wrong passwords from one address in an hour before unknown origins wait (threats A4); 0: unlimited.",
    )
    password_failures_per_hour_per_application: int = Field(
        1_000, ge=0, le=3_600_000, description="The same through one application (threats A4); 0: unlimited."
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


class OutgoingSettings(BaseSettings):
    """Calls to applications."""

    calls_out: bool = Field(
        False,
        description="Whether the service calls addresses that applications registered, such as the one for sign-out notices "
        "(D29).",
    )
    client_documents: Literal["off", "listed", "any"] = Field(
        "off",
        description="Whether a client_id may be the address of a document about the client (Client ID Metadata Documents): "
        "off, of the listed hosts, or of any host. Needs CREDENCE_CALLS_OUT.",
    )
    client_document_hosts: types.HostNames = Field(
        (), description="The hosts whose documents are taken if listed; `.example.com` means all names below it."
    )
    client_document_blocked_hosts: types.HostNames = Field(
        (), description="Hosts whose clients are refused all the same, also at the token endpoint."
    )
    outgoing_networks: types.Networks = Field(
        (),
        description="Networks that these calls may reach although they are not public (threats E3), comma separated.",
    )
    outgoing_hosts: types.HostNames = Field(
        (), description="The only hosts that are called; `.example.com` means all names below it. Default: all."
    )
    outgoing_ports: types.Ports = Field((443,), description="The only ports that are called, comma separated.")
    outgoing_proxy: types.ProxyUrl = Field(
        "",
        description="Egress proxy for these calls: http://host:port. It resolves the names, so it must refuse private "
        "addresses itself. Default: none; HTTPS_PROXY and the like have no effect.",
    )
    outgoing_authorities: Path | None = Field(
        None, description="Certificate authorities in PEM that these calls trust in addition to the machine's."
    )


class LogSettings(BaseSettings):
    """Log."""

    log_level: Literal["info", "warning", "error"] = Field(
        "info", description="The least level that is logged: info, warning or error."
    )
    log_form: Literal["auto", "json", "text"] = Field(
        "auto", description="Form of the lines: json, text, or auto: text on a terminal and JSON elsewhere."
    )
    node_name: str = Field("", max_length=64, description="Name of this node in every line. Default: the host's name.")
    access_log: Literal["off", "errors", "all"] = Field(
        "off", description="Which answers get a line: none, those with status 400 and above, or all."
    )
    request_log_days: int = Field(
        7, ge=0, le=366, description="Days for which `credence log` finds a request; 0: nothing is kept."
    )
    request_log_megabytes: int = Field(
        512,
        ge=1,
        le=1_000_000,
        description="Megabytes of the request log, about 8,000 requests each; the oldest go first.",
    )


class TraceSettings(BaseSettings):
    """Traces."""

    traces_url: types.CollectorUrl = Field(
        "",
        description="Where traces go: the OTLP address of a collector, such as http://localhost:4318/v1/traces. Needs the "
        "extra `otel`. Default: no traces.",
    )
    traces_share: float = Field(0.1, ge=0, le=1, description="Share of the requests that are recorded, from 0 to 1.")
    traces_per_second: int = Field(
        50, ge=1, le=10_000, description="Requests at most that a worker records in a second (threats A12)."
    )
    traces_follow: types.Networks = Field(
        (),
        description="Networks of peers whose `traceparent` is continued, comma separated: of proxies and services that "
        "accept none from the Internet. Another's becomes a link. Default: none.",
    )


class DataSettings(BaseSettings):
    """Audit trail and credit data."""

    audit_file_megabytes: int = Field(
        16, ge=1, le=4_096, description="Megabytes at which a new file of the audit trail begins."
    )
    audit_files: int = Field(
        64, ge=2, le=10_000, description="Files to keep of what operators and applications did; older ones are deleted."
    )
    audit_issued_tokens: bool = Field(
        False, description="Whether the audit trail has a line for each issued access token, with its `jti`."
    )
    refusal_files: int = Field(16, ge=2, le=10_000, description="Files to keep of refusals; older ones are deleted.")
    audit_copies: types.AuditCopies = Field(
        (),
        description="Where both trails go too: stdout, syslog, syslog://host:port, tcp://host:port, unix:///path, "
        "file:///path.",
    )
    retention_years: int = Field(
        6,
        ge=0,
        le=100,
        description="Years for which resigned officers and ceased owners are kept (credit §10); 0: unlimited.",
    )
    companies_house_key: str = Field(
        "", repr=False, description="Key of the public register's API, for `credence data fetch` only."
    )


GROUPS: tuple[type[BaseSettings], ...] = (
    DeploymentSettings,
    ServerSettings,
    StoreSettings,
    TokenSettings,
    SignInSettings,
    LimitSettings,
    OutgoingSettings,
    LogSettings,
    TraceSettings,
    DataSettings,
)
"""The groups in the order of `docs/settings.md`; the docstring of a group is its title."""
