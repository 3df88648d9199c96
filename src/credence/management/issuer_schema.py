"""What operators choose about a trusted issuer: its members, with their texts on every face."""

from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence.access.report_rights import EXAMPLE as RIGHTS
from credence.meanings import Input, meaning
from credence.store.trusted_issuers import IssuerAuthentication, IssuerUse

_USES = {
    "sign_in": "people sign in there",
    "assertions": "clients get tokens for people",
    "clients": "clients authenticate with its tokens",
}
Texts = list[Annotated[str, Meta(min_length=1, max_length=500)]]


class IssuerBody(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What an operator chooses about a trusted issuer. An empty list sets no limit."""

    issuer: Annotated[
        str,
        meaning("The issuer's identifier, exactly as in `iss`.", example="https://login.example.com"),
        Input(
            "The issuer's identifier, exactly as in iss: an https address.",
            argument=True,
            fixed=True,
            hint="Its https address, exactly as in the iss of its tokens.",
        ),
    ]
    name: Annotated[
        Annotated[str, Meta(max_length=100)],
        meaning("The name that people see on the sign-in page; by default the issuer's host.", example="Example Ltd"),
        Input("The name that people see on the sign-in page.", default="its host"),
    ] = ""
    disabled: Annotated[
        bool,
        meaning("Whether the issuer is disabled: nothing that it signs is accepted."),
        Input(
            flag="--disabled/--enabled", default="enabled", hint="Its tokens are refused, and no one can sign in there."
        ),
    ] = False
    uses: Annotated[
        list[IssuerUse],
        meaning("What the issuer is trusted for.", values=_USES),
        Input(
            "What the issuer is trusted for: sign_in, assertions or clients. Repeatable.",
            flag="--use",
            default="sign_in",
            label="Trusted for",
            hint="One or more of: sign_in (people sign in there), assertions (clients get tokens for people), clients "
            "(clients authenticate with its tokens).",
        ),
    ] = msgspec.field(default_factory=lambda: ["sign_in"])
    jwks: Annotated[
        dict[str, Any] | UnsetType,
        meaning("The issuer's public keys as a JWK Set, if they are pinned."),
        Input(
            "File with the issuer's public keys (a JWK Set), which pins them.",
            flag="--jwks",
            default="none",
            file=True,
            in_form=False,
        ),
    ] = UNSET
    keys_uri: Annotated[
        str,
        meaning("The address of the issuer's keys.", example="https://login.example.com/keys"),
        Input(
            "The address of the issuer's keys.",
            flag="--jwks-uri",
            default="what its metadata says",
            label="Address of its keys",
            hint="Leave empty to use the address in the issuer's metadata.",
            rare=True,
        ),
    ] = ""
    required_claims: Annotated[
        Texts,
        meaning("Claims that each token of the issuer must have, such as `tid=VALUE` for the tenant."),
        Input(
            "A claim that each token must have, as NAME=VALUE. Repeatable.",
            flag="--require",
            default="none",
            lines=True,
            hint="Claims that each token must have, such as tid=VALUE for a tenant. One per line.",
        ),
    ] = msgspec.field(default_factory=list)
    mail_domains: Annotated[
        Texts,
        meaning("The email domains of the people whom the issuer may vouch for."),
        Input(
            "An email domain of its people. Repeatable.",
            flag="--domain",
            default="all",
            label="Email domains",
            hint="Separated by spaces, such as example.com example.org. Leave empty for people with any address.",
        ),
    ] = msgspec.field(default_factory=list)
    subjects: Annotated[
        Texts,
        meaning("Patterns, one of which `sub` must match; `*` is any text."),
        Input(
            "A pattern for sub; * matches any text. Repeatable.",
            flag="--subject",
            default="all",
            hint="Patterns for sub, such as user-*. Leave empty to accept any subject.",
            rare=True,
        ),
    ] = msgspec.field(default_factory=list)
    applications: Annotated[
        Texts,
        meaning("The client_id of each application for which the issuer is trusted."),
        Input(
            "The client_id of an application for which the issuer is trusted. Repeatable.",
            flag="--application",
            default="all",
            hint="The client_id of each application for which the issuer is trusted. Leave empty for all applications.",
            rare=True,
        ),
    ] = msgspec.field(default_factory=list)
    resources: Annotated[
        Texts,
        meaning("The resources for which the issuer's assertions get tokens."),
        Input(
            "A resource for which its assertions get tokens. Repeatable.",
            flag="--resource",
            default="all",
            hint="The resources for which its assertions get tokens. Leave empty for every resource of the application.",
            rare=True,
        ),
    ] = msgspec.field(default_factory=list)
    scopes: Annotated[
        Texts,
        meaning("The scopes that tokens from the issuer's assertions may have."),
        Input(
            "A scope that tokens from its assertions may have. Repeatable.",
            flag="--scope",
            default="all",
            hint="The scopes that tokens from its assertions may have. Leave empty for every scope of the application.",
            rare=True,
        ),
    ] = msgspec.field(default_factory=list)
    report_rights: Annotated[
        str,
        meaning(
            "The most that the scope `credit:report` opens in tokens from the issuer's assertions: JSON (RFC 9396).",
            example=RIGHTS,
        ),
        Input(
            "The most that credit:report opens in tokens from its assertions, as JSON.",
            default="every company",
            in_form=False,
        ),
    ] = ""
    client_id: Annotated[
        Annotated[str, Meta(max_length=500)],
        meaning("The client_id of this service at the issuer."),
        Input(
            "The client_id of this service at the issuer.",
            default="none",
            label="client_id at the issuer",
            hint="The issuer gave it to this service at registration. Required if people sign in there.",
        ),
    ] = ""
    authentication: Annotated[
        IssuerAuthentication,
        meaning("How this service authenticates at the issuer; `private_key_jwt` with its own signing keys."),
        Input(
            "How this service authenticates at the issuer.",
            flag="--authentication",
            label="Authentication at the issuer",
            hint="private_key_jwt needs no secret: the issuer reads the public keys of this service.",
        ),
    ] = "private_key_jwt"
    request_scopes: Annotated[
        Texts,
        meaning("The scopes that this service requests at the issuer when a person signs in."),
        Input(
            "A scope that this service requests when a person signs in. Repeatable.",
            flag="--request-scope",
            default="openid email profile",
            hint="The scopes that this service requests at the issuer when a person signs in.",
            rare=True,
        ),
    ] = msgspec.field(default_factory=lambda: ["openid", "email", "profile"])
    only_way: Annotated[
        bool,
        meaning("Whether people of the issuer can sign in there only."),
        Input(
            flag="--only-way/--one-of-the-ways",
            default="one of the ways",
            label="The only way to sign in",
            hint="People of the issuer cannot use a password or passkey of this service.",
        ),
    ] = False
    makes_accounts: Annotated[
        bool,
        meaning("Whether a person gets an account at the first sign-in."),
        Input(
            flag="--makes-accounts/--makes-no-accounts",
            default="makes no accounts",
            label="Create accounts",
            hint="A person who signs in for the first time gets an account.",
        ),
    ] = False
    links_by_mail: Annotated[
        bool,
        meaning(
            "Whether the first sign-in links the account with the same email address, if both sides have verified it."
        ),
        Input(
            flag="--links-by-mail/--links-by-hand",
            default="links by hand",
            label="Link accounts by email address",
            hint="The first sign-in links the account that has the same verified email address.",
        ),
    ] = False
    strong_classes: Annotated[
        Texts,
        meaning("The values of `acr` at the issuer that mean two factors."),
        Input(
            "A value of acr that means two factors. Repeatable.",
            flag="--strong-acr",
            default="none",
            label="acr for two factors",
            hint="The values of acr that mean two factors at the issuer.",
            rare=True,
        ),
    ] = msgspec.field(default_factory=list)
    rights: Annotated[
        Texts,
        meaning(
            "The rights that people have by their claims: `groups=VALUE workbench:CLIENT_ID`, `… role:operator`, "
            "`… developer`."
        ),
        Input(
            "A right that a claim gives: 'groups=VALUE workbench:CLIENT_ID', '… role:operator' or '… developer'. "
            "Repeatable.",
            flag="--right",
            default="none",
            lines=True,
            hint="Rights that people get by a claim, one per line: groups=VALUE, a space, then workbench:CLIENT_ID, "
            "role:operator or developer.",
        ),
    ] = msgspec.field(default_factory=list)
    vouch_seconds: Annotated[
        Annotated[int, Meta(ge=0, le=86_400 * 30)],
        meaning(
            "After how many seconds a refresh asks the issuer whether it still vouches for the person; 0: never.",
            unit="seconds",
        ),
        Input(
            flag="--vouch",
            default="never",
            label="Ask the issuer again after",
            hint="In seconds. A later refresh asks the issuer whether the person still has access there. 0 for never.",
            rare=True,
        ),
    ] = 0
    signs_out_there: Annotated[
        bool,
        meaning("Whether people who sign out here are sent to the issuer to sign out there too."),
        Input(
            flag="--signs-out-there/--signs-out-here",
            default="signs out here",
            label="Sign out at the issuer too",
            hint="People who sign out here are also signed out there.",
            rare=True,
        ),
    ] = False
    signals_issuer: Annotated[
        str,
        meaning("The `iss` of the issuer's signals, if it differs.", example="https://signals.example.com"),
        Input(
            "The iss of the issuer's signals.",
            default="that of its tokens",
            label="Issuer of its signals",
            hint="The iss of its security event tokens, if it differs from that of its other tokens.",
            rare=True,
        ),
    ] = ""


class IssuerState(IssuerBody, omit_defaults=False, kw_only=True):
    """A trusted issuer as it is."""

    id: Annotated[str, meaning("Its short name, in addresses and commands.", example="example-ltd")]
    created_at: Annotated[str, meaning("When it was added.")]
    has_secret: Annotated[bool, meaning("Whether a client secret is kept for it.")]
