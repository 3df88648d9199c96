"""User information: the account of a token, and where a request may have the token (OpenID Connect Core §5.3, RFC 6750)."""

import json
import re
from urllib.parse import urlencode

import msgspec
import pytest
from joserfc import jwt
from joserfc.jwk import KeySet

from credence import paths
from credence.api.tokens.user_info import UserInfo
from credence.crypto import base64url
from credence.identity.accounts import with_profile
from credence.oauth.tokens.standard_claims import NAMES
from tests.deployment import NOW, REPORT_PATH, Deployment, Header, Reply, ada, claims
from tests.oauth.standard import FORM, log_in

ALL = "openid profile email credit:report"


def bearer(token: str) -> Header:
    return ("Authorization", f"Bearer {token}")


async def token(deployment: Deployment, scope: str = ALL) -> str:
    access_token: str = (await log_in(deployment, scope=scope)).json["access_token"]
    return access_token


async def shown(deployment: Deployment, access_token: str) -> Reply:
    return await deployment.send("GET", paths.USER_INFO, [bearer(access_token)])


async def posted(
    deployment: Deployment, fields: dict[str, str], *headers: Header, path: str = paths.USER_INFO
) -> Reply:
    return await deployment.send("POST", path, [FORM, *headers], urlencode(fields).encode())


@pytest.mark.parametrize("scope", ["openid", "openid profile", "openid email", ALL])
async def test_it_has_the_claims_of_the_id_token(deployment: Deployment, scope: str) -> None:
    """Core §5.3.2: `sub` always, and the same; §5.4: what the scopes name."""
    tokens = (await log_in(deployment, scope=scope)).json
    reply = await shown(deployment, tokens["access_token"])
    assert (reply.status, reply.headers["content-type"]) == (200, "application/json")
    of_the_login = {"iss", "aud", "iat", "exp", "auth_time", "at_hash"}
    assert reply.json == {k: v for k, v in claims(tokens["id_token"]).items() if k not in of_the_login}


async def test_an_application_without_the_password_grant_gets_the_standard_names_alone(deployment: Deployment) -> None:
    """D37: the names of the house are for clients of the house dialect, which logs in by password."""
    access_token = await token(deployment)
    house = {"FirstName", "LastName", "account_type", "Email"}
    assert house <= (await shown(deployment, access_token)).json.keys()
    await deployment.change_application(grants=("authorization_code", "refresh_token"))
    found = (await shown(deployment, access_token)).json
    of_profile = {"name", "given_name", "family_name", "preferred_username", "updated_at"}
    assert found.keys() == {"sub", "email", "email_verified"} | of_profile


async def test_an_address_is_verified_only_by_a_message_to_it(deployment: Deployment) -> None:
    """Core §5.1: `email_verified` is true if the provider took steps to ensure that the address is the person's."""
    access_token = await token(deployment)
    assert (await shown(deployment, access_token)).json["email_verified"] is False
    await deployment.change_account(email_verified=True)
    assert (await shown(deployment, access_token)).json["email_verified"] is True
    await deployment.change_account(email=None)
    assert not {"email", "email_verified"} & (await shown(deployment, access_token)).json.keys()


@pytest.mark.parametrize(
    ("before", "address", "said", "after"),
    [
        (False, "ada@example.com", True, True),
        (True, "ada@example.com", True, True),
        (True, "ada@example.com", False, False),
        (True, "ada@other.example", True, False),  # what was said is of the address before
        (False, "ada@other.example", True, True),
        (True, None, True, False),
    ],
)
def test_a_verified_address_is_so_until_it_changes(before: bool, address: str | None, said: bool, after: bool) -> None:
    account = msgspec.structs.replace(ada(), email_verified=before)
    assert with_profile(account, address, "Ada", "Lovelace", NOW, email_verified=said).email_verified is after


