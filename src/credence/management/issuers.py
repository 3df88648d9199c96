"""What operators choose about trusted issuers, shared by the command line, the management API and `credence apply`."""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Final, get_args

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence.access.report_rights import EXAMPLE as RIGHTS
from credence.clock import Milliseconds, rfc3339
from credence.errors import InvalidInput
from credence.identity.client_keys import key_set, read_key_set
from credence.management.application_fields import read_rights
from credence.meanings import Input, meaning
from credence.oauth.callable_addresses import check_callable
from credence.oauth.parameters.authorization_details import stored
from credence.store.records import ConsoleRole
from credence.store.trusted_issuers import IssuerAuthentication, IssuerUse, Right, TrustedIssuer

MAX_ENTRIES: Final = 100

_ID = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?").fullmatch
_ISSUER = re.compile(r"https://[^\s?#@]{1,500}").fullmatch
_DOMAIN = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}").fullmatch
_RIGHT = re.compile(r"(?P<claim>[^=\s]+)=(?P<value>.+) (?P<kind>role|workbench|developer)(?::(?P<what>\S+))?").fullmatch

_USES = {"sign_in": "people sign in there", "assertions": "clients get tokens for people", "clients": "clients call"}
_ROLES = ("reader", "support", "operator")
"""The roles that an issuer may give. An owner is made where the store is, so no token can do it (threats E13)."""

Texts = list[Annotated[str, Meta(min_length=1, max_length=500)]]


