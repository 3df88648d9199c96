"""One method for each application, one method in each request (RFC 6749 §2.3, §2.3.1, D1, D2)."""

import base64
from typing import Any
from urllib.parse import quote_plus, urlencode

import pytest

from credence.paths import INTROSPECTION
from tests.deployment import PASSWORD, REVOKE_PATH, TOKEN_PATH, Deployment, Header
from tests.oauth.assertions import Client, registered
from tests.oauth.standard import ask, error, log_in

OWN = {"grant_type": "client_credentials"}


def posted(deployment: Deployment) -> dict[str, str]:
    return {"client_id": deployment.application.client_id, "client_secret": deployment.secret}


def basic(client_id: str, secret: str) -> Header:
    return ("Authorization", "Basic " + base64.b64encode(f"{client_id}:{secret}".encode()).decode())


async def test_a_secret_may_be_in_the_form(deployment: Deployment) -> None:
    """RFC 6749 §2.3.1, `client_secret_post`: for every grant but the password's (D1)."""
    await deployment.change_application(grants=("client_credentials", "password", "refresh_token"))
    assert (await ask(deployment, OWN | posted(deployment), headers=[])).status == 200
    refresh = (await log_in(deployment)).json["refresh_token"]
    form = {"grant_type": "refresh_token", "refresh_token": refresh} | posted(deployment)
    assert (await ask(deployment, form, headers=[])).status == 200
    form = {"token": refresh} | posted(deployment)
    assert (await ask(deployment, form, headers=[], path=REVOKE_PATH)).status == 200
    login = {"grant_type": "password", "username": "ada", "password": PASSWORD}
    assert (await ask(deployment, login | posted(deployment), headers=[])).status == 415


FORM: Header = ("Content-Type", "application/x-www-form-urlencoded")

LOGIN = {"grant_type": "password", "username": "ada", "password": PASSWORD}


async def test_an_application_registered_for_the_form_sends_its_secret_there_with_every_grant(
    deployment: Deployment,
) -> None:
    """D1, RFC 6749 §2.3.1, §4.3.2: as Dovecot, oidc-client-ts and ruby-oauth2 do."""
    grants = ("client_credentials", "password", "refresh_token")
    await deployment.change_application(authentication="client_secret_post", grants=grants)
    reply = await ask(deployment, LOGIN | posted(deployment), headers=[])
    assert reply.status == 200
    assert reply.json["expires_in"] == 10_800
    refresh = {"grant_type": "refresh_token", "refresh_token": reply.json["refresh_token"]}
    for form in (refresh, OWN):
        assert (await ask(deployment, form | posted(deployment), headers=[])).status == 200


async def test_a_wrong_secret_or_password_in_such_a_form_is_refused_as_elsewhere(deployment: Deployment) -> None:
    """RFC 6749 §5.2."""
    await deployment.change_application(authentication="client_secret_post")
    wrong = posted(deployment) | {"client_secret": "wrong"}
    refused = await ask(deployment, LOGIN | wrong, headers=[])
    assert error(refused) == (401, "invalid_client")
    assert refused.headers["x-reason"] == "client.mismatch"
    wrong = LOGIN | {"password": "wrong"}
    assert error(await ask(deployment, wrong | posted(deployment), headers=[])) == (400, "invalid_grant")


@pytest.mark.parametrize("method", ["client_secret", "client_secret_basic", "private_key_jwt", "none"])
async def test_the_secret_of_a_password_grant_in_the_form_is_415_for_other_applications(
    deployment: Deployment, method: str
) -> None:
    """D1: the row of spec §7.4 stays for applications as they are made by default; its description names the way out."""
    await deployment.change_application(authentication=method)
    for client in (posted(deployment), posted(deployment) | {"client_id": "crd_sbx_app_unknown"}):
        reply = await ask(deployment, LOGIN | client, headers=[])
        assert reply.said == (415, "Unsupported Media Type", "Content-Type header is unsupported.")
        assert reply.json["error"] == "invalid_request"
        assert "client_secret_post" in reply.json["error_description"]


@pytest.mark.parametrize("client_id", ["%ff", "%ed%a0%80", "\xff", "%00", "a%00b"])
async def test_a_client_id_that_no_application_can_have_is_that_of_another_application(
    deployment: Deployment, client_id: str
) -> None:
    """D1, threats P2: the application of such a form is looked up before the form is checked, and no input is a 500."""
    body = f"grant_type=password&username=ada&password=x&client_id={client_id}&client_secret=x".encode("latin-1")
    reply = await deployment.send("POST", TOKEN_PATH, [FORM], body)
    assert (reply.status, reply.json["error"]) == (415, "invalid_request")


