"""Examples of the bodies and answers of operations, for documents: model -> title -> example of an invented deployment."""

from collections.abc import Mapping

from credence.management.application_schema import ApplicationBody, Applications, ApplicationState, SecretBody
from credence.management.schema import AccountBody, Accounts, AccountState, Families, NewAccountBody, Sessions
from credence.management.service_schema import Consents
from credence.monitoring.webhooks.schema import (
    Attempts,
    NewWebhookBody,
    ReplayBody,
    ReplayResult,
    TestMessage,
    Webhooks,
    WebhookState,
    WebhookWithSecret,
)
from credence.operations.account_access import Attempts as WrongPasswords
from credence.operations.account_access import DeveloperBody
from credence.operations.application_logins import Ended
from credence.operations.client_hosts import HostBody, HostState, HostStates
from credence.operations.clocks import ClockBody, ClockState
from credence.operations.data_holds import HoldBody, HoldState
from credence.operations.invitations import InvitationBody, InvitationState
from credence.operations.logins import Factors
from credence.operations.password_links import InvitedPersonBody, LinkBody, LinkState
from credence.operations.signing_keys import Signing, SigningKeys, SigningKeyState

_CLOCK = {
    "client_id": "<CLIENT_ID>",
    "ahead_seconds": 604800,
    "moves": [{"at": "2026-11-22T09:30:00Z", "ahead_seconds": 604800}],
    "resets": 0,
    "time": "2026-11-29T09:30:05Z",
}

_HOLD = {
    "source": "register",
    "held": True,
    "since": "2026-11-22T09:30:00Z",
    "by": "ada",
    "reason": "The snapshot of November is incomplete.",
    "effect": "Served: 5,000,000 companies, as of 2026-11-01. Loads of it are refused.",
}

_KEY = {
    "kid": "<KID>",
    "algorithm": "RS256",
    "state": "signing",
    "published_at": "2026-11-21T09:30:00Z",
    "signs_from": "2026-11-22T09:30:00Z",
}

_RULES = {"networks": ["192.0.2.0/24"], "windows": ["Mon-Fri 08:00-18:00"], "time_zone": "Europe/London"}
_NEW = {"name": "Ledger", "grants": ["client_credentials"], "scopes": ["credit:report"], "rules": _RULES}
_APPLICATION = {
    **_NEW,
    "client_id": "<CLIENT_ID>",
    "created_at": "2026-11-22T09:30:00Z",
    "secrets": [{"id": "1795339800000", "created_at": "2026-11-22T09:30:00Z", "expires_at": None}],
}
_INVITATION = {
    "uses": 2,
    "expires_at": "2026-11-23T09:30:00Z",
    "grants": ["client_credentials"],
    "scopes": ["credit:report"],
    "audiences": [],
    "pkce": "or_nonce",
}
_HOST = {"host": "app.example", "clients": 3, "verdict": "settings", "accepted": True}
_PERSON = {"type": "user", "email": "ada@example.com", "first_name": "Ada", "last_name": "Lovelace"}
_ACCOUNT = {**_PERSON, "username": "ada", "status": "active", "created_at": "2026-11-22T09:30:00Z"}
_SESSION = {
    "id": "<SESSION>",
    "label": "Firefox on Linux",
    "signed_in_at": "2026-11-22T09:30:00Z",
    "last_seen_at": "2026-11-22T09:45:00Z",
    "expires_at": "2026-11-22T21:30:00Z",
    "acr": "2",
}
_LOGIN = {
    "id": "<FAMILY>",
    "client_id": "<CLIENT_ID>",
    "scope": "openid credit:report",
    "created_at": "2026-11-22T09:30:00Z",
    "expires_at": "2026-11-23T09:30:00Z",
    "refreshes": 3,
    "state": "open",
}
_CONSENT = {"client_id": "<CLIENT_ID>", "scope": "openid credit:report", "granted_at": "2026-11-22T09:30:00Z"}
_FACTOR = {
    "kind": "totp",
    "name": "Telephone",
    "created_at": "2026-11-22T09:30:00Z",
    "last_used_at": "2026-11-23T09:30:00Z",
}

