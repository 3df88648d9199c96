"""Token exchange and keys: a binding is exchanged for a binding, never shed (RFC 9449 §1, §5, RFC 8705 §3)."""

from urllib.parse import urlencode

import pytest

from credence.access.rules import AccessRules
from tests.deployment import PASSWORD, TOKEN_PATH, Deployment, claims
from tests.oauth.client_certificates import BEHIND_A_PROXY, PROXY, certificate
from tests.oauth.exchanging import ACCESS_TOKEN, GRANT, exchange, service
from tests.oauth.proving import Key, Prover
from tests.oauth.standard import FORM, ask, error


def fields(token: str) -> dict[str, str]:
    return {"grant_type": GRANT, "subject_token": token, "subject_token_type": ACCESS_TOKEN}


async def test_a_bound_token_is_exchanged_for_one_bound_to_the_services_own_key(deployment: Deployment) -> None:
    """RFC 9449 §5: the access token is bound to the key that this request proves, not to the user's client's."""
    shown = await Prover(deployment).token()
    gateway = await service(deployment)
    assert error(await exchange(gateway, shown)) == (400, "invalid_request")
    acting = Prover(gateway)
    reply = await acting.ask(fields(shown))
    assert reply.json["token_type"] == "DPoP"
    assert claims(reply.json["access_token"])["cnf"] == {"jkt": acting.key.thumbprint}
    assert (await acting.report(reply.json["access_token"])).status == 200


async def test_a_public_application_gets_only_bound_tokens(deployment: Deployment) -> None:
    """RFC 9449 §5: nothing but the key tells a public client from others."""
    shown = (await deployment.tokens())["access_token"]
    public = await service(deployment, authentication="none", secrets=())
    named = fields(shown) | {"client_id": public.application.client_id}
    assert error(await ask(public, named, [])) == (400, "invalid_dpop_proof")
    acting = Prover(public, Key())
    first = await ask(public, named, [("DPoP", acting.proof("POST", TOKEN_PATH))])
    acting.nonce = first.headers["dpop-nonce"]
    reply = await ask(public, named, [("DPoP", acting.proof("POST", TOKEN_PATH))])
    assert claims(reply.json["access_token"])["cnf"] == {"jkt": acting.key.thumbprint}


async def test_who_stole_a_bound_token_gets_nothing_for_it_in_the_name_of_a_public_application(
    deployment: Deployment,
) -> None:
    """RFC 9449 §1: a stolen token is worth nothing without its key; a public client_id is no secret (RFC 6749 §2.1)."""
    owner = Prover(deployment)
    shown = await owner.token()
    public = await service(deployment, authentication="none", secrets=())
    named = fields(shown) | {"client_id": public.application.client_id}
    thief = Prover(public)
    thief.nonce = owner.nonce
    reply = await ask(public, named, [("DPoP", thief.proof("POST", TOKEN_PATH))])
    assert error(reply) == (400, "invalid_request")
    reply = await ask(public, named, [("DPoP", owner.proof("POST", TOKEN_PATH))])
    assert claims(reply.json["access_token"])["cnf"] == {"jkt": owner.key.thumbprint}


@pytest.mark.settings(BEHIND_A_PROXY)
async def test_who_stole_a_token_bound_to_a_certificate_gets_nothing_for_it_either(deployment: Deployment) -> None:
    """RFC 8705 §3; an application that proves nothing is bound to a key, never to a certificate."""
    await deployment.change_application(certificate_bound_tokens=True)
    log_in = {"grant_type": "password", "username": "ada", "password": PASSWORD}
    headers = [FORM, deployment.basic, certificate().field()]
    reply = await deployment.send("POST", TOKEN_PATH, headers, urlencode(log_in).encode(), peer=PROXY)
    public = await service(deployment, authentication="none", secrets=())
    named = fields(reply.json["access_token"]) | {"client_id": public.application.client_id}
    thief = Prover(public)
    first = await ask(public, named, [("DPoP", thief.proof("POST", TOKEN_PATH))])
    thief.nonce = first.headers["dpop-nonce"]
    reply = await ask(public, named, [("DPoP", thief.proof("POST", TOKEN_PATH))])
    assert error(reply) == (400, "invalid_request")


async def test_a_public_application_is_no_way_around_the_rules_on_addresses_of_another(deployment: Deployment) -> None:
    """D15: who stole a token that is good from certain addresses gets nothing for it from elsewhere."""
    shown = (await deployment.tokens())["access_token"]
    await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))
    public = await service(deployment, authentication="none", secrets=())
    named = fields(shown) | {"client_id": public.application.client_id}
    acting = Prover(public)
    first = await ask(public, named, [("DPoP", acting.proof("POST", TOKEN_PATH))])
    acting.nonce = first.headers["dpop-nonce"]
    assert error(await ask(public, named, [("DPoP", acting.proof("POST", TOKEN_PATH))])) == (403, "access_denied")
    inside = [FORM, ("DPoP", acting.proof("POST", TOKEN_PATH))]
    reply = await public.send("POST", TOKEN_PATH, inside, urlencode(named).encode(), peer="198.51.100.7")
    assert reply.status == 200
