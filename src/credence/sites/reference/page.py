"""The API reference as one HTML page, rendered from the OpenAPI document, without scripts (threats E4).

`page.html.jinja` is the template; the functions here find its values in the document.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
from markupsafe import Markup, escape

from credence.api.reference.examples import Call, Document, body_text, curl
from credence.blocks.forms import Field
from credence.templates import load_style, load_template
from credence.web.messages.security_headers import page_headers

_EXAMPLE_CHARACTERS = 60
_CODE = re.compile(r"`([^`]+)`")


@dataclass(frozen=True, slots=True)
class Trial:
    """The operations that can be tried, with the fields of their forms, and the address of the portal that sends them."""

    address: str
    fields: Mapping[str, Sequence[Field]]
    is_here: bool = False
    """Whether the forms are on this page, with `TOKEN` and `APPLICATIONS` as placeholders; otherwise each is a link."""


TOKEN, APPLICATIONS = "@@TOKEN@@", "@@APPLICATIONS@@"
"""Placeholders in the cached page: the form token of the developer, and the options of their applications."""

NO_TRIAL = Trial("", {})


def page(document: Document, trial: Trial = NO_TRIAL) -> str:
    """Return the reference page as HTML."""
    calls = list(_calls(document))
    template = load_template(
        "credence.sites.reference",
        "page.html.jinja",
        style=_STYLE,
        curl=curl,
        token=TOKEN,
        applications=APPLICATIONS,
        body_text=body_text,
        inline=_inline,
        message=_message,
        messages=_messages,
        type=_type,
        example_text=_example_text,
    )
    return template.render(
        document=document,
        trial=trial,
        examples=document["x-refusals"],
        groups={tag["name"]: _grouped(calls, tag["name"]) for tag in document["tags"]},
        first_calls={call[2]["operationId"]: call for call in calls},
    )


def _calls(document: Document) -> Iterator[Call]:
    """Yield every operation in the document's order, without HEAD, which is GET without a body."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "head":
                yield path, method, operation


def _grouped(calls: list[Call], tag: str) -> list[list[Call]]:
    """Return the operations of a tag; those that differ only in their path form one group."""
    groups: dict[str, list[Call]] = {}
    for call in calls:
        if tag in call[2]["tags"]:
            groups.setdefault(call[2]["summary"], []).append(call)
    return list(groups.values())


def _inline(text: str) -> Markup:
    """Return text as HTML, with code elements for the parts between backticks."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


def _message(value: Any) -> tuple[str, str]:
    """Return error type and message of a refusal in JSON; the credit API's own refusals have no type (D21)."""
    if "detail" in value:  # RFC 9457
        return value["title"], value["detail"]
    if "errors" in value:
        return value["errors"][0]["errorType"], value["errors"][0]["message"]
    return "", value["Error"]["Message"]


def _messages(document: Document, content: Document) -> dict[str, bool]:
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
                    message = _message(value)[1]
                    messages[message] = messages.get(message, True) and "error" in value
    return messages


def _example_text(value: object) -> str:
    """Return an example value as JSON, truncated after `_EXAMPLE_CHARACTERS`."""
    text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
    return text if len(text) <= _EXAMPLE_CHARACTERS else f"{text[:_EXAMPLE_CHARACTERS]}…"


def _type(member: Document) -> str:
    """Return the type of a schema as text, such as "list of integer"."""
    if "$ref" in member:
        return str(member["$ref"]).rpartition("/")[2]
    if member.get("type") == "array":
        return f"list of {_type(member['items'])}" if "items" in member else "list"
    if "enum" in member:
        return "one of" if "x-unit" in member else " or ".join(str(each) for each in member["enum"])
    found = member.get("format", member.get("type", "any"))
    return " or ".join(found) if isinstance(found, list) else str(found)


_STYLE = load_style("credence.sites.reference", "page.css")
HEADERS = page_headers(_STYLE.policy)
HEADERS_WITH_FORMS = page_headers(_STYLE.policy.replace("form-action 'none'", "form-action 'self'"))
