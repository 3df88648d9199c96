"""The messages of refusals, from the examples of the OpenAPI document."""

from typing import Any

from credence.api.reference.examples import Document


def message_of(value: Any) -> tuple[str, str]:
    """Return error type and message of a refusal in JSON; the credit API's own refusals have no type (D21)."""
    if "detail" in value:  # RFC 9457
        return value["title"], value["detail"]
    if "errors" in value:
        return value["errors"][0]["errorType"], value["errors"][0]["message"]
    return "", value["Error"]["Message"]


def messages_of(document: Document, content: Document) -> dict[str, bool]:
    """Return the messages of the refusals in a response.

    The value is True for a message that only answers to form requests have.
    """
    messages: dict[str, bool] = {}
    for body in content.values():
        for example in body.get("examples", {}).values():
            if "$ref" in example:
                referred = document["components"]["examples"][example["$ref"].rpartition("/")[2]]
                value = referred["value"]
                if "x-text" not in referred:
                    message = message_of(value)[1]
                    messages[message] = messages.get(message, True) and "error" in value
    return messages
