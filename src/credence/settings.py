"""Every setting: its name, its variable (`CREDENCE_` and the name in capitals), its default and its meaning.

Read once at start and frozen. `docs/settings.md` is generated from this file.
"""

import re
from enum import StrEnum
from functools import cached_property, partial
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from credence.crypto.algorithms import ALGORITHMS, OFFERED
from credence.crypto.passwords import PROFILES
from credence.store.contract import LONGEST_ACCESS_TOKEN, LONGEST_FAMILY

METRICS_HOST = "127.0.0.1"
"""Metrics are told to this machine alone (threats E1)."""


STORE_SCHEMES = ("postgresql", "postgres")
"""Of addresses of stores that nodes share, as libpq reads them."""

COUNTER_SCHEMES = ("redis", "rediss", "unix")
"""Of addresses of counters that nodes share: those that `ratelimit/redis_counters.py` can be given."""


_FIELD_NAME = re.compile(r"(?!authorization$|host$|content-|x-forwarded-)[a-z0-9-]+", re.IGNORECASE).fullmatch


class Environment(StrEnum):
    """One deployment serves one environment, and its tokens are good in no other (spec §5.11, D18)."""

    SANDBOX = "sandbox"
    UAT = "uat"
    PRODUCTION = "production"

    @cached_property
    def prefix(self) -> str:
        """What credentials of this environment carry after `crd_`."""
        return {"sandbox": "sbx", "uat": "uat", "production": "prd"}[self.value]


def _known_algorithm(name: str) -> str:
    if name not in ALGORITHMS:
        raise ValueError(f"must be one of {', '.join(ALGORITHMS)}")
    return name


def _names(value: object) -> object:
    return tuple(part.strip() for part in value.split(",") if part.strip()) if isinstance(value, str) else value


def _known_algorithms(names: tuple[str, ...]) -> tuple[str, ...]:
    if "RS256" not in names:
        raise ValueError("must name RS256, which ID tokens are signed with (OpenID Connect Core §15.1)")
    return tuple(_known_algorithm(name) for name in names)


def _known_profile(name: str) -> str:
    if name not in PROFILES:
        raise ValueError(f"must be one of {', '.join(PROFILES)}")
    return name


def _known_scheme(schemes: tuple[str, ...], url: str) -> str:
    if url and url.partition("://")[0] not in schemes:
        raise ValueError(f"must begin with one of {', '.join(f'{scheme}://' for scheme in schemes)}")
    return url


def _named(path: object) -> object:
    if path == "":  # which would be the folder that happens to be the current one
        raise ValueError("it names nothing; leave it out or name a path")
    return path