async def test_it_says_when_the_profile_was_last_changed_if_that_is_known(deployment: Deployment) -> None:
    """Core §5.1 `updated_at`, in seconds. An account that an earlier version changed has no time of it."""
    access_token = await token(deployment)
    assert (await shown(deployment, access_token)).json["updated_at"] == NOW // 1000
    account = await deployment.store.account("ada")
    assert account is not None
    changed = with_profile(account, "ada@other.example", "Ada", "King", NOW + 90_000, email_verified=False)
    await deployment.store.save_account(changed, NOW + 90_000)
    assert (await shown(deployment, access_token)).json["updated_at"] == NOW // 1000 + 90
    await deployment.change_account(profile_updated_at=0)
    assert "updated_at" not in (await shown(deployment, access_token)).json


async def test_it_must_not_be_cached(deployment: Deployment) -> None:
    """threats A12: it is about a person, and changes with the account."""
    assert (await shown(deployment, await token(deployment))).headers["cache-control"] == "no-store"


async def test_it_has_the_present_state_of_the_account(deployment: Deployment) -> None:
    """Core §5.3.2, D14: the name of today, and nothing once the account may no longer be used."""
    access_token = await token(deployment)
    await deployment.change_account(last_name="King")
    assert (await shown(deployment, access_token)).json["name"] == "Ada King"
    await deployment.set_status("suspended")
    assert (await shown(deployment, access_token)).status == 401


async def test_narrowing_an_application_narrows_the_claims_of_its_live_tokens(deployment: Deployment) -> None:
    """threats A15."""
    access_token = await token(deployment)
    await deployment.change_application(scopes=("openid",))
    assert (await shown(deployment, access_token)).json == {"sub": "ada"}


async def test_the_token_may_be_posted_in_header_or_form(deployment: Deployment) -> None:
    """Core §5.3.1, RFC 6750 §2.2."""
    access_token = await token(deployment)
    expected = (await shown(deployment, access_token)).json
    assert (await posted(deployment, {"access_token": access_token})).json == expected
    in_header = await deployment.send("POST", paths.USER_INFO, [bearer(access_token)])
    assert in_header.json == expected


async def test_a_body_of_another_media_type_is_ignored(deployment: Deployment) -> None:
    """RFC 6750 §2.2: a token is read from a body only if its media type is a form; §3.1: otherwise there is none."""
    access_token = await token(deployment)
    form = urlencode({"access_token": access_token}).encode()
    for kind in ("application/json", "text/plain", "application/x-www-form-urlencoded; charset=utf-16"):
        reply = await deployment.send("POST", paths.USER_INFO, [("Content-Type", kind)], form)
        assert (reply.status, *said_of_the_token(reply)) == (401, None, None)
        header = [("Content-Type", kind), bearer(access_token)]
        assert (await deployment.send("POST", paths.USER_INFO, header, form)).status == 200


async def test_a_form_that_is_not_posted_is_ignored(deployment: Deployment) -> None:
    """RFC 6750 §2.2: the method must not be GET."""
    form = urlencode({"access_token": await token(deployment)}).encode()
    assert (await deployment.send("GET", paths.USER_INFO, [FORM], form)).status == 401


@pytest.mark.parametrize("blank", ["", " "])
async def test_a_blank_token_in_a_form_is_no_token(deployment: Deployment, blank: str) -> None:
    """RFC 6750 §3.1: a request without a token gets no error code."""
    reply = await posted(deployment, {"access_token": blank})
    assert (reply.status, *said_of_the_token(reply)) == (401, None, None)


@pytest.mark.parametrize("method", ["GET", "POST"])
async def test_no_token_is_read_from_a_query(deployment: Deployment, method: str) -> None:
    """RFC 6750 §2.3 is not offered: addresses are logged."""
    query = urlencode({"access_token": await token(deployment)})
    reply = await deployment.send(method, f"{paths.USER_INFO}?{query}")
    assert (reply.status, *said_of_the_token(reply)) == (401, None, None)


