"""What an operator does first in an incident: everything of an application or account ends (docs/incidents.md)."""

from collections.abc import Mapping
from typing import Any

import msgspec

from credence.identity.accounts import with_status
from credence.store.people import Factor
from credence.store.sign_ins import Consent
from credence.store.signals import SignalStream
from credence.store.webhooks import WEBHOOKS, Webhook
from credence.telemetry.audit_files import DEEDS, files_in_order, read_file
from tests.console.conftest import Console, text_of
from tests.deployment import NOW, PASSWORD


def lines_of(console: Console, act: str) -> list[Mapping[str, Any]]:
    folder = console.main.service.settings.audit_folder
    lines = [line for file in files_in_order(folder, DEEDS) for line in read_file(file)]
    return [line for line in lines if line.get("act") == act]


async def with_what_an_application_has(console: Console) -> str:
    client_id, store = console.main.application.client_id, console.main.store
    await store.save(
        WEBHOOKS, Webhook("wh_1", client_id, "https://thief.example/", NOW, "hmac-sha256", (), state="active")
    )
    await store.save_signal_stream(SignalStream("st_1", client_id, NOW, "poll"))
    return client_id


async def test_the_preview_counts_what_of_an_application_would_end_and_ends_nothing(console: Console) -> None:
    client_id = await with_what_an_application_has(console)
    token = (await console.main.tokens())["access_token"]
    operator = await console.operator("operator")
    page = await operator.do(f"/console/applications/{client_id}", "app-end-everything-effect")
    assert "This is a preview; nothing has changed yet" in text_of(page)
    assert "with 1 secret, 1 webhook, 1 stream." in text_of(page)
    assert (await console.main.report(token)).status == 200
    webhook = await console.main.store.webhook("wh_1")
    assert webhook is not None
    assert webhook.state == "active"
    assert lines_of(console, "app end-everything") == []


async def test_everything_of_an_application_ends_with_its_webhooks_and_streams(console: Console) -> None:
    client_id = await with_what_an_application_has(console)
    tokens = await console.main.tokens()
    operator = await console.operator("operator")
    path = f"/console/applications/{client_id}"
    assert (await operator.do(path, "app-end-everything")).status == 200

    assert (await console.main.report(tokens["access_token"])).status == 401
    refused = await console.main.refresh(tokens["refresh_token"])
    assert (refused.status, refused.headers["x-reason"]) == (401, "client.disabled")
    store = console.main.store
    kept, webhook, stream = (
        await store.application(client_id),
        await store.webhook("wh_1"),
        await store.signal_stream("st_1"),
    )
    assert kept is not None
    assert (kept.disabled, kept.secrets) == (True, ())
    assert webhook is not None
    assert (webhook.state, webhook.disabled_reason) == ("disabled", "by_hand")
    assert stream is not None
    assert (stream.status, stream.set_by_operator) == ("disabled", True)
    (line,) = lines_of(console, "app end-everything")
    assert line["changes"]["webhooks"] == {"before": ["wh_1"]}
    assert line["changes"]["streams"] == {"before": ["st_1"]}

    again = await operator.do(path, "app-end-everything")
    assert "has ended already. Nothing was changed" in text_of(again)
    # Enabled again, it has no secret that a thief knows.
    assert (await operator.do(path, "app-enable")).status == 200
    assert (await console.main.login()).status == 401


async def test_everything_of_an_account_ends_with_its_password_consents_and_factors(console: Console) -> None:
    store, client_id = console.main.store, console.main.application.client_id
    await store.save_consent(Consent("ada", client_id, "openid", b"", NOW))
    tokens = await console.main.tokens()
    account = await store.account("ada")
    assert account is not None
    await store.change_factors(account, [], [Factor(b"factor", "ada", "totp", "Telephone", NOW)])
    operator = await console.operator("operator")
    path = "/console/accounts/ada"
    preview = text_of(await operator.do(path, "account-end-everything-effect"))
    assert "1 consent, 1 factor." in preview
    assert (await console.main.report(tokens["access_token"])).status == 200

    assert (await operator.do(path, "account-end-everything")).status == 200
    assert (await console.main.report(tokens["access_token"])).status == 401
    assert (await console.main.refresh(tokens["refresh_token"])).status == 401
    assert await store.consents_of("ada") == []
    assert await store.factors_of("ada") == []
    (line,) = lines_of(console, "account end-everything")
    assert PASSWORD not in str(line)

    # Active again, the account does not open with the password that a thief knows.
    kept = await store.account("ada")
    assert kept is not None
    assert kept.status == "suspended"
    await store.save_account(msgspec.structs.replace(with_status(kept, "active", NOW + 1)), NOW + 1)
    assert (await console.main.login()).status == 401


async def test_the_result_names_the_status_that_a_closed_account_keeps(console: Console) -> None:
    ada = await console.main.store.account("ada")
    assert ada is not None
    await console.main.store.save_account(with_status(ada, "closed", NOW), NOW)
    operator = await console.operator("operator")
    page = await operator.do("/console/accounts/ada", "account-end-everything-effect")
    assert "ada is closed, every token" in text_of(page)


async def test_only_operators_end_everything(console: Console) -> None:
    support = await console.operator("support")
    page = await support.do("/console/accounts/ada", "account-end-everything")
    assert page.status in {403, 422}
    kept = await console.main.store.account("ada")
    assert kept is not None
    assert kept.status == "active"