class IssuerBody(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What an operator chooses about a trusted issuer. An empty list sets no limit."""

    issuer: Annotated[
        str,
        meaning("Its identifier, as `iss` has it.", example="https://login.example.com"),
        Input("Its identifier, as iss has it: an https address.", argument=True, label="Issuer"),
    ]
    name: Annotated[
        Annotated[str, Meta(max_length=100)],
        meaning("What people see on the sign-in page; default: its host.", example="Example Ltd"),
        Input(default="its host"),
    ] = ""
    disabled: Annotated[
        bool, meaning("Whether nothing of it is accepted."), Input(flag="--disabled/--enabled", default="enabled")
    ] = False
    uses: Annotated[
        list[IssuerUse],
        meaning("What it may assert.", values=_USES),
        Input("What it may assert, each: sign_in, assertions, clients.", flag="--use", default="sign_in"),
    ] = msgspec.field(default_factory=lambda: ["sign_in"])
    jwks: Annotated[
        dict[str, Any] | UnsetType,
        meaning("Its public keys, if they are pinned: a JWK Set."),
        Input(
            "File with its public keys, a JWK Set, if they are pinned.",
            flag="--jwks",
            default="none",
            file=True,
            in_form=False,
        ),
    ] = UNSET
    keys_uri: Annotated[
        str,
        meaning("The address of its keys; by default its metadata says it.", example="https://login.example.com/keys"),
        Input("Address of its keys.", flag="--jwks-uri", default="what its metadata says"),
    ] = ""
    required_claims: Annotated[
        Texts,
        meaning("Claims that each of its tokens must have, such as `tid=VALUE` for the tenant."),
        Input("Claim that each token must have, each: NAME=VALUE.", flag="--require", default="none", in_form=False),
    ] = msgspec.field(default_factory=list)
    mail_domains: Annotated[
        Texts,
        meaning("The mail domains of the people it asserts."),
        Input("Mail domain of its people, each.", flag="--domain", default="all"),
    ] = msgspec.field(default_factory=list)
    subjects: Annotated[
        Texts,
        meaning("Patterns of `sub`, with `*` for any text."),
        Input("Pattern of sub, each; * is any text.", flag="--subject", default="all"),
    ] = msgspec.field(default_factory=list)
    applications: Annotated[
        Texts,
        meaning("The client_id of the applications it is for."),
        Input("client_id of an application it is for, each.", flag="--application", default="all"),
    ] = msgspec.field(default_factory=list)
    resources: Annotated[
        Texts,
        meaning("The resources of tokens on its word."),
        Input("Resource of tokens on its word, each.", flag="--resource", default="all", in_form=False),
    ] = msgspec.field(default_factory=list)
    scopes: Annotated[
        Texts,
        meaning("The scopes of tokens on its word."),
        Input("Scope of tokens on its word, each.", flag="--scope", default="all"),
    ] = msgspec.field(default_factory=list)
    report_rights: Annotated[
        str,
        meaning(
            "The most that the scope `credit:report` opens in tokens on its word: JSON (RFC 9396).", example=RIGHTS
        ),
        Input("The most that credit:report opens on its word, as JSON.", default="every company", in_form=False),
    ] = ""
    client_id: Annotated[
        Annotated[str, Meta(max_length=500)],
        meaning("The client_id of this service there."),
        Input("client_id of this service there.", default="none"),
    ] = ""
    authentication: Annotated[
        IssuerAuthentication,
        meaning("How this service authenticates there; `private_key_jwt` with its own signing keys."),
        Input("How this service authenticates there.", flag="--authentication"),
    ] = "private_key_jwt"
    request_scopes: Annotated[
        Texts,
        meaning("The scopes that a sign-in requests there."),
        Input(
            "Scope that a sign-in requests there, each.",
            flag="--request-scope",
            default="openid email profile",
            in_form=False,
        ),
    ] = msgspec.field(default_factory=lambda: ["openid", "email", "profile"])
    only_way: Annotated[
        bool,
        meaning("Whether its people sign in there alone."),
        Input(flag="--only-way/--one-of-the-ways", default="one of the ways"),
    ] = False
    makes_accounts: Annotated[
        bool,
        meaning("Whether the first sign-in of an unknown person makes an account."),
        Input(flag="--makes-accounts/--makes-no-accounts", default="makes no accounts"),
    ] = False
    links_by_mail: Annotated[
        bool,
        meaning("Whether it is linked to the account with the same email address, if both sides have verified it."),
        Input(flag="--links-by-mail/--links-by-hand", default="links by hand"),
    ] = False
    strong_classes: Annotated[
        Texts,
        meaning("The values of `acr` there that mean two factors."),
        Input("Value of acr there that means two factors, each.", flag="--strong-acr", default="none", in_form=False),
    ] = msgspec.field(default_factory=list)
    rights: Annotated[
        Texts,
        meaning(
            "What people get by their claims: `groups=VALUE workbench:CLIENT_ID`, `… role:operator`, `… developer`."
        ),
        Input(
            "What a claim gives, each: 'groups=VALUE workbench:CLIENT_ID', '… role:operator', '… developer'.",
            flag="--right",
            default="none",
            in_form=False,
        ),
    ] = msgspec.field(default_factory=list)
    vouch_seconds: Annotated[
        Annotated[int, Meta(ge=0, le=86_400 * 30)],
        meaning("After how many seconds a refresh needs its word about the person again; 0: never.", unit="seconds"),
        Input(flag="--vouch", default="never"),
    ] = 0
    signs_out_there: Annotated[
        bool,
        meaning("Whether people who sign out here are sent there to sign out as well."),
        Input(flag="--signs-out-there/--signs-out-here", default="signs out here"),
    ] = False
    signals_issuer: Annotated[
        str,
        meaning("The `iss` of its signals, if that is another.", example="https://signals.example.com"),
        Input("iss of its signals.", default="that of its tokens", in_form=False),
    ] = ""


class IssuerState(IssuerBody, omit_defaults=False, kw_only=True):
    """A trusted issuer as it is."""

    id: Annotated[str, meaning("The name of it in addresses and commands.", example="example-ltd")]
    created_at: Annotated[str, meaning("When it was added.")]
    has_secret: Annotated[bool, meaning("Whether a client secret is kept for it.")]


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
