"""The settings of the audit trail and the credit data."""

from pydantic import Field
from pydantic_settings import BaseSettings

from credence import setting_types as types


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
    report_cache_megabytes: int = Field(
        16,
        ge=1,
        le=65_536,
        description="Megabytes of finished JSON reports that a worker keeps; those as XML get a quarter. One takes about "
        "700 octets.",
    )
    companies_house_key: str = Field(
        "", repr=False, description="Key of the public register's API, for `credence data fetch` only."
    )
