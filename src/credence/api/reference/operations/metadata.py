"""Documentation of the metadata documents by which clients configure themselves."""

from dataclasses import replace

from credence.api.reference.operations.metadata_bodies import ProviderConfiguration, ResourceMetadata
from credence.api.reference.operations.tokens import TAG
from credence.refusals.requests import NOT_FOUND
from credence.web.messages.answer import JSON
from credence.web.routing.operation import Content, Operation, Parameter

PROVIDER_CONFIGURATION = Operation(
    id="provider_configuration",
    tag=TAG,
    summary="OpenID provider configuration",
    description="Where everything is and what it can do, for clients that configure themselves.",
    answers=(Content(JSON, (ProviderConfiguration,)),),
    cacheable=True,
)

AUTHORIZATION_SERVER = Operation(
    id="authorization_server",
    tag=TAG,
    summary="Authorization server metadata",
    description="The same document where RFC 8414 §3 has it.",
    answers=(Content(JSON, (ProviderConfiguration,)),),
    cacheable=True,
)

PROTECTED_RESOURCE = Operation(
    id="protected_resource",
    tag=TAG,
    summary="Protected resource metadata",
    description=(
        "Which tokens open the credit API, and who issues them (RFC 9728). 404 when the audience of tokens is set to "
        "something that is no address."
    ),
    answers=(Content(JSON, (ResourceMetadata,)),),
    refusals=(NOT_FOUND,),
    cacheable=True,
)


def _with_path(operation: Operation, whose: str, example: str) -> Operation:
    return replace(
        operation,
        id=f"{operation.id}_with_path",
        summary=f"{operation.summary}, with a path",
        description=f"The same where the {whose} has a path of its own, which then follows here. Any other is a 404.",
        parameters=(Parameter("path", "path", f"That of the {whose}.", example),),
        refusals=(NOT_FOUND,),
    )


AUTHORIZATION_SERVER_WITH_PATH = _with_path(AUTHORIZATION_SERVER, "issuer", "risk")
PROTECTED_RESOURCE_WITH_PATH = _with_path(PROTECTED_RESOURCE, "resource", "mcp")
