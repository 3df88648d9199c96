"""The one client that calls out, against receivers over TLS (D29, threats E3)."""

import asyncio
import gzip
import ssl
from contextlib import suppress
from ipaddress import ip_network
from pathlib import Path

import pytest

from credence.outgoing.addresses import system_resolver
from credence.outgoing.client import Call, Deadlines
from credence.outgoing.connecting import CallFailed
from credence.outgoing.target import CallRefused
from tests.outgoing.receivers import NAME, Request, calling, listening, receiver, server_tls
from tests.ports import free_port

NO_WAITING = Deadlines(connect=30, first_byte=0.5, whole=30)
SHORT = Deadlines(connect=30, first_byte=30, whole=0.5)


def get(url: str, **options: object) -> Call:
    return Call("test", "GET", url, **options)  # type: ignore[arg-type]


async def stall(_request: Request, _writer: asyncio.StreamWriter) -> None:
    await asyncio.Event().wait()


async def test_a_call_carries_its_body_to_the_name_that_it_is_for_and_has_a_line_in_the_audit_trail(
    tmp_path: Path,
) -> None:
    async with receiver(tmp_path, b"HTTP/1.1 200 OK\r\nX-A: 1\r\nContent-Length: 2\r\n\r\nok") as found:
        it = calling(tmp_path)
        call = Call("test", "POST", found.url("/a?b=c"), {"Content-Type": "text/plain"}, b"hello", application="app")
        answer = await it.client.call(call)
    (request,) = found.requests
    first, *fields = request.head.rstrip().split("\r\n")
    assert (answer.status, answer.headers["x-a"], answer.body, answer.address) == (200, "1", b"ok", "127.0.0.1")
    assert first == "POST /a?b=c HTTP/1.1"
    assert sorted(fields) == sorted(
        [
            f"Host: {NAME}:{found.port}",
            "Connection: close",
            "Accept-Encoding: identity",
            "Content-Length: 5",
            "Content-Type: text/plain",
        ]
    )
    assert request.body == b"hello"
    (line,) = it.lines
    assert (line.purpose, line.application, line.host, line.port) == ("test", "app", NAME, found.port)
    assert (line.peer, line.status, line.reason) == ("127.0.0.1", 200, None)


@pytest.mark.parametrize(
    "answer",
    [
        ["127.0.0.1"],
        ["::1"],
        ["10.0.0.1"],
        ["169.254.169.254"],
        ["8.8.8.8", "127.0.0.1"],
        ["127.0.0.1", "8.8.8.8"],
        ["::ffff:127.0.0.1"],
        ["64:ff9b::7f00:1"],
        ["fe80::1%lo"],
        ["0.0.0.0"],  # noqa: S104
    ],
)
async def test_a_name_with_one_private_address_is_not_called(tmp_path: Path, answer: list[str]) -> None:
    async with receiver(tmp_path) as found:
        it = calling(tmp_path, answer, networks=())
        with pytest.raises(CallRefused, match="address_not_public"):
            await it.client.call(get(found.url()))
    assert found.connections == 0
    assert [(line.reason, line.peer) for line in it.lines] == [("address_not_public", None)]


async def test_the_machines_own_name_is_not_called(tmp_path: Path) -> None:
    async with receiver(tmp_path) as found:
        it = calling(tmp_path, networks=(), resolve=system_resolver())
        with pytest.raises(CallRefused, match="address_not_public"):
            await it.client.call(get(found.url(host="localhost")))
    assert found.connections == 0


async def test_a_name_that_changes_its_answer_between_check_and_connection_changes_nothing(tmp_path: Path) -> None:
    port = free_port()
    async with receiver(tmp_path, host="127.0.0.2", port=port) as meant, receiver(tmp_path, port=port) as forbidden:
        it = calling(tmp_path, ["127.0.0.2"], ["127.0.0.1"], networks=(ip_network("127.0.0.2"),))
        answer = await it.client.call(get(meant.url()))
        assert (answer.address, it.names.asked) == ("127.0.0.2", [(NAME, port)])
        with pytest.raises(CallRefused):
            await it.client.call(get(meant.url()))
    assert (meant.connections, forbidden.connections) == (1, 0)


