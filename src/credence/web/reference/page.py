"""The reference as one page, rendered from the OpenAPI document: nothing from elsewhere, no scripts (threats E4)."""

import base64
import hashlib
from html import escape
from importlib import resources
from typing import Any

from credence.web.messages.security_headers import page_headers
from credence.web.reference.page_parts import article, block, curl, grouped, inline, mounted, paragraphs, table

Document = dict[str, Any]

STYLE = (resources.files("credence.web.reference") / "page.css").read_text(encoding="utf-8")
_STYLE_HASH = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()

HEADERS = page_headers(f"default-src 'none'; style-src 'sha256-{_STYLE_HASH}'; base-uri 'none'; form-action 'none'")
"""The page may show its own style and do nothing else, whatever got into it."""

_CREDENTIALS = (
    "Have the four credentials at hand: <code>client_id</code> and <code>client_secret</code> of an application, "
    "<code>username</code> and <code>password</code> of an account. A sandbox prints them when it starts and keeps "
    "them in <code>sandbox.json</code>, with the certificate file that <code>curl --cacert</code> needs."
)
_FIRST_CALLS = (
    ("obtain_token", "Ask for a token."),
    ("company_report", "Send the <code>access_token</code> of the answer with a request."),
    ("revoke_token", "When it is no longer needed, revoke it. The refresh token takes the rest with it."),
)


def page(document: Document) -> str:
    """Return the page as HTML."""
    info = document["info"]
    sections = "".join(
        f'<h2 id="{_anchor(tag)}">{escape(tag)}</h2>'
        + "".join(article(document, group) for group in grouped(document, tag))
        for tag in _tags(document)
    )
    return (
        '<!doctype html><html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(info['title'])} reference</title><style>{STYLE}</style></head>"
        f'<body><div class="frame"><header><h1>{escape(info["title"])} <small>reference, version '
        f"{escape(info['version'])}</small></h1>{paragraphs(info['description'])}"
        f'<p><code>{escape(document["servers"][0]["url"])}</code> · <a href="/openapi.json">OpenAPI 3.1</a></p></header>'
        f"{_contents(document)}<main>{_first_minute(document)}{sections}{_errors(document)}{_models(document)}</main>"
        "</div></body></html>"
    )


def _contents(document: Document) -> str:
    lists = "".join(
        f"<b>{escape(tag)}</b><ul>{''.join(_link(group[0][2]) for group in grouped(document, tag))}</ul>"
        for tag in _tags(document)
    )
    return (
        '<nav aria-label="Contents"><ul><li><a href="#first-token">First token in one minute</a></li></ul>'
        f'{lists}<ul><li><a href="#errors">Errors</a></li><li><a href="#models">Models</a></li></ul></nav>'
    )


def _link(operation: Document) -> str:
    return f'<li><a href="#{operation["operationId"]}">{escape(operation["summary"])}</a></li>'


def _first_minute(document: Document) -> str:
    by_id = {call[2]["operationId"]: call for call in mounted(document)}
    calls = "".join(
        f"<li>{words}{block(curl(document, by_id[name]))}</li>" for name, words in _FIRST_CALLS if name in by_id
    )
    return (
        '<section class="card" id="first-token"><h3>First token in one minute</h3>'
        f'<ol class="steps"><li>{_CREDENTIALS}</li>{calls}</ol></section>'
    )


def _errors(document: Document) -> str:
    examples = document["components"]["examples"]
    rows = []
    for name, example in examples.items():
        value = example["value"]
        if not isinstance(value, dict) or "error" in value:
            continue
        error = value["errors"][0] if "errors" in value else {"errorType": "", "message": value["Error"]["Message"]}
        standard = examples.get(f"{name}_oauth")
        in_form = f"{standard['x-status']} <code>{standard['value']['error']}</code>" if standard else ""
        rows.append(
            f'<td class="status bad">{example["x-status"]}</td><td>{escape(error["errorType"])}</td>'
            f"<td>{escape(error['message'])}</td><td>{in_form}</td>"
        )
    heads = ("Status", "Error type", "Message", "In answer to a form")
    return (
        '<h2 id="errors">Errors</h2><div class="card"><p>A refusal in JSON is '
        '<code>{"errors":[{"errorType":…,"message":…}],"success":false}</code>, in XML <code>&lt;Errors&gt;</code>. '
        'A row without an error type is the credit API\'s own: <code>{"Error":{"Code":…,"Message":…}}</code>. '
        "The answer's <code>X-Request-ID</code> finds the reason in the operator's log.</p>"
        f"{table(heads, rows)}</div>"
    )


def _models(document: Document) -> str:
    cards = "".join(
        f'<details id="model-{escape(name)}"><summary>{escape(name)}</summary>'
        f"{paragraphs(schema.get('description', ''))}{_members(schema)}</details>"
        for name, schema in document["components"]["schemas"].items()
    )
    return f'<h2 id="models">Models</h2><div class="card">{cards}</div>'


def _members(schema: Document) -> str:
    required = schema.get("required", ())
    heads = ("Member", "Type", "Present", "Meaning")
    described = any("description" in member for member in schema["properties"].values())
    rows = [
        f"<td><code>{escape(name)}</code></td><td>{escape(_type(member))}</td>"
        f"<td>{'always' if name in required else 'if known'}</td>"
        + (f"<td>{inline(member.get('description', ''))}</td>" if described else "")
        for name, member in schema["properties"].items()
    ]
    return table(heads if described else heads[:-1], rows) if rows else ""


def _type(member: Document) -> str:
    if "$ref" in member:
        return str(member["$ref"]).rpartition("/")[2]
    if member.get("type") == "array":
        return f"list of {_type(member['items'])}" if "items" in member else "list"
    if "enum" in member:
        return " or ".join(str(each) for each in member["enum"])
    return str(member.get("format", member.get("type", "any")))


def _tags(document: Document) -> list[str]:
    return [tag["name"] for tag in document["tags"]]


def _anchor(tag: str) -> str:
    return escape(tag.lower().replace(" ", "-"))
