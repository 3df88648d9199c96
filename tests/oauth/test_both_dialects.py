"""The same credentials and faults get the same decision in both dialects, with the same effects (D1, D9, spec §7).

Authentication, refusals, audit trail, rate limits and effects do not depend on the dialect. The differences are listed in
`docs/adr/two-dialects.md`, and the tests at the end check them.
"""

import itertools
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tests.deployment import PASSWORD, TOKEN_PATH, Deployment
from tests.oauth.attempts import Attempt, in_the_world
from tests.oauth.both_dialects import Decision, WriteRequest, decided, decisions, in_form, in_headers, in_json
from tests.oauth.standard import ask, error
from tests.sweeps import sample, sweep

Fault = Callable[[Attempt], Attempt]


def shown(which: str) -> Fault:
    return lambda attempt: replace(attempt, token=which)


# Name -> the row it is refused with, and the fault. What is no row is granted.

OF_THE_CLIENT: dict[str, tuple[str | None, Fault]] = {
    "wrong secret": ("wrong_client", lambda attempt: replace(attempt, secret="wrong")),
    "unknown client": ("wrong_client", lambda attempt: replace(attempt, client_id="crd_sbx_app_nobody")),
    "two names": ("wrong_client", lambda attempt: replace(attempt, also_named="crd_sbx_app_another")),
    "application disabled": ("wrong_client", in_the_world("application disabled")),
    "application too fast": ("spike_arrest", in_the_world("application too fast")),
    "address too fast": ("spike_arrest", in_the_world("address too fast")),
}
OF_A_GRANT: dict[str, tuple[str | None, Fault]] = {
    "unknown grant": ("grant_unknown", lambda attempt: replace(attempt, grant_type="implicit")),
    "attack for a grant": ("threat", lambda attempt: replace(attempt, grant_type="<script>alert(1)</script>")),
    "grant not allowed": ("grant_not_allowed", in_the_world("grant not allowed")),
    "application elsewhere": ("forbidden", in_the_world("application elsewhere")),
}
OF_AN_ACCOUNT: dict[str, tuple[str | None, Fault]] = {
    "account elsewhere": ("forbidden", in_the_world("account elsewhere")),
    "after hours": ("forbidden", in_the_world("after hours")),
    "suspended": ("account_not_active", in_the_world("suspended")),
    "account too fast": ("spike_arrest", in_the_world("account too fast")),
}
OF_A_LOGIN: dict[str, tuple[str | None, Fault]] = {
    "wrong password": ("wrong_user", lambda attempt: replace(attempt, password="wrong horse battery")),
    "unknown user": ("wrong_user", lambda attempt: replace(attempt, username="nobody")),
    "guessed too often": ("wrong_user", in_the_world("guessed")),
    "no password": ("user_missing", lambda attempt: replace(attempt, password=None)),
    "blank user": ("user_missing", lambda attempt: replace(attempt, username=" ")),
    "attack for a user": ("threat", lambda attempt: replace(attempt, username="' OR 1=1--")),
}
OF_A_REFRESH: dict[str, tuple[str | None, Fault]] = {
    "no token": ("refresh_token_missing", shown("missing")),
    "unknown token": ("invalid_token", shown("unknown")),
    "foreign token": ("invalid_token", shown("foreign")),
    "access token": ("invalid_token", shown("access token")),
    "retry": (None, shown("just used")),
    "spent token": ("invalid_token", shown("spent")),
    "expired token": ("invalid_token", shown("expired")),
    "revoked token": ("invalid_token", shown("revoked")),
}
OF_A_REVOCATION: dict[str, tuple[str | None, Fault]] = {  # D11: 200, whatever token it is
    name: ("token_missing" if name == "no token" else None, fault) for name, (_, fault) in OF_A_REFRESH.items()
}

KINDS = {
    "log in": (OF_THE_CLIENT, OF_A_GRANT, OF_AN_ACCOUNT, OF_A_LOGIN),
    "own": (OF_THE_CLIENT, OF_A_GRANT),
    "refresh": (OF_THE_CLIENT, OF_A_GRANT, OF_AN_ACCOUNT, OF_A_REFRESH),
    "revoke": (OF_THE_CLIENT, OF_A_REVOCATION),
}
FAULTS = {deed: {name: row for kind in kinds for name, row in kind.items()} for deed, kinds in KINDS.items()}

ALONE = [(deed, name) for deed, faults in FAULTS.items() for name in faults]
PAIRS = [
    (deed, one, other)
    for deed, kinds in KINDS.items()
    for first, second in itertools.combinations(kinds, 2)
    for one, other in itertools.product(first, second)
]

ANSWERS = {
    "wrong_client": (401, 401, "invalid_client"),
    "spike_arrest": (401, 401, "temporarily_unavailable"),
    "threat": (401, 400, "invalid_request"),
    "grant_unknown": (400, 400, "unsupported_grant_type"),
    "grant_not_allowed": (400, 400, "unauthorized_client"),
    "user_missing": (400, 400, "invalid_request"),
    "refresh_token_missing": (400, 400, "invalid_request"),
    "token_missing": (400, 400, "invalid_request"),
    "wrong_user": (401, 400, "invalid_grant"),
    "invalid_token": (401, 400, "invalid_grant"),
    "account_not_active": (401, 400, "invalid_grant"),
    "forbidden": (403, 403, "access_denied"),
    None: (200, 200, None),
}
"""Row -> status in the house dialect (spec §7), status and code in the standard one (RFC 6749 §5.2, D9, D16)."""


