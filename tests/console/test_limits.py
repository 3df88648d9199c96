"""The screen of limits: who uses how much of a rate, who was refused, and what another rate would have refused (D16)."""

import pytest

from credence.management import limits_in_use
from credence.request_log.log_file import LogFile
from credence.request_log.waiting import Waiting
from tests.console.conftest import Console, text_of
from tests.console.test_acts import deeds
from tests.deployment import NOW

SECOND = 1_000


def write(console: Console, *requests: tuple[int, str, str]) -> None:
    """Write requests of the application to the log: when, with which reason, from where."""
    settings, client_id = console.main.service.settings, console.main.application.client_id
    waiting, file = Waiting(()), LogFile(settings.request_log_file, 10, 7)
    for number, (at, reason, address) in enumerate(requests):
        status = 401 if reason else 200
        noted = (
            at,
            f"0123456789abcdef-{number}",
            None,
            client_id,
            "ada",
            "GET",
            "/docs",
            status,
            0.001,
            reason or None,
            address,
            "",
        )
        waiting.add(noted)
    file.write(waiting, waiting.take(), NOW)
    file.close()


async def test_the_use_of_the_last_minute_stands_beside_the_rate_and_what_is_left(console: Console) -> None:
    await console.main.change_application(spike_per_minute=10)
    support = await console.operator("support")
    old = [(NOW - 61 * SECOND, "", "192.0.2.7")] * 3
    write(console, *old, *[(NOW - number * SECOND, "", "2001:db8::7") for number in range(7)])
    said = " ".join(text_of(await support.browser.get("/console/limits")).split())
    assert "Application Requests Rate Left Test client 7 10 3" in said or " 7 10 3 " in said
    assert "2001:db8::/64 7" in said
    assert "192.0.2.7/32" not in said


async def test_who_was_refused_most_leads_to_the_log(console: Console) -> None:
    support = await console.operator("support")
    client_id = console.main.application.client_id
    write(
        console, *[(NOW - SECOND, "spike.application", "192.0.2.7")] * 3, (NOW - SECOND, "spike.address", "192.0.2.9")
    )
    page = await support.browser.get("/console/limits")
    assert f"reason%3Aspike.application%20client%3A{client_id}%20since%3A1d" in page.body.decode()
    assert "reason%3Aspike.address%20from%3A192.0.2.9%20since%3A1d" in page.body.decode()


async def test_the_effect_of_a_rate_is_shown_before_it_is_changed(console: Console) -> None:
    """GCRA with a rate of 6 a minute and as large a burst: of 10 requests in 9 seconds the first 6 pass, then none until
    ten seconds after the seventh could have come."""
    operator = await console.operator("operator")
    client_id = console.main.application.client_id
    write(console, *[(NOW - 60 * SECOND + number * SECOND, "", "192.0.2.7") for number in range(10)])
    shown = await operator.do("/console/limits", "preview", client_id=client_id, per_minute="6")
    assert "Of 10 requests" in text_of(shown)
    assert "a rate of 6 a minute refuses 4" in text_of(shown)
    assert 'value="6"' in shown.body.decode()  # the entered value is still there
    kept = await console.main.store.application(client_id)
    assert kept is not None
    assert kept.spike_per_minute is None
    changed = await operator.do("/console/limits", "app-rate", client_id=client_id, per_minute="6")
    assert "Ledger is changed." in text_of(changed)
    kept = await console.main.store.application(client_id)
    assert kept is not None
    assert kept.spike_per_minute == 6
    again = await operator.do("/console/limits", "app-rate", client_id=client_id, per_minute="6")
    assert "Nothing was changed" in text_of(again)
    assert (await operator.do("/console/limits", "app-rate", client_id=client_id, per_minute="")).status == 200
    assert [act for act, _, _ in deeds(console)] == ["app set", "app set"]


@pytest.mark.parametrize("per_minute", ["six", "-1", "10,000,001", "0" * 9 + "1" * 8, "0" * 9 + "1" * 5_000])
async def test_what_is_not_a_rate_is_refused_at_its_field(console: Console, per_minute: str) -> None:
    """Python converts no text of more than 4,300 digits."""
    operator, client_id = await console.operator("operator"), console.main.application.client_id
    for act in ("preview", "app-rate"):
        reply = await operator.do("/console/limits", act, client_id=client_id, per_minute=per_minute)
        assert reply.status == 422
        assert "The rate is a whole number of requests a minute, at most 10,000,000." in text_of(reply)


async def test_what_could_not_be_counted_in_time_is_named(console: Console, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits_in_use, "BUDGET_SECONDS", -1.0)
    await console.main.change_application(spike_per_minute=10)
    operator = await console.operator("operator")
    client_id = console.main.application.client_id
    write(console, *[(NOW - 40 * SECOND, "spike.application", "192.0.2.7")] * 3)
    write(console, *[(NOW - 20 * SECOND, "spike.application", "192.0.2.7")] * 2)
    said = text_of(await operator.browser.get("/console/limits"))
    assert "only those since" in said
    assert "Rate limited since" in said
    assert "No requests were rate limited since" in said
    assert "Search the log for older refusals" in said
    said = text_of(await operator.browser.get(f"/console/applications/{client_id}"))
    assert "the minute has too many to count here" in said
    assert "at most 10" in said
    said = text_of(await operator.do("/console/limits", "preview", client_id=client_id, per_minute="6"))
    assert "Of 2 requests" in said
    assert "Older requests of the hour were not read" in said


async def test_an_application_without_a_request_in_the_part_that_was_read_may_have_older_ones(
    console: Console, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(limits_in_use, "BUDGET_SECONDS", -1.0)
    operator = await console.operator("operator")
    other = (await console.main.another_application()).application.client_id
    write(console, (NOW - 40 * SECOND, "", "192.0.2.7"))
    write(console, (NOW - 20 * SECOND, "", "192.0.2.7"))
    said = text_of(await operator.do("/console/limits", "preview", client_id=other, per_minute="6"))
    assert "older ones were not read" in said


async def test_what_is_no_rate_is_refused_at_its_field(console: Console) -> None:
    operator = await console.operator("operator")
    client_id = console.main.application.client_id
    for text in ("-1", "1e3", "six", "9" * 9, "10000001", "\u0663", "=1+1"):
        page = await operator.do("/console/limits", "app-rate", client_id=client_id, per_minute=text)
        assert (page.status, 'href="#app-rate-per_minute"' in page.body.decode()) == (422, True), text
    page = await operator.do("/console/limits", "app-rate", client_id="nobody", per_minute="6")
    assert (page.status, 'href="#app-rate-client_id"' in page.body.decode()) == (422, True)


async def test_only_an_owner_changes_the_rate_of_an_application_that_may_manage_the_service(console: Console) -> None:
    """threats E13."""
    await console.main.change_application(scopes=("manage:read",))
    operator = await console.operator("operator")
    client_id = console.main.application.client_id
    assert (await operator.do("/console/limits", "app-rate", client_id=client_id, per_minute="6")).status == 422
