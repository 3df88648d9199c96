"""A store in this process's memory: the contract without durability, for tests and measurements."""

from collections.abc import Callable, Sequence
from typing import TypeVar

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.crypto import base64url
from credence.store.change_log import changes_after
from credence.store.contract import CHANGE_NOTICE_MS, Conflict, Full
from credence.store.deliveries import Delivery
from credence.store.people import DeviceRequest, Factor
from credence.store.records import (
    AccessTokenParameters,
    Account,
    Application,
    Change,
    ChangeKind,
    FamilyStatistics,
    ReportRead,
    StatusBlock,
    TokenFamily,
)
from credence.store.signing_keys import SigningKeyRow, private_key_name
from credence.store.tallies import Tally
from credence.telemetry.histogram import Histogram
from credence.token_lifetime_limits import MAX_ACCESS_TOKEN_SECONDS
from tests.memory_deliveries import MemoryDeliveries
from tests.memory_devices import MemoryDevices
from tests.memory_factors import MemoryFactors
from tests.memory_monitoring import MemoryMonitoring
from tests.memory_sign_ins import MemorySignIns
from tests.memory_signals import MemorySignals
from tests.memory_tallies import MemoryTallies

K = TypeVar("K")
V = TypeVar("V")


class MemoryStore(
    MemorySignals, MemorySignIns, MemoryFactors, MemoryMonitoring, MemoryDevices, MemoryDeliveries, MemoryTallies
):
    """Keeps every promise of the contract but the one about durability."""

    def __init__(self) -> None:
        self.seconds = Histogram()
        self._applications: dict[str, Application] = {}
        self._accounts: dict[str, Account] = {}
        self._families: dict[bytes, TokenFamily] = {}
        self._changes: list[Change] = []
        self._last_sequence = 0
        self._secrets: dict[str, bytes] = {}
        self._keys: dict[str, SigningKeyRow] = {}
        self._tallies: dict[bytes, Tally] = {}
        self._spent: dict[bytes, Milliseconds] = {}
        self._blocks: dict[int, StatusBlock] = {}
        self._last_block = 0
        self._factors: dict[bytes, Factor] = {}
        self._devices: dict[bytes, DeviceRequest] = {}
        self._reads: dict[tuple[str, str], Milliseconds] = {}
        self._deliveries: dict[bytes, Delivery] = {}
        MemorySignIns.__init__(self)
        MemoryMonitoring.__init__(self)
        MemorySignals.__init__(self)

    @override
    async def application(self, client_id: str) -> Application | None:
        return self._applications.get(client_id)

    @override
    async def applications(self, after: str = "", limit: int | None = None) -> list[Application]:
        return [self._applications[client_id] for client_id in sorted(self._applications) if client_id > after][:limit]

    @override
    async def applications_owned_by(self, username: str) -> list[Application]:
        return [each for each in await self.applications() if each.owner == username != ""]

    @override
    async def save_application(self, application: Application, at: Milliseconds, most: int | None = None) -> None:
        kept = self._applications.get(application.client_id)
        if (kept.version if kept else 0) != application.version - 1:
            raise Conflict(application.client_id)
        if most is not None and len(await self.applications_owned_by(application.owner)) + (kept is None) > most:
            raise Full(application.owner)
        if kept is not None:
            self._signal_of_application(kept, application)
        self._applications[application.client_id] = application
        self._log("application", application.client_id, at + CHANGE_NOTICE_MS)

    @override
    async def account(self, username: str) -> Account | None:
        return self._accounts.get(username)

    @override
    async def accounts(self, after: str = "", limit: int | None = None) -> list[Account]:
        return [self._accounts[username] for username in sorted(self._accounts) if username > after][:limit]

    @override
    async def accounts_named(self, usernames: Sequence[str]) -> list[Account]:
        return [self._accounts[username] for username in usernames if username in self._accounts]

    @override
    async def save_account(self, account: Account, at: Milliseconds) -> None:
        kept = self._accounts.get(account.username)
        if (kept.version if kept else 0) != account.version - 1:
            raise Conflict(account.username)
        if kept is not None:
            self._add_notices_of_account(kept.not_before, account, at)
            if account.not_before > kept.not_before:
                ahead = {
                    each.client_id for each in self._applications.values() if each.not_before >= account.not_before
                }
                for each in [each for each in self._families.values() if each.client_id in ahead]:
                    if each.username == account.username and each.created_at >= account.not_before:
                        await self.end_family(each.id, at, "before_not_before")
            self._signal_of_account(kept, account)
        self._accounts[account.username] = account
        self._log("account", account.username, at + CHANGE_NOTICE_MS)

    @override
    async def family(self, family_id: bytes) -> TokenFamily | None:
        return self._families.get(family_id)

    @override
    async def families(self, before: bytes, limit: int) -> list[TokenFamily]:
        ids = sorted((each for each in self._families if each < before), reverse=True)
        return [self._families[each] for each in ids[:limit]]

    @override
    async def rotate(
        self, family_id: bytes, generation: int, parameters: AccessTokenParameters, not_before: Milliseconds = 0
    ) -> TokenFamily | None:
        family = self._families.get(family_id)
        if (
            family is None
            or family.generation != generation
            or family.ended_at is not None
            or family.created_at < not_before
            or parameters.issued_at >= family.expires_at
            or (family.confirmation and not parameters.confirmation)
        ):
            return None
        rotated = msgspec.structs.replace(
            family,
            generation=generation + 1,
            issued_at=max(family.issued_at, parameters.issued_at),
            expires_in=parameters.expires_in,
            kid=parameters.kid,
            narrowed=parameters.narrowed,
            confirmation=parameters.confirmation,
        )
        self._families[family_id] = rotated
        return rotated

    @override
    async def end_family(self, family_id: bytes, at: Milliseconds, because: str) -> bool:
        family = self._families.get(family_id)
        if family is None or family.ended_at is not None:
            return False
        self._families[family_id] = msgspec.structs.replace(family, ended_at=at, ended_because=because)
        self._log("family", base64url.encode(family_id), family.expires_at + MAX_ACCESS_TOKEN_SECONDS * 1000)
        return True

    @override
    async def family_statistics(self, now: Milliseconds) -> list[FamilyStatistics]:
        held: dict[tuple[str, bool], list[TokenFamily]] = {}
        for family in self._families.values():
            if family.expires_at > now and family.client_id in self._applications:
                held.setdefault((family.client_id, family.id in self._sign_ins), []).append(family)
        return [
            FamilyStatistics(
                *kind, sum(self._is_live(each, now) for each in held[kind]), max(each.created_at for each in held[kind])
            )
            for kind in sorted(held)
        ]

    @override
    async def revoke_token(self, jti: str, until: Milliseconds) -> None:
        self._log("token", jti, until)

    @override
    async def changes(self, after: int) -> list[Change]:
        found = [
            (self._last_sequence, *msgspec.structs.astuple(each)) for each in self._changes if each.sequence > after
        ]
        return changes_after(after, found or [(self._last_sequence, None)])

    @override
    async def acknowledged_changes(self, after: int) -> list[Change]:
        return await self.changes(after)

    @override
    def timeline(self) -> int:
        return 0

    @override
    def change_marker(self) -> int:
        return self._last_sequence

    @override
    def clock_offset(self) -> Milliseconds:
        return 0

    @override
    async def sealed_secret(self, name: str, proposal: bytes) -> bytes:
        return self._secrets.setdefault(name, proposal)

    @override
    async def sealed_secrets(self) -> dict[str, bytes]:
        return dict(self._secrets)

    @override
    async def reseal(self, secrets: dict[str, tuple[bytes, bytes]], at: Milliseconds) -> None:
        if any(self._secrets.get(name) != old for name, (old, _) in secrets.items()):
            raise Conflict("sealed secrets")
        self._secrets |= {name: new for name, (_, new) in secrets.items()}
        self._log("key", "", at + CHANGE_NOTICE_MS)

    @override
    async def delete_sealed_secret(self, name: str) -> None:
        self._secrets.pop(name, None)

    @override
    async def signing_keys(self) -> list[SigningKeyRow]:
        return sorted(self._keys.values(), key=lambda key: (key.signs_from, key.kid))

    @override
    async def add_signing_key(self, key: SigningKeyRow, sealed: bytes, after: str | None, at: Milliseconds) -> None:
        peers = [each.kid for each in await self.signing_keys() if each.algorithm == key.algorithm]
        if (peers[-1] if peers else None) == after:
            self._keys[key.kid] = key
            self._secrets[private_key_name(key.kid)] = sealed
            self._log("key", key.kid, at + CHANGE_NOTICE_MS)

    @override
    async def advance_signing_key(self, kid: str, signs_from: Milliseconds, at: Milliseconds) -> bool:
        key = self._keys.get(kid)
        if key is None or key.revoked_at is not None or key.signs_from <= signs_from:
            return False
        self._keys[kid] = msgspec.structs.replace(key, signs_from=signs_from)
        self._log("key", kid, at + CHANGE_NOTICE_MS)
        return True

    @override
    async def revoke_signing_key(self, kid: str, at: Milliseconds) -> bool:
        key = self._keys.get(kid)
        if key is None or key.revoked_at is not None:
            return False
        self._keys[kid] = msgspec.structs.replace(key, revoked_at=at)
        self._secrets.pop(private_key_name(kid), None)
        self._log("key", kid, at + CHANGE_NOTICE_MS)
        return True

    @override
    async def delete_signing_key(self, kid: str, at: Milliseconds) -> None:
        if self._keys.pop(kid, None) is not None:
            self._secrets.pop(private_key_name(kid), None)
            self._log("key", kid, at + CHANGE_NOTICE_MS)

    @override
    async def consume_once(self, key: bytes, expires_at: Milliseconds) -> bool:
        if key in self._spent or expires_at <= self._spent.get(b"", -1):
            return False
        self._spent[key] = expires_at
        return True

    @override
    async def open_status_blocks(self, block: StatusBlock, count: int) -> list[int]:
        numbers = list(range(self._last_block + 1, self._last_block + count + 1))
        self._blocks |= dict.fromkeys(numbers, block)
        self._last_block += count
        return numbers

    @override
    async def status_blocks(self, first: int, last: int) -> list[tuple[int, StatusBlock]]:
        return [(number, self._blocks[number]) for number in range(first, last + 1) if number in self._blocks]

    @override
    async def status_block_numbers(self) -> range:
        return range(min(self._blocks), max(self._blocks) + 1) if self._blocks else range(0)

    @override
    async def note_report_reads(self, reads: Sequence[ReportRead]) -> None:
        for each in reads:
            key = each.client_id, each.company
            self._reads[key] = max(each.until, self._reads.get(key, 0))

    @override
    async def report_reads(self, client_id: str, companies: Sequence[str]) -> dict[str, Milliseconds]:
        return {each: self._reads[client_id, each] for each in companies if (client_id, each) in self._reads}

    @override
    async def prepare(self, now: Milliseconds) -> None:
        pass

    @override
    async def sweep(self, now: Milliseconds, max_rows: int = 1_000) -> int:
        room = max_rows - _drop(self._families, lambda family: family.expires_at <= now, max_rows)
        stale = [change for change in self._changes if change.until <= now][:room]
        self._changes = [change for change in self._changes if change not in stale]
        room -= len(stale)
        room -= _drop(self._tallies, lambda tally: max(tally.drains_at, tally.trusted_until) <= now, room)
        room -= _drop(self._spent, lambda until: until <= now, room)
        room -= _drop(self._blocks, lambda block: block.until <= now, room)
        room -= _drop(self._sessions, lambda session: session.expires_at <= now, room)
        room -= _drop(self._sign_ins, lambda each: int.from_bytes(each.family_id[:6], "big") <= now, room)
        room -= _drop(self._reads, lambda until: until <= now, room)
        room -= _drop(self._devices, lambda each: each.expires_at <= now, room)
        room -= _drop(self._deliveries, lambda each: each.keep_until <= now, room)
        return max_rows - room

    @override
    async def check_writable(self) -> None:
        pass

    @override
    async def close(self) -> None:
        pass

    def _is_live(self, family: TokenFamily, now: Milliseconds) -> bool:
        owners = self._applications[family.client_id], self._accounts[family.username]
        standing = family.created_at >= max(owner.not_before for owner in owners)
        return standing and family.ended_at is None and family.expires_at > now

    def _log(self, kind: ChangeKind, subject: str, until: Milliseconds) -> None:
        self._last_sequence += 1
        self._changes.append(Change(self._last_sequence, kind, subject, until))
        self._signal_of_change(kind, subject)


def _drop(held: dict[K, V], is_done: Callable[[V], bool], most: int) -> int:
    done = [key for key, value in held.items() if is_done(value)][:most]
    for key in done:
        del held[key]
    return len(done)
