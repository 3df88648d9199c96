"""The operations of the reference page: one article for each, with every path on which it is mounted."""

import re
import shlex
from collections.abc import Iterator
from html import escape
from typing import Any

import msgspec

_CODE = re.compile(r"`([^`]+)`")

Document = dict[str, Any]
Mounted = tuple[str, str, Document]
"""Path, method and operation of the document."""


def mounted(document: Document) -> Iterator[Mounted]:
    """Yield every operation of the document in its order; HEAD is GET without a body and is left out."""
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method != "head":
                yield path, method, operation


def grouped(document: Document, tag: str) -> list[list[Mounted]]:
    """Return the operations of a tag; those that differ in their path alone stand together."""
    groups: dict[str, list[Mounted]] = {}
    for path, method, operation in mounted(document):
        if tag in operation["tags"]:
            groups.setdefault(operation["summary"], []).append((path, method, operation))
    return list(groups.values())


def article(document: Document, group: list[Mounted]) -> str:
    """Return what there is to say about an operation."""
    operation = group[0][2]
    calls = "".join(
        f'<div class="call"><span class="method {method}">{method.upper()}</span><code>{escape(path)}</code></div>'
        for path, method, _ in group
    )
    return (
        f'<article id="{operation["operationId"]}"><h3>{escape(operation["summary"])}</h3>{calls}'
        f'{paragraphs(operation["description"])}<p class="who">{_who(operation)}</p>'
        f"<h4>Example</h4>{block(curl(document, group[0]))}"
        f"{_parameters(operation)}{_bodies(operation)}{_answers(document, operation)}</article>"
    )


def curl(document: Document, call: Mounted) -> str:
    """Return a shell command that calls the operation, with placeholders for what is secret."""
    path, method, operation = call
    query: list[str] = []
    headers: list[str] = []
    for parameter in operation.get("parameters", ()):
        example = str(parameter.get("example", ""))
        match parameter["in"]:
            case "path":
                path = path.replace(f"{{{parameter['name']}}}", example)
            case "query" if not query:
                query = [f"{parameter['name']}={example}"]
            case "header" if "application/json" not in _request_bodies(operation):
                headers.append(f"{parameter['name']}: {example}")
    url = document["servers"][0]["url"] + path + "".join(f"?{each}" for each in query)
    parts = ["curl -sS" + (" -X POST" if method == "post" else ""), shlex.quote(url)]
    parts += [f"-H {shlex.quote(header)}" for header in (*_credentials(document, operation), *headers)]
    body = _request_bodies(operation).get("application/json")
    if body:
        first = next(iter(body["examples"].values()))["value"]
        parts += ["-H 'Content-Type: application/json'", f"-d {shlex.quote(msgspec.json.encode(first).decode())}"]
    return " \\\n  ".join((" ".join(parts[:2]), *parts[2:]))


def paragraphs(text: str) -> str:
    """Return a description as paragraphs."""
    return "".join(f"<p>{inline(each)}</p>" for each in text.split("\n\n"))


def inline(text: str) -> str:
    """Return text as HTML; what stands between backticks is code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))


def block(text: str) -> str:
    """Return preformatted text."""
    return f"<pre><code>{escape(text)}</code></pre>"


def table(heads: tuple[str, ...], rows: list[str]) -> str:
    """Return a table of rows that are cells already."""
    head = "".join(f"<th>{each}</th>" for each in heads)
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _who(operation: Document) -> str:
    schemes = {name for choice in operation["security"] for name in choice}
    if "accessToken" in schemes:
        return "For whoever holds an access token: <code>Authorization: Bearer &lt;ACCESS_TOKEN&gt;</code>."
    if schemes:
        return (
            "For a registered application: <code>client_id</code> and <code>client_secret</code> as headers, in the "
            "body, or by HTTP Basic."
        )
    return "For anyone."


def _credentials(document: Document, operation: Document) -> list[str]:
    first: Document = next(iter(operation["security"]), {})
    schemes = [document["components"]["securitySchemes"][name] for name in first]
    return [
        "Authorization: Bearer <ACCESS_TOKEN>"
        if scheme["type"] == "http"
        else f"{scheme['name']}: <{scheme['name'].upper()}>"
        for scheme in schemes
    ]


def _parameters(operation: Document) -> str:
    rows = [
        f"<td><code>{escape(each['name'])}</code></td><td>{each['in']}</td><td>{inline(each['description'])}</td>"
        for each in operation.get("parameters", ())
    ]
    return f"<h4>Parameters</h4>{table(('Name', 'In', 'Meaning'), rows)}" if rows else ""


def _bodies(operation: Document) -> str:
    bodies = "".join(_examples(media_type, body) for media_type, body in _request_bodies(operation).items())
    return f"<h4>Request body</h4>{bodies}" if bodies else ""


def _request_bodies(operation: Document) -> Document:
    bodies: Document = operation.get("requestBody", {}).get("content", {})
    return bodies


def _answers(document: Document, operation: Document) -> str:
    rows, examples = [], []
    for status, response in operation["responses"].items():
        content = response.get("content", {})
        kind = "" if status < "400" else " bad"
        said = _messages(document, content) or escape(response["description"])
        rows.append(f'<td class="status{kind}">{status}</td><td>{said}</td>')
        if status < "400":
            examples += [_examples(f"{status} {media_type}", body) for media_type, body in content.items()]
    return f"<h4>Answers</h4>{table(('Status', 'When'), rows)}{''.join(examples)}"


def _messages(document: Document, content: Document) -> str:
    """Return the distinct messages of the refusals that an answer may hold, and which of them answer forms alone."""
    messages: dict[str, bool] = {}
    for body in content.values():
        for example in body.get("examples", {}).values():
            if "$ref" in example:
                value = document["components"]["examples"][example["$ref"].rpartition("/")[2]]["value"]
                if isinstance(value, dict):
                    said = value["errors"][0]["message"] if "errors" in value else value["Error"]["Message"]
                    messages[said] = messages.get(said, True) and "error" in value
    in_form = ' <span class="who">in answer to a form</span>'
    return "<br>".join(escape(said) + (in_form if only else "") for said, only in messages.items())


def _examples(media_type: str, body: Document) -> str:
    return "".join(
        f"<details><summary>{escape(example['summary'])} <code>{escape(media_type)}</code></summary>"
        f"{block(_shown(example['value'], media_type))}</details>"
        for example in body.get("examples", {}).values()
    )


def _shown(value: object, media_type: str) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and media_type.endswith("x-www-form-urlencoded"):
        return "&".join(f"{name}={each}" for name, each in value.items())
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode()