@pytest.mark.parametrize("places", ["header and form", "header and address", "form and address", "all three"])
async def test_a_token_in_two_places_is_refused(deployment: Deployment, places: str) -> None:
    """RFC 6750 §2 and §3.1: more than one method is `invalid_request`, 400; also where both say the same (threats P8)."""
    access_token = await token(deployment)
    field = {"access_token": access_token}
    every = places == "all three"
    headers = [bearer(access_token)] if every or "header" in places else []
    query = f"?{urlencode(field)}" if every or "address" in places else ""
    form = field if every or "form" in places else {"other": "field"}
    refused(await posted(deployment, form, *headers, path=paths.USER_INFO + query))


@pytest.mark.parametrize(
    "body",
    [b"access_token", b"access_token=%FF", b"access_token=\xff", b"access_token=a%00b", b"access_token=" + b"a" * 8193],
    ids=["no value", "no UTF-8", "no ASCII", "a NUL", "too long"],
)
async def test_a_malformed_form_is_refused(deployment: Deployment, body: bytes) -> None:
    """RFC 6750 §3.1: a malformed request is `invalid_request`, 400, and no 5xx."""
    refused(await deployment.send("POST", paths.USER_INFO, [FORM], body))


async def test_a_repeated_token_is_refused(deployment: Deployment) -> None:
    """RFC 6750 §3.1: repeating a parameter is `invalid_request`, 400."""
    form = urlencode([("access_token", await token(deployment))] * 2).encode()
    refused(await deployment.send("POST", paths.USER_INFO, [FORM], form))


async def test_an_attack_next_to_the_token_is_refused(deployment: Deployment) -> None:
    """D17: values of bodies are screened; the token itself is not."""
    fields = {"access_token": await token(deployment), "note": "<script>alert(1)</script>"}
    refused(await posted(deployment, fields))


async def test_any_other_text_is_an_invalid_token(deployment: Deployment) -> None:
    """RFC 6750 §3.1: `invalid_token`, 401, in the header or in a form; threats T8: an ID token is none."""
    tokens = (await log_in(deployment, scope=ALL)).json
    bad = ["rubbish", tokens["id_token"], tokens["refresh_token"], tokens["access_token"] + "=", "é.é.é"]
    for each in bad:
        for reply in (await shown(deployment, each), await posted(deployment, {"access_token": each})):
            assert reply.said == (401, "Unauthorized", "Access token is Invalid.")
            assert said_of_the_token(reply) == ("invalid_token", None)


async def test_a_revoked_token_returns_nothing(deployment: Deployment) -> None:
    """D11, spec §3.4."""
    access_token = await token(deployment)
    assert (await shown(deployment, access_token)).status == 200
    await deployment.revoke(access_token)
    assert (await shown(deployment, access_token)).status == 401


async def test_without_openid_it_is_closed(deployment: Deployment) -> None:
    """Core §5.3, RFC 6750 §3.1: `insufficient_scope`, 403, and which scope is needed."""
    for access_token in (await token(deployment, "profile email"), (await deployment.tokens())["access_token"]):
        reply = await shown(deployment, access_token)
        assert (reply.status, *said_of_the_token(reply)) == (403, "insufficient_scope", "openid")


async def test_a_token_for_another_resource_opens_none(deployment: Deployment) -> None:
    """RFC 9068 §4, RFC 8707 §2."""
    await deployment.change_application(audiences=("https://ledger.example/api",))
    reply = await log_in(deployment, scope="openid", resource="https://ledger.example/api")
    assert (await shown(deployment, reply.json["access_token"])).status == 401


async def test_scripts_of_other_origins_get_no_answer(deployment: Deployment) -> None:
    """threats E5: no origin is echoed, and a preflight is 405 (`docs/adr/edge.md`)."""
    access_token = await token(deployment)
    for origin in ("https://localhost:8443", "null", "https://localhost:8443.evil.example"):
        reply = await deployment.send("GET", paths.USER_INFO, [bearer(access_token), ("Origin", origin)])
        assert not [name for name in reply.headers if name.startswith("access-control-")]
        preflight = [("Origin", origin), ("Access-Control-Request-Method", "GET")]
        assert (await deployment.send("OPTIONS", paths.USER_INFO, preflight)).status == 405


