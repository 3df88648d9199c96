"""Scopes and resources: what a token is for, and what it opens (RFC 6749 §3.3, RFC 8707, threats A15)."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from credence.oauth.issue import TokenOptions, new_family
from credence.oauth.parameters.scopes import SCOPES, effective, granted, of_application
from credence.oauth.tokens.refresh_token import RefreshTokenClaims
from credence.paths import INTROSPECTION, PORTFOLIOS, REVOCATION
from credence.refusals.refusal import Refused
from tests.deployment import NOW, PASSWORD, Deployment, claims
from tests.oauth.standard import ask, error, log_in

API = "credit:report credit:search credit:directors"


@given(
    asked=st.lists(st.sampled_from([*SCOPES, "unknown"]), min_size=1).map(" ".join),
    allowed=st.frozensets(st.sampled_from([*SCOPES])),
)
def test_the_granted_scope_is_requested_and_allowed(asked: str, allowed: frozenset[str]) -> None:
    """threats A15: issued is a subset of configured, for whatever is asked."""
    wanted = SCOPES.keys() & asked.split(" ")
    if wanted and wanted <= allowed:
        assert set(granted(asked, allowed).split(" ")) == wanted
    else:
        with pytest.raises(Refused):
            granted(asked, allowed)


@given(
    scope=st.lists(st.sampled_from([*SCOPES])).map(" ".join),
    allowed=st.none() | st.lists(st.sampled_from([*SCOPES]), unique=True).map(tuple),
    public=st.booleans(),
)
def test_a_token_opens_no_more_than_its_application_may(
    scope: str, allowed: tuple[str, ...] | None, public: bool
) -> None:
    """threats A15: an application whose scopes were narrowed after the token was issued is narrowed at once."""
    assert effective(scope, allowed, public) <= frozenset(SCOPES if allowed is None else allowed)


def test_an_application_without_scopes_gets_none() -> None:
    """threats A15: empty means none."""
    assert granted(None, ()) == ""
    assert effective("", (), False) == frozenset()


async def test_a_public_application_has_portfolios_only_where_its_scopes_say_so(deployment: Deployment) -> None:
    """threats E1: its people would share them. A token of before opens them no longer either (RFC 9700 §2.3)."""
    token = (await log_in(deployment, scope="credit:monitor credit:report")).json["access_token"]
    bearer = [("Authorization", f"Bearer {token}")]
    assert (await deployment.send("GET", PORTFOLIOS, bearer)).status == 200
    await deployment.change_application(authentication="none", secrets=())
    assert (await deployment.send("GET", PORTFOLIOS, bearer)).status == 403
    assert "credit:monitor" not in of_application(deployment.application)
    await deployment.change_application(scopes=("credit:monitor",))
    assert (await deployment.send("GET", PORTFOLIOS, bearer)).status == 200


@pytest.mark.parametrize(
    "asked", [" ", "credit:report  openid", "credit:report ", 'a"b', "a\\b", "credit:report\topenid"]
)
def test_a_malformed_scope_is_refused(asked: str) -> None:
    """RFC 6749 §3.3: scope-token = 1*( %x21 / %x23-5B / %x5D-7E ), separated by one space."""
    with pytest.raises(Refused, match=r"scope\.malformed"):
        granted(asked, SCOPES)


async def test_the_answer_contains_the_granted_scope(deployment: Deployment) -> None:
    """RFC 6749 §5.1; what nobody knows is passed over (OpenID Connect Core §3.1.2.1)."""
    reply = await log_in(deployment, scope="credit:search address credit:report")
    assert reply.json["scope"] == "credit:report credit:search"
    assert claims(reply.json["access_token"])["scope"] == "credit:report credit:search"


async def test_the_answer_to_a_login_names_no_type_of_an_exchanged_token(deployment: Deployment) -> None:
    """RFC 6749 §5.1 and `issued_at` (D4); `issued_token_type` is of RFC 8693 §2.2.1, `id_token` of a login with openid."""
    members = (await log_in(deployment, scope="credit:report")).json.keys()
    assert members == {
        "access_token",
        "token_type",
        "expires_in",
        "refresh_token",
        "refresh_token_expires_in",
        "scope",
        "issued_at",
    }


async def test_a_scope_the_application_may_not_have_is_refused(deployment: Deployment) -> None:
    """RFC 6749 §5.2."""
    await deployment.change_application(scopes=("credit:report",))
    assert error(await log_in(deployment, scope="credit:search")) == (400, "invalid_scope")
    assert (await log_in(deployment)).json["scope"] == "credit:report"


async def test_the_refusal_of_a_token_without_the_scope_names_the_scope(deployment: Deployment) -> None:
    """RFC 6750 §3.1: insufficient_scope, 403, with the scope that is needed."""
    token = (await log_in(deployment, scope="credit:search")).json["access_token"]
    reply = await deployment.report(token)
    assert reply.said == (403, "Forbidden", "Access to the requested resource is forbidden.")
    assert reply.headers["www-authenticate"] == 'Bearer error="insufficient_scope", scope="credit:report"'


async def test_narrowing_an_application_narrows_its_live_tokens(deployment: Deployment) -> None:
    token = (await deployment.tokens())["access_token"]
    assert (await deployment.report(token)).status == 200
    await deployment.change_application(scopes=("credit:search",))
    assert (await deployment.report(token)).status == 403


async def test_a_refresh_may_ask_for_less_and_later_for_all_again(deployment: Deployment) -> None:
    """RFC 6749 §6: the scope of the login stays what it was; the access token's may be narrower."""
    first = (await log_in(deployment)).json
    narrow = await ask(
        deployment,
        {"grant_type": "refresh_token", "refresh_token": first["refresh_token"], "scope": "credit:report"},
    )
    assert narrow.json["scope"] == claims(narrow.json["access_token"])["scope"] == "credit:report"
    again = await ask(
        deployment,
        {"grant_type": "refresh_token", "refresh_token": first["refresh_token"], "scope": "credit:report"},
    )
    assert again.json == narrow.json  # D7: the lost answer, to the letter
    whole = await ask(deployment, {"grant_type": "refresh_token", "refresh_token": narrow.json["refresh_token"]})
    assert whole.json["scope"] == API


