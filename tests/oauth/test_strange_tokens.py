"""Any text in place of a token is answered as in RFC 7662 §2.2, RFC 7009 §2.2 and RFC 8693 §2.2.2 (threats E7)."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tests.deployment import REVOKE_PATH, Deployment, claims
from tests.oauth.exchanging import exchange, service
from tests.oauth.minting import minted
from tests.oauth.standard import ask, error
from tests.sweeps import sweep

INTROSPECT_PATH = "/oauth2/v1/introspect"

CHARACTERS = st.characters(exclude_categories=["Cs"], exclude_characters="\0")
TEXT = st.text(CHARACTERS, min_size=1, max_size=80).filter(lambda text: text.strip())
STRANGE = TEXT | TEXT.map("crd_sbx_ref_{}".format) | st.tuples(TEXT, TEXT, TEXT).map(".".join)


@sweep(20, long=1_500)
@given(token=STRANGE)
async def test_any_other_text_is_answered_like_an_unknown_token(deployment: Deployment, token: str) -> None:
    """Not active, nothing to revoke, nothing to exchange; and never a surprise."""
    assert (await ask(deployment, {"token": token}, path=INTROSPECT_PATH)).body == b'{"active":false}'
    assert (await ask(deployment, {"token": token}, path=REVOKE_PATH)).status == 200
    assert error(await exchange(await service(deployment), token)) == (400, "invalid_request")


async def test_actors_of_another_shape_are_refused_though_well_signed(deployment: Deployment) -> None:
    """RFC 8693 §4.1, threats T9: an object with `sub`, and no deeper than a token is long."""
    gateway = await service(deployment)
    token = (await deployment.tokens())["access_token"]
    deep: dict[str, object] = {"sub": "x"}
    for _ in range(60):
        deep = {"sub": "x", "act": deep}
    shapes: list[Any] = ["x", [], {}, {"sub": 1}, {"sub": "x", "more": 1}, {"sub": "x", "act": "y"}, deep]
    for act in shapes:
        forged = minted(deployment, token, act=act)
        assert claims(forged)["act"] == act
        assert (await deployment.report(forged)).status == 401
        assert error(await exchange(gateway, forged)) == (400, "invalid_request")
        assert (await ask(deployment, {"token": forged}, path=INTROSPECT_PATH)).json == {"active": False}