async def test_the_credit_api_takes_tokens_from_the_header_alone(deployment: Deployment) -> None:
    """RFC 6750 §2.2 is for POST, which it has not, and §2.3 is not offered."""
    access_token = await token(deployment)
    form, report = {"access_token": access_token}, f"{REPORT_PATH}/99999999"
    assert (await deployment.report(access_token)).status == 200
    assert (await posted(deployment, form, path=report)).status == 405
    for reply in (
        await deployment.send("GET", f"{report}?{urlencode(form)}"),
        await deployment.send("GET", report, [FORM], urlencode(form).encode()),
    ):
        assert (reply.status, *said_of_the_token(reply)) == (401, None, None)


def test_the_reference_names_every_claim_there_is() -> None:
    """The model that is published is written by hand; what is told is not. Generated clients need one name for Email."""
    assert {field.name for field in msgspec.structs.fields(UserInfo)} | {"Email"} == {"sub", *NAMES}


def said_of_the_token(reply: Reply) -> tuple[str | None, str | None]:
    """The parameters `error` and `scope` of the challenge (RFC 6750 §3)."""
    scheme, _, parameters = reply.headers["www-authenticate"].partition(" ")
    assert scheme == "Bearer"
    said = dict(re.findall(r'(\w+)="([^"]*)"', parameters))
    return said.get("error"), said.get("scope")


def refused(reply: Reply) -> None:
    """RFC 6750 §3.1: the code in the challenge, and 400."""
    assert reply.said[:2] == (400, "Bad Request")
    assert said_of_the_token(reply) == ("invalid_request", None)


async def test_user_information_is_signed_with_each_algorithm_that_is_advertised(deployment: Deployment) -> None:
    """userinfo_signing_alg_values_supported (OpenID Connect Discovery §3)."""
    document = (await deployment.send("GET", paths.AUTHORIZATION_SERVER)).json
    for algorithm in document["userinfo_signing_alg_values_supported"]:
        await deployment.change_application(user_info_algorithm=algorithm)
        reply = await shown(deployment, await token(deployment, "openid"))
        assert json.loads(base64url.decode(reply.body.decode().split(".")[0]))["alg"] == algorithm


@pytest.mark.parametrize("algorithm", ["RS256", "ES256"])
async def test_an_application_that_registered_an_algorithm_gets_signed_user_information(
    deployment: Deployment, algorithm: str
) -> None:
    """Core §5.3.2 and the module oidcc-userinfo-rs256: with `iss` and `aud`, verified by joserfc."""
    await deployment.change_application(user_info_algorithm=algorithm)
    plain = (await log_in(deployment, scope=ALL)).json["access_token"]
    reply = await shown(deployment, plain)
    assert (reply.status, reply.headers["content-type"]) == (200, "application/jwt")
    keys = KeySet.import_key_set((await deployment.send("GET", paths.KEYS)).json)
    said = jwt.decode(reply.body.decode(), keys, algorithms=[algorithm])
    assert said.header["alg"] == algorithm
    assert (said.claims["iss"], said.claims["aud"]) == ("https://localhost:8443", deployment.application.client_id)
    await deployment.change_application(user_info_algorithm=None)
    unsigned = (await shown(deployment, plain)).json
    assert {name: value for name, value in said.claims.items() if name not in ("iss", "aud")} == unsigned


async def test_signed_user_information_is_no_id_token(deployment: Deployment) -> None:
    """threats T8: it signs nobody out."""
    await deployment.change_application(user_info_algorithm="RS256")
    text = (await shown(deployment, await token(deployment))).body.decode()
    assert (await deployment.send("GET", f"{paths.SIGN_OUT}?id_token_hint={text}")).status == 400