@pytest.mark.parametrize("charset", ["ISO-8859-1", "utf-16", "utf-8; charset=utf-7"])
async def test_a_form_in_another_charset_is_told_so(deployment: Deployment, charset: str) -> None:
    """D1: libraries for Java name ISO-8859-1 by default, and read `error`."""
    form = ("Content-Type", f"application/x-www-form-urlencoded; charset={charset}")
    body = urlencode(OWN | posted(deployment)).encode()
    reply = await deployment.send("POST", TOKEN_PATH, [form], body)
    assert reply.said == (415, "Unsupported Media Type", "Content-Type header is unsupported.")
    assert reply.json["error"] == "invalid_request"
    assert "UTF-8" in reply.json["error_description"]


async def test_a_refused_form_is_answered_in_xml_to_one_who_prefers_that(deployment: Deployment) -> None:
    """D8."""
    reply = await ask(deployment, LOGIN | posted(deployment), headers=[("Accept", "application/xml")])
    assert (reply.status, reply.headers["content-type"]) == (415, "application/xml")


@pytest.mark.parametrize(
    ("method", "in_basic", "in_form"),
    [("client_secret", 200, 200), ("client_secret_basic", 200, 401), ("client_secret_post", 401, 200)],
)
async def test_a_secret_is_accepted_only_in_the_registered_place(
    deployment: Deployment, method: str, in_basic: int, in_form: int
) -> None:
    """RFC 7591 §2: in any other place it is refused, also when it is correct."""
    grants = ("client_credentials", "password", "refresh_token")
    await deployment.change_application(authentication=method, grants=grants)
    assert (await ask(deployment, OWN)).status == in_basic
    assert (await ask(deployment, LOGIN)).status == in_basic
    assert (await ask(deployment, OWN | posted(deployment), headers=[])).status == in_form
    in_headers = (await ask(deployment, OWN, headers=deployment.client)).status  # D2
    assert in_headers == (200 if method == "client_secret" else 401)
    assert (await deployment.login()).status == 200  # the house dialect has places of its own


async def test_basic_without_a_secret_is_not_the_place_of_one_in_a_header(deployment: Deployment) -> None:
    """RFC 6749 §2.3.1, D2: `client_secret_basic` is a secret in HTTP Basic, not a name there and a secret elsewhere."""
    await deployment.change_application(authentication="client_secret_basic", grants=("client_credentials",))
    nameless = [basic(deployment.application.client_id, ""), ("client_secret", deployment.secret)]
    assert error(await ask(deployment, OWN, headers=nameless)) == (401, "invalid_client")


async def test_basic_is_decoded_as_a_form_is(deployment: Deployment) -> None:
    """RFC 6749 §2.3.1, appendix B."""
    await deployment.change_application(grants=("client_credentials",))
    client_id = "".join(f"%{ord(letter):02X}" for letter in deployment.application.client_id)
    assert (await ask(deployment, OWN, headers=[basic(client_id, quote_plus(deployment.secret))])).status == 200


@pytest.mark.parametrize("same", [True, False])
async def test_two_methods_in_one_request_are_refused(deployment: Deployment, same: bool) -> None:
    """RFC 6749 §2.3 and §5.2: more than one mechanism is invalid_request, whatever either is worth."""
    await deployment.change_application(grants=("client_credentials",))
    secret = deployment.secret if same else "wrong"
    form = {**OWN, **posted(deployment), "client_secret": secret}
    assert error(await ask(deployment, form)) == (400, "invalid_request")
    client = await registered(deployment)
    assert error(await client.show(client.assertion(), **posted(deployment))) == (400, "invalid_request")
    both = {**OWN, "client_assertion_type": "x", "client_assertion": client.assertion()}
    assert error(await ask(deployment, both)) == (400, "invalid_request")


async def test_a_client_id_next_to_basic_is_not_a_second_method(deployment: Deployment) -> None:
    """RFC 6749 §3.2.1: client_id may be there; another one contradicts (D2)."""
    await deployment.change_application(grants=("client_credentials",))
    client_id = deployment.application.client_id
    assert (await ask(deployment, {**OWN, "client_id": client_id})).status == 200
    assert error(await ask(deployment, {**OWN, "client_id": "another"})) == (401, "invalid_client")


@pytest.mark.parametrize("method", ["private_key_jwt", "tls_client_auth", "self_signed_tls_client_auth", "none"])
async def test_a_secret_is_worth_nothing_where_another_method_is_registered(
    deployment: Deployment, method: str
) -> None:
    """RFC 7591 §2: also the application's own from before it changed; in both dialects."""
    await deployment.change_application(authentication=method, grants=("client_credentials", "password"))
    assert error(await ask(deployment, OWN)) == (401, "invalid_client")
    assert error(await ask(deployment, OWN | posted(deployment), headers=[])) == (401, "invalid_client")
    house = await deployment.login()
    assert house.said == (401, "Unauthorized", "Access is denied due to invalid client id or client secret.")


async def test_an_assertion_is_worth_nothing_where_a_secret_is_registered(deployment: Deployment) -> None:
    """RFC 7591 §2: also by a key that is registered."""
    client = await registered(deployment, authentication="client_secret")
    assert error(await client.show(client.assertion())) == (401, "invalid_client")
    assert (await ask(deployment, OWN)).status == 200


