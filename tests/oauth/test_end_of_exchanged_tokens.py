"""What ends an exchanged token, and what does not (RFC 8693 §2.1, D11, D14, threats L3, L5, L6)."""

from collections.abc import Awaitable, Callable

import pytest

from tests.deployment import NOW, Deployment, claims
from tests.oauth.exchanging import exchanged, service

Deed = Callable[[Deployment, Deployment, Deployment, dict[str, str], str], Awaitable[object]]
"""Given the application of the login, the service in the middle, the last one, the login's tokens, the last token."""


async def _refresh(login: Deployment, _first: Deployment, _last: Deployment, tokens: dict[str, str], _: str) -> object:
    return await login.refresh(tokens["refresh_token"])


ENDS: dict[str, Deed] = {
    "the login is revoked": lambda login, _f, _l, tokens, _: login.revoke(tokens["refresh_token"]),
    "the token itself is revoked": lambda _login, _f, last, _tokens, token: last.revoke(token),
    "the account is suspended": lambda login, _f, _l, _tokens, _: login.set_status("suspended"),
    "the account's tokens are cut off": lambda login, _f, _l, _tokens, _: login.change_account(not_before=NOW + 1),
    "the login's application is disabled": lambda login, _f, _l, _tokens, _: login.change_application(disabled=True),
    "the login's application is cut off": lambda login, _f, _l, _t, _: login.change_application(not_before=NOW + 1),
    "the service in the middle is disabled": lambda _login, first, _l, _t, _: first.change_application(disabled=True),
    "the service in the middle is cut off": lambda _login, first, _l, _t, _: first.change_application(
        not_before=NOW + 1
    ),
    "the last service is disabled": lambda _login, _f, last, _tokens, _: last.change_application(disabled=True),
    "the last service is cut off": lambda _login, _f, last, _tokens, _: last.change_application(not_before=NOW + 1),
}

ENDS_NOTHING: dict[str, Deed] = {
    "the token shown is revoked": lambda login, _f, _l, tokens, _: login.revoke(tokens["access_token"]),
    "the login is refreshed": _refresh,
    "another application tries to revoke it": lambda login, _f, _l, _tokens, token: login.revoke(token),
}


@pytest.mark.parametrize("deed", [*ENDS, *ENDS_NOTHING])
async def test_what_ends_it(deployment: Deployment, deed: str) -> None:
    """threats L5, L6: any of those it came through. D11: an access token's revocation takes only itself."""
    first, last = await service(deployment, "First"), await service(deployment, "Last")
    tokens = await deployment.tokens()
    token = await exchanged(last, await exchanged(first, tokens["access_token"]))
    assert (await deployment.report(token)).status == 200
    await (ENDS | ENDS_NOTHING)[deed](deployment, first, last, tokens, token)
    assert (await deployment.report(token)).status == (401 if deed in ENDS else 200)


@pytest.mark.parametrize("narrowed", ["login", "first", "last"])
async def test_it_opens_what_all_on_the_way_may_have_now(deployment: Deployment, narrowed: str) -> None:
    """threats A15: whichever of them is narrowed, the token is."""
    parties = {
        "login": deployment,
        "first": await service(deployment, "First"),
        "last": await service(deployment, "Last"),
    }
    shown = (await deployment.tokens())["access_token"]
    token = await exchanged(parties["last"], await exchanged(parties["first"], shown))
    await parties[narrowed].change_application(scopes=("credit:search",))
    assert (await deployment.report(token)).status == 403


async def test_a_token_exchanged_in_the_second_of_not_before_is_valid(deployment: Deployment) -> None:
    """`iat` counts whole seconds: a token of after the cut-off must not look like one of before it."""
    gateway = await service(deployment)
    await gateway.change_application(not_before=NOW)
    token = await exchanged(gateway, (await deployment.tokens())["access_token"])
    assert claims(token)["iat"] * 1000 >= NOW
    assert (await deployment.report(token)).status == 200
