"""Random histories of calls of the store's contract: every method, in any order, on overlapping rows.

Beside being alike, the answers may not break threats I1, I2 and I4: what a history knows of that is its own.
"""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, multiple, precondition, rule

from credence.crypto import base64url
from credence.oauth.tokens.refresh_token import EXPIRY_BYTES
from credence.store.contract import Conflict, Store
from credence.store.records import (
    AccessTokenParameters,
    Account,
    AccountStatus,
    Application,
    StatusBlock,
)
from credence.store.signing_keys import SigningKeyRow, private_key_name
from credence.store.tallies import TallyIncrement
from tests.store import records
from tests.store.histories import Stores
from tests.store.records import DAY, NOW

CLIENTS = ("a", "b")
NAMES = ("ada", "bob")
MOST_REOPENINGS = 1
KEPT_EXPIRED_MS = 600_000
"""Less than the service keeps expired rows, so that histories of minutes delete some."""
"""In one history: each costs as much as all the rest."""

clients, names = st.sampled_from(CLIENTS), st.sampled_from(NAMES)
statuses: st.SearchStrategy[AccountStatus] = st.sampled_from(["active", "suspended", "closed"])
secret_names = st.sampled_from(["digest-key", "refresh-key"])
values = st.binary(min_size=1, max_size=2)
steps = st.sampled_from([0, 1, 1_000, 30_000, 3_600_000, DAY - 1, DAY])
tally_keys = st.sampled_from([b"a" * 16, b"a" * 16 + b"x" * 16, b"a" * 16 + b"\xff" * 16, b"b" * 16])
marks = st.sampled_from([b"", b"m", b"\xff" * 32])
increments = st.builds(TallyIncrement, tally_keys, st.sampled_from([10, 60_000]), st.sampled_from([50, 300_000]))