async def test_a_refresh_mints_no_scope_that_its_application_has_lost(deployment: Deployment) -> None:
    """threats A15: a verifier elsewhere knows what the token says, and nothing of the application."""
    first = (await log_in(deployment, scope=f"openid {API}")).json
    await deployment.change_application(scopes=("openid", "credit:search"))
    less = (await ask(deployment, {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]})).json
    assert less["scope"] == claims(less["access_token"])["scope"] == "openid credit:search"
    refresh = {"grant_type": "refresh_token", "refresh_token": less["refresh_token"]}
    assert error(await ask(deployment, refresh | {"scope": "credit:report"})) == (400, "invalid_scope")
    await deployment.change_application(scopes=("profile",))
    assert error(await ask(deployment, refresh)) == (400, "invalid_scope")
    await deployment.change_application(scopes=None)
    again = (await ask(deployment, refresh)).json
    assert again["scope"] == f"openid {API}"  # what was refused has used up nothing


async def test_a_wrong_scope_does_not_hide_that_a_refresh_token_was_used_before(deployment: Deployment) -> None:
    """threats §6: the token is said to be wrong first, and its family ends."""
    first = (await log_in(deployment, scope="credit:report")).json
    refresh = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    newest = (await ask(deployment, refresh)).json
    deployment.now += 3_600_000
    assert error(await ask(deployment, refresh | {"scope": "credit:search"})) == (400, "invalid_grant")
    assert (await deployment.report(newest["access_token"])).status == 401


async def test_a_login_from_before_there_were_scopes_may_ask_for_less_too(deployment: Deployment) -> None:
    """It opens all of the API (threats A15), so a part of that is part of what was granted (RFC 6749 §6)."""
    authority, account = deployment.service.authority, await deployment.store.account("ada")
    assert account is not None
    family = new_family(authority, deployment.application, account, TokenOptions(), NOW)
    await deployment.store.open_family(msgspec.structs.replace(family, scope=""), account)
    claims = RefreshTokenClaims(family.id, 0, "ada")
    token = authority.refresh_tokens.write(deployment.application.client_id, claims)
    refresh = {"grant_type": "refresh_token", "refresh_token": token}
    assert error(await ask(deployment, refresh | {"scope": "openid"})) == (400, "invalid_scope")
    narrow = await ask(deployment, refresh | {"scope": "credit:report"})
    assert narrow.json["scope"] == "credit:report"


