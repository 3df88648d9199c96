"""The OpenAPI 3.1 document, derived from the route table, the models and the error table.

No endpoint is named here, so the document describes exactly the mounted routes.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

import msgspec

import credence
from credence.api.reference.described import operation_of
from credence.api.reference.described_bodies import BODIES
from credence.api.reference.models import schemas, with_examples
from credence.api.reference.responses import ERROR_MODELS, refusal_examples, responses, schema_of, titled
from credence.ratelimit.header_fields import FIELDS as RATE_LIMIT_FIELDS
from credence.report.schema.report import LtdCompanyData
from credence.sandbox.examples import ca_file, invented_reports
from credence.settings import Environment, Settings
from credence.telemetry.reasons import explanations
from credence.web.routing.operation import Content, Operation, Parameter
from credence.web.routing.route import Protection, Route

Document = dict[str, Any]

_FIXED: Document = msgspec.json.decode(files("credence.api.reference").joinpath("openapi.json").read_bytes())
"""The parts of the document that follow from no code: its description, tags, security schemes, and header fields."""

_REFERENCES = re.compile(r"#/components/(\w+)/([\w-]+)").findall

_IN_BODY: Document = {}
"""The security requirement for credentials in the body: empty, because OpenAPI cannot describe them."""

_SECURITY: dict[Protection, list[Document]] = {
    Protection.PUBLIC: [],
    Protection.BROWSER: [],
    Protection.PERSON: [],
    Protection.BEARER: [{"accessToken": []}, {"boundToken": []}],
    Protection.REGISTRATION: [{"registrationToken": []}],
    Protection.CLIENT: [
        {"clientId": [], "clientSecret": []},
        {"clientBasic": []},
        {"clientCertificate": []},
        _IN_BODY,
    ],
}


def document(routes: Sequence[Route], settings: Settings, *, nulls: bool = False) -> Document:
    """Return the OpenAPI document of these routes as this deployment serves them; `nulls` as in `models.schemas`.

    HEAD is left out: it is GET without the body (RFC 9110 §9.3.2), and would double a client made from the document.
    """
    paths, refusals = _paths(routes, settings), refusal_examples(settings)
    components = {
        "schemas": described_models(routes, nulls=nulls),
        "headers": _header_fields(),
        "examples": refusals,
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Credence",
            "version": credence.__version__,
            "description": _FIXED["description"],
            "license": {"name": "Apache License 2.0", "identifier": "Apache-2.0"},
            "contact": _contact(settings),
        },
        "servers": [_server(settings)],
        "tags": [
            {"name": tag, "description": _FIXED["tags"][tag]}
            for tag in dict.fromkeys(operation_of(route).tag for route in routes)
        ],
        "paths": paths,
        "components": {**_referred(paths, components), "securitySchemes": _schemes(routes)},
        "x-refusals": refusals,
        "x-rate-limits": _rate_limits(settings),
        "x-reasons": _reasons() if settings.environment is Environment.SANDBOX else {},
    }


def _header_fields() -> Document:
    described = {**_FIXED["headers"], **RATE_LIMIT_FIELDS}
    return {name: {"description": text, "schema": {"type": "string"}} for name, text in described.items()}


def _referred(paths: Document, components: Document) -> Document:
    """Return the components to which the paths lead, also by way of others."""
    found: set[tuple[str, str]] = set()
    left = set(_REFERENCES(str(paths)))
    while left:
        found |= left
        left = {each for kind, name in left for each in _REFERENCES(str(components[kind][name]))} - found
    return {
        kind: {name: each for name, each in named.items() if (kind, name) in found}
        for kind, named in components.items()
    }


def _schemes(routes: Sequence[Route]) -> Document:
    used = {name for route in routes for either in _SECURITY[route.protection] for name in either}
    return {name: each for name, each in _FIXED["securitySchemes"].items() if name in used}


def _rate_limits(settings: Settings) -> Document:
    """Return the rate limits; a rate of 0 means no limit (D16)."""
    return {
        "status": settings.spike_status,
        "application": {"per_minute": settings.spike_per_minute, "burst": settings.spike_burst},
        "account": {"per_minute": settings.spike_account_per_minute, "burst": settings.spike_account_burst},
        "address": {"per_minute": settings.spike_address_per_minute, "burst": settings.spike_address_burst},
    }


def _reasons() -> Document:
    return {code: {"rule": each.rule, "remedy": each.remedy} for code, each in sorted(explanations().items())}


def _server(settings: Settings) -> Document:
    """Return the server object; in a sandbox with the file of the certificate authority that clients must trust."""
    authority = ca_file(settings)
    server: Document = {"url": settings.issuer, "description": settings.environment.value}
    return server | {"x-ca-file": str(authority)} if authority else server


def described_models(routes: Sequence[Route], *, nulls: bool = False) -> Document:
    """Return model name -> schema for all models of these routes; each member has a description and an example."""
    models = _models(routes)
    return with_examples(schemas(models, nulls=nulls), _example_bodies(routes, models))


def _example_bodies(routes: Iterable[Route], models: set[type]) -> Iterator[tuple[str, Any]]:
    for route in routes:
        for content in (*operation_of(route).answers, *operation_of(route).bodies):
            for model in content.models:
                yield from ((model.__name__, body) for body in content.examples.values())
    if LtdCompanyData in models:
        yield from ((LtdCompanyData.__name__, report) for report in invented_reports())


def _models(routes: Iterable[Route]) -> set[type]:
    contents = (content for route in routes for content in (*operation_of(route).answers, *operation_of(route).bodies))
    found = {model for content in contents for model in (*content.models, content.element) if model is not None}
    return found | {*ERROR_MODELS.values(), BODIES["CreditErrorBody"]}


def _paths(routes: Iterable[Route], settings: Settings) -> Document:
    items: Document = {}
    for route in routes:
        methods = {method.lower(): _operation(route, method, settings) for method in route.methods if method != "HEAD"}
        items.setdefault(route.path, {}).update(methods)
    return items


def _operation(route: Route, method: str, settings: Settings) -> Document:
    operation = operation_of(route)
    described: Document = {
        "operationId": operation_id(route, method),
        "tags": [operation.tag],
        "summary": operation.summary,
        "description": operation.description,
        "security": _SECURITY[route.protection],
        "responses": responses(route, settings),
    }
    if route.scope:
        described["x-scope"] = route.scope
    if route.own_resource:
        described["x-own-resource"] = True
    if operation.parameters:
        described["parameters"] = [_parameter(each) for each in operation.parameters]
    if operation.bodies and method in {"POST", "PUT", "PATCH"}:
        described["requestBody"] = _request_body(operation)
        if route.token_in_form:
            described["security"] = [*described["security"], _IN_BODY]
    return described


def operation_id(route: Route, method: str) -> str:
    """Return the operationId of a method of a route, unique in the document."""
    version = "_v2" if "/v2/" in route.path else ""
    first = method == route.methods[0]
    return f"{'' if first else f'{method.lower()}_'}{operation_of(route).id}{version}"


def _parameter(parameter: Parameter) -> Document:
    described: Document = {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.required or parameter.place == "path",
        "description": parameter.description,
        "schema": dict(parameter.schema),
    }
    if parameter.schema.get("type") == "array":
        described |= {"style": "form", "explode": False}
    return described if parameter.example is None else described | {"example": parameter.example}


def _request_body(operation: Operation) -> Document:
    return {
        "required": all(map(_is_needed, operation.bodies)),
        "content": {
            content.media_type: {"schema": schema_of(content), "examples": titled(content)}
            for content in operation.bodies
        },
    }


def _is_needed(content: Content) -> bool:
    """Return whether a body is needed: one whose members are all optional is not."""
    members = [each for model in content.models for each in msgspec.structs.fields(model)]
    return not members or any(each.required for each in members)


def _contact(settings: Settings) -> Document:
    """Return the contact; its address is left out if only this machine knows it, which the format excludes."""
    name, email = settings.operator_name, settings.support_email
    return {"name": name, "email": email} if "." in email.rpartition("@")[2] else {"name": name}
