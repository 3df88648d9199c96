"""One way to provoke each answer: the error table in its order, then the fixed companies (spec §7, D24).

`<ACCESS_TOKEN>` in a request is a placeholder for the access token of the preceding answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec

from credence import paths
from credence.refusals.credentials import (
    ACCOUNT_NOT_ACTIVE,
    AUTHENTICATION_FAILED,
    CLIENT_MISSING,
    INVALID_TOKEN,
    USER_MISSING,
    WRONG_CLIENT,
    WRONG_USER,
)
from credence.refusals.credit import COMPANY_NUMBER_MALFORMED
from credence.refusals.refusal import SUPPORT_EMAIL, Refusal
from credence.refusals.requests import (
    FORBIDDEN,
    INTERNAL,
    METHOD_NOT_ALLOWED,
    SPIKE_ARREST,
    THREAT,
    UNSUPPORTED_MEDIA_TYPE,
)
from credence.sandbox import held, roles, specimen, specimen_director
from credence.sandbox.invented import companies
from credence.telemetry.reasons import pages

SIMULATED_FAILURE = "99999500"
"""The company number whose report fails on purpose."""

REPORT = paths.report("v1")
SEARCH = paths.search("v2")
_DIRECTOR_NAME = f"forename={specimen_director.FORENAME}&surname={specimen_director.SURNAME}"
JSON = {"Content-Type": "application/json"}


class Credentials(msgspec.Struct, frozen=True):
    """The credentials of an application."""

    client_id: str
    client_secret: str


class Sent(msgspec.Struct, frozen=True, omit_defaults=True):
    """A request with real values in place of placeholders."""

    method: str
    path: str
    headers: dict[str, str] = {}
    body: str | None = None


class Answered(msgspec.Struct, frozen=True, omit_defaults=True):
    """The expected answer. An `Error` of the credit API has no error type, a success has no message (D21)."""

    status: int
    errorType: str | None = None  # noqa: N815 - the name on the wire
    message: str | None = None


class Scenario(msgspec.Struct, frozen=True, omit_defaults=True):
    """Send `first` in order, wait, then send `send`, which gets `answer`."""

    name: str
    row: str
    """The row of the error table, such as `§7.1`, or the decision that specifies the answer."""
    send: Sent
    answer: Answered
    first: tuple[Sent, ...] = ()
    wait_seconds: int = 0
    read: str = ""
    """The page that contains the row or the decision."""


@dataclass(frozen=True, slots=True)
class ScenarioValues:
    """The values that scenarios need; `password` belongs to every account but the service account."""

    main: Credentials
    applications: Mapping[str, Credentials]
    password: str
    support_email: str
    spike_status: int


def scenarios(values: ScenarioValues) -> tuple[Scenario, ...]:
    """Return every scenario in the order of the error table."""
    return tuple(msgspec.structs.replace(each, read=", ".join(pages(each.row))) for each in _scenarios(values))


def _scenarios(values: ScenarioValues) -> tuple[Scenario, ...]:
    main, demo = values.main, roles.USER.username
    short_lived, hurried, elsewhere = (values.applications[key] for key in ("short-lived", "hurried", "elsewhere"))
    login, hurried_login = _login(values, main, demo), _login(values, hurried, roles.HURRIED.username)
    out_of_hours = _login(values, main, roles.OUT_OF_HOURS.username)
    missing, malformed = f"{REPORT}/00000001", f"{REPORT}/ABC"

    def refused(refusal: Refusal, status: int | None = None) -> Answered:
        message = refusal.message.replace(SUPPORT_EMAIL, values.support_email)
        return Answered(status or refusal.status, refusal.error_type, message)

    return (
        Scenario(
            "expired-access-token",
            "§7.1",
            _with_token(f"{REPORT}/{companies.STATES['subsidiary']}"),
            refused(INVALID_TOKEN),
            first=(_login(values, short_lived, demo),),
            wait_seconds=1,
        ),
        Scenario("client-missing", "§7.2", _post(JSON, _user(values, demo)), refused(CLIENT_MISSING)),
        Scenario("wrong-method", "§7.3", Sent("GET", paths.TOKEN), refused(METHOD_NOT_ALLOWED)),
        Scenario(
            "unsupported-content-type",
            "§7.4",
            _post(_client(main) | {"Content-Type": "text/plain"}, _user(values, demo)),
            refused(UNSUPPORTED_MEDIA_TYPE),
        ),
        Scenario(
            "password-missing",
            "§7.5",
            _post(_client(main) | JSON, _json(username=demo)),
            refused(USER_MISSING),
        ),
        Scenario(
            "wrong-password",
            "§7.6",
            _post(_client(main) | JSON, _json(username=roles.FORGETFUL.username, password="mistyped")),  # noqa: S106 - a wrong one, on purpose
            refused(WRONG_USER),
        ),
        Scenario(
            "wrong-client-secret",
            "§7.7",
            _login(values, Credentials(main.client_id, "mistyped"), demo),
            refused(WRONG_CLIENT),
        ),
        *(
            Scenario(
                f"account-{role.status}",
                "§7.8",
                _login(values, main, role.username),
                refused(ACCOUNT_NOT_ACTIVE),
            )
            for role in roles.INACTIVE
        ),
        Scenario(
            "regular-expression-attack",
            "§7.9",
            _login(values, main, "<script>alert(1)</script>"),
            refused(THREAT),
        ),
        Scenario(
            "json-threat",
            "§7.9",
            _post(_client(main) | JSON, '{"username":' + '{"deeper":' * 5 + "1" + "}" * 6),
            refused(THREAT),
        ),
        Scenario(
            "spike-arrest",
            "§7.9",
            hurried_login,
            refused(SPIKE_ARREST, values.spike_status),
            first=(hurried_login,),
        ),
        Scenario(
            "authentication-failure",
            "§7.10",
            Sent("GET", f"{REPORT}/{companies.STATES['subsidiary']}", {"Authorization": "Bearer"}),
            refused(AUTHENTICATION_FAILED),
        ),
        Scenario("address-not-allowed", "§7.11", _login(values, elsewhere, demo), refused(FORBIDDEN)),
        Scenario("out-of-hours", "§7.11", out_of_hours, refused(FORBIDDEN)),
        Scenario(
            "internal-error",
            "§7.12",
            _with_token(f"{REPORT}/{SIMULATED_FAILURE}"),
            refused(INTERNAL),
            first=(login,),
        ),
        Scenario("specimen-report", "D24", _with_token(f"{REPORT}/{specimen.NUMBER}"), Answered(200), first=(login,)),
        Scenario(
            "specimen-search",
            "D24",
            _with_token(f"{SEARCH}?name={specimen.SEARCH_NAME}"),
            Answered(200),
            first=(login,),
        ),
        Scenario(
            "specimen-director-search",
            "D24",
            _with_token(f"{paths.DIRECTOR_SEARCH}?{_DIRECTOR_NAME}"),
            Answered(200),
            first=(login,),
        ),
        Scenario(
            "specimen-director",
            "D24",
            _with_token(f"{paths.DIRECTOR}/{specimen_director.NUMBER}"),
            Answered(200),
            first=(login,),
        ),
        Scenario(
            "director-unknown",
            "D21",
            _with_token(f"{paths.DIRECTOR}/D{'2' * 16}"),
            _credit_error(held.director_unknown().refusal),
            first=(login,),
        ),
        *(
            Scenario(
                f"score-band-{band.lower()}", "D24", _with_token(f"{REPORT}/{number}"), Answered(200), first=(login,)
            )
            for band, number in companies.BANDS.items()
        ),
        *(
            Scenario(state, "D24", _with_token(f"{REPORT}/{number}"), Answered(200), first=(login,))
            for state, number in companies.STATES.items()
        ),
        Scenario(
            "company-unknown",
            "D21",
            _with_token(missing),
            _credit_error(held.company_unknown("00000001", lambda _: None).refusal),
            first=(login,),
        ),
        Scenario(
            "company-number-malformed",
            "D21",
            _with_token(malformed),
            _credit_error(COMPANY_NUMBER_MALFORMED),
            first=(login,),
        ),
    )


def _login(values: ScenarioValues, client: Credentials, username: str) -> Sent:
    return _post(_client(client) | JSON, _user(values, username))


def _post(headers: dict[str, str], body: str) -> Sent:
    return Sent("POST", paths.TOKEN, headers, body)


def _with_token(path: str) -> Sent:
    return Sent("GET", path, {"Authorization": "Bearer <ACCESS_TOKEN>"})


def _client(client: Credentials) -> dict[str, str]:
    return {"client_id": client.client_id, "client_secret": client.client_secret}


def _user(values: ScenarioValues, username: str) -> str:
    return _json(username=username, password=values.password)


def _json(**members: str) -> str:
    return msgspec.json.encode(members).decode()


def _credit_error(refusal: Refusal) -> Answered:
    return Answered(refusal.status, message=refusal.message)
