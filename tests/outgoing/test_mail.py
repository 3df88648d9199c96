"""Messages by the mail relay: one that does not answer holds up nothing else."""

import asyncio
from collections import Counter

import pytest

from credence.outgoing import mail
from credence.outgoing.mail import MAX_UNDER_WAY, MailBusy, MailFailed, send_mail
from tests.waiting import until

PATIENCE = 60.0

MORE_THAN_ALL_THREADS = 40
"""The threads of an event loop are at most 32 (`concurrent.futures`)."""


async def test_a_relay_that_does_not_answer_keeps_no_thread_that_others_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mail, "TIMEOUT_SECONDS", 10 * PATIENCE)
    released, connected = asyncio.Event(), 0

    async def hang(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connected
        connected += 1
        await released.wait()
        writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    relay = f"smtp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    async with server:
        message = ("a@example.com", "b@example.com", "Subject", "Text")
        sending = [asyncio.create_task(send_mail(relay, *message)) for _ in range(MORE_THAN_ALL_THREADS)]
        try:
            await until(lambda: connected == mail.MAX_AT_ONCE, PATIENCE)
            refused = [each for each in sending if each.done()]
            assert len(refused) == MORE_THAN_ALL_THREADS - MAX_UNDER_WAY
            async with asyncio.timeout(PATIENCE):
                assert await asyncio.to_thread(lambda: "done") == "done"
        finally:
            released.set()
            outcomes = await asyncio.gather(*sending, return_exceptions=True)
    assert Counter(map(type, outcomes)) == {MailBusy: MORE_THAN_ALL_THREADS - MAX_UNDER_WAY, MailFailed: MAX_UNDER_WAY}
