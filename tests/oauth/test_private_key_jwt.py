"""private_key_jwt: valid assertions, and each fault of an invalid one (RFC 7523 §3, threats T1-T10)."""

import asyncio
import base64
import json
from collections.abc import Callable
from typing import Any

import pytest

from credence.identity.client_keys import read_key_set
from tests.deployment import NOW, PASSWORD, REVOKE_PATH, TOKEN_PATH, Deployment
from tests.oauth.assertions import (
    EC,
    ISSUER,
    KEYS,
    OTHER_EC,
    OTHER_RSA,
    SECONDS,
    TOKEN_ENDPOINT,
    TYPE,
    Client,
    key_set,
    oct_key,
    public,
    registered,
    signed,
)
from tests.oauth.standard import ask, error

REFUSED = (401, "invalid_client")


@pytest.mark.parametrize("algorithm", KEYS)
async def test_a_key_that_is_registered_proves_the_client(deployment: Deployment, algorithm: str) -> None:
    """RFC 7523 §2.2, RFC 7521 §4.2: client_id may be left out, and is the same where it is not."""
    client = await registered(deployment, algorithm)
    assert (await client.show(client.assertion())).status == 200
    assert (await client.show(client.assertion(), client_id=client.client_id)).status == 200


@pytest.mark.parametrize("audience", [ISSUER, TOKEN_ENDPOINT, [ISSUER], [ISSUER, TOKEN_ENDPOINT]], ids=str)
@pytest.mark.parametrize("typ", [None, "JWT", "jwt", "client-authentication+jwt"])
async def test_what_libraries_write_is_accepted(deployment: Deployment, audience: Any, typ: str | None) -> None:
    """RFC 7523 §3 item 3: the token endpoint may name the service; the issuer is what is advised today."""
    client = await registered(deployment)
    header = {} if typ is None else {"typ": typ}
    assert (await client.show(client.assertion(header, aud=audience, nbf=SECONDS))).status == 200


FAULTS: dict[str, dict[str, Any]] = {
    "no issuer (item 1)": {"iss": None},
    "another issuer (item 1)": {"iss": "somebody"},
    "a list of issuers (item 1)": {"iss": [ISSUER]},
    "no subject (item 2)": {"sub": None},
    "another subject (item 2)": {"sub": "somebody"},
    "no audience (item 3)": {"aud": None},
    "another audience (item 3)": {"aud": "https://other.example"},
    "an audience more (item 3)": {"aud": [ISSUER, "https://other.example"]},
    "no audience in the list (item 3)": {"aud": []},
    "the host alone (item 3)": {"aud": "localhost"},
    "the issuer with a slash (item 3)": {"aud": ISSUER + "/"},
    "no expiry (item 4)": {"exp": None},
    "expired this instant (item 4)": {"exp": NOW / 1000},
    "expired long ago (item 4)": {"exp": 0},
    "expiry before time (item 4)": {"exp": -1},
    "expiry as text (item 4)": {"exp": str(SECONDS + 60)},
    "expiry as a truth (item 4)": {"exp": True},
    "expiry too far ahead (item 4)": {"exp": SECONDS + 86_401},
    "expiry too far ahead, and no word of when it was made (item 4)": {"exp": SECONDS + 311, "iat": None},
    "made too long ago (item 6)": {"exp": SECONDS + 60, "iat": SECONDS - 300},
    "expiry without end (item 4)": {"exp": 10**400},
    "from the future (item 6)": {"iat": SECONDS + 12},
    "not yet (item 5)": {"nbf": SECONDS + 12},
    "issued as text (item 6)": {"iat": "now"},
    "no id (item 7)": {"jti": None},
    "an empty id (item 7)": {"jti": ""},
    "a number for an id (item 7)": {"jti": 1},
    "an id too long (item 7)": {"jti": "x" * 256},
}


@pytest.mark.parametrize("fault", FAULTS)
async def test_claims_that_are_not_as_the_standard_wants_them_are_refused(deployment: Deployment, fault: str) -> None:
    """RFC 7523 §3 with its items, RFC 7519 §4.1; invalid_client with a challenge (RFC 6749 §5.2)."""
    client = await registered(deployment)
    reply = await client.show(client.assertion(**FAULTS[fault]), client_id=client.client_id)
    assert error(reply) == REFUSED
    assert reply.headers["www-authenticate"].startswith("Basic")
    assert reply.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "edge",
    [
        {"exp": SECONDS + 310, "iat": None},
        {"exp": SECONDS + 0.6},
        {"iat": SECONDS + 10},
        {"iat": SECONDS + 10, "exp": SECONDS + 86_400},
        {"iat": SECONDS - 299},
        {"nbf": SECONDS + 10},
    ],
    ids=str,
)
async def test_a_clock_may_be_ten_seconds_ahead(deployment: Deployment, edge: dict[str, Any]) -> None:
    """threats T11: at the limit; `FAULTS` has what lies beyond. NumericDate may have a fraction (RFC 7519 §2)."""
    client = await registered(deployment)
    assert (await client.show(client.assertion(**edge))).status == 200