def _from_store_file(address: object, settings: ValidationInfo) -> object:
    file: Path | None = settings.data.get("store_file")
    if file is None:
        return address
    if address:
        raise ValueError("CREDENCE_STORE_FILE says where the store is; set one of the two")
    try:
        said = file.read_text(encoding="utf-8").strip()
    except OSError as error:
        raise ValueError(f"{file} of CREDENCE_STORE_FILE cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ValueError(f"{file} of CREDENCE_STORE_FILE is no text") from None
    if not said:
        raise ValueError(f"{file} of CREDENCE_STORE_FILE is empty")
    return said


def _networks(value: object) -> object:
    if isinstance(value, str):
        return tuple(ip_network(part.strip()) for part in value.split(",") if part.strip())
    return value


def _field_name(name: str) -> str:
    if name and not _FIELD_NAME(name):
        raise ValueError("must be the name of a header field of its own, such as Client-Cert")
    return name.lower()


def _number(value: object) -> object:
    # A variable is text, and a Literal of numbers takes no text for one.
    return int(value) if isinstance(value, str) and value.isdecimal() else value


class Settings(BaseSettings):
    """The settings of one deployment."""

    model_config = SettingsConfigDict(env_prefix="CREDENCE_", frozen=True, extra="forbid", hide_input_in_errors=True)

    environment: Environment = Field(Environment.SANDBOX, description="sandbox, uat or production (D18).")
    data_dir: Annotated[Path, BeforeValidator(_named)] = Field(
        Path("credence-data"), description="Folder that holds the store, keys and credit data."
    )
    store_file: Annotated[Path | None, BeforeValidator(_named)] = Field(
        None, description="File with the address of a store that nodes share; `CREDENCE_STORE` is then not set."
    )
    store: Annotated[str, BeforeValidator(_from_store_file), AfterValidator(partial(_known_scheme, STORE_SCHEMES))] = (
        Field(
            "",
            repr=False,
            validate_default=True,
            description="That address itself: postgresql://, with all that libpq reads. Default: a SQLite file, one node. "
            "Prefer the file, for it holds a password.",
        )
    )
    log_silence: float = Field(
        5,
        ge=4,
        le=60,
        description="Seconds without news from a shared store after which a node refuses every token (threats L9).",
    )
    host: str = Field("127.0.0.1", description="Address to listen on.")
    port: int = Field(8443, ge=1, le=65_535, description="Port to listen on.")
    http: bool = Field(
        False, description="Serve plain HTTP: only on loopback or behind a declared trusted proxy (D18)."
    )
    base_url: str = Field("", description="Public base address, the issuer. Default: made from host and port.")
    workers: int = Field(1, ge=1, le=64, description="Worker processes. A SQLite store takes one.")
    tls_certificate: Path | None = Field(None, description="Certificate chain in PEM. The sandbox makes its own.")
    tls_key: Path | None = Field(None, description="Private key of the certificate in PEM.")
    key_encryption_key: str = Field(
        "", repr=False, description="Key that seals all other keys: 64 hexadecimal digits. Prefer the file."
    )
    key_encryption_key_file: Path | None = Field(
        None, description="File with that key. The sandbox makes one in the data folder."
    )
    trusted_proxies: Annotated[tuple[IPv4Network | IPv6Network, ...], NoDecode, BeforeValidator(_networks)] = Field(
        (), description="Networks whose forwarded-address headers count (D26), comma separated."
    )
    client_certificate_header: Annotated[str, AfterValidator(_field_name)] = Field(
        "",
        description="Header in which trusted proxies pass on a client's certificate whose chain they verified (RFC 8705, "
        "RFC 9440), such as Client-Cert. Default: none.",
    )
    unverified_certificate_header: Annotated[str, AfterValidator(_field_name)] = Field(
        "", description="The same for any certificate, for applications that registered their own. Default: none."
    )
    connections_per_address: int = Field(
        1_000, ge=0, description="Connections that one address may hold at a time, proxies not counted; 0: any number."
    )
    support_email: str = Field("support@localhost", description="Address named in messages that offer help (spec §7).")
    audience: str = Field("", description="The `aud` of access tokens. Default: the base address.")
    algorithm: Annotated[str, AfterValidator(_known_algorithm)] = Field(
        "RS256", description="Signs access tokens unless an application says otherwise (D5)."
    )
    algorithms: Annotated[tuple[str, ...], NoDecode, BeforeValidator(_names), AfterValidator(_known_algorithms)] = (
        Field(
            OFFERED,
            description="Algorithms that keys are made for, comma separated, RS256 among them (OpenID Connect Core §15.1); "
            "ML-DSA-65 may be added (RFC 9964).",
        )
    )
    key_age: int = Field(90, ge=1, le=3_650, description="Days for which a signing key signs (D13).")
    key_lead: int = Field(14, ge=1, le=365, description="Days for which a signing key is published before it signs.")
    access_token_lifetime: int = Field(
        10_800, ge=1, le=LONGEST_ACCESS_TOKEN, description="Seconds an access token is valid (D4)."
    )
    refresh_token_lifetime: int = Field(
        86_400, ge=1, le=LONGEST_FAMILY, description="Seconds from login until the last refresh (D4)."
    )
    refresh_retry_window: int = Field(
        30, ge=0, le=60, description="Seconds in which a repeated refresh gets the same answer (D7)."
    )
    registration: bool = Field(
        False, description="Applications may register themselves with an invitation (`credence app invite`, RFC 7591)."
    )
    status_list: bool = Field(
        False,
        description="Access tokens name their place in a status list, for verifiers elsewhere (docs/verifying.md).",
    )
    password_profile: Annotated[str, AfterValidator(_known_profile)] = Field(
        "standard", description="Cost of password hashes: standard, strong or testing."
    )
    password_memory: int = Field(
        300, ge=0, le=3_600, description="Seconds a verified password is remembered as a keyed hash; 0: never."
    )
    password_failures_per_address: int = Field(
        100,
        ge=0,
        le=3_600_000,
        description="Wrong passwords an hour from one address before strangers wait (A4); 0: any.",
    )
    password_failures_per_application: int = Field(
        1_000, ge=0, le=3_600_000, description="The same through one application (A4); 0: any."
    )
    spike_per_minute: int = Field(
        60_000, ge=0, description="Requests a minute and application, smoothed (D16); 0: no spike arrest."
    )
    spike_burst: int = Field(200, ge=1, description="Requests that may come at once before smoothing begins (D16).")
    spike_account_per_minute: int = Field(
        60_000, ge=0, description="Requests a minute and account, through whatever application (D16); 0: any."
    )
    spike_account_burst: int = Field(200, ge=1, description="The same at once.")
    spike_address_per_minute: int = Field(
        120_000, ge=0, description="Requests a minute and address, /64 for IPv6, whoever calls from it (D16); 0: any."
    )
    spike_address_burst: int = Field(400, ge=1, description="The same at once.")
    spike_status: Annotated[Literal[401, 429], BeforeValidator(_number)] = Field(
        401, description="Status of a spike arrest: 401 as the specification says, or 429."
    )
    counters_url: Annotated[str, AfterValidator(partial(_known_scheme, COUNTER_SCHEMES))] = Field(
        "",
        repr=False,
        description="Valkey or Redis in which nodes count together: redis://, rediss:// or unix://. Default: each its own.",
    )
    metrics_port: int = Field(
        0, ge=0, le=65_535, description="Port of the metrics, on the loopback address alone; 0: none."
    )

    audit_file_size: int = Field(
        16, ge=1, le=4_096, description="Megabytes after which a file of the audit trail is put aside."
    )
    audit_files: int = Field(16, ge=2, le=10_000, description="Files of the audit trail that are kept; older ones go.")

    retention_years: int = Field(
        6,
        ge=0,
        le=100,
        description="Years for which resigned officers and ceased owners are kept (credit §10); 0: no limit.",
    )
    companies_house_key: str = Field(
        "", repr=False, description="Key of the public register's API, for `credence data fetch` alone."
    )

    @cached_property
    def issuer(self) -> str:
        """The base address without a trailing slash (D5)."""
        if self.base_url:
            return self.base_url.rstrip("/")
        name = "localhost" if self.host in {"127.0.0.1", "::1", "0.0.0.0", "::"} else self.host  # noqa: S104
        return f"{'http' if self.http else 'https'}://{name}:{self.port}"

    @cached_property
    def token_audience(self) -> str:
        """The `aud` of every access token."""
        return self.audience or self.issuer

    @property
    def metrics_ports(self) -> range:
        """The ports on which workers tell their metrics, one each: the one that is set and those after it."""
        first = self.metrics_port
        return range(first, min(first + self.workers, 65_536)) if first else range(0)

    @property
    def own_tls(self) -> bool:
        """Whether the operator set a certificate and its key; the sandbox makes its own unless both are there (D18)."""
        return self.tls_certificate is not None and self.tls_key is not None

    @property
    def tls_folder(self) -> Path:
        """Where the sandbox keeps its own authority and certificate (D18)."""
        return self.data_dir / "tls"

    @property
    def key_encryption_key_path(self) -> Path:
        """The file that holds the key-encryption key, unless a variable does."""
        return self.key_encryption_key_file or self.data_dir / "key-encryption-key"

    @property
    def audit_folder(self) -> Path:
        """Where the audit trail lies."""
        return self.data_dir / "audit"

    @property
    def sqlite_file(self) -> Path:
        """The SQLite file of the token service, unless `store` names another."""
        return self.data_dir / "credence.sqlite"

    @property
    def credit_folder(self) -> Path:
        """Where the credit data is: the data sets, their catalogue, the disputes."""
        return self.data_dir / "credit"

    @property
    def sandbox_file(self) -> Path:
        """Where the sandbox writes its addresses, credentials and scenarios (D24)."""
        return self.data_dir / "sandbox.json"
