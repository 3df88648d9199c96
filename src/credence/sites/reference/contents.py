"""What the reference contains, read from the OpenAPI document: its subjects with their operations, and the addresses."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from credence import paths
from credence.api.reference.described import operation_of
from credence.api.reference.examples import Call, Document
from credence.api.reference.openapi import operation_id
from credence.web.routing.route import Route


@dataclass(frozen=True, slots=True)
class Group:
    """Operations that differ only in their path, which are described together."""

    calls: Sequence[Call]

    @property
    def id(self) -> str:
        """The operationId of the first."""
        return str(self.calls[0][2]["operationId"])

    @property
    def title(self) -> str:
        """What they do."""
        return str(self.calls[0][2]["summary"])


@dataclass(frozen=True, slots=True)
class Subject:
    """A page of the reference with the operations of one tag."""

    name: str
    about: str
    groups: Sequence[Group]

    @property
    def slug(self) -> str:
        """The last segment of the address of the page, and on earlier versions of the reference the anchor."""
        return _slug(self.name)

    @property
    def address(self) -> str:
        """The address of the page."""
        return f"{paths.REFERENCE}/{self.slug}"


def subjects_of(document: Document) -> list[Subject]:
    """Return the subjects in the order of the document's tags."""
    calls = list(_calls(document))
    return [
        Subject(tag["name"], tag.get("description", ""), [*map(Group, _grouped(calls, tag["name"]).values())])
        for tag in document["tags"]
    ]


def described_at(route: Route) -> str:
    """Return the address at which the operation of a route is described."""
    return f"{paths.REFERENCE}/{_slug(operation_of(route).tag)}#{operation_id(route, route.methods[0])}"


def addresses(subjects: Sequence[Subject]) -> Mapping[str, str]:
    """Return operationId -> the address of the operation."""
    return {
        call[2]["operationId"]: f"{subject.address}#{call[2]['operationId']}"
        for subject in subjects
        for group in subject.groups
        for call in group.calls
    }


def _slug(tag: str) -> str:
    return tag.lower().replace(" ", "-")


def _calls(document: Document) -> Iterator[Call]:
    """Yield every operation in the document's order, without HEAD, which is GET without a body."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "head":
                yield path, method, operation


def _grouped(calls: list[Call], tag: str) -> dict[str, list[Call]]:
    groups: dict[str, list[Call]] = {}
    for call in calls:
        if tag in call[2]["tags"]:
            groups.setdefault(call[2]["summary"], []).append(call)
    return groups


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
