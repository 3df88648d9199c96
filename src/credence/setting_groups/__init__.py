"""Every setting, by group: its name, its variable (`CREDENCE_` and the name in capitals), default, bounds and meaning.

A name carries the unit of its quantity. `docs/settings.md` is generated from these files.
"""

from pydantic_settings import BaseSettings

from credence.setting_groups.data import DataSettings
from credence.setting_groups.limits import LimitSettings
from credence.setting_groups.logs import LogSettings, TraceSettings
from credence.setting_groups.outgoing import OutgoingSettings
from credence.setting_groups.service import DeploymentSettings, ServerSettings, StoreSettings
from credence.setting_groups.tokens import SignInSettings, TokenSettings

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
