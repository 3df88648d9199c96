"""How long does each screen of the console, the portal and the workbench take, in a deployment with much in it (D30)?

In one process, on a real store and a real request log, without HTTP: each screen is requested again and again, and the
processor time of one in a hundred is the figure; other work on the machine does not count in it. The store is filled by
statements of its own, because 1.1 million commits would take hours.
"""

import asyncio
import sqlite3
import time
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from bench.measurement import Figure, Measurement, Target
from bench.questions.screens_of_people import load_companies, owned, visited
from bench.rounds import Plan
from credence.app import collect_rarely
from credence.identity.sessions import new_session
from credence.request_log.log_file import LogFile
from credence.request_log.waiting import Waiting
from credence.service import Service
from credence.sites.console.table import CONSOLE, SCREENS
from credence.sites.kit.session import cookie_of
from credence.store.records import (
    Account,
    Application,
    ClientSecret,
    TokenFamily,
)
from credence.store.sqlite.store import SqliteStore
from credence.web.asgi import AsgiApplication
from tests.deployment import NOW, Deployment, deploy, served

APPLICATIONS = 1_000
ACCOUNTS = 100_000
FAMILIES = 1_000_000
LINES = 10_000_000
AT_ONCE = 5_000
MEGABYTES = 2_000
"""The most that the lines take on the disk."""

REQUESTS = 100
"""Of each screen: the second slowest is the figure."""

SCREEN = Target(100, at="most")
"""Milliseconds."""

QUERY = Target(200, at="most")
"""Milliseconds of a query over the request log."""

SEARCHES = ("/console/accounts?q=account-0999", "/console/tokens?q=absent", "/console/log?q=client:client-7")
"""Searches of which the first two read as much as one may, and the third finds what it looks for."""

_DAY_MS = 86_400_000
_ENCODE = msgspec.json.Encoder().encode


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield the slowest hundredth of each screen."""
    for path, took in asyncio.run(_times(plan.deployment.folder / "screens")).items():
        target = QUERY if "/log?" in path or path.endswith("/production") else SCREEN
        yield Measurement(
            f"{path[1:].partition('?')[0].partition('/')[0]}, {path}",
            "ms of processor, p99",
            (Figure(took),),
            target=target,
        )


async def _times(folder: Path) -> dict[str, float]:
    store = _filled(folder)
    load_companies(folder)
    main = await deploy(folder, store, manage_port=8444, request_log_megabytes=MEGABYTES)
    _write_log(main.service.settings.request_log_file)
    operator = msgspec.structs.replace(_account("operator"), console_role="owner")
    await store.save_account(operator, NOW)
    key, purpose = main.service.authority.secrets.refresh, CONSOLE.application.site
    session, cookie = new_session(key, operator, "pwd otp", "bench", NOW, _DAY_MS, purpose)
    await store.open_session(session, operator)

    async def start() -> Service:
        return replace(main.service, manages=True, request_log=None, clock=lambda: NOW)

    apart = Deployment(main.service, main.asgi, store, main.application, main.secret)
    apart.asgi = AsgiApplication(main.service.settings, start, _keep_open)
    values = {"client_id": "client-7", "username": "account-7", "request_id": "0123456789abcdef-7"}
    async with served(main.asgi), served(apart.asgi):
        collect_rarely()  # as every server does once it has started
        fields = [("Cookie", f"{cookie_of(CONSOLE)}={cookie}")]
        paths = [*(screen.path.format(**values) for screen in SCREENS), *SEARCHES]
        times = {path: await _slowest(apart, path, fields) for path in paths}
        for each in await visited(main, _account("developer"), values["client_id"], values["request_id"]):
            times |= {path: await _slowest(main, path, list(each.fields)) for path in each.paths}
        return times


async def _slowest(deployment: Deployment, path: str, fields: list[tuple[str, str]]) -> float:
    """Return the processor time in milliseconds that one in a hundred requests exceeds."""
    took = []
    for _ in range(REQUESTS):
        began = time.process_time()
        reply = await deployment.send("GET", path, fields)
        took.append((time.process_time() - began) * 1000)
        if reply.status != 200:
            raise LookupError(f"{path}: {reply.status}")
    return sorted(took)[-2]


async def _keep_open(_service: Service) -> None:
    """Close nothing: the deployment closes what both addresses share."""


def _filled(folder: Path) -> SqliteStore:
    folder.mkdir()
    path = folder / "filled.sqlite"
    store = SqliteStore(path)
    with closing(sqlite3.connect(path)) as connection, connection:
        for table, key, records in (
            ("applications", "client_id", owned([_application(number) for number in range(APPLICATIONS)], "developer")),
            ("accounts", "username", (_account(f"account-{number}") for number in range(ACCOUNTS))),
        ):
            statement = f"INSERT INTO {table} ({key}, version, document) VALUES (?, 1, ?)"  # noqa: S608 - constants
            connection.executemany(statement, _documents(records, key))
        names = TokenFamily.__struct_fields__
        statement = f"INSERT INTO families ({', '.join(names)}) VALUES ({', '.join('?' * len(names))})"  # noqa: S608 - constants
        connection.executemany(statement, map(msgspec.structs.astuple, map(_family, range(FAMILIES))))
    return store


def _documents(records: Iterable[Any], key: str) -> Iterator[tuple[str, bytes]]:
    return ((getattr(each, key), _ENCODE(each)) for each in records)


def _application(number: int) -> Application:
    secret = ClientSecret(number.to_bytes(32, "big"), NOW)
    return Application(f"client-{number}", f"Application {number}", (secret,), NOW)


def _account(username: str) -> Account:
    return Account(username, "user", "$argon2id$", NOW, email=f"{username}@example.com", first_name="A", last_name="B")


def _family(number: int) -> TokenFamily:
    expires_at = NOW + _DAY_MS + number
    return TokenFamily(
        id=expires_at.to_bytes(6, "big") + number.to_bytes(16, "big"),
        client_id=f"client-{number % APPLICATIONS}",
        username=f"account-{number % ACCOUNTS}",
        scope="credit:report",
        created_at=NOW - number % _DAY_MS,
        expires_at=expires_at,
        issued_at=NOW,
        expires_in=3_600,
        kid="k1",
        generation=number % 9,
    )


def _write_log(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    waiting, log = Waiting(()), LogFile(path, MEGABYTES, 366)
    for first in range(0, LINES, AT_ONCE):
        for number in range(first, first + AT_ONCE):
            client, account = f"client-{number % APPLICATIONS}", f"account-{number % ACCOUNTS}"
            status, reason = (401, "token.expired") if number % 20 == 0 else (200, None)
            at, request_id = NOW - (LINES - number) // 100, f"0123456789abcdef-{number}"
            address = f"10.0.{number % 200}.{number % 251}"
            waiting.add(
                (at, request_id, None, client, account, "GET", "/v1/report", status, 0.001, reason, address, "")
            )
        log.write(waiting, waiting.take(), NOW - (LINES - first) // 100)
    log.close()
