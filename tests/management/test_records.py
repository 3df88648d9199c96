"""The management API changes the stored record: what no operator chooses survives every act (D40, threats E10)."""

import pytest

from tests.management.conftest import Managed
from tests.whole_records import OF_ANOTHER_ADDRESS, require_kept, whole_account, whole_application

ONLY_SHOWN = {"client_id", "created_at", "secrets", "tokens_valid_from", "username"}


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
async def test_a_change_of_an_application_keeps_what_no_operator_chooses(managed: Managed, method: str) -> None:
    before = whole_application()
    await managed.main.store.save_application(before, managed.main.now)
    path = f"/applications/{before.client_id}"
    read = await managed.call("GET", path)
    body = {"name": "Renamed", "spike_per_minute": 7}
    reply = await managed.call(method, path, body, tag=read.headers["etag"])
    assert reply.status == 200, reply
    after = require_kept(before, await managed.main.store.application(before.client_id))
    assert (after.name, after.spike_per_minute) == ("Renamed", 7)
    disabled = await managed.call("PATCH", path, {"disabled": True}, tag=reply.headers["etag"])
    assert disabled.status == 200
    require_kept(after, await managed.main.store.application(before.client_id), "not_before")


@pytest.mark.parametrize("act", ["secrets", "end a secret", "clock", "reset the clock"])
async def test_acts_on_secrets_and_clock_keep_the_rest(managed: Managed, act: str) -> None:
    before = whole_application()
    await managed.main.store.save_application(before, managed.main.now)
    path = f"/applications/{before.client_id}"
    tag = (await managed.call("GET", path)).headers["etag"]
    match act:
        case "secrets":
            reply, changed = await managed.call("POST", f"{path}/secrets"), {"secrets"}
        case "end a secret":
            reply = await managed.call("DELETE", f"{path}/secrets/{before.secrets[0].created_at}", tag=tag)
            changed = {"secrets"}
        case "clock":
            reply, changed = await managed.call("POST", f"{path}/clock", {"by": "1h"}), {"clock"}
        case _:
            tag = (await managed.call("GET", f"{path}/clock")).headers["etag"]
            reply, changed = await managed.call("DELETE", f"{path}/clock", tag=tag), {"clock", "secrets"}
    assert reply.status in (200, 201), reply
    require_kept(before, await managed.main.store.application(before.client_id), *changed)


@pytest.mark.parametrize("method", ["PATCH", "PUT"])
async def test_a_change_of_an_account_keeps_what_no_option_sets(managed: Managed, method: str) -> None:
    before = whole_account()
    await managed.main.store.save_account(before, managed.main.now)
    path = f"/accounts/{before.username}"
    read = await managed.call("GET", path)
    reply = await managed.call(method, path, {"type": "user", "email": "k@example.com"}, tag=read.headers["etag"])
    assert reply.status == 200, reply
    after = require_kept(before, await managed.main.store.account(before.username), *OF_ANOTHER_ADDRESS)
    assert after.email == "k@example.com"
    for patch in ({"sign_in": "factor"}, {"status": "suspended"}):
        tag = (await managed.call("GET", path)).headers["etag"]
        assert (await managed.call("PATCH", path, patch, tag=tag)).status == 200
        require_kept(after, await managed.main.store.account(before.username), "not_before")
