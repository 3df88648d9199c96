"""Where an attribute may stand, and what holds when it stands in two places (D2, threats P8, P9, P10, I11)."""

import base64
import itertools
import json

import pytest

from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, Header

PLACES = ("header", "body", "basic")
VALUES = ("right", "wrong", "blank")


def request(deployment: Deployment, placed: dict[str, str]) -> tuple[list[Header], bytes]:
    """The client's credentials at each place: right, with a wrong secret, or blank."""
    client_id = deployment.application.client_id
    secrets = {"right": deployment.secret, "wrong": "wrong", "blank": " "}
    headers: list[Header] = [("Content-Type", "application/json")]
    body = {"username": "ada", "password": PASSWORD}
    for place, value in placed.items():
        secret = secrets[value]
        match place:
            case "header":
                headers += [("client_id", client_id), ("client_secret", secret)]
            case "body":
                body |= {"client_id": client_id, "client_secret": secret}
            case "basic":
                pair = base64.b64encode(f"{client_id}:{secret}".encode()).decode()
                headers.append(("Authorization", f"Basic {pair}"))
    return headers, json.dumps(body).encode()


@pytest.mark.parametrize("places", [*itertools.combinations(PLACES, 1), *itertools.combinations(PLACES, 2), PLACES])
async def test_every_placement_of_every_value_follows_one_rule(deployment: Deployment, places: tuple[str, ...]) -> None:
    """Equal values are fine, blank ones were not said, two different ones are incorrect credentials."""
    for values in itertools.product(VALUES, repeat=len(places)):
        said = set(values) - {"blank"}
        expected = 200 if said == {"right"} else 400 if not said else 401
        headers, body = request(deployment, dict(zip(places, values, strict=True)))
        reply = await deployment.send("POST", TOKEN_PATH, headers, body)
        assert reply.status == expected, dict(zip(places, values, strict=True))
        if expected == 401:
            assert reply.said[2] == "Access is denied due to invalid client id or client secret."


async def test_the_halves_of_the_credentials_may_come_from_two_places(deployment: Deployment) -> None:
    body = {"username": "ada", "password": PASSWORD, "client_secret": deployment.secret}
    headers = [("Content-Type", "application/json"), ("client_id", deployment.application.client_id)]
    assert (await deployment.send("POST", TOKEN_PATH, headers, json.dumps(body).encode())).status == 200


@pytest.mark.parametrize("attribute", ["grant_type", "refresh_token"])
async def test_two_different_values_of_any_attribute_are_incorrect_credentials(
    deployment: Deployment, attribute: str
) -> None:
    """D2."""
    token = (await deployment.tokens())["refresh_token"]
    body = {"grant_type": "refresh_token", "refresh_token": token}
    other = {"grant_type": "password", "refresh_token": "another"}[attribute]
    headers = [*deployment.client, ("Content-Type", "application/json"), (attribute, other)]
    body |= {"username": "ada", "password": PASSWORD}
    reply = await deployment.send("POST", TOKEN_PATH, headers, json.dumps(body).encode())
    assert reply.said[2] == "Access is denied due to invalid client id or client secret."
    assert (await deployment.refresh(token)).status == 200  # and nothing was done


@pytest.mark.parametrize(
    "basic", ["Basic", "Basic ", "Basic !!!!", "Basic AAAA", "basic Og==", "Basic /w==", "Basic \xff"]
)
async def test_basic_that_cannot_be_read_never_counts_as_said(deployment: Deployment, basic: str) -> None:
    """RFC 7617 §2: not base64, not even ASCII, no colon, not UTF-8, or nothing on either side of the colon."""
    headers = [("Content-Type", "application/json"), ("Authorization", basic)]
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    assert (await deployment.send("POST", TOKEN_PATH, headers, body)).status in {400, 401}


async def test_another_scheme_on_the_token_endpoint_is_not_the_clients_credentials(deployment: Deployment) -> None:
    """A client that keeps sending its old bearer token still gets a new one."""
    headers = [*deployment.client, ("Content-Type", "application/json"), ("Authorization", "Bearer old")]
    body = json.dumps({"username": "ada", "password": PASSWORD}).encode()
    assert (await deployment.send("POST", TOKEN_PATH, headers, body)).status == 200


@pytest.mark.parametrize(
    "value", [1, 1.5, True, [], {}, ["ada"], {"a": "b"}, 10**400], ids=lambda value: type(value).__name__
)
@pytest.mark.parametrize("attribute", ["username", "password", "client_id", "client_secret", "grant_type"])
async def test_an_attribute_that_is_not_text_is_a_threat(deployment: Deployment, attribute: str, value: object) -> None:
    """threats P2: the grammar has only strings."""
    body = {"username": "ada", "password": PASSWORD} | {attribute: value}
    headers = [*deployment.client, ("Content-Type", "application/json")]
    reply = await deployment.send("POST", TOKEN_PATH, headers, json.dumps(body).encode())
    assert reply.said == (401, "Unauthorized", "Access to the requested resource is not allowed.")


@pytest.mark.parametrize(
    "body",
    [
        b"[]",
        b'"text"',
        b"null",
        b"{",
        b"{}{}",
        b'{"a":1}x',
        b"\xef\xbb\xbf{}",
        '{"username":"ada"}'.encode("utf-16"),
        b'{"username":"\\ud800"}',
        b'{"username":"a\\u0000b"}',
        b'{"username":NaN}',
        b'{"n":1e999,"m":Infinity}',
        b'{"username":"a","username":"b"}',
        b'{"username":"a","\\u0075sername":"b"}',
        b"\xff\xfe",
        b'{"a":' * 5_000,
        b"[" * 16_000,
        b'{"username":"' + b"x" * 1_025 + b'"}',
        b'{"' + b"n" * 51 + b'":"x"}',
        json.dumps({f"m{number}": "x" for number in range(21)}).encode(),
    ],
    ids=range(20),
)
async def test_a_body_that_is_no_small_plain_object_is_a_threat(deployment: Deployment, body: bytes) -> None:
    """D16, threats P1, P2."""
    headers = [*deployment.client, ("Content-Type", "application/json")]
    reply = await deployment.send("POST", TOKEN_PATH, headers, body)
    assert reply.said == (401, "Unauthorized", "Access to the requested resource is not allowed.")


async def test_a_password_may_hold_anything_the_patterns_would_refuse(deployment: Deployment) -> None:
    """D17: secrets are not screened; the answer is about the password."""
    reply = await deployment.login(password="<script>'; DROP TABLE--; $(reboot) ../../")
    assert reply.said[2] == "Access is denied due to invalid username or password."


async def test_a_password_is_never_trimmed_or_folded(deployment: Deployment) -> None:
    """threats A8."""
    for almost in (f" {PASSWORD}", f"{PASSWORD} ", PASSWORD.upper()):
        assert (await deployment.login(password=almost)).status == 401