_MESSAGE = "msg_5c1f0e6b8d3a4f2b9c7d1e0f2a3b4c5d"
_URL = "https://receiver.example/credence"
_WEBHOOK = {
    "id": "wh_2o6x4hk3tmy7q5c3",
    "url": _URL,
    "description": "Ledger",
    "portfolios": [],
    "rules": ["band"],
    "signature": "hmac-sha256",
    "keys": [{"created_at": "2026-11-22T09:30:00Z"}],
    "state": "unverified",
    "disabled_reason": "",
    "failing_since": "",
    "created_at": "2026-11-22T09:30:00Z",
}
_ASYMMETRIC = {
    **_WEBHOOK,
    "signature": "ed25519",
    "keys": [
        {
            "created_at": "2026-11-22T09:30:00Z",
            "public_key": "whpk_0bBQ6qpfdPNgoIdKKf4dlqj+mHdAnv2OtFPqO5eVIWE=",
        }
    ],
}
_ATTEMPT = {
    "webhook_id": _MESSAGE,
    "type": "monitoring.band",
    "sequence": 57,
    "at": "2026-11-22T09:30:00Z",
    "outcome": "500",
    "milliseconds": 212,
    "answer": "out of order",
}

WITH_SECRETS: Mapping[type, Mapping[str, object]] = {
    ApplicationState: {"client_secret": "<SECRET>"},
    InvitationState: {"initial_access_token": "<TOKEN>"},
    AccountState: {"password": "<PASSWORD>"},
    LinkState: {
        "link": "https://api.example.com/account/password?link=<LINK>",
        "expires_at": "2026-11-22T10:30:00Z",
    },
}
"""Model -> members of its examples that only the answer to one act has."""

PATCHES: Mapping[str, Mapping[str, object]] = {
    "application": {"Disable": {"disabled": True}},
    "account": {"Suspend": {"status": "suspended"}},
    "webhook": {"Other rules": {"rules": ["band", "status"]}},
}
"""Name of an object -> title -> example of a merge patch."""

EXAMPLES: Mapping[type, Mapping[str, Mapping[str, object]]] = {
    Applications: {"One": {"applications": [_APPLICATION], "next_page_token": ""}},
    ApplicationBody: {"An application": _NEW},
    ApplicationState: {"An application": _APPLICATION},
    SecretBody: {"A day for the old one": {"keep_old_seconds": 86400}},
    Ended: {"All": {"applications": 12}},
    HostStates: {"One": {"hosts": [_HOST]}},
    HostBody: {"Block": {"verdict": "block"}},
    HostState: {"As the settings say": _HOST},
    InvitationBody: {"For two reports applications": {"uses": 2, "scopes": ["credit:report"]}},
    InvitationState: {"An invitation": _INVITATION},
    Accounts: {"One": {"accounts": [_ACCOUNT], "next_page_token": ""}},
    AccountBody: {"A person": _PERSON},
    NewAccountBody: {"A person": {**_PERSON, "username": "ada"}},
    AccountState: {"An account": _ACCOUNT},
    WrongPasswords: {"None": {"wrong_passwords": 0, "unknown_origins_throttled": False}},
    InvitedPersonBody: {"A person": {"username": "ada", "email": "ada@example.com"}},
    DeveloperBody: {"Invited": {"invited": True}},
    LinkBody: {"An hour": {"expires": 3600}},
    LinkState: {"A link": {"username": "ada"}},
    Sessions: {"One": {"sessions": [_SESSION]}},
    Families: {"One": {"families": [_LOGIN]}},
    Consents: {"One": {"consents": [_CONSENT]}},
    Factors: {"One": {"factors": [_FACTOR]}},
    ClockBody: {"By a week": {"by": "7d"}, "To a time": {"to": "2027-01-01T00:00:00Z"}},
    ClockState: {"A week ahead": _CLOCK},
    HoldBody: {"With a reason": {"reason": _HOLD["reason"]}},
    HoldState: {"Held": _HOLD},
    SigningKeys: {"One": {"keys": [_KEY]}},
    SigningKeyState: {"Revoked": {**_KEY, "state": "removed", "revoked_at": "2026-11-23T09:30:00Z"}},
    Signing: {"Rolled": {"algorithm": "RS256", "signs_now": "<KID>"}},
    Webhooks: {"One": {"webhooks": [_WEBHOOK], "next_page_token": ""}},
    NewWebhookBody: {
        "HMAC": {"url": _URL, "description": "Ledger", "rules": ["band"]},
        "Ed25519": {"url": _URL, "signature": "ed25519"},
    },
    WebhookState: {
        "A webhook": _WEBHOOK,
        "Disabled": {**_WEBHOOK, "state": "disabled", "disabled_reason": "by_hand"},
    },
    WebhookWithSecret: {
        "HMAC": {**_WEBHOOK, "secret": "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="},
        "Ed25519": _ASYMMETRIC,
    },
    TestMessage: {"On its way": {"webhook_id": _MESSAGE}},
    ReplayBody: {"One event": {"event": 57}, "A range": {"after": 40, "until": 90}, "All that was given up": {}},
    ReplayResult: {"Twelve": {"deliveries": 12, "next": 0}},
    Attempts: {"One": {"attempts": [_ATTEMPT], "next_page_token": ""}},
}
