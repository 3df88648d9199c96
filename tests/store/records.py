"""Records for the tests of stores: whole, valid and alike, so that a test states only what it is about."""

import datetime as dt
import sqlite3
from contextlib import closing
from pathlib import Path

import msgspec

from credence.store.contract import Store
from credence.store.customers import Customer, Owed
from credence.store.limit_decisions import Grounds, LimitDecision, State, decision_id
from credence.store.records import (
    AccessTokenParameters,
    Account,
    Application,
    ClientSecret,
    TokenFamily,
)
from credence.store.signing_keys import SigningKeyRow

NOW = 1_700_000_000_000
DAY = 86_400_000


def application(client_id: str = "crd_sbx_app_a", version: int = 1, name: str = "Ledger") -> Application:
    return Application(client_id, name, (ClientSecret(b"\x00\xff" * 16, created_at=NOW),), NOW, version=version)


def account(username: str = "ada", version: int = 1, email: str | None = None) -> Account:
    return Account(username, "user", "$argon2id$", NOW, version=version, email=email)


def family(identity: int = 1, expires_at: int = NOW + DAY) -> TokenFamily:
    return TokenFamily(
        id=expires_at.to_bytes(6, "big") + identity.to_bytes(16, "big"),
        client_id="crd_sbx_app_a",
        username="ada",
        scope="",
        created_at=NOW,
        expires_at=expires_at,
        issued_at=NOW,
        expires_in=10_800,
        kid="k1",
        audience="https://ledger.example",
        confirmation="jkt:k1",
        status_block=7,
    )


def parameters(at: int = NOW + 1) -> AccessTokenParameters:
    return AccessTokenParameters(issued_at=at, expires_in=3_600, kid="k2", narrowed="openid", confirmation="jkt:k2")


def signing_key(kid: str = "k1", algorithm: str = "ES256", signs_from: int = 0) -> SigningKeyRow:
    return SigningKeyRow(kid, algorithm, b"{}", published_at=NOW, signs_from=signs_from)


def limit_decision(
    place: int = 1,
    state: State = "approved",
    company: str = "00000001",
    owner: str = "crd_sbx_app_a",
    amount: int = 500,
) -> LimitDecision:
    return LimitDecision(
        id=decision_id(owner, company, place),
        owner=owner,
        company=company,
        place=place,
        state=state,
        amount=amount,
        why="Pays on time",
        review_on=dt.date(2024, 11, 14),
        proposed_by="ada",
        proposed_at=NOW,
        grounds=Grounds(day=dt.date(2023, 11, 14), name="ONE LIMITED", score=70, band="B"),
    )


def customer(reference: str = "C1", balance: int = 12_050, company: str = "", **changes: object) -> Customer:
    kept = Customer("p1", reference, "One Ltd", Owed(balance), "GBP", dt.date(2023, 11, 10), "up1", company=company)
    return msgspec.structs.replace(kept, **{"state": "number" if company else "waiting", **changes})


def add_expired(database: Path, count: int) -> None:
    """Add rows that have expired to the replay cache of a SQLite store."""
    with closing(sqlite3.connect(database)) as connection, connection:
        marks = ((number.to_bytes(4, "big"), NOW) for number in range(count))
        connection.executemany("INSERT INTO spent VALUES (?, ?)", marks)


async def log_in(store: Store, opened: TokenFamily) -> None:
    """Open a family for the account, which is registered first where it is not."""
    if await store.account("ada") is None:
        await store.save_account(account(), NOW)
    await store.open_family(opened, account())
