"""The screen of registrations: who came without an operator, which hosts are let in, invitations (RFC 7591, D29)."""

import re
from typing import Any, cast

import msgspec
import pytest

from credence.oauth.client_hosts import Verdict, accepts_client, read_verdicts, save_verdict
from credence.oauth.registration import invitation
from credence.operations import client_hosts
from credence.refusals.refusal import Refused
from credence.store.collections import Collection, Collections
from credence.store.contract import Store
from credence.store.records import Application, Registration
from credence.store.registry import APPLICATIONS
from credence.store.sign_ins import Consent
from tests.console.conftest import Console, text_of
from tests.console.test_acts import deeds
from tests.deployment import NOW
from tests.hosts import decide_on

DOCUMENT = "https://app.example/client"


async def save_clients(store: Store, *client_ids: str) -> tuple[str, ...]:
    """Store applications that documents at these addresses describe, and return their client_ids."""
    for client_id in client_ids:
        await store.save_application(Application(client_id, "Found", (), NOW, document_digest=b"d"), NOW)
    return client_ids


async def test_each_way_of_registering_is_named(console: Console) -> None:
    operator = await console.operator("operator")
    ways: dict[str, dict[str, Any]] = {
        "crd_sbx_app_1": {"registration": Registration(b"", (), ("openid",))},
        "crd_sbx_app_2": {"registration": Registration(b"", (), (), unverified=True)},
        DOCUMENT: {"document_digest": b"d", "registration": Registration(b"", (), ())},
        "crd_sbx_app_3": {"owner": "ada"},
    }
    for client_id, fields in ways.items():
        await console.main.store.save_application(Application(client_id, "Found", (), NOW, **fields), NOW)
    said = text_of(await operator.browser.get("/console/registrations"))
    for text in ("by an invitation", "by the application", "by its document", "in the developer portal"):
        assert text in said
    assert console.main.application.client_id not in said  # an operator made it
    assert "by the application" not in text_of(await operator.browser.get("/console/registrations?q=portal"))


async def test_a_blocked_host_is_refused_and_its_logins_end(console: Console) -> None:
    operator = await console.operator("operator")
    store = console.main.store
    settings = console.main.service.settings.model_copy(update={"client_documents": "any"})
    await save_clients(store, DOCUMENT)
    assert await accepts_client(store, DOCUMENT, settings)
    page = await operator.do("/console/registrations", "app-host", host="App.example", verdict="block")
    assert "Every login of its client has ended" in text_of(page)
    assert not await accepts_client(store, DOCUMENT, settings)
    kept = await store.application(DOCUMENT)
    assert kept is not None
    assert kept.not_before > NOW
    assert (await operator.do("/console/registrations", "app-host", host="app.example", verdict="allow")).status == 200
    assert await accepts_client(store, DOCUMENT, settings)
    assert [act for act, _, _ in deeds(console)] == ["app host", "app host"]


async def test_a_block_ends_the_logins_of_a_host_however_many_clients_others_have(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_hosts, "_ROWS", 1)
    monkeypatch.setattr(client_hosts, "MAX_FETCHES", 1)
    store = console.main.store
    names = await save_clients(
        store, "https://a.example/1", "https://z.example/1", "https://z.example/2", "https://z.example.org/1"
    )
    assert await decide_on(store, "z.example", "block", NOW) == 2
    kept = {each.client_id: each.not_before > 0 for each in await store.applications("https://")}
    assert [kept[name] for name in names] == [False, True, True, False]


async def test_a_block_reads_the_clients_of_its_host_and_not_those_of_hosts_that_begin_alike(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client_hosts, "_ROWS", 10)
    store, asked = console.main.store, list[str]()
    others = (f"https://a{number}.example/1" for number in range(50))
    names = await save_clients(store, "https://a/1", "https://a:8443/1", *others)
    applications = store.applications

    async def counted(after: str = "", limit: int | None = None) -> list[Application]:
        asked.append(after)
        return await applications(after, limit)

    monkeypatch.setattr(store, "applications", counted)
    assert await decide_on(store, "a", "block", NOW) == 2
    assert asked == ["https://a/", "https://a:"]
    kept = {each.client_id: each.not_before > 0 for each in await applications("https://")}
    assert [name for name in names if kept[name]] == [*names[:2]]


async def test_a_block_at_the_same_time_as_other_changes_is_whole(console: Console) -> None:
    """Other operators decide on other hosts, and clients of this one change."""
    store = console.main.store
    names = await save_clients(store, *(f"https://app.example/{number}" for number in range(3)))
    busy = Busy(store, conflicts=2)
    assert await decide_on(cast("Store", busy), "app.example", "block", NOW) == 3
    assert busy.conflicts == {"client_hosts": 0, **dict.fromkeys(names, 0)}
    assert all(each.not_before > NOW for each in await store.applications("https://"))
    assert (await read_verdicts(store))[1].blocked == ("app.example", "other1.example", "other2.example")


async def test_a_block_names_the_clients_that_it_could_not_reach(console: Console) -> None:
    store = console.main.store
    names = await save_clients(store, *(f"https://app.example/{number}" for number in range(3)))
    busy = Busy(store, conflicts=0)
    busy.conflicts[names[1]] = 100
    with pytest.raises(Refused) as refused:
        await decide_on(cast("Store", busy), "app.example", "block", NOW)
    assert refused.value.refusal.status == 409
    message = r"app.example is blocked, but 1 of its 3 clients .*: https://app.example/1\. "
    assert re.match(message, refused.value.refusal.message)
    kept = {each.client_id: each.not_before > NOW for each in await store.applications("https://")}
    assert kept == {names[0]: True, names[1]: False, names[2]: True}