def forged_by(algorithm: str, key: Any, **header: Any) -> Callable[[Client], str]:
    return lambda client: signed(key, {"alg": algorithm, **header}, client.claims())


def unsigned(alg: str) -> Callable[[Client], str]:
    def forge(client: Client) -> str:
        header, _, rest = client.assertion().partition(".")
        payload, _, signature = rest.partition(".")
        header = base64.urlsafe_b64encode(json.dumps({"alg": alg}).encode()).decode().rstrip("=")
        return f"{header}.{payload}.{signature}"

    return forge


def over_published(text: str) -> Callable[[Client], str]:
    """HS256 with what anyone can know of the key as the secret (threats T1)."""
    return lambda client: signed(oct_key(text.encode()), {"alg": "HS256"}, client.claims())


FORGERIES: dict[str, Callable[[Client], str]] = {
    "a stranger's key": forged_by("ES256", OTHER_EC),
    "a stranger's key under the right name": forged_by("ES256", OTHER_EC, kid=EC.thumbprint()),
    "a key in the header": forged_by("ES256", OTHER_EC, jwk=OTHER_EC.as_dict(private=False)),
    "the right key, and a key in the header": forged_by("ES256", EC, jwk=EC.as_dict(private=False)),
    "keys elsewhere": forged_by("ES256", EC, jku="https://evil.example/keys"),
    "certificates elsewhere": forged_by("ES256", EC, x5u="https://evil.example/chain"),
    "a certificate in the header": forged_by("ES256", EC, x5c=["MIIB"]),
    "another algorithm": forged_by("RS256", OTHER_RSA),
    "the key set as a secret": over_published(key_set(public(EC))),
    "the key as a secret": over_published(json.dumps(public(EC))),
    "the key in PEM as a secret": over_published(EC.as_pem(private=False).decode()),
    "a proof of possession": forged_by("ES256", EC, typ="dpop+jwt"),
    "an access token": forged_by("ES256", EC, typ="at+jwt"),
    **{f"unsigned, {alg!r}": unsigned(alg) for alg in ("none", "None", "nOnE", "NONE", "", "HS256", "ES384", "RS256")},
    "without signature": lambda client: client.assertion().rpartition(".")[0] + ".",
    "padded": lambda client: client.assertion() + "=",
    "four parts": lambda client: client.assertion() + ".x",
    "text": lambda _client: "assertion",
    "a list of claims": lambda client: signed(client.key, {"alg": "ES256"}, b"[]"),
    "a claim twice": lambda client: signed(client.key, {"alg": "ES256"}, b'{"iss":"a","iss":"a"}'),
}


@pytest.mark.parametrize("forgery", FORGERIES)
async def test_no_forgery_proves_a_client(deployment: Deployment, forgery: str) -> None:
    """threats T1 to T8; the same answer for all."""
    client = await registered(deployment)
    reply = await client.show(FORGERIES[forgery](client), client_id=client.client_id)
    assert error(reply) == REFUSED
    assert (await client.show(client.assertion())).status == 200  # and the right one still passes


async def test_our_own_keys_prove_nobody(deployment: Deployment) -> None:
    """threats T8: an access token of ours is no assertion, also not of a client that is unknown."""
    client = await registered(deployment)
    own = (await client.show(client.assertion())).json["access_token"]
    assert error(await client.show(own)) == REFUSED
    assert error(await client.show(own, client_id=client.client_id)) == REFUSED


async def test_an_assertion_passes_once(deployment: Deployment) -> None:
    """RFC 7523 §3 item 7: of any number at once, and again as long as it would be good."""
    client = await registered(deployment)
    assertion = client.assertion()
    replies = await asyncio.gather(*(client.show(assertion) for _ in range(20)))
    assert sorted(reply.status for reply in replies) == [200, *[401] * 19]
    deployment.now = (SECONDS + 59) * 1000
    assert error(await client.show(assertion)) == REFUSED
    deployment.now = (SECONDS + 60) * 1000
    assert error(await client.show(assertion)) == REFUSED


async def test_five_minutes_after_it_was_made_an_assertion_is_over(deployment: Deployment) -> None:
    """RFC 7523 §3 items 4, 6 and 7: whatever it says; and so long its id is remembered."""
    client = await registered(deployment)
    first, second = (client.assertion(exp=SECONDS + 3_600) for _ in range(2))
    assert (await client.show(first)).status == 200
    deployment.now = SECONDS * 1_000 + 299_999
    assert error(await client.show(first)) == REFUSED
    assert (await client.show(second)).status == 200
    deployment.now = SECONDS * 1_000 + 300_000
    assert error(await client.show(client.assertion(exp=SECONDS + 3_600))) == REFUSED


