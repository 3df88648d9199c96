"""The settings of calls to applications."""

from pathlib import Path
from typing import Literal

from pydantic import Field
from pydantic_settings import BaseSettings

from credence import setting_types as types


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
