"""Token exchange and keys: a binding is exchanged for a binding, never shed (RFC 9449 §1, §5, RFC 8705 §3)."""

from pathlib import Path

from tests.deployment import TOKEN_PATH, Deployment, claims, tell
from tests.oauth.exchanging import ACCESS_TOKEN, GRANT, exchange, service
from tests.oauth.proving import Client, Key
from tests.oauth.standard import ask, error


def fields(token: str) -> dict[str, str]:
    return {"grant_type": GRANT, "subject_token": token, "subject_token_type": ACCESS_TOKEN}


def test_a_bound_token_is_exchanged_for_one_bound_to_the_services_own_key(tmp_path: Path) -> None:
    """RFC 9449 §5: the access token is bound to the key that this request proves, not to the user's client's."""

    async def story(deployment: Deployment) -> None:
        shown = await Client(deployment).token()
        gateway = await service(deployment)
        assert error(await exchange(gateway, shown)) == (400, "invalid_request")
        acting = Client(gateway)
        reply = await acting.ask(fields(shown))
        assert reply.json["token_type"] == "DPoP"
        assert claims(reply.json["access_token"])["cnf"] == {"jkt": acting.key.thumbprint}
        assert (await acting.report(reply.json["access_token"])).status == 200

    tell(tmp_path, story)


def test_a_public_application_gets_only_bound_tokens(tmp_path: Path) -> None:
    """RFC 9449 §5: nothing but the key tells a public client from others."""

    async def story(deployment: Deployment) -> None:
        shown = (await deployment.tokens())["access_token"]
        public = await service(deployment, authentication="none", secrets=())
        named = fields(shown) | {"client_id": public.application.client_id}
        assert error(await ask(public, named, [])) == (400, "invalid_dpop_proof")
        acting = Client(public, Key())
        first = await ask(public, named, [("DPoP", acting.proof("POST", TOKEN_PATH))])
        acting.nonce = first.headers["dpop-nonce"]
        reply = await ask(public, named, [("DPoP", acting.proof("POST", TOKEN_PATH))])
        assert claims(reply.json["access_token"])["cnf"] == {"jkt": acting.key.thumbprint}

    tell(tmp_path, story)