async def test_two_clients_may_use_the_same_id(deployment: Deployment) -> None:
    """RFC 7523 §3 item 7: the id is the issuer's."""
    first = await registered(deployment)
    second = await registered(await deployment.another_application())
    for client in (first, second):
        assert (await client.show(client.assertion(jti="the same"))).status == 200


async def test_kid_selects_one_of_several_keys(deployment: Deployment) -> None:
    """RFC 7515 §4.1.4."""
    keys = read_key_set(key_set(public(EC, kid="old"), public(OTHER_EC, kid="new")))
    client = await registered(deployment, keys=keys)
    for key, kid, good in (
        (EC, "old", True),
        (OTHER_EC, "new", True),
        (EC, "new", False),
        (OTHER_EC, "old", False),
        (EC, "unknown", False),
        (EC, None, False),
    ):
        header = {"alg": "ES256"} | ({} if kid is None else {"kid": kid})
        reply = await client.show(signed(key, header, client.claims()), client_id=client.client_id)
        assert (reply.status == 200) is good, kid


@pytest.mark.parametrize("kind", ["", "urn:ietf:params:oauth:client-assertion-type:saml2-bearer", "jwt"])
async def test_an_assertion_of_another_type_is_refused(deployment: Deployment, kind: str) -> None:
    """RFC 7521 §4.2, RFC 7523 §2.2."""
    client = await registered(deployment)
    reply = await client.show(client.assertion(), client_assertion_type=kind)
    assert error(reply) == REFUSED


async def test_an_assertion_for_another_client_than_client_id_is_refused(deployment: Deployment) -> None:
    """RFC 7521 §4.2: client_id must name the same client."""
    other = await registered(await deployment.another_application())
    client = await registered(deployment)
    reply = await client.show(other.assertion(), client_id=client.client_id)
    assert error(reply) == REFUSED
    assert error(await client.show(client.assertion(), client_id="unknown")) == REFUSED


async def test_a_disabled_application_is_refused(deployment: Deployment) -> None:
    """D14, threats L5."""
    client = await registered(deployment, disabled=True)
    assert error(await client.show(client.assertion())) == REFUSED


async def test_a_password_grant_in_a_form_may_come_with_an_assertion(deployment: Deployment) -> None:
    """D1: or else it is a request of the house, which is none in a form: 415."""
    client = await registered(deployment)
    login = {"grant_type": "password", "username": "ada", "password": PASSWORD}
    assert (await client.show(client.assertion(), **login)).status == 200
    for blank in ({}, {"client_assertion": ""}, {"client_assertion": " "}):
        form = {**login, "client_id": client.client_id, **blank}
        assert (await ask(deployment, form, headers=[])).status == 415


async def test_it_works_for_refresh_and_revocation(deployment: Deployment) -> None:
    """RFC 7009 §2.1: the client is authenticated as at the token endpoint, and names the same audience."""
    client = await registered(deployment)
    login = {"grant_type": "password", "username": "ada", "password": PASSWORD}
    tokens = (await client.show(client.assertion(), **login)).json
    again = await client.show(client.assertion(), grant_type="refresh_token", refresh_token=tokens["refresh_token"])
    assert again.status == 200
    proof = {"client_assertion_type": TYPE, "client_assertion": client.assertion(aud=TOKEN_ENDPOINT)}
    form = {"token": again.json["access_token"], **proof}
    assert (await ask(deployment, form, headers=[], path=REVOKE_PATH)).status == 200
    assert (await deployment.report(again.json["access_token"])).status == 401
    assert error(await ask(deployment, form, headers=[], path=REVOKE_PATH)) == REFUSED  # spent


async def test_the_house_dialect_knows_no_assertions(deployment: Deployment) -> None:
    """D2: its client has a secret, so one that is registered for a key has no way in there."""
    client = await registered(deployment)
    body = {
        "username": "ada",
        "password": PASSWORD,
        "client_assertion_type": TYPE,
        "client_assertion": client.assertion(),
    }
    headers = [("Content-Type", "application/json"), ("client_id", client.client_id)]
    assert (await deployment.send("POST", TOKEN_PATH, headers, json.dumps(body).encode())).status == 400
    headers = [("Content-Type", "application/json"), *deployment.client]
    reply = await deployment.send("POST", TOKEN_PATH, headers, json.dumps(body).encode())
    assert reply.said[2] == "Access is denied due to invalid client id or client secret."