def attempt_with(deed: str, *names: str) -> Attempt:
    attempt = Attempt(deed)
    for name in names:
        _, fault = FAULTS[deed][name]
        attempt = fault(attempt)
    return attempt


async def agreed(folder: Path, attempt: Attempt, *house: WriteRequest) -> Decision:
    """Return the decision, which must be the same for every way to write the request."""
    made = await decisions(folder, attempt, *house)
    standard = made.pop("in_form")
    in_house, in_standard, code = ANSWERS[None if standard.granted else standard.said[0]]
    assert standard.answered == (in_standard, code)
    assert made
    for decision in made.values():
        assert decision == standard
        assert decision.answered == (in_house, None)
    return standard


@pytest.mark.parametrize("deed", FAULTS)
async def test_a_correct_request_is_granted_in_every_format(tmp_path: Path, deed: str) -> None:
    """The tests below could not fail if nothing were."""
    assert (await agreed(tmp_path, Attempt(deed))).granted


@pytest.mark.parametrize(("deed", "name"), ALONE)
async def test_one_fault_gets_one_decision(tmp_path: Path, deed: str, name: str) -> None:
    """Spec §7, D3, D7, D11, D25."""
    row, _ = FAULTS[deed][name]
    decision = await agreed(tmp_path, attempt_with(deed, name))
    assert decision.granted is (row is None)
    if row is not None:
        assert decision.said[0] == row


@pytest.mark.sweep
@pytest.mark.parametrize("pair", sample(PAIRS, 60), ids=", ".join)
async def test_both_dialects_report_the_same_of_two_faults(tmp_path: Path, pair: tuple[str, ...]) -> None:
    """D3: one order. JSON and XML are compared by pairs elsewhere (`tests/spec/test_order_of_refusals.py`)."""
    await agreed(tmp_path, attempt_with(*pair), in_headers if pair[0] == "revoke" else in_json)


@sweep(10, long=750)
@given(some.data())
async def test_every_format_reports_the_same_of_many_faults(data: some.DataObject) -> None:
    """D3."""
    deed = data.draw(some.sampled_from(list(FAULTS)))
    names = data.draw(some.lists(some.sampled_from(list(FAULTS[deed])), min_size=3, max_size=6, unique=True))
    with tempfile.TemporaryDirectory() as folder:
        await agreed(Path(folder), attempt_with(deed, *names))


# What does differ, on purpose


@pytest.mark.parametrize("deed", ["own", "refresh", "revoke"])
async def test_a_name_without_a_secret_is_a_missing_attribute_in_one_and_no_proof_in_the_other(
    tmp_path: Path, deed: str
) -> None:
    """Spec §7.2; RFC 6749 §5.2, where a client may prove itself otherwise, or not at all."""
    unproven = replace(Attempt(deed), secret=None)
    made = await decisions(tmp_path, unproven)
    assert made.pop("in_form").answered == (401, "invalid_client")
    assert {decision.answered for decision in made.values()} == {(400, None)}


async def test_a_password_in_a_form_needs_basic(tmp_path: Path) -> None:
    """D1: whatever else would be said of it is 415."""
    nobody = replace(Attempt("log in"), client_id=None, secret=None)
    assert (await decided(tmp_path / "form", nobody, in_form)).answered[0] == 415
    assert (await decided(tmp_path / "json", nobody, in_json)).answered[0] == 400


async def test_a_form_names_its_grant(tmp_path: Path) -> None:
    """D1, D2: the house dialect knows what a body without grant_type means."""
    unsaid = replace(Attempt("log in"), grant_type=None)
    assert (await decided(tmp_path / "form", unsaid, in_form)).answered[0] == 415
    assert (await decided(tmp_path / "json", unsaid, in_json)).granted


async def test_the_same_secret_twice_is_two_methods_in_the_standard_dialect_alone(deployment: Deployment) -> None:
    """D2; RFC 6749 §2.3."""
    login = {"username": "ada", "password": PASSWORD, "grant_type": "password"}
    twice = {**login, "client_id": deployment.application.client_id, "client_secret": deployment.secret}
    headers = [deployment.basic, ("Content-Type", "application/json")]
    body = "{" + ",".join(f'"{name}":"{value}"' for name, value in twice.items()) + "}"
    assert (await deployment.send("POST", TOKEN_PATH, headers, body.encode())).status == 200
    assert error(await ask(deployment, twice)) == (400, "invalid_request")


async def test_scope_and_resource_are_attributes_of_the_standard_dialect_only(deployment: Deployment) -> None:
    """RFC 6749 §3.3, RFC 8707 §2; spec §2.2 has neither, and an attribute nobody knows changes nothing."""
    for name, code in (("scope", "invalid_scope"), ("resource", "invalid_target")):
        login = {"grant_type": "password", "username": "ada", "password": PASSWORD, name: "urn:nothing"}
        assert error(await ask(deployment, login)) == (400, code)
        assert (await deployment.login(**{name: "urn:nothing"})).status == 200
