"""OpenID Connect, plan Config OP: its one module, over HTTPS."""

from tests.running import RunningServer

CLAIMS = {"sub", "iss", "auth_time", "name", "given_name", "family_name", "email"}


def test_oidcc_discovery_endpoint_verification(sandbox: RunningServer) -> None:
    """OpenID Connect Discovery §3, §4.3, RFC 7636 §6.2: the members that it checks, failures and warnings alike."""
    reply = sandbox.client.get("/.well-known/openid-configuration")
    assert reply.headers["content-type"].startswith("application/json")
    document = reply.json()
    assert document["issuer"] == sandbox.base_url
    places = [value for name, value in document.items() if name.endswith("_endpoint") or name == "jwks_uri"]
    assert len(places) >= 8
    assert all(place.startswith("https://") for place in places)
    assert "code" in document["response_types_supported"]
    assert "openid" in document["scopes_supported"]
    assert "RS256" in document["id_token_signing_alg_values_supported"]
    assert document["subject_types_supported"] == ["public"]
    assert set(document["claims_supported"]) >= CLAIMS
    assert document["code_challenge_methods_supported"] == ["S256"]
    assert {"client_secret_basic", "client_secret_post"} <= set(document["token_endpoint_auth_methods_supported"])
    assert all(document[name] for name in document if name.endswith("_supported") and isinstance(document[name], list))
    keys = sandbox.client.get(document["jwks_uri"]).json()["keys"]
    assert len({key["kid"] for key in keys}) == len(keys)
    assert not any({"d", "p", "q", "k"} & key.keys() for key in keys)
