"""Models of the bodies of refusals, for documentation only: the service writes them without the models."""

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from credence.meanings import meaning


class Error(Struct):
    """Why the request was refused."""

    errorType: Annotated[str, meaning("Kind of refusal; the list of errors has them all.", example="Unauthorized")]  # noqa: N815 - the wire's name
    message: Annotated[
        str, meaning("Why the request was refused, in a sentence.", example="Access is denied due to an invalid token.")
    ]


class ErrorBody(Struct):
    """A refusal in JSON."""

    errors: Annotated[list[Error], Meta(min_length=1, description="One element: why the request was refused.")]
    success: Annotated[bool, meaning("Always false.")]


class StandardErrorBody(ErrorBody):
    """A refusal of a request with a form: it has the members of RFC 6749 §5.2 as well."""

    error: Annotated[str, meaning("Code of the error (RFC 6749 §5.2).", example="invalid_client")]
    error_description: Annotated[str, meaning("Why the request was refused, in a sentence.", example="Access denied")]
    error_uri: Annotated[
        str | UnsetType,
        meaning(
            "In the sandbox: where the reason is explained.",
            example="https://localhost:8443/docs/reference/reasons#refresh_token.expired",
        ),
    ] = UNSET


class Errors(Struct):
    """A refusal in XML, under this root element."""

    Error: Annotated[Error, meaning("Why the request was refused.")]


class CreditRefusal(Struct):
    """The error of a refusal by the credit API. `Code` repeats the status."""

    Code: Annotated[int, meaning("The status of the answer.", example=404)]
    Message: Annotated[
        str, meaning("Why the request was refused, in a sentence.", example="No company with this number is on record.")
    ]


class CreditErrorBody(Struct):
    """A refusal of the credit API."""

    Error: Annotated[CreditRefusal, meaning("Why the request was refused.")]


class Problem(Struct, omit_defaults=True):
    """A problem detail (RFC 9457)."""

    type: Annotated[str, meaning("Always `about:blank`: the status says what it is.", example="about:blank")]
    title: Annotated[str, meaning("The words of the status.", example="Precondition Failed")]
    status: Annotated[int, meaning("The status.", example=412)]
    detail: Annotated[str, meaning("What is wrong.", example="The resource has another version.")]
    request_id: Annotated[str, meaning("Names the request in the logs of the service.", example="<REQUEST_ID>")]
    reason: Annotated[str, meaning("The reason code.", example="if_match.other_version")] = ""
