"""The API reference as HTML pages, one for each subject, rendered from the OpenAPI document (threats E4), and its search.

Each page is complete without a script. The script of `reference.js` copies programs, remembers the language, filters the
contents, and takes addresses of earlier versions, where all was one page, to the page that has their anchor now.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
from jinja2 import Template
from markupsafe import Markup, escape

from credence import paths
from credence.api.reference.examples import Call, Document, body_text, example_of
from credence.api.reference.samples import SAMPLES
from credence.blocks import CODE_SCRIPT, CODE_STYLE
from credence.blocks.forms import Field
from credence.blocks.highlight import highlighted
from credence.sites.reference.contents import Subject, addresses, message_of, messages_of, subjects_of
from credence.templates import BRAND, load_part, load_scripts, load_style
from credence.web.messages.security_headers import page_headers

_EXAMPLE_CHARACTERS = 60
_CODE = re.compile(r"`([^`]+)`")
_PACKAGE = "credence.sites.reference"


@dataclass(frozen=True, slots=True)
class Trial:
    """The operations that can be tried, with the fields of their forms, and the address of the portal that sends them."""

    address: str
    fields: Mapping[str, Sequence[Field]]
    is_here: bool = False
    """Whether the forms are on the page, with `TOKEN` and `APPLICATIONS` as placeholders; otherwise each is a link."""


TOKEN, APPLICATIONS = "@@TOKEN@@", "@@APPLICATIONS@@"
"""Placeholders in the cached page: the form token of the developer, and the options of their applications."""

NO_TRIAL = Trial("", {})

ABOUT = {"errors": "Errors", "limits": "Limits", "reasons": "Reasons", "models": "Models"}
"""The last segments of the pages that are not about operations, and their titles."""


class Reference:
    """The pages of one OpenAPI document."""

    def __init__(self, document: Document, trial: Trial = NO_TRIAL) -> None:
        """Read the contents of the document."""
        self.document = document
        self.trial = trial
        self.subjects = subjects_of(document)
        self._entries = entries_of(document, self.subjects)
        self._drawn: dict[str, bytes] = {}

    def index(self) -> bytes:
        """Return the first page."""
        first = {
            call[2]["operationId"]: call for each in self.subjects for group in each.groups for call in group.calls
        }
        return self._once("", "index", first_calls=first, addresses=addresses(self.subjects))

    def subject(self, slug: str) -> bytes | None:
        """Return the page of a subject, or of errors, limits, reasons or models; None for another name."""
        subject = next((each for each in self.subjects if each.slug == slug), None)
        if subject is not None:
            return self._once(slug, "subject", subject=subject)
        if slug not in ABOUT or (slug == "reasons" and not self.document.get("x-reasons")):
            return None
        return self._once(slug, slug)

    def model(self, name: str) -> bytes | None:
        """Return the page of a model; None for another name."""
        schema = self.document["components"]["schemas"].get(name)
        return None if schema is None else self._render("model", name=name, schema=schema).encode()

    def search(self, query: str) -> bytes:
        """Return the page with what is found."""
        return self._render("search", query=query, found=found(self._entries, query)).encode()

    def _once(self, key: str, template: str, **names: object) -> bytes:
        if key not in self._drawn:
            self._drawn[key] = self._render(template, here=key, **names).encode()
        return self._drawn[key]

    def _render(self, template: str, **names: object) -> str:
        names = {"here": "", "query": "", **names}
        return _template(template).render(
            document=self.document,
            trial=self.trial,
            subjects=self.subjects,
            examples=self.document["x-refusals"],
            **names,
        )


@cache
def _template(name: str) -> Template:
    """Return the template of a page; all extend one frame and take their parts from one file."""
    common: dict[str, object] = {
        "style": _STYLE,
        "brand": BRAND,
        "script": _SCRIPT.text,
        "reference": paths.REFERENCE,
        "root": paths.DOCS,
        "about": ABOUT,
        "token": TOKEN,
        "applications": APPLICATIONS,
        "samples": samples,
        "highlighted": highlighted,
        "body_text": body_text,
        "inline": _inline,
        "message": message_of,
        "messages": messages_of,
        "type": _type,
        "linked": _linked,
        "models": _models,
        "example_text": _example_text,
    }
    layout = load_part("credence.templates", "layout.html.jinja")
    common["parts"] = load_part(_PACKAGE, "parts.html.jinja", **common)
    common["frame"] = load_part(_PACKAGE, "frame.html.jinja", **common, layout=layout)
    return load_part(_PACKAGE, f"{name}.html.jinja", **common, layout=layout)


def samples(document: Document, call: Call) -> dict[str, str]:
    """Return language -> the program of an operation."""
    example = example_of(document, call)
    return {language: written(example) for language, written in SAMPLES.items()}


def _inline(text: str) -> Markup:
    """Return text as HTML, with code elements for the parts between backticks."""
    return Markup(_CODE.sub(r"<code>\1</code>", str(escape(text))))  # noqa: S704 - escaped before


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
    found_type: Any = member.get("format", member.get("type", "any"))
    return " or ".join(found_type) if isinstance(found_type, list) else str(found_type)


def _linked(member: Document) -> str:
    """Return the name of the model that a member, or each item of it, has; empty for a plain value."""
    return str(member.get("items", member).get("$ref", "")).rpartition("/")[2]


def _models(content: Document) -> list[str]:
    """Return the names of the models that a body of a response may have."""
    schemas = [body.get("schema", {}) for body in content.values()]
    either = [each for schema in schemas for each in (schema, *schema.get("anyOf", ()))]
    return [*dict.fromkeys(filter(None, map(_linked, either)))]


_STYLE = load_style(_PACKAGE, "reference.css", before=(CODE_STYLE,))
_SCRIPT = load_scripts(CODE_SCRIPT, (_PACKAGE, "reference.js"))
HEADERS = page_headers(
    _STYLE.policy.replace("form-action 'none'", "form-action 'self'")
    + f"; script-src '{_SCRIPT.digest}'; require-trusted-types-for 'script'"
)


MAX_CHARACTERS = 200
"""The most characters of a query that are read."""

MAX_FOUND = 40


@dataclass(frozen=True, slots=True)
class Entry:
    """Something that can be found. Every word of `text` counts, those of the title first."""

    kind: str
    title: str
    address: str
    about: str
    text: str


def entries_of(document: Document, subjects: Sequence[Subject]) -> list[Entry]:
    """Return everything that can be found."""
    return [
        *_operations(subjects),
        *_refusals(document),
        *_reasons(document),
        *_models_found(document),
    ]


def found(entries: Sequence[Entry], query: str) -> list[Entry]:
    """Return at most `MAX_FOUND` entries that have every word of the query; those that have it in their title come first."""
    words = query[:MAX_CHARACTERS].casefold().split()
    if not words:
        return []
    ranked: list[tuple[int, Entry]] = []
    for each in entries:
        title, text = each.title.casefold(), f"{each.title} {each.about} {each.text}".casefold()
        if all(word in text for word in words):
            ranked.append((sum(word not in title for word in words), each))
    ranked.sort(key=lambda pair: pair[0])  # stable, so the order of the document decides between equals
    return [each for _, each in ranked[:MAX_FOUND]]


def _operations(subjects: Sequence[Subject]) -> Iterator[Entry]:
    for subject in subjects:
        for group in subject.groups:
            operation = group.calls[0][2]
            calls = " ".join(f"{method.upper()} {path}" for path, method, _ in group.calls)
            names = " ".join(each["name"] for each in operation.get("parameters", ()))
            text = f"{operation['description']} {names} {group.id} {subject.name}"
            yield Entry("Operation", group.title, f"{subject.address}#{group.id}", calls, text)


def _refusals(document: Document) -> Iterator[Entry]:
    for name, example in document["x-refusals"].items():
        if "x-text" not in example and "error" not in example["value"]:
            kind, text = message_of(example["value"])
            about = f"{example['x-status']} {kind}".strip()
            yield Entry("Error", text, f"{paths.REFERENCE}/errors#{name}", about, name)


def _reasons(document: Document) -> Iterator[Entry]:
    for code, each in document.get("x-reasons", {}).items():
        yield Entry("Reason", code, f"{paths.REFERENCE}/reasons#{code}", each["rule"], each["remedy"])


def _models_found(document: Document) -> Iterator[Entry]:
    for name, schema in document["components"]["schemas"].items():
        text = " ".join(
            f"{member} {its.get('description', '')}" for member, its in schema.get("properties", {}).items()
        )
        yield Entry("Model", name, f"{paths.REFERENCE}/models/{name}", schema.get("description", ""), text)
