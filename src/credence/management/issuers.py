"""Reads and writes what operators choose about trusted issuers, for the command line, the API and `credence apply`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, get_args

import msgspec
from msgspec import UNSET

from credence.clock import Milliseconds, rfc3339
from credence.errors import InvalidInput
from credence.identity.client_keys import key_set, read_key_set
from credence.management.application_fields import read_rights
from credence.management.issuer_schema import IssuerBody, IssuerState
from credence.oauth.callable_addresses import check_callable
from credence.oauth.parameters.authorization_details import stored
from credence.store.records import ConsoleRole
from credence.store.trusted_issuers import Right, TrustedIssuer

MAX_ENTRIES: Final = 100

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?").fullmatch
_ISSUER = re.compile(r"https://[^\s?#@]{1,500}").fullmatch
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}").fullmatch
_RIGHT = re.compile(r"(?P<claim>[^=\s]+)=(?P<value>.+) (?P<kind>role|workbench|developer)(?::(?P<what>\S+))?").fullmatch

_ROLES = ("reader", "support", "operator")
"""The roles that an issuer may give. An owner is made where the store is, so no token can do it (threats E13)."""


def body_of(issuer: TrustedIssuer) -> IssuerBody:
    """Return the operator's choices about an issuer; `configured_by` makes an equal issuer from them."""
    members = {name: getattr(issuer, name) for name in IssuerBody.__struct_fields__ if name != "jwks"}
    members["required_claims"] = [f"{name}={value}" for name, value in issuer.required_claims.items()]
    members["rights"] = [_written(each) for each in issuer.rights]
    members["report_rights"] = stored(issuer.report_rights)
    lists = {name: list(value) for name, value in members.items() if isinstance(value, tuple)}
    return IssuerBody(**{**members, **lists, "jwks": key_set(issuer.keys) if issuer.keys else UNSET})


def state_of(issuer: TrustedIssuer) -> IssuerState:
    """Return the issuer as every face shows it."""
    return IssuerState(
        **msgspec.structs.asdict(body_of(issuer)),
        id=issuer.id,
        created_at=rfc3339(issuer.created_at),
        has_secret=bool(issuer.client_secret),
    )


def new_issuer(identity: str, body: IssuerBody, now: Milliseconds) -> TrustedIssuer:
    """Return a new trusted issuer; raises InvalidInput."""
    if not _ID(identity):
        raise InvalidInput("The name is 1 to 40 letters a to z, digits and hyphens.", member="id")
    return configured_by(TrustedIssuer(identity, "", "", now), body)


def reconfigured_by(found: TrustedIssuer, body: IssuerBody) -> TrustedIssuer:
    """Return an issuer of the table as the body describes it; raises InvalidInput, also for another identifier."""
    if body.issuer != found.issuer:
        raise InvalidInput("The identifier of an issuer never changes: remove it and add another.", member="issuer")
    return configured_by(found, body)


def configured_by(found: TrustedIssuer, body: IssuerBody) -> TrustedIssuer:
    """Return the issuer as the body describes it; raises InvalidInput for a value that cannot be used."""
    if not _ISSUER(body.issuer):
        raise InvalidInput("The issuer is an https address without user name, query and fragment.", member="issuer")
    check_callable(body.issuer)
    if body.keys_uri:
        check_callable(body.keys_uri)
    if not body.name.isprintable():
        raise InvalidInput("The name is text of one line.", member="name")
    lists = {name: _texts(name, value) for name, value in _lists(body)}
    domains = tuple(each.lower().removeprefix("@") for each in body.mail_domains)
    for each in domains:
        if not _DOMAIN(each):
            raise InvalidInput(f"{each!r} is not a mail domain.", member="mail_domains")
    if "sign_in" in body.uses and "openid" not in body.request_scopes:
        raise InvalidInput("A sign-in needs the scope openid.", member="request_scopes")
    given = {name: value for name, value in msgspec.structs.asdict(body).items() if name != "jwks"}
    return msgspec.structs.replace(
        found,
        **{
            **given,
            **lists,
            "name": body.name or body.issuer.split("/")[2],
            "keys": () if body.jwks is UNSET else read_key_set(msgspec.json.encode(body.jwks)),
            "mail_domains": domains,
            "required_claims": dict(_pairs(body.required_claims)),
            "rights": tuple(map(_read_right, body.rights)),
            "report_rights": read_rights(body.report_rights),
        },
    )


def _lists(body: IssuerBody) -> Iterable[tuple[str, Sequence[str]]]:
    return ((name, value) for name, value in msgspec.structs.asdict(body).items() if isinstance(value, list))


def _texts(name: str, values: Sequence[str]) -> tuple[str, ...]:
    if len(values) > MAX_ENTRIES or not all(each.isprintable() for each in values):
        raise InvalidInput(f"At most {MAX_ENTRIES} texts of one line each.", member=name)
    return tuple(dict.fromkeys(values))


def _pairs(texts: Sequence[str]) -> Iterable[tuple[str, str]]:
    for each in texts:
        name, equals, value = each.partition("=")
        if not (name and equals and value):
            raise InvalidInput(f"{each!r} is not NAME=VALUE.", member="required_claims")
        yield name, value


def _read_right(text: str) -> Right:
    found = _RIGHT(text)
    if found is not None:
        claim, value, kind, what = found["claim"], found["value"], found["kind"], found["what"] or ""
        if kind == "role" and what in _ROLES:
            return Right(claim, value, console_role=_role(what))
        if kind == "workbench" and what:
            return Right(claim, value, workbench_for=what)
        if kind == "developer" and not what:
            return Right(claim, value, developer=True)
    roles = ", ".join(_ROLES)
    raise InvalidInput(
        f"{text!r} is not CLAIM=VALUE followed by workbench:CLIENT_ID, developer, or role: with one of {roles}.",
        member="rights",
    )


def _role(text: str) -> ConsoleRole:
    roles: Mapping[str, ConsoleRole] = {each: each for each in get_args(ConsoleRole)}
    return roles[text]


def _written(right: Right) -> str:
    what = f"workbench:{right.workbench_for}" if right.workbench_for else f"role:{right.console_role}"
    return f"{right.claim}={right.value} {'developer' if right.developer else what}"
