"""The OpenAPI 3.1 document, derived from the route table, the models and the error table.

No endpoint is named here, so the document describes exactly the mounted routes.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import credence
from credence.report.schema.report import LtdCompanyData
from credence.sandbox.examples import ca_file, invented_reports
from credence.settings import Environment, Settings
from credence.telemetry.reasons import explanations
from credence.web.reference.models import any_of, schemas, with_examples
from credence.web.reference.operations.bodies import CreditErrorBody
from credence.web.reference.responses import ERROR_MODELS, HEADERS, refusal_examples, responses, titled
from credence.web.routing.operation import Operation, Parameter
from credence.web.routing.route import Protection, Route

Document = dict[str, Any]

DESCRIPTION = (
    "A token service (OAuth 2.0, OpenID Connect) and the UK business credit-risk API that its tokens open. "
    "Ask for a token with the four credentials, send it as a bearer token with every request, refresh it when it "
    "has expired, revoke it when it is no longer needed."
)

SECURITY_SCHEMES: Document = {
    "accessToken": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "The access token: Authorization: Bearer <ACCESS_TOKEN>.",
    },
    "boundToken": {
        "type": "http",
        "scheme": "dpop",
        "description": "A bound token: Authorization: DPoP <ACCESS_TOKEN>, with a proof in the field DPoP (RFC 9449).",
    },
    "registrationToken": {
        "type": "http",
        "scheme": "bearer",
        "description": "An initial access token, later the registration access token (RFC 7591, RFC 7592).",
    },
    "clientId": {"type": "apiKey", "in": "header", "name": "client_id", "description": "Names the application."},
    "clientSecret": {
        "type": "apiKey",
        "in": "header",
        "name": "client_secret",
        "description": "Proves that it is the application. Never put it on a user's device.",
    },
    "clientBasic": {
        "type": "http",
        "scheme": "basic",
        "description": "client_id and client_secret as the name and password of HTTP Basic.",
    },
    "clientCertificate": {
        "type": "mutualTLS",
        "description": "The certificate of the connection, with client_id in a form (RFC 8705).",
    },
}

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
    """Return the OpenAPI document of these routes as this deployment serves them; `nulls` as in `models.schemas`."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Credence",
            "version": credence.__version__,
            "description": DESCRIPTION,
            "contact": {"email": settings.support_email},
        },
        "servers": [_server(settings)],
        "tags": [{"name": tag} for tag in dict.fromkeys(route.operation.tag for route in routes)],
        "paths": _paths(routes, settings),
        "components": {
            "schemas": described_models(routes, nulls=nulls),
            "securitySchemes": SECURITY_SCHEMES,
            "headers": HEADERS,
            "examples": refusal_examples(settings),
        },
        "x-rate-limits": _rate_limits(settings),
        "x-reasons": _reasons() if settings.environment is Environment.SANDBOX else {},
    }


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
        for content in (*route.operation.answers, *route.operation.bodies):
            for model in content.models:
                yield from ((model.__name__, body) for body in content.examples.values())
    if LtdCompanyData in models:
        yield from ((LtdCompanyData.__name__, report) for report in invented_reports())


def _models(routes: Iterable[Route]) -> set[type]:
    contents = (content for route in routes for content in (*route.operation.answers, *route.operation.bodies))
    return {model for content in contents for model in content.models} | {*ERROR_MODELS.values(), CreditErrorBody}


def _paths(routes: Iterable[Route], settings: Settings) -> Document:
    items: Document = {}
    for route in routes:
        methods = {method.lower(): _operation(route, method, settings) for method in route.methods}
        items.setdefault(route.path, {}).update(methods)
    return items


def _operation(route: Route, method: str, settings: Settings) -> Document:
    operation = route.operation
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
    if method == "HEAD":
        described |= {"summary": f"{operation.summary}: the header fields alone", "responses": _without_body(described)}
    return described


def operation_id(route: Route, method: str) -> str:
    """Return the operationId of a method of a route, unique in the document."""
    version = "_v2" if "/v2/" in route.path else ""
    first = method == route.methods[0]
    return f"{'' if first else f'{method.lower()}_'}{route.operation.id}{version}"


def _parameter(parameter: Parameter) -> Document:
    described: Document = {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.place == "path",
        "description": parameter.description,
        "schema": dict(parameter.schema),
    }
    return described if parameter.example is None else described | {"example": parameter.example}


def _request_body(operation: Operation) -> Document:
    return {
        "required": False,
        "content": {
            content.media_type: {"schema": any_of(content.models), "examples": titled(content)}
            for content in operation.bodies
        },
    }


def _without_body(described: Document) -> Document:
    return {
        status: {name: value for name, value in response.items() if name != "content"}
        for status, response in described["responses"].items()
    }
