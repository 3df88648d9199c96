"""`credence keys reseal` and `credence keys kek`: replace the key-encryption key while the service runs (D13).

On one node a single command does it. Nodes that share a store each have the keys in a file of their own, so the change
has steps, and each step is refused until every node has the key that it needs. The file has the oldest key first.
"""

import asyncio
from collections import Counter
from dataclasses import dataclass
from itertools import takewhile
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, opened, record, settings_of, time_of
from credence.cli.failure import Failure
from credence.cli.output import instant, print_many, print_one, say
from credence.clock import Milliseconds
from credence.crypto.sealing import KeyEncryptionKeys, Unsealable, key_id, new_key, sealing_key_id
from credence.deployment import key_encryption_keys, write_key_encryption_keys
from credence.oauth.keys.secrets import ENVIRONMENT, rewrap
from credence.settings import Settings
from credence.store.contract import Store
from credence.store.nodes import BEAT_SECONDS, GONE_AFTER_MS, SILENT_AFTER_MS, NodeProcess

commands = typer.Typer(help="The key-encryption key of a store that nodes share: add, distribute, switch, drop.")

SERVER_NOTICE_SECONDS = 3
"""Seconds after which every running server has applied a change of the store and finished earlier work."""

OnlyNode = Annotated[bool, typer.Option("--only-node", help="No other node uses this shared store.")]
Without = Annotated[
    list[str] | None,
    typer.Option(
        "--without", metavar="NODE", help="Do not wait for this node because it is not running.", show_default="none"
    ),
]