class Busy:
    """The store, in which another writer comes before so many writes of each client and of the verdicts."""

    def __init__(self, store: Store, conflicts: int) -> None:
        self._store, self._each = store, conflicts
        self.conflicts: dict[str, int] = {}

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def _is_late(self, name: str) -> bool:
        left = self.conflicts.setdefault(name, self._each)
        self.conflicts[name] = max(0, left - 1)
        return left > 0

    async def change(self, *change: Any) -> Any:
        return await Collections.change(cast("Collections", self), *change)

    async def save(self, collection: Collection[Any], document: Any, at: int = 0, **more: Any) -> None:
        if collection is APPLICATIONS and self._is_late(document.client_id):
            kept = await self._store.application(document.client_id)
            assert kept is not None
            await self._store.save(collection, msgspec.structs.replace(kept, version=kept.version + 1), at)
        await self._store.save(collection, document, at, **more)

    async def save_shared_value(self, name: str, version: int, document: bytes) -> None:
        if self._is_late(name):
            await save_verdict(self._store, f"other{self.conflicts[name] + 1}.example", "block")
        await self._store.save_shared_value(name, version, document)


@pytest.mark.parametrize(
    ("mode", "verdict", "accepted"),
    [("off", "allow", False), ("listed", "settings", False), ("listed", "allow", True), ("any", "block", False)],
)
async def test_a_verdict_adds_to_the_settings(console: Console, mode: str, verdict: Verdict, accepted: bool) -> None:
    settings = console.main.service.settings.model_copy(update={"client_documents": mode})
    await decide_on(console.main.store, "app.example", verdict, NOW)
    assert await accepts_client(console.main.store, DOCUMENT, settings) is accepted


async def test_a_host_that_the_settings_block_stays_blocked(console: Console) -> None:
    update = {"client_documents": "any", "client_document_blocked_hosts": (".example",)}
    settings = console.main.service.settings.model_copy(update=update)
    await decide_on(console.main.store, "app.example", "allow", NOW)
    assert not await accepts_client(console.main.store, DOCUMENT, settings)


@pytest.mark.parametrize(
    "host", ["", "https://app.example", "app.example/x", "a b", "-a", "a..b", "x" * 254, "\u202eevil"]
)
async def test_what_is_no_host_is_refused_at_its_field(console: Console, host: str) -> None:
    operator = await console.operator("operator")
    page = await operator.do("/console/registrations", "app-host", host=host, verdict="block")
    assert (page.status, 'href="#app-host-host"' in page.body.decode()) == (422, True)


async def test_an_invitation_is_shown_once_and_allows_what_was_chosen(console: Console) -> None:
    operator = await console.operator("operator")
    fields = {"uses": "2", "expires_in": "3600", "grants": "client_credentials", "scopes": "credit:report"}
    page = await operator.do("/console/registrations", "app-invite", **fields)
    (token,) = re.findall(r"crd_sbx_inv_[\w-]+", page.body.decode())
    service = console.main.service
    found = invitation.read(service.settings.environment.prefix, service.authority.secrets.digest, token, NOW)
    assert found is not None
    assert (found.uses, found.grants, found.scopes) == (2, ("client_credentials",), ("credit:report",))
    assert found.expires_at == NOW + 3_600_000
    again = await operator.browser.get("/console/registrations")
    assert token not in again.body.decode()
    assert "of-operator" in text_of(again)
    for name, wrong in {"uses": "0", "expires_in": "0", "grants": "sorcery", "scopes": "everything"}.items():
        page = await operator.do("/console/registrations", "app-invite", **(fields | {name: wrong}))
        assert (page.status, f'href="#app-invite-{name}"' in page.body.decode()) == (422, True), name


async def test_only_an_owner_invites_an_application_that_may_manage_the_service(console: Console) -> None:
    """threats E13: a program has no role, so an operator would reach accounts of owners by it."""
    fields = {
        "uses": "1",
        "expires_in": "3600",
        "grants": "client_credentials",
        "scopes": "credit:report manage:accounts",
    }
    operator, owner = await console.operator("operator"), await console.operator("owner")
    page = await operator.do("/console/registrations", "app-invite", **fields)
    assert (page.status, "only an owner" in text_of(page)) == (422, True)
    assert deeds(console) == []
    assert (await owner.do("/console/registrations", "app-invite", **fields)).status == 200


async def test_the_form_of_an_application_shows_who_allowed_it_and_its_use(console: Console) -> None:

    operator = await console.operator("operator")
    client_id = console.main.application.client_id
    await console.main.store.save_consent(Consent("ada", client_id, "openid", b"", NOW))
    said = " ".join(text_of(await operator.browser.get(f"/console/applications/{client_id}")).split())
    assert "People who have allowed it" in said
    assert "ada openid" in said
    assert "Last request none in the log" in said
    page = await operator.do("/console/accounts/ada", "account-withdraw-consent", client_id=client_id)
    assert "The consent is withdrawn" in text_of(page)
    assert await console.main.store.consents_of("ada") == []
    assert (await operator.do("/console/accounts/ada", "account-withdraw-consent", client_id=client_id)).status == 422