async def test_a_refresh_may_not_ask_for_more(deployment: Deployment) -> None:
    """RFC 6749 §6, and the refused request spends nothing."""
    first = (await log_in(deployment, scope="credit:report")).json
    fields = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    assert error(await ask(deployment, {**fields, "scope": "credit:search"})) == (400, "invalid_scope")
    assert (await ask(deployment, fields)).json["scope"] == "credit:report"


async def test_a_token_for_another_resource_has_its_audience_and_is_refused_here(deployment: Deployment) -> None:
    """RFC 8707 §2, RFC 9068 §3 and §4: the audience is the resource, and a resource takes its own tokens only."""
    await deployment.change_application(audiences=("https://ledger.example/api",))
    reply = await log_in(deployment, resource="https://ledger.example/api")
    assert claims(reply.json["access_token"])["aud"] == "https://ledger.example/api"
    assert (await deployment.report(reply.json["access_token"])).status == 401
    refreshed = await ask(deployment, {"grant_type": "refresh_token", "refresh_token": reply.json["refresh_token"]})
    assert claims(refreshed.json["access_token"])["aud"] == "https://ledger.example/api"


@pytest.mark.parametrize(
    "resources",
    [["https://elsewhere.example"], ["https://localhost:8443", "https://ledger.example/api"]],
    ids=["of another", "two at once"],
)
async def test_a_resource_that_no_token_can_be_issued_for_is_refused(
    deployment: Deployment, resources: list[str]
) -> None:
    """RFC 8707 §2: invalid_target."""
    await deployment.change_application(grants=("client_credentials",), audiences=("https://ledger.example/api",))
    fields = [("grant_type", "client_credentials"), *(("resource", each) for each in resources)]
    assert error(await ask(deployment, fields)) == (400, "invalid_target")


EMPTY = {"resource": "", "audience": "", "scope": "", "client_id": "", "client_assertion": "", "display": ""}
"""Form libraries send every parameter that they know, with or without a value."""


async def test_a_parameter_without_a_value_counts_as_omitted(deployment: Deployment) -> None:
    """RFC 6749 §3.2, at the token, introspection and revocation endpoints."""
    await deployment.change_application(grants=("client_credentials", "password", "refresh_token"))
    for grant in ("client_credentials", "password"):
        fields = {"grant_type": grant, "username": "ada", "password": PASSWORD}
        omitted, empty = await ask(deployment, fields), await ask(deployment, fields | EMPTY)
        assert (omitted.status, empty.status) == (200, 200)
        assert claims(empty.json["access_token"])["aud"] == claims(omitted.json["access_token"])["aud"]
        assert empty.json["scope"] == omitted.json["scope"]
    refresh = {"grant_type": "refresh_token", "refresh_token": empty.json["refresh_token"]}
    token = (await ask(deployment, refresh | EMPTY)).json["access_token"]
    about = {"token": token, "token_type_hint": ""} | EMPTY
    assert (await ask(deployment, about, path=INTROSPECTION)).json["active"] is True
    assert (await ask(deployment, about, path=REVOCATION)).status == 200
    assert (await ask(deployment, about, path=INTROSPECTION)).json == {"active": False}
    assert error(await ask(deployment, {"token": "", **EMPTY}, path=REVOCATION)) == (400, "invalid_request")


@pytest.mark.parametrize("grant", ["client_credentials", "password", "refresh_token"])
async def test_audience_is_ignored_outside_token_exchange(deployment: Deployment, grant: str) -> None:
    """RFC 6749 §3.2: an unknown parameter; RFC 8693 §2.1 defines it for token exchange alone."""
    await deployment.change_application(grants=("client_credentials", "password", "refresh_token"))
    refresh = (await log_in(deployment)).json["refresh_token"]
    fields = {"grant_type": grant, "username": "ada", "password": PASSWORD, "refresh_token": refresh}
    reply = await ask(deployment, fields | {"audience": "https://elsewhere.example"})
    assert reply.status == 200
    assert claims(reply.json["access_token"])["aud"] == "https://localhost:8443"


async def test_a_refresh_may_not_change_the_resource(deployment: Deployment) -> None:
    """RFC 8707 §2.2."""
    await deployment.change_application(audiences=("https://ledger.example/api",))
    first = (await log_in(deployment)).json
    fields = {"grant_type": "refresh_token", "refresh_token": first["refresh_token"]}
    other = await ask(deployment, {**fields, "resource": "https://ledger.example/api"})
    assert error(other) == (400, "invalid_target")
    assert (await ask(deployment, {**fields, "resource": "https://localhost:8443"})).status == 200
