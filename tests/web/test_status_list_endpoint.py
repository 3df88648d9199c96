"""Status lists as they are served (draft-ietf-oauth-status-list §5.1, §8.1, §8.2, §9)."""

import asyncio
import gzip

import pytest

from credence.store.contract import StoreUnavailable
from credence.store.records import StatusBlock
from tests.deployment import NOW, Deployment, claims
from tests.oauth.verifier_elsewhere import LIFE, fetch, header, is_invalid, reference, skip_blocks

LISTS = "/oauth2/v1/statuslists"
CONFIGURATION = "/.well-known/openid-configuration"


@pytest.mark.settings(status_list=True)
async def test_it_is_a_signed_token_that_says_how_long_it_is_good(deployment: Deployment) -> None:
    """§5.1, §8.2: media type, type, issuer, subject, times; any page may read it (§8.1)."""
    token = (await deployment.tokens())["access_token"]
    reply = await fetch(deployment, token)
    assert reply.status == 200
    assert reply.headers["content-type"] == "application/statuslist+jwt"
    assert reply.headers["cache-control"] == "public, max-age=30"
    assert reply.headers["access-control-allow-origin"] == "*"
    assert header(reply.body.decode())["typ"] == "statuslist+jwt"
    said = claims(reply.body.decode())
    assert said.pop("status_list").keys() == {"bits", "lst"}
    issuer, iat = deployment.service.settings.issuer, NOW // 1000
    assert said == {"iss": issuer, "sub": f"{issuer}{LISTS}/0", "iat": iat, "exp": iat + 600, "ttl": 30}


@pytest.mark.settings(status_list=True)
async def test_whoever_holds_it_is_told_so(deployment: Deployment) -> None:
    """RFC 9110 §13.1.2; and HEAD is GET without the body (§9.3.2)."""
    await deployment.tokens()
    first = await deployment.send("GET", f"{LISTS}/0")
    again = await deployment.send("GET", f"{LISTS}/0", [("If-None-Match", first.headers["etag"])])
    assert (again.status, again.body) == (304, b"")
    head = await deployment.send("HEAD", f"{LISTS}/0")
    assert (head.status, head.body) == (200, b"")
    deployment.now += LIFE
    later = await deployment.send("GET", f"{LISTS}/0", [("If-None-Match", first.headers["etag"])])
    assert later.status == 200


@pytest.mark.parametrize(
    ("accepted", "coded"),
    [
        ("gzip", True),
        ("br, GZIP;q=0.5", True),
        ("gzip;q=0", False),
        ("gzip; q=0.000", False),
        ("br", False),
        ("identity", False),
        (None, False),
    ],
)
@pytest.mark.settings(status_list=True)
async def test_it_is_compressed_for_whoever_takes_it_so(
    deployment: Deployment, accepted: str | None, coded: bool
) -> None:
    """§8.2; RFC 9110 §12.5.3, §12.5.5: caches keep the two forms apart."""
    await deployment.tokens()
    plain = await deployment.send("GET", f"{LISTS}/0")
    reply = await deployment.send("GET", f"{LISTS}/0", [("Accept-Encoding", accepted)] if accepted else [])
    assert reply.headers.get("content-encoding") == ("gzip" if coded else None)
    assert (gzip.decompress(reply.body) if coded else reply.body) == plain.body
    assert reply.headers["vary"] == "accept-encoding"
    assert (reply.headers["etag"] != plain.headers["etag"]) is coded


@pytest.mark.parametrize("number", ["1", "00", "-1", "+0", "0x0", "999999999", "9999999999", "%30%30", "a", "0%2F0"])
@pytest.mark.settings(status_list=True)
async def test_what_is_no_list_is_not_found(deployment: Deployment, number: str) -> None:
    """D22, threats P12: one spelling a list."""
    await deployment.tokens()
    assert (await deployment.send("GET", f"{LISTS}/{number}")).status == 404


@pytest.mark.settings(status_list=True)
async def test_lists_are_read_and_nothing_else(deployment: Deployment) -> None:
    for path in (LISTS, f"{LISTS}/0"):
        reply = await deployment.send("POST", path)
        assert (reply.status, reply.headers["allow"]) == (405, "GET, HEAD")


@pytest.mark.settings(status_list=True)
async def test_every_list_is_named_where_the_metadata_says(deployment: Deployment) -> None:
    """§9.1, §9.3."""
    metadata = (await deployment.send("GET", CONFIGURATION)).json
    path = metadata["status_list_aggregation_endpoint"].removeprefix(metadata["issuer"])
    assert (await deployment.send("GET", path)).json == {"status_lists": []}
    token = (await deployment.tokens())["access_token"]
    reply = await deployment.send("GET", path)
    assert reply.headers["content-type"] == "application/json"
    assert reply.json == {"status_lists": [reference(token)[1]]}


@pytest.mark.settings(status_list=True)
async def test_a_list_that_is_full_is_not_followed_by_an_empty_one(deployment: Deployment) -> None:
    """§9.3: what is named can be fetched."""
    await skip_blocks(deployment, 65_534)
    for count in (1, 2):
        await deployment.tokens()
        named = (await deployment.send("GET", LISTS)).json["status_lists"]
        issuer = deployment.service.settings.issuer
        assert named == [f"{issuer}{LISTS}/{number}" for number in range(count)]
        for uri in named:
            assert (await deployment.send("GET", uri.removeprefix(issuer))).status == 200


async def test_without_the_setting_there_is_none_and_nothing_says_there_is(deployment: Deployment) -> None:
    await deployment.tokens()
    assert "status_list_aggregation_endpoint" not in (await deployment.send("GET", CONFIGURATION)).json
    for path in (LISTS, f"{LISTS}/0"):
        assert (await deployment.send("GET", path)).status == 404


@pytest.mark.settings(status_list=True)
async def test_after_it_is_switched_off_tokens_that_name_a_list_still_find_it(deployment: Deployment) -> None:
    """A verifier that must refuse a token whose list it cannot get would refuse good ones (§8.3)."""
    tokens = await deployment.tokens()
    deployment.service.authority.settings = deployment.service.settings.model_copy(update={"status_list": False})
    assert not await is_invalid(deployment, tokens["access_token"])
    await deployment.revoke(tokens["refresh_token"])
    deployment.now += LIFE
    assert await is_invalid(deployment, tokens["access_token"])


@pytest.mark.settings(status_list=True)
async def test_of_many_who_ask_at_once_one_has_it_made(deployment: Deployment) -> None:
    """A list costs a look at every block of it; a crowd must not have that done for each."""
    await deployment.tokens()
    asked = 0
    blocks = deployment.store.status_blocks

    async def counted(first: int, last: int) -> list[tuple[int, StatusBlock]]:
        nonlocal asked
        asked += 1
        return await blocks(first, last)

    deployment.store.status_blocks = counted  # type: ignore[method-assign]
    replies = await asyncio.gather(*(deployment.send("GET", f"{LISTS}/0") for _ in range(20)))
    assert len({reply.body for reply in replies}) == 1
    assert asked == 1


@pytest.mark.settings(status_list=True)
async def test_a_store_that_does_not_answer_makes_no_list(deployment: Deployment) -> None:
    """threats F2: a list that leaves out what could not be read would call the dead alive."""
    await deployment.tokens()

    async def gone(first: int, last: int) -> list[tuple[int, StatusBlock]]:
        raise StoreUnavailable(f"{first} to {last}")

    deployment.store.status_blocks = gone  # type: ignore[method-assign]
    assert (await deployment.send("GET", f"{LISTS}/0")).status == 500
