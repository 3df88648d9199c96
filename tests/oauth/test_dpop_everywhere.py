"""A bound token is bound at every route, on every way in, however many come at once (RFC 9449 §7)."""

import asyncio
import re
from typing import Any

import pytest

from credence.paths import FORWARD_AUTH
from credence.web.routes import ROUTES
from credence.web.routing.route import Protection
from tests.deployment import TOKEN_PATH, Deployment
from tests.oauth.proving import REPORT, Prover
from tests.oauth.standard import FORM

BEARER = [(method, route) for route in ROUTES if route.protection is Protection.BEARER for method in route.methods]


@pytest.mark.parametrize(("method", "route"), BEARER, ids=lambda part: getattr(part, "path", part))
async def test_no_route_takes_a_bound_token_without_its_proof(deployment: Deployment, method: str, route: Any) -> None:
    """RFC 9449 §7.1, §7.2: as a bearer token, without a proof, and with a proof for another route."""
    path = re.sub(r"\{[^}]*\}", "1", route.path)

    client = Prover(deployment)
    scope = "openid credit:report credit:search credit:directors credit:disputes credit:monitor ssf.manage"
    resource = {"resource": f"{deployment.service.settings.issuer}{route.path}"} if route.own_resource else {}
    token = (await client.log_in(scope=scope, **resource)).json["access_token"]
    elsewhere = client.proof(method, "/elsewhere", token)
    for headers in (
        [("Authorization", f"Bearer {token}")],
        [("Authorization", f"Bearer {token}"), ("DPoP", client.proof(method, path, token))],
        [("Authorization", f"DPoP {token}")],
        [("Authorization", f"DPoP {token}"), ("DPoP", elsewhere)],
    ):
        assert (await deployment.send(method, path, headers)).status == 401
    good = [("Authorization", f"DPoP {token}"), ("DPoP", client.proof(method, path, token))]
    refused = (await deployment.send(method, path, good)).status in {401, 403}
    assert refused is (path == FORWARD_AUTH), "forward-auth takes no bound token at all (threats I8)"


async def test_a_bound_token_in_a_form_is_no_bearer_token(deployment: Deployment) -> None:
    """RFC 9449 §7.1: only the field Authorization carries one."""
    client = Prover(deployment)
    token = (await client.log_in(scope="openid")).json["access_token"]
    path = "/oauth2/v1/userinfo"
    headers = [FORM, ("DPoP", client.proof("POST", path, token))]
    assert (await deployment.send("POST", path, headers, f"access_token={token}".encode())).status == 401


async def test_of_a_hundred_with_one_proof_one_gets_a_token(deployment: Deployment) -> None:
    """RFC 9449 §11.1, threats L1: at once, at the token endpoint."""
    client = Prover(deployment)
    await client.token()
    proof = client.proof("POST", TOKEN_PATH)
    replies = await asyncio.gather(*(client.log_in(proof) for _ in range(100)))
    assert sorted(reply.status for reply in replies) == [200] + [400] * 99


async def test_of_a_hundred_with_one_proof_one_reads_a_report(deployment: Deployment) -> None:
    """RFC 9449 §11.1: at once, at the API."""
    client = Prover(deployment)
    token = await client.token()
    proof = client.proof(token=token)
    replies = await asyncio.gather(*(client.report(token, proof) for _ in range(100)))
    assert sorted(reply.status for reply in replies) == [200] + [401] * 99


async def test_an_expired_or_revoked_token_is_refused_before_its_proof(deployment: Deployment) -> None:
    """D20: a proof is not verified for a token that is good for nothing."""
    client = Prover(deployment)
    token = await client.token()
    await deployment.revoke(token)
    reply = await client.report(token, "no proof")
    assert reply.headers["www-authenticate"].startswith('DPoP error="invalid_token"')


async def test_a_proof_serves_its_method_alone(deployment: Deployment) -> None:
    """RFC 9449 §4.3 item 8: GET is not HEAD."""
    client = Prover(deployment)
    token = await client.token()
    shown = [("Authorization", f"DPoP {token}"), ("DPoP", client.proof("GET", REPORT, token))]
    assert (await deployment.send("HEAD", REPORT, shown)).status == 401


async def test_an_address_that_is_written_otherwise_is_the_one_that_was_called(deployment: Deployment) -> None:
    """RFC 9449 §4.3 item 9: the query is ignored on both sides, and so is needless encoding."""
    client = Prover(deployment)
    token = await client.token()
    called = REPORT.removesuffix("/99999999") + "?RegNumber=99999999"
    bare = REPORT.removesuffix("/99999999")
    for target, path in ((called, bare), (called, called), (REPORT.replace("999", "%39%39%39", 1), REPORT)):
        shown = [("Authorization", f"DPoP {token}"), ("DPoP", client.proof("GET", path, token))]
        assert (await deployment.send("GET", target, shown)).status == 200


VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1.5, 10**40, -(10**300), "", " ", "0", "a" * 900, "\0", "\ud800", "\N{SNOWMAN}"),
    *(
        "'; --",
        "<script>",
        "../../etc/passwd",
        "${jndi:x}",
        [],
        {},
        [[]],
        [None],
        {"": ""},
        [1] * 50,
        {"a": {"b": {"c": []}}},
    ),
)
PLACES = [
    *(("header", name) for name in ("typ", "alg", "jwk", "kid", "x5t", "cty", "zip", "b64", "crit")),
    *(("jwk", name) for name in ("kty", "crv", "x", "y", "alg", "use", "key_ops", "kid", "d", "n")),
    *(("claims", name) for name in ("jti", "htm", "htu", "iat", "nonce", "ath", "exp", "nbf", "aud")),
]


async def test_no_value_in_any_place_causes_an_unexpected_error(deployment: Deployment) -> None:
    """Each of 26 values in each of 28 places of a proof, signed as it stands: refused, or passed over; never a 5xx."""
    client = Prover(deployment)
    token = await client.token()
    for place, name in PLACES:
        for value in VALUES:
            header, claims = client.header(), client.claims(token=token)
            header["jwk"] = dict(header["jwk"])
            {"header": header, "jwk": header["jwk"], "claims": claims}[place][name] = value
            reply = await client.report(token, client.key.signed(header, claims))
            assert reply.status in {200, 401}, (place, name, value)
            if reply.status == 401:
                assert reply.headers["www-authenticate"].startswith("DPoP error="), (place, name, value)
