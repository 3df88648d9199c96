"""The settings of the log, the request log and traces."""

from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings

from credence import setting_types as types


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
        7,
        ge=0,
        le=366,
        description="Days for which `credence log` finds a request; 0: nothing is kept, and what this node and the nodes "
        "that share its store have kept is deleted.",
    )
    request_log_megabytes: int = Field(
        512,
        ge=1,
        le=1_000_000,
        description="Megabytes of a node's request log, about 8,000 requests each, and of those of all nodes in a shared "
        "store, about 50,000 each; the oldest go first.",
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