@pytest.mark.parametrize("method", ["client_secret", "private_key_jwt", "tls_client_auth"])
@pytest.mark.parametrize("known", [True, False])
async def test_a_name_alone_proves_nothing(deployment: Deployment, method: str, known: bool) -> None:
    """RFC 6749 §5.2: no client authentication is invalid_client, whether there is such a client or not."""
    await deployment.change_application(authentication=method, grants=("client_credentials",))
    named = deployment.application.client_id if known else "crd_sbx_app_unknown"
    assert error(await ask(deployment, {**OWN, "client_id": named}, headers=[])) == (401, "invalid_client")


@pytest.mark.parametrize("authorization", [None, "Bearer {token}", 'Digest username="ledger"', "Basic"])
@pytest.mark.parametrize("path", [TOKEN_PATH, REVOKE_PATH, INTROSPECTION])
async def test_a_request_without_client_authentication_is_invalid_client(
    deployment: Deployment, path: str, authorization: str | None
) -> None:
    """RFC 6749 §5.2, RFC 7662 §2.3: none at all, or a scheme that authenticates no client; the challenge names Basic."""
    tokens = await deployment.tokens()
    headers = [("Authorization", authorization.format(token=tokens["access_token"]))] if authorization else []
    form = {"grant_type": "refresh_token", "refresh_token": tokens["refresh_token"], "token": tokens["access_token"]}
    reply = await ask(deployment, form, headers=headers, path=path)
    assert error(reply) == (401, "invalid_client")
    assert reply.headers["www-authenticate"] == 'Basic realm="credence"'
    assert (await deployment.report(tokens["access_token"])).status == 200
    assert (await deployment.refresh(tokens["refresh_token"])).status == 200


async def test_a_house_request_without_client_authentication_is_a_missing_attribute(deployment: Deployment) -> None:
    """Spec §7.2: 400, without a challenge."""
    token = (await deployment.tokens())["access_token"]
    for headers in ([], [("Authorization", f"Bearer {token}")]):
        reply = await deployment.send("POST", REVOKE_PATH, [*headers, ("token", token)])
        assert reply.said == (400, "Bad Request", "The 'client_id' and 'client_secret' attributes are required.")
        assert "www-authenticate" not in reply.headers


@pytest.mark.parametrize("grant", ["client_credentials", "refresh_token"])
async def test_a_public_application_may_not_use_what_needs_a_client(deployment: Deployment, grant: str) -> None:
    """RFC 6749 §4.4: client credentials are for confidential clients; the list of grants does not change that."""
    refresh = (await deployment.tokens())["refresh_token"]
    await deployment.change_application(authentication="none", grants=("client_credentials", "refresh_token"))
    form = {"grant_type": grant, "refresh_token": refresh, "client_id": deployment.application.client_id}
    assert error(await ask(deployment, form, headers=[])) == (400, "unauthorized_client")


async def test_a_public_application_may_revoke_its_own_tokens_and_no_others(deployment: Deployment) -> None:
    """RFC 7009 §2.1, §5."""
    own, foreign = await deployment.tokens(), await (await deployment.another_application()).tokens()
    await deployment.change_application(authentication="none")
    named = {"client_id": deployment.application.client_id}
    for tokens, status in ((own, 401), (foreign, 200)):
        form = {"token": tokens["access_token"], **named}
        assert (await ask(deployment, form, headers=[], path=REVOKE_PATH)).status == 200
        assert (await deployment.report(tokens["access_token"])).status == status


@pytest.mark.settings(spike_burst=1)
async def test_no_caller_uses_up_the_rate_of_a_public_application(deployment: Deployment) -> None:
    """D16, threats A12: whoever knows its name counts for his own address alone."""
    client_id = deployment.application.client_id
    token = (await deployment.tokens())["access_token"]
    await deployment.change_application(authentication="none", spike_per_minute=1)
    form = {"token": "x", "client_id": client_id}
    for _ in range(10):
        assert (await ask(deployment, form, headers=[], path=REVOKE_PATH)).status == 200
    assert (await deployment.report(token)).status == 200


async def test_no_refusal_names_the_wrong_method(deployment: Deployment) -> None:
    """threats A2, A3: an unknown client, another method and a wrong proof read alike."""
    client = await registered(deployment)
    unknown = Client(deployment, client.key)
    replies = [
        await client.show(client.assertion(), client_id="unknown"),
        await client.show(client.assertion(exp=0), client_id=client.client_id),
        await ask(deployment, OWN),
        await ask(deployment, OWN, headers=[basic("unknown", "secret")]),
        await unknown.show(unknown.assertion(iss="unknown", sub="unknown")),
    ]
    said: set[Any] = set()
    for reply in replies:
        members = {name: value for name, value in reply.json.items() if name != "error_uri"}  # in the sandbox alone
        said.add((reply.status, str(members), reply.headers["www-authenticate"]))
    assert len(said) == 1
