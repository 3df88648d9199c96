"""Where metadata is found, by whoever knows the issuer or the resource alone (RFC 8414 §3.1, RFC 9728 §3)."""

from pathlib import Path

import pytest

from credence.oauth.metadata.protected_resource import metadata_url
from tests.deployment import REPORT_PATH, Deployment, tell

SERVER = "/.well-known/oauth-authorization-server"
RESOURCE = "/.well-known/oauth-protected-resource"


def test_both_standards_read_the_same_document(tmp_path: Path) -> None:
    """RFC 8414 §5: the same members under either name; its issuer is the one asked for (§3.3)."""

    async def story(deployment: Deployment) -> None:
        one = await deployment.send("GET", SERVER)
        other = await deployment.send("GET", "/.well-known/openid-configuration")
        assert one.status == 200
        assert one.headers["content-type"] == "application/json"
        assert one.body == other.body
        assert one.json["issuer"] == "https://localhost:8443"

    tell(tmp_path, story)


def test_the_resource_says_who_issues_its_tokens(tmp_path: Path) -> None:
    """RFC 9728 §2, §3.3: `resource` is the identifier from which the address was made."""

    async def story(deployment: Deployment) -> None:
        document = (await deployment.send("GET", RESOURCE)).json
        assert document == {
            "resource": "https://localhost:8443",
            "authorization_servers": ["https://localhost:8443"],
            "scopes_supported": ["credit:report", "credit:search", "credit:directors"],
            "bearer_methods_supported": ["header"],
            "resource_documentation": "https://localhost:8443/docs",
            "dpop_signing_alg_values_supported": document["dpop_signing_alg_values_supported"],
        }
        named = (await deployment.send("GET", SERVER)).json["protected_resources"]  # RFC 9728 §4
        assert named == [document["resource"]]

    tell(tmp_path, story)


@pytest.mark.parametrize(
    ("resource", "address"),
    [
        # The examples of RFC 9728 §3.1.
        ("https://resource.example.com", "https://resource.example.com/.well-known/oauth-protected-resource"),
        (
            "https://resource.example.com/resource1",
            "https://resource.example.com/.well-known/oauth-protected-resource/resource1",
        ),
        ("https://resource.example.com/", "https://resource.example.com/.well-known/oauth-protected-resource"),
        ("urn:credit", None),
        ("credit", None),
    ],
)
def test_the_path_of_a_resource_follows_the_well_known_one(resource: str, address: str | None) -> None:
    """RFC 9728 §3.1."""
    assert metadata_url(resource) == address


def test_a_path_of_the_issuer_and_of_the_resource_may_follow_and_no_other(tmp_path: Path) -> None:
    """RFC 8414 §3.1, RFC 9728 §3.1, threats P12: no other spelling leads there."""

    async def story(deployment: Deployment) -> None:
        for place, path in ((SERVER, "/base/one"), (RESOURCE, "/risk")):
            assert (await deployment.send("GET", place)).status == 200
            assert (await deployment.send("GET", place + path)).status == 200
            for wrong in ("/", "/other", f"{path}/", f"{path}/x", f"/{path}", path.upper()):
                assert (await deployment.send("GET", place + wrong)).said[:2] == (404, "Not Found")
        document = (await deployment.send("GET", f"{RESOURCE}/risk")).json
        assert document["resource"] == "https://api.example.com/risk"

    tell(tmp_path, story, base_url="https://api.example.com/base/one", audience="https://api.example.com/risk")


def test_an_audience_that_is_no_address_has_no_metadata(tmp_path: Path) -> None:
    """RFC 9728 §1.2: a resource identifier is an HTTPS address."""

    async def story(deployment: Deployment) -> None:
        assert (await deployment.send("GET", RESOURCE)).status == 404
        assert "protected_resources" not in (await deployment.send("GET", SERVER)).json
        reply = await deployment.send("GET", f"{REPORT_PATH}/99999999")
        assert reply.headers["www-authenticate"].startswith("Bearer, DPoP ")

    tell(tmp_path, story, audience="urn:credit")


def test_one_who_shows_no_token_is_told_where_the_metadata_is(tmp_path: Path) -> None:
    """RFC 9728 §5.1. A wrong token's challenge is that of D20, to the letter."""

    async def story(deployment: Deployment) -> None:
        reply = await deployment.send("GET", f"{REPORT_PATH}/99999999")
        where = 'Bearer resource_metadata="https://localhost:8443/.well-known/oauth-protected-resource", DPoP '
        assert reply.headers["www-authenticate"].startswith(where)
        wrong = await deployment.report("wrong")
        assert wrong.headers["www-authenticate"] == 'Bearer error="invalid_token"'

    tell(tmp_path, story)


def test_what_openid_connect_would_take_for_granted_is_denied(tmp_path: Path) -> None:
    """OpenID Connect Discovery §3: `request_uri_parameter_supported` left out means true; there is nothing to ask there."""

    async def story(deployment: Deployment) -> None:
        document = (await deployment.send("GET", SERVER)).json
        assert document["request_uri_parameter_supported"] is False
        assert document["response_types_supported"] == []
        assert "authorization_endpoint" not in document
        assert "authorization_response_iss_parameter_supported" not in document  # RFC 9207 §3

    tell(tmp_path, story)