async def test_of_several_allowed_addresses_the_first_that_listens_is_used(tmp_path: Path) -> None:
    async with receiver(tmp_path) as found:
        it = calling(tmp_path, ["127.0.0.9", "127.0.0.1"])
        assert (await it.client.call(get(found.url()))).address == "127.0.0.1"


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_is_an_answer_that_nobody_follows(tmp_path: Path, status: int) -> None:
    async with receiver(tmp_path) as elsewhere:
        redirect = f"HTTP/1.1 {status} X\r\nLocation: {elsewhere.url()}\r\nContent-Length: 0\r\n\r\n".encode()
        async with receiver(tmp_path, redirect) as found:
            it = calling(tmp_path)
            assert (await it.client.call(get(found.url()))).status == status
    assert elsewhere.connections == 0


async def test_a_cookie_is_not_kept(tmp_path: Path) -> None:
    answer = b"HTTP/1.1 200 OK\r\nSet-Cookie: a=b; Path=/\r\nContent-Length: 0\r\n\r\n"
    async with receiver(tmp_path, answer) as found:
        it = calling(tmp_path)
        for _ in range(2):
            await it.client.call(get(found.url()))
    assert not any("cookie" in request.head.lower() for request in found.requests)


async def test_proxies_of_the_environment_have_no_effect(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    async with receiver(tmp_path) as found:
        assert (await calling(tmp_path).client.call(get(found.url()))).status == 204


async def drip(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


async def drip_head(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nX: ")
    while True:
        writer.write(b"x")
        await writer.drain()
        await asyncio.sleep(0.01)


@pytest.mark.parametrize(
    ("answering", "deadlines"), [(stall, NO_WAITING), (stall, SHORT), (drip, SHORT), (drip_head, SHORT)]
)
async def test_a_slow_answer_ends_at_its_deadline(tmp_path: Path, answering: object, deadlines: Deadlines) -> None:
    async with receiver(tmp_path, answering) as found:  # type: ignore[arg-type]
        it = calling(tmp_path, deadlines=deadlines)
        with pytest.raises(CallFailed, match="timeout"):
            await it.client.call(get(found.url()))
    assert [line.reason for line in it.lines] == ["timeout"]


async def test_a_listener_that_never_speaks_tls_ends_at_the_deadline_of_the_connection(tmp_path: Path) -> None:
    async def silence(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
        await asyncio.Event().wait()

    it = calling(tmp_path, deadlines=Deadlines(connect=0.5, first_byte=30, whole=30))
    async with listening(silence, port := free_port()):
        with pytest.raises(CallFailed, match="timeout"):
            await it.client.call(get(f"https://{NAME}:{port}/"))


async def endless(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    while True:
        writer.write(b"10000\r\n" + b"x" * 65_536 + b"\r\n")
        await writer.drain()


async def endless_chunk_extension(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;")
    while True:
        writer.write(b"x" * 65_536)
        await writer.drain()


async def endless_continue(_request: Request, writer: asyncio.StreamWriter) -> None:
    while True:
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n" * 1_000)
        await writer.drain()


async def endless_head(_request: Request, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 200 OK\r\n")
    while True:
        writer.write(b"X: " + b"x" * 1_000 + b"\r\n")
        await writer.drain()


@pytest.mark.parametrize(
    ("answering", "reason"),
    [
        (endless, "body_too_large"),
        (endless_chunk_extension, "body_too_large"),
        (endless_continue, "head_too_large"),
        (endless_head, "head_too_large"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1073741824\r\n\r\n" + b"x" * 100_000, "body_too_large"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 8_192 + b"\r\n\r\n", "head_too_large"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort", "broken_answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab", "broken_answer"),
        (b"SSH-2.0-OpenSSH\r\n\r\n", "broken_answer"),
        (b"", "broken_answer"),
    ],
)
async def test_an_answer_without_end_or_sense_fails_the_call(tmp_path: Path, answering: object, reason: str) -> None:
    async with receiver(tmp_path, answering) as found:  # type: ignore[arg-type]
        it = calling(tmp_path, deadlines=Deadlines(60, 60, 60))
        with pytest.raises(CallFailed, match=reason):
            await it.client.call(get(found.url()))
    assert [line.reason for line in it.lines] == [reason]


async def test_a_caller_who_wants_the_beginning_gets_it_of_an_endless_answer(tmp_path: Path) -> None:
    async with receiver(tmp_path, endless) as found:
        call = get(found.url(), max_answer_bytes=1_024, cut_answer=True)
        assert (await calling(tmp_path).client.call(call)).body == b"x" * 1_024


async def test_an_answer_of_exactly_the_greatest_size_is_taken(tmp_path: Path) -> None:
    async with receiver(tmp_path, b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n0123456789") as found:
        client = calling(tmp_path).client
        assert (await client.call(get(found.url(), max_answer_bytes=10))).body == b"0123456789"
        with pytest.raises(CallFailed, match="body_too_large"):
            await client.call(get(found.url(), max_answer_bytes=9))


async def test_a_compressed_answer_is_not_expanded(tmp_path: Path) -> None:
    bomb = gzip.compress(bytes(10_000_000))
    head = f"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: {len(bomb)}\r\n\r\n".encode()
    async with receiver(tmp_path, head + bomb) as found:
        assert (await calling(tmp_path).client.call(get(found.url()))).body == bomb


async def test_a_certificate_for_another_name_is_refused(tmp_path: Path) -> None:
    async with receiver(tmp_path) as found:
        it = calling(tmp_path)
        with pytest.raises(CallFailed, match="tls"):
            await it.client.call(get(found.url(host="other.example")))
    assert found.requests == []


async def test_a_certificate_of_an_unknown_authority_is_refused(tmp_path: Path) -> None:
    async with receiver(tmp_path, tls=server_tls(tmp_path / "other")) as found:
        with pytest.raises(CallFailed, match="tls"):
            await calling(tmp_path).client.call(get(found.url()))
    assert found.requests == []


async def test_tls_1_1_is_refused(tmp_path: Path) -> None:
    old = server_tls(tmp_path)
    old.set_ciphers("DEFAULT:@SECLEVEL=0")
    with pytest.warns(DeprecationWarning, match="TLSv1"):
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    async with receiver(tmp_path, tls=old) as found:
        with pytest.raises(CallFailed, match="tls"):
            await calling(tmp_path).client.call(get(found.url()))


async def test_plain_http_on_the_port_is_refused(tmp_path: Path) -> None:
    async def answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")

    async with listening(answer, port := free_port()):
        with pytest.raises(CallFailed, match="tls"):
            await calling(tmp_path).client.call(get(f"https://{NAME}:{port}/"))


async def test_nothing_listens(tmp_path: Path) -> None:
    it = calling(tmp_path)
    with pytest.raises(CallFailed, match="not_connected"):
        await it.client.call(get(f"https://{NAME}:{free_port()}/"))


@pytest.mark.parametrize("answer", [[], ["not an address"]])
async def test_a_name_without_address_fails(tmp_path: Path, answer: list[str]) -> None:
    with pytest.raises(CallFailed, match="name_not_resolved"):
        await calling(tmp_path, answer).client.call(get(f"https://{NAME}/"))


async def test_a_proxy_of_the_operator_gets_the_name_and_the_tunnel_is_still_verified(tmp_path: Path) -> None:
    asked: list[str] = []

    async with receiver(tmp_path) as found:

        async def tunnel(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.append((await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")[0])
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
            there, back = await asyncio.open_connection("127.0.0.1", found.port)

            async def copy(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
                with suppress(OSError):
                    while data := await source.read(65_536):
                        sink.write(data)
                sink.close()

            try:
                await asyncio.gather(copy(reader, back), copy(there, writer))
            finally:
                back.transport.abort()
                with suppress(OSError):
                    await back.wait_closed()

        it = calling(tmp_path, networks=(), proxy=f"http://127.0.0.1:{(port := free_port())}")
        async with listening(tunnel, port):
            assert (await it.client.call(get(found.url()))).status == 204
            with pytest.raises(CallFailed, match="tls"):
                await it.client.call(get(found.url(host="other.example")))
            with pytest.raises(CallRefused, match="address_not_public"):
                await it.client.call(get(found.url(host="127.0.0.1")))
    assert asked == [f"CONNECT {NAME}:{found.port} HTTP/1.1", f"CONNECT other.example:{found.port} HTTP/1.1"]


async def test_a_proxy_that_refuses_fails_the_call(tmp_path: Path) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")

    async with listening(refuse, port := free_port()):
        with pytest.raises(CallFailed, match="proxy_refused"):
            await calling(tmp_path, proxy=f"http://127.0.0.1:{port}").client.call(get(f"https://{NAME}/"))