def reseal(only_node: OnlyNode = False, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Make a new key-encryption key and seal all keys and secrets with it, while the service runs.

    The new key is written into the file of this machine, so a store that nodes share needs the steps of `keys kek`.
    """
    settings = settings_of(data_dir)
    _require_file(settings)
    if settings.store and not only_node:
        raise Failure(
            "Nodes share this store, and the new key would be on this machine alone: the others could not open their keys. "
            "Begin with: credence keys kek add. If no other node uses the store, say so with --only-node."
        )

    async def act() -> int:
        async with opened(settings) as store:
            record(settings, "keys reseal")
            old, new = key_encryption_keys(settings), new_key()
            # The file is written first, so that every sealed value has its key at any moment.
            write_key_encryption_keys(settings.key_encryption_key_path, KeyEncryptionKeys((*old.keys, new)))
            count = await _rewrap_all(store, KeyEncryptionKeys((new, *old.keys)))
            write_key_encryption_keys(settings.key_encryption_key_path, KeyEncryptionKeys((new,)))
            return count

    print_one({"resealed": asyncio.run(act())}, as_json=as_json)


@commands.command()
def add(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Make a new key and add it to the file of this machine, as its last line. It opens, but does not seal yet.

    Then copy the file to every node; a running node reads it within seconds.
    """
    settings = settings_of(data_dir)
    _require_file(settings)

    async def act() -> str:
        async with opened(settings) as store:
            change = await _change(settings, store)
            if len(change.ids) > 1:
                raise Failure(
                    f"{settings.key_encryption_key_path} has a further key already: credence keys kek status."
                )
            busy = sorted({each.node for each in change.processes if set(each.key_ids) - {change.current}})
            if busy:
                raise Failure(*(f"{node} has a further key already: a change is in progress there." for node in busy))
            new = new_key()
            record(settings, "keys kek add", key=key_id(new))
            write_key_encryption_keys(settings.key_encryption_key_path, KeyEncryptionKeys((*change.keks.keys, new)))
            return key_id(new)

    print_one({"added": asyncio.run(act()), "file": str(settings.key_encryption_key_path)}, as_json=as_json)


@commands.command()
def status(data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show which key seals, which keys each node has, and the next step. Keys are shown by their ids."""
    settings = settings_of(data_dir)

    async def act() -> "_Change":
        async with opened(settings) as store:
            return await _change(settings, store)

    change = asyncio.run(act())
    told: dict[str, object] = {
        "sealing_key": change.current,
        "keys_here": change.ids,
        "values_by_key": change.values_by_key,
        "next_step": _next_step(change),
    }
    nodes = [
        {
            "node": each.node,
            "state": _state(change.now - each.seen_at),
            "last_seen": instant(each.seen_at),
            "keys": each.key_ids,
        }
        for each in change.processes
    ]
    if as_json:
        print_one({**told, "nodes": nodes}, as_json=True)
        return
    print_one(told, as_json=False)
    say("")
    print_many(nodes, as_json=False)


@commands.command()
def switch(
    to: Annotated[
        str | None,
        typer.Option(
            "--to", metavar="ID", help="The key that shall seal.", show_default="the one after the present one"
        ),
    ] = None,
    without: Without = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Seal everything with the new key, from now on and on every node. Refused until every node has it."""
    settings = settings_of(data_dir)

    async def act() -> tuple[str, int]:
        async with opened(settings) as store:
            change = await _settled(settings, store)
            target = to or change.following
            if target is None:
                raise Failure("There is no key to switch to: make one with: credence keys kek add")
            if target not in change.ids:
                raise Failure(f"This machine does not have the key {target}.")
            _require_everywhere(change, target, without or [])
            record(settings, "keys kek switch", key=target)
            keys = change.keks.keys
            first = KeyEncryptionKeys((keys[change.ids.index(target)], *keys))
            return target, await _rewrap_all(store, first)

    target, count = asyncio.run(act())
    print_one({"sealing_key": target, "resealed": count}, as_json=as_json)


@commands.command()
def drop(without: Without = None, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Remove from the file of this machine the keys that no longer seal anything. Refused until every node has the new one.

    Then copy the file to every node. Keep an old key as long as the backups that were made with it.
    """
    settings = settings_of(data_dir)
    _require_file(settings)

    async def act() -> tuple[tuple[str, ...], int]:
        async with opened(settings) as store:
            change = await _settled(settings, store)
            if not change.former:
                raise Failure(
                    f"No key of {settings.key_encryption_key_path} was replaced: first credence keys kek switch."
                )
            _require_everywhere(change, change.current, without or [])
            record(settings, "keys kek drop", keys=" ".join(change.former))
            kept = change.keks.keys[len(change.former) :]
            count = await _rewrap_all(store, KeyEncryptionKeys((*kept, *change.keks.keys)))
            write_key_encryption_keys(settings.key_encryption_key_path, KeyEncryptionKeys(kept))
            return change.former, count

    dropped, count = asyncio.run(act())
    print_one({"dropped": dropped, "resealed": count, "file": str(settings.key_encryption_key_path)}, as_json=as_json)


@dataclass(frozen=True, slots=True, repr=False)
class _Change:
    """The state of a change of key: the keys of this machine, the sealed values of the store, and the nodes that may run."""

    keks: KeyEncryptionKeys
    current: str
    """The id of the key that now seals."""
    values_by_key: dict[str, int]
    processes: list[NodeProcess]
    now: Milliseconds

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids of the keys of this machine, the oldest first."""
        return tuple(key_id(key) for key in self.keks.keys)

    @property
    def former(self) -> tuple[str, ...]:
        """The ids of the keys before the one that seals."""
        return tuple(takewhile(lambda each: each != self.current, self.ids))

    @property
    def following(self) -> str | None:
        """The id of the key after the one that seals."""
        return next(iter(self.ids[len(self.former) + 1 :]), None)

    def lacking(self, key: str) -> list[NodeProcess]:
        """Return the processes that may still run and do not have this key."""
        return [each for each in self.processes if key not in each.key_ids and self.now - each.seen_at <= GONE_AFTER_MS]


async def _change(settings: Settings, store: Store) -> _Change:
    """Return the state of the change.

    Raises Failure for a store of one node, Unsealable if the sealing key is missing on this machine.
    """
    if store.nodes is None:
        raise Failure("This store has one node: credence keys reseal changes the key in one step.")
    keks, secrets = key_encryption_keys(settings), await store.sealed_secrets()
    if ENVIRONMENT not in secrets:
        raise Failure(
            "Nothing is sealed in this store yet: write the key into the file of every node, then start them."
        )
    current = sealing_key_id(secrets[ENVIRONMENT])
    if current not in {key_id(key) for key in keks.keys}:
        raise Unsealable(ENVIRONMENT)
    counts = Counter(sealing_key_id(sealed) for sealed in secrets.values())
    return _Change(keks, current, dict(sorted(counts.items())), await store.nodes.noted(), time_of(store))


async def _settled(settings: Settings, store: Store) -> _Change:
    """Return the state of the change, read twice if a node seems gone: the database may just have come back."""
    change = await _change(settings, store)
    if any(_state(change.now - each.seen_at) == "gone" for each in change.processes):
        await asyncio.sleep(BEAT_SECONDS + 1)
        change = await _change(settings, store)
    return change


def _require_everywhere(change: _Change, key: str, without: list[str]) -> None:
    """Raise Failure unless every node has this key, except the nodes in `without`, which the operator says do not run."""
    running = {each.node for each in change.processes if _state(change.now - each.seen_at) == "running"}
    lines = [f"{node} runs: --without is for a node that does not." for node in without if node in running]
    for node in sorted({each.node for each in change.lacking(key)}.difference(set(without) - running)):
        line = f"{node} does not have the key {key}: copy the file of the keys there."
        lines.append(line if node in running else f"{line} If it no longer runs: --without {node}")
    if lines:
        raise Failure(*lines)


def _next_step(change: _Change) -> str:
    target = change.following or change.current
    lacking = sorted({each.node for each in change.lacking(target)})
    if lacking:
        return f"copy the file of the keys to {', '.join(lacking)}"
    if change.following:
        return "credence keys kek switch"
    if change.former:
        return "credence keys kek drop"
    further = sorted({each.node for each in change.processes if set(each.key_ids) - set(change.ids)})
    return f"copy the file of the keys to {', '.join(further)}" if further else "none: one key seals everything"


def _state(silent_ms: Milliseconds) -> str:
    if silent_ms <= SILENT_AFTER_MS:
        return "running"
    return "silent" if silent_ms <= GONE_AFTER_MS else "gone"


async def _rewrap_all(store: Store, keks: KeyEncryptionKeys) -> int:
    """Seal everything with the first key; return the count once no value is sealed by another key and all servers use it."""
    count = 0
    while rewrapped := await rewrap(store, keks, time_of(store)):
        count += rewrapped
        # A running server may have sealed a new signing key with the old key just before it read the change.
        await asyncio.sleep(SERVER_NOTICE_SECONDS)
    return count


def _require_file(settings: Settings) -> None:
    if settings.key_encryption_key:
        raise Failure(
            "CREDENCE_KEY_ENCRYPTION_KEY: a running service cannot read a variable again. Put the key into a file, "
            "name it with CREDENCE_KEY_ENCRYPTION_KEY_FILE, and restart every node."
        )
