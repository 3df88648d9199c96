"""The settings of one deployment: those that the operator sets, and the names and paths that follow from them.

Settings are read once at start and are frozen.
"""

import socket
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Literal
from urllib.parse import urlsplit

from pydantic_settings import SettingsConfigDict

from credence.setting_groups.data import DataSettings
from credence.setting_groups.limits import LimitSettings
from credence.setting_groups.logs import LogSettings, TraceSettings
from credence.setting_groups.outgoing import OutgoingSettings
from credence.setting_groups.service import DeploymentSettings, Environment, ServerSettings, StoreSettings
from credence.setting_groups.tokens import SignInSettings, TokenSettings

__all__ = ["Environment", "Settings", "setting"]


class Settings(
    DataSettings,
    TraceSettings,
    LogSettings,
    OutgoingSettings,
    LimitSettings,
    SignInSettings,
    TokenSettings,
    StoreSettings,
    ServerSettings,
    DeploymentSettings,
):
    """The settings of one deployment."""

    # Pydantic orders fields from the last base class to the first.
    model_config = SettingsConfigDict(env_prefix="CREDENCE_", frozen=True, extra="forbid", hide_input_in_errors=True)

    @cached_property
    def issuer(self) -> str:
        """The base address without a trailing slash (D5)."""
        if self.base_url:
            return self.base_url.rstrip("/")
        name = "localhost" if self.host in {"127.0.0.1", "::1", "0.0.0.0", "::"} else self.host.lower()  # noqa: S104 - compared, not bound
        return f"{'http' if self.http else 'https'}://{name}:{self.port}"

    @cached_property
    def console_url(self) -> str:
        """The base address of the operator console, which is served with the management API (D30)."""
        if self.manage_url:
            return self.manage_url.rstrip("/")
        issuer = urlsplit(self.issuer)
        host = f"[{issuer.hostname}]" if ":" in (issuer.hostname or "") else issuer.hostname
        return f"{issuer.scheme}://{host}:{self.manage_port}"

    @property
    def developer_access(self) -> Literal["off", "invited", "all"]:
        """Who may use the developer portal."""
        return self.developers or ("all" if self.environment is Environment.SANDBOX else "off")

    @property
    def serves_sign_up(self) -> bool:
        """Whether people with a mail address at an allowed domain can create accounts for the developer portal."""
        return self.serves_developers and bool(self.developer_domains and self.mail_relay)

    @property
    def serves_developers(self) -> bool:
        """Whether there is a developer portal."""
        return self.developer_access != "off"

    @cached_property
    def token_audience(self) -> str:
        """The `aud` of access tokens for the credit API."""
        return self.audience or self.issuer

    @cached_property
    def node(self) -> str:
        """The name of this node: the setting, or else the host name."""
        return self.node_name or socket.gethostname()

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names under which the service is reached, without loopback names."""
        named = (urlsplit(address).hostname or "" for address in (self.issuer, self.token_audience))
        return (*self.hosts, self.host.strip("[]"), *named)

    @property
    def own_tls(self) -> bool:
        """Whether the operator set both a certificate and its key; otherwise the sandbox issues its own (D18)."""
        return self.tls_certificate is not None and self.tls_key is not None

    @property
    def tls_folder(self) -> Path:
        """The folder of the sandbox's own certificate authority and certificate (D18)."""
        return self.data_dir / "tls"

    @property
    def key_encryption_key_path(self) -> Path:
        """The file of the key-encryption key, used unless a variable contains the key."""
        return self.key_encryption_key_file or self.data_dir / "key-encryption-key"

    @property
    def audit_folder(self) -> Path:
        """The folder of the audit trail."""
        return self.data_dir / "audit"

    @property
    def request_log_file(self) -> Path:
        """The request log of this node."""
        return self.data_dir / "requests" / "requests.sqlite"

    @property
    def sqlite_file(self) -> Path:
        """The SQLite file of the token service, unless `store` names another store."""
        return self.data_dir / "credence.sqlite"

    @property
    def backup_time_file(self) -> Path:
        """The file whose modification time is that of the last backup by command, for the metrics."""
        return self.data_dir / "last-backup"

    @property
    def credit_folder(self) -> Path:
        """The folder of the credit data: data sets, their catalogue and the disputes."""
        return self.data_dir / "credit"

    @property
    def policy_folder(self) -> Path:
        """The folder of installed policies."""
        return self.data_dir / "policies"

    @property
    def sandbox_file(self) -> Path:
        """The file of the sandbox's addresses, credentials and scenarios (D24)."""
        return self.data_dir / "sandbox.json"


def setting(name: str) -> str:
    """Return the variable of a setting and its default as help text, such as `CREDENCE_PORT, or else 8443`."""
    default = Settings.model_fields[name].default
    shown = default.value if isinstance(default, Enum) else "no" if default is False else default
    return f"CREDENCE_{name.upper()}, or else {shown}"
