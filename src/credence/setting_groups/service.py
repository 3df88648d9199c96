"""The settings of the deployment, its listeners and its store."""

from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings

from credence import setting_types as types


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
    base_url: types.BaseUrl = Field(
        "",
        description="Public base address, the issuer; scheme and host in small letters. Default: made from host and port.",
    )
    hosts: types.HostNames = Field((), description="Further host names of the service; requests for others get 421.")
    workers: int = Field(1, ge=1, le=64, description="Worker processes; more than the machine has cores gain nothing.")
    batch_scheduling: bool = Field(
        True,
        description="Let threads of a worker not interrupt each other (`SCHED_BATCH` of Linux): a fifth less time for a "
        "request. `false` answers sooner on a machine whose cores other programs keep busy.",
    )
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
    manage_url: types.SiteUrl = Field(
        "",
        description="Public base address of the operator console. Default: the host of the base address with the port of "
        "the management API.",
    )
    sandbox_scenarios_to: Literal["loopback", "all"] = Field(
        "loopback",
        description="Who gets `/sandbox/scenarios`, which has the sandbox's credentials: callers on its machine, or all.",
    )
    developers: Literal["", "off", "invited", "all"] = Field(
        "",
        description="Who may use the developer portal: no account, those that were invited to it or whose email address is "
        "at one of `CREDENCE_DEVELOPER_DOMAINS`, or every user account. Default: all in the sandbox, off elsewhere.",
    )
    developer_domains: types.HostNames = Field(
        (), description="Domains of email addresses, such as example.com, whose user accounts count as invited to it."
    )
    mail_relay: types.MailRelay = Field(
        "",
        repr=False,
        description="Mail relay for messages to people: links for a forgotten password and for signing up, and notices of "
        "changes. smtps://user:password@mail.example.com, or smtp://mail.example.com:587, which must offer STARTTLS unless "
        "it is on this machine. Default: none, and the pages name `CREDENCE_SUPPORT_EMAIL` instead.",
    )
    mail_from: str = Field("", description="Sender of these messages. Default: `CREDENCE_SUPPORT_EMAIL`.")
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