class StoreHistory(RuleBasedStateMachine):
    """One history; everything in it happens in two stores."""

    families = Bundle("families")
    keys = Bundle("keys")

    def __init__(self, stores: Stores) -> None:
        super().__init__()
        self.stores = stores
        self.stores.begin()
        self.now = NOW
        self.reopened = 0
        self.accounts: dict[str, list[Account]] = {name: [] for name in NAMES}
        self.rotated: set[tuple[bytes, int]] = set()
        self.opened: set[bytes] = set()
        self.ended: set[bytes] = set()
        self.swept_until = 0
        self.revoked: dict[str, int] = {}

    def everybody_is_registered(self) -> None:
        for application in map(records.application, CLIENTS):
            self.stores.change(partial(_save_application, application))
        for name in NAMES:
            self.save_account(name, 1)

    @initialize(target=families, at=st.integers(1, 3))
    def somebody_logs_in(self, at: int) -> Any:
        self.everybody_is_registered()
        return multiple(self.log_in(at, "a", "ada", 1, DAY), self.log_in(at, "b", "bob", 1, 2 * DAY))

    @rule(by=steps)
    def time_passes(self, by: int) -> None:
        self.now += by

    @rule(client=clients, further=st.integers(0, 2), not_before=st.booleans(), disabled=st.booleans())
    def save_application(self, client: str, further: int, *, not_before: bool, disabled: bool) -> None:
        kept = self.stores.ask(lambda store: store.application(client))
        assert kept is not None
        since = self.now if not_before else kept.not_before
        saved = msgspec.structs.replace(
            kept, version=kept.version + further, not_before=since, disabled=disabled, name=f"{further} at {self.now}"
        )
        with suppress(Conflict):
            self.stores.change(lambda store: store.save_application(saved, self.now))
            assert further == 1
        now_kept = self.stores.ask(lambda store: store.application(client))
        assert now_kept == (saved if further == 1 else kept)

    @rule(name=names, further=st.integers(0, 2), password=st.booleans(), not_before=st.booleans(), status=statuses)
    def change_account(
        self, name: str, further: int, status: AccountStatus, *, password: bool, not_before: bool
    ) -> None:
        kept = self.accounts[name][-1]
        changes: dict[str, Any] = {"status": status, "password_version": kept.password_version + password}
        self.save_account(name, further, not_before=self.now if not_before else kept.not_before, **changes)

    def save_account(self, name: str, further: int, **changes: Any) -> None:
        earlier = self.accounts[name]
        kept = earlier[-1] if earlier else records.account(name, version=0)
        saved = msgspec.structs.replace(kept, version=kept.version + further, **changes)
        with suppress(Conflict):
            self.stores.change(lambda store: store.save_account(saved, self.now))
            assert further == 1
            earlier.append(saved)
        assert self.stores.ask(lambda store: store.account(name)) == earlier[-1]

    @rule(
        target=families,
        identity=st.integers(1, 3),
        client=clients,
        name=names,
        read=st.integers(1, 2),
        life=st.sampled_from([1_000, DAY, 2 * DAY]),
    )
    def log_in(self, identity: int, client: str, name: str, read: int, life: int) -> bytes:
        """With the current account, or its previous version."""
        earlier = self.accounts[name]
        account = earlier[-min(read, len(earlier))]
        at = {"created_at": self.now, "issued_at": self.now}
        plain = records.family(identity, (self.now // DAY) * DAY + DAY + life)
        family = msgspec.structs.replace(plain, client_id=client, username=name, **at)
        there = self.stores.ask(lambda store: store.family(family.id))
        stands = _standing(account) == _standing(earlier[-1])
        with suppress(Conflict):
            self.stores.change(lambda store: store.open_family(family, account))
            assert there is None
            assert stands
            there = family
            self.opened.add(family.id)
        assert self.stores.ask(lambda store: store.family(family.id)) == there
        return family.id

    @rule(
        family_id=families,
        off=st.sampled_from([-1, 0, 0, 0, 1]),
        late=st.sampled_from([-1_000, 0, 0, 1]),
        since=st.sampled_from([0, 0, -1, 1]),
        narrowed=st.sampled_from([None, "openid"]),
    )
    def rotate(self, family_id: bytes, off: int, late: int, since: int, narrowed: str | None) -> None:
        if self.may_be_gone(family_id):
            return
        before = self.stores.ask(lambda store: store.family(family_id))
        generation = (before.generation if before else 0) + off
        not_before = before.created_at + since if before and since else 0
        parameters = AccessTokenParameters(self.now + late, 3_600, "k2", narrowed, "jkt:k")
        rotated = self.stores.change(lambda store: store.rotate(family_id, generation, parameters, not_before))
        assert self.stores.ask(lambda store: store.family(family_id)) == (rotated or before)
        if rotated is not None:
            assert (family_id, generation) not in self.rotated, "I1: two successors of one generation"
            assert family_id not in self.ended, "I2: an ended family was rotated"
            self.rotated.add((family_id, generation))

    @rule(family_id=families, because=st.sampled_from(["revoked", "reused"]))
    def end(self, family_id: bytes, because: str) -> None:
        if self.may_be_gone(family_id):
            return
        before = self.stores.ask(lambda store: store.family(family_id))
        ended = self.stores.change(lambda store: store.end_family(family_id, self.now, because))
        assert ended is (before is not None and before.ended_at is None)
        if ended:
            self.ended.add(family_id)

    @rule(family_id=families)
    def read_family(self, family_id: bytes) -> None:
        if self.may_be_gone(family_id):
            return
        family = self.stores.ask(lambda store: store.family(family_id))
        assert (family is not None) is (family_id in self.opened), "I4: a login that was acknowledged is lost"
        if family_id in self.ended:
            assert family is not None
            assert family.ended_at is not None, "I2: an ended family lives"

    def may_be_gone(self, family_id: bytes) -> bool:
        return int.from_bytes(family_id[:EXPIRY_BYTES], "big") <= self.swept_until

    @rule(jti=st.sampled_from(["t1", "t2"]), life=st.sampled_from([1, DAY]))
    def revoke_token(self, jti: str, life: int) -> None:
        self.stores.change(lambda store: store.revoke_token(jti, self.now + life))
        self.revoked[jti] = max(self.revoked.get(jti, 0), self.now + life)

    @rule(after=st.integers(0, 10))
    def read_log(self, after: int) -> None:
        log = self.stores.log(after, self.swept_until)
        sequences = [change.sequence for change in log]
        assert sequences == sorted(set(sequences))
        assert all(sequence > after for sequence in sequences)
        if after == 0:
            told = {change.subject for change in log}
            due = {jti for jti, until in self.revoked.items() if until > self.swept_until}
            due |= {base64url.encode(family_id) for family_id in self.ended if not self.may_be_gone(family_id)}
            assert due <= told, "I2: a revocation went before what it revokes"

    @rule(name=secret_names, proposal=values)
    def propose(self, name: str, proposal: bytes) -> None:
        kept = self.stores.ask(lambda store: store.sealed_secret(name, proposal))
        assert self.stores.ask(lambda store: store.sealed_secrets())[name] == kept

    @rule(name=secret_names, attempt=st.none() | values, new=values)
    def reseal(self, name: str, attempt: bytes | None, new: bytes) -> None:
        """All that there are, one of them perhaps with another old value than it has."""
        secrets = self.stores.ask(lambda store: store.sealed_secrets())
        asked = {each: (old, new) for each, old in secrets.items()}
        if attempt is not None:
            asked[name] = (attempt, new)
        right = all(secrets.get(each) == old for each, (old, _) in asked.items())
        with suppress(Conflict):
            self.stores.change(lambda store: store.reseal(asked, self.now))
            assert right
            secrets = dict.fromkeys(secrets, new)
        assert self.stores.ask(lambda store: store.sealed_secrets()) == secrets

    @rule(name=secret_names)
    def forget(self, name: str) -> None:
        self.stores.ask(lambda store: store.delete_sealed_secret(name))
        assert name not in self.stores.ask(lambda store: store.sealed_secrets())

    @rule(target=keys, algorithm=st.sampled_from(["ES256", "RS256"]), seen=st.booleans(), ahead=steps)
    def add_key(self, algorithm: str, ahead: int, *, seen: bool) -> str:
        """By one who sees which key is the newest, or by one who saw none."""
        peers = [each for each in self.signing_keys() if each.algorithm == algorithm]
        kid = f"k{self.stores.logged}.{len(peers)}.{self.now}"
        if any(each.kid == kid for each in peers):
            return kid
        key = SigningKeyRow(kid, algorithm, b"{}", published_at=self.now, signs_from=self.now + ahead)
        after = peers[-1].kid if peers and seen else None
        self.stores.change(lambda store: store.add_signing_key(key, b"sealed", after, self.now))
        added = any(each.kid == kid for each in self.signing_keys())
        assert added is (not peers or seen)
        return kid

    @rule(kid=keys, sooner=st.sampled_from([-1, 0, 1]))
    def advance_key(self, kid: str, sooner: int) -> None:
        signs_from = next((each.signs_from for each in self.signing_keys() if each.kid == kid), self.now)
        self.stores.change(lambda store: store.advance_signing_key(kid, signs_from - sooner, self.now))
        self.signing_keys()

    @rule(kid=keys, drops=st.booleans())
    def end_key(self, kid: str, *, drops: bool) -> None:
        if drops:
            self.stores.change(lambda store: store.delete_signing_key(kid, self.now))
            assert all(each.kid != kid for each in self.signing_keys())
        else:
            self.stores.change(lambda store: store.revoke_signing_key(kid, self.now))
        assert private_key_name(kid) not in self.stores.ask(lambda store: store.sealed_secrets())

    def signing_keys(self) -> list[SigningKeyRow]:
        return self.stores.ask(lambda store: store.signing_keys())

    @rule(counted=st.lists(increments, min_size=1, max_size=3, unique_by=lambda increment: increment.key))
    def count_failure(self, counted: Sequence[TallyIncrement]) -> None:
        self.stores.ask(lambda store: store.count_failure(counted, self.now))
        self.stores.ask(lambda store: store.tallies([increment.key for increment in counted]))

    @rule(key=tally_keys, familiar_for=steps)
    def count_success(self, key: bytes, familiar_for: int) -> None:
        self.stores.ask(lambda store: store.count_success(key, self.now + familiar_for))
        (tally,) = self.stores.ask(lambda store: store.tallies([key]))
        assert tally.drains_at == 0
        assert tally.trusted_until >= self.now + familiar_for

    @rule(beginning=st.sampled_from([b"a" * 16, b"b" * 16]))
    def clear_failures(self, beginning: bytes) -> None:
        self.stores.ask(lambda store: store.clear_failures(beginning))
        self.stores.ask(lambda store: store.tallies([b"a" * 16, b"a" * 16 + b"\xff" * 16, b"b" * 16]))

    @rule(mark=marks, life=steps)
    def consume_once(self, mark: bytes, life: int) -> None:
        self.stores.ask(lambda store: store.consume_once(mark, self.now + life))
        assert not self.stores.ask(lambda store: store.consume_once(mark, self.now + life)), "a mark was spent twice"

    @rule(client=clients, name=names, count=st.integers(1, 3), life=steps)
    def open_status_blocks(self, client: str, name: str, count: int, life: int) -> None:
        block = StatusBlock(client, name, b"", self.now, self.now + life)
        numbers = self.stores.ask(lambda store: store.open_status_blocks(block, count))
        assert numbers == sorted(set(numbers))
        assert [kept for _, kept in self.stores.ask(lambda store: store.status_blocks(numbers[0], numbers[-1]))] == [
            block
        ] * count

    @rule(at_once=st.sampled_from([1, 3, 1_000]))
    def sweep(self, at_once: int) -> None:
        """To the end, in steps of any size, as late as a service does it. A store may keep for longer what may go."""
        until = self.now - KEPT_EXPIRED_MS
        self.swept_until = max(self.swept_until, until)
        self.stores.ask(lambda store: _swept(store, until, at_once))
        self.everything()

    @rule()
    def everything(self) -> None:
        """Everything that the contract can read."""
        self.stores.ask(lambda store: _everything(store, self.swept_until))
        self.stores.ask(lambda store: _live_logins(store, self.now))
        self.read_log(0)

    @precondition(lambda self: self.reopened < MOST_REOPENINGS)
    @rule()
    def reopen(self) -> None:
        self.reopened += 1
        self.stores.reopen()
        self.everything()


async def _save_application(application: Application, store: Store) -> None:
    await store.save_application(application, NOW)


async def _swept(store: Store, until: int, at_once: int) -> None:
    while await store.sweep(until, at_once):
        continue


async def _everything(store: Store, swept_until: int) -> dict[str, object]:
    """What nothing can depend on may be there or not, so it is left out."""
    await store.check_writable()
    numbers = await store.status_block_numbers()
    blocks = await store.status_blocks(numbers.start, numbers.stop)
    assert all(number in numbers for number, _ in blocks)
    return {
        "applications": await store.applications(),
        "accounts": await store.accounts(),
        "named": sorted(each.username for each in await store.accounts_named([*NAMES, "nobody"])),
        "secrets": await store.sealed_secrets(),
        "keys": await store.signing_keys(),
        "blocks": [(number, block) for number, block in blocks if block.until > swept_until],
        "unknown": (await store.application("nobody"), await store.account("nobody"), await store.family(b"")),
    }


async def _live_logins(store: Store, now: int) -> dict[str, int]:
    return {f"{each.client_id} {each.signed_in}": each.live for each in await store.family_statistics(now) if each.live}


def _standing(account: Account) -> tuple[int, str, int]:
    return account.password_version, account.status, account.not_before
