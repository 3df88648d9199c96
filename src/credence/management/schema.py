"""The schema of applications and accounts in the management API and `credence apply` (D30).

A body says what operators choose; a state adds what the service knows. A member that a body leaves out has its default.
"""

from typing import Annotated, Any, Final

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from credence.management.logins import LoginStatus
from credence.meanings import Input, meaning
from credence.store.records import AccountStatus, AccountType, ConsoleRole, SignInPolicy

WORKLOADS: Final = Input(
    "A program whose platform vouches for it, for private_key_jwt; repeatable: 'ISSUER SUBJECT' with the short name of a "
    "trusted issuer, or 'ISSUER PATTERN EXAMPLE' with * for any text and a subject that matches. '': none.",
    flag="--workload",
    default="none",
    in_form=False,
)

Texts = list[Annotated[str, Meta(max_length=2_048)]]


class RulesBody(Struct, forbid_unknown_fields=True):
    """The rules on addresses, hours and sign-ins of an application or account (D15)."""

    networks: Annotated[Texts, meaning("Address ranges; none: every address.")] = msgspec.field(default_factory=list)
    windows: Annotated[Texts, meaning("Hours, such as `Mon-Fri 08:00-18:00`; none: every hour.")] = msgspec.field(
        default_factory=list
    )
    time_zone: Annotated[str, meaning("The time zone of the hours.", example="Europe/London")] = "UTC"
    authentication_class: Annotated[
        str | None, meaning("The weakest sign-in of people that the API accepts; null: any.", example="2")
    ] = None
    max_age: Annotated[
        Annotated[int, Meta(ge=1, le=2**31)] | None,
        meaning("Seconds since people signed in, at most; null: any.", unit="seconds", example=3600),
    ] = None


class AccountBody(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """What an operator chooses about an account."""

    type: Annotated[AccountType, meaning("For a person or for a program; it never changes.")]
    status: Annotated[AccountStatus, meaning("A change revokes its tokens; `closed` is permanent (D14).")] = "active"
    sign_in: Annotated[SignInPolicy, meaning("What its sign-ins need at least.")] = "password"
    email: Annotated[
        Annotated[str, Meta(max_length=254)] | None, meaning("The email address.", example="ada@example.com")
    ] = None
    email_verified: Annotated[bool, meaning("Whether the email address is verified; a new address is not.")] = False
    first_name: Annotated[Annotated[str, Meta(max_length=200)] | None, meaning("First name.", example="Ada")] = None
    last_name: Annotated[Annotated[str, Meta(max_length=200)] | None, meaning("Last name.", example="Lovelace")] = None
    rules: Annotated[RulesBody, meaning("From where and when it may be used.")] = msgspec.field(
        default_factory=RulesBody
    )


class NewAccountBody(AccountBody, forbid_unknown_fields=True, kw_only=True):
    """An account to be made."""

    username: Annotated[Annotated[str, Meta(min_length=1, max_length=160)], meaning("Its username, in any case.")]


class AccountState(AccountBody, omit_defaults=False, kw_only=True):
    """An account as it is."""

    username: Annotated[str, meaning("Its username. It never changes and is never reassigned.")]
    created_at: Annotated[str, meaning("When it was registered.")]
    tokens_valid_from: Annotated[
        str | None, meaning("Tokens from before are not valid; null: none is excluded.", example="2026-11-22T09:30:00Z")
    ] = None
    console_role: Annotated[ConsoleRole, meaning("What the person may do in the operator console.")] = "none"
    workbench_for: Annotated[
        str | None, meaning("The application for which the person works in the workbench.", example="<CLIENT_ID>")
    ] = None
    developer: Annotated[bool, meaning("Whether the person is invited to the developer portal.")] = False
    password: Annotated[
        str | UnsetType, meaning("A new password. Only the answer that made it has it.", example="<PASSWORD>")
    ] = UNSET


class SessionState(Struct):
    """A browser in which a person is signed in (D28)."""

    id: Annotated[str, meaning("Names the session, as `sid` in ID tokens.")]
    label: Annotated[str, meaning("Browser and system.")]
    signed_in_at: Annotated[str, meaning("When the person signed in.")]
    last_seen_at: Annotated[str, meaning("When it was last used, to the nearest 15 minutes.")]
    expires_at: Annotated[str, meaning("Its end, even when it is used.")]
    acr: Annotated[
        str, meaning("The class of the sign-in.", values={"1": "one factor", "2": "two", "phr": "a passkey"})
    ]


class LoginState(Struct):
    """A login of an application in a browser, with all its tokens."""

    id: Annotated[str, meaning("Names the login, as `sid` in access tokens.")]
    client_id: Annotated[str, meaning("Whose tokens they are.")]
    scope: Annotated[str, meaning("What was granted.")]
    created_at: Annotated[str, meaning("When it began.")]
    expires_at: Annotated[str, meaning("When its refresh token ends.")]
    refreshes: Annotated[int, meaning("How often it was refreshed.")]
    state: Annotated[
        LoginStatus,
        meaning(
            "Whether its tokens can be valid.",
            values={
                "open": "they can",
                "ended": "it was revoked, a refresh token was reused, or its account or application has changed since",
                "expired": "its lifetime has passed",
            },
        ),
    ]


class SettingState(Struct):
    """A setting of the service; `credence config show` shows the same."""

    setting: Annotated[str, meaning("Its name.")]
    value: Annotated[Any, meaning("Its value; secrets are asterisks.")]
    source: Annotated[str, meaning("The variable that set it, or `default`.")]
    description: Annotated[str, meaning("What it means.")]


class Accounts(Struct):
    """A page of accounts, by login name."""

    accounts: Annotated[list[AccountState], meaning("The accounts.")]
    next_page_token: Annotated[str, meaning("The `page_token` of the next page; empty on the last.", example="")] = ""


class Sessions(Struct):
    """The sessions of an account."""

    sessions: Annotated[list[SessionState], meaning("The sessions, the most recent sign-in first.")]


class Families(Struct):
    """The logins of an account that were opened in a browser."""

    families: Annotated[list[LoginState], meaning("The logins.")]


class SettingStates(Struct):
    """The settings."""

    settings: Annotated[list[SettingState], meaning("Every setting.")]
