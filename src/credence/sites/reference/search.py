"""Searches the reference: operations, refusals, reason codes and models with their members."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from credence import paths
from credence.api.reference.examples import Document
from credence.sites.reference.contents import Subject
from credence.sites.reference.refusal_texts import message_of

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
        *_models(document),
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


def _models(document: Document) -> Iterator[Entry]:
    for name, schema in document["components"]["schemas"].items():
        text = " ".join(
            f"{member} {its.get('description', '')}" for member, its in schema.get("properties", {}).items()
        )
        yield Entry("Model", name, f"{paths.REFERENCE}/models/{name}", schema.get("description", ""), text)
