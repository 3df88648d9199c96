"""Where metadata is found, by whoever knows the issuer or the resource alone (RFC 8414 §3.1, RFC 9728 §3)."""

import pytest

from credence.oauth.endpoints.metadata import metadata_url
from tests.deployment import REPORT_PATH, Deployment

SERVER = "/.well-known/oauth-authorization-server"
RESOURCE = "/.well-known/oauth-protected-resource"


async def test_both_standards_read_the_same_document(deployment: Deployment) -> None:
    """RFC 8414 §5: the same members under either name; its issuer is the one asked for (§3.3)."""
    one = await deployment.send("GET", SERVER)
    other = await deployment.send("GET", "/.well-known/openid-configuration")
    assert one.status == 200
    assert one.headers["content-type"] == "application/json"
    assert one.body == other.body
    assert one.json["issuer"] == "https://localhost:8443"


async def test_the_resource_says_who_issues_its_tokens(deployment: Deployment) -> None:
    """RFC 9728 §2, §3.3: `resource` is the identifier from which the address was made."""
    document = (await deployment.send("GET", RESOURCE)).json
    assert document == {
        "resource": "https://localhost:8443",
        "authorization_servers": ["https://localhost:8443"],
        "scopes_supported": ["credit:report", "credit:search", "credit:directors", "credit:disputes", "credit:monitor"],
        "bearer_methods_supported": ["header"],
        "resource_documentation": "https://localhost:8443/docs",
        "authorization_details_types_supported": ["credit_report"],  # RFC 9396 §10
        "dpop_signing_alg_values_supported": document["dpop_signing_alg_values_supported"],
    }
    named = (await deployment.send("GET", SERVER)).json["protected_resources"]  # RFC 9728 §4
    assert named == [document["resource"], "https://localhost:8443/mcp"]


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


@pytest.mark.settings(base_url="https://api.example.com/base/one", audience="https://api.example.com/risk")
async def test_a_path_of_the_issuer_and_of_the_resource_may_follow_and_no_other(deployment: Deployment) -> None:
    """RFC 8414 §3.1, RFC 9728 §3.1, threats P12: no other spelling leads there."""
    for place, path in ((SERVER, "/base/one"), (RESOURCE, "/risk")):
        assert (await deployment.send("GET", place)).status == 200
        assert (await deployment.send("GET", place + path)).status == 200
        for wrong in ("/", "/other", f"{path}/", f"{path}/x", f"/{path}", path.upper()):
            assert (await deployment.send("GET", place + wrong)).said[:2] == (404, "Not Found")
    document = (await deployment.send("GET", f"{RESOURCE}/risk")).json
    assert document["resource"] == "https://api.example.com/risk"


@pytest.mark.settings(audience="urn:credit")
async def test_an_audience_that_is_no_address_has_no_metadata(deployment: Deployment) -> None:
    """RFC 9728 §1.2: a resource identifier is an HTTPS address. The resource for agents keeps its own."""
    assert (await deployment.send("GET", RESOURCE)).status == 404
    assert (await deployment.send("GET", SERVER)).json["protected_resources"] == ["https://localhost:8443/mcp"]
    reply = await deployment.send("GET", f"{REPORT_PATH}/99999999")
    assert reply.headers["www-authenticate"].startswith("Bearer, DPoP ")


async def test_one_who_shows_no_token_is_told_where_the_metadata_is(deployment: Deployment) -> None:
    """RFC 9728 §5.1. A wrong token's challenge is that of D20, to the letter."""
    reply = await deployment.send("GET", f"{REPORT_PATH}/99999999")
    where = 'Bearer resource_metadata="https://localhost:8443/.well-known/oauth-protected-resource", DPoP '
    assert reply.headers["www-authenticate"].startswith(where)
    wrong = await deployment.report("wrong")
    assert wrong.headers["www-authenticate"] == 'Bearer error="invalid_token"'


async def test_what_openid_connect_would_take_for_granted_is_denied(deployment: Deployment) -> None:
    """OpenID Connect Discovery §3: `request_uri_parameter_supported` left out means true."""
    document = (await deployment.send("GET", SERVER)).json
    assert document["request_uri_parameter_supported"] is False


@pytest.mark.parametrize("address", [SERVER, RESOURCE, "/.well-known/openid-configuration"])
async def test_no_member_is_an_empty_list(deployment: Deployment, address: str) -> None:
    """RFC 8414 §3.2, RFC 9728 §3.2."""
    document = (await deployment.send("GET", address)).json
    assert [name for name, value in document.items() if value in ([], "", None)] == []
