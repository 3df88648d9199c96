"""`docs/keys.md`: the life of a signing key, its diagram and its figures drawn from `oauth/keys/schedule.py`."""

from credence.oauth.keys import schedule
from credence.oauth.keys.rotation import PRIVATE_KEY_RETENTION_MS
from credence.store.nodes import BEAT_SECONDS, GONE_AFTER_MS, SILENT_AFTER_MS

_PAGE = """\
# Keys

Generated from `oauth/keys/schedule.py` by `python -m tools.generate`.

## Signing keys

Each algorithm has its own sequence of keys, and every key has the same life cycle.
The change of keys needs no operator: every process computes the state of each key from its row and the clock, and \
the first process that finds a new key due publishes it.

```mermaid
stateDiagram-v2
    [*] --> published
{arrows}
    removed --> [*]
```

| State | In the key set | Signs | Verifies | Private half |
|---|---|---|---|---|
| published | yes | no | yes | sealed in the store |
| signing | yes | yes | yes | sealed in the store |
| retired | yes | no | yes | deleted {leeway} seconds after the key retired |
| removed | no | no | no | deleted |

These rules hold, each with a test in `tests/oauth/test_key_schedule.py`:

- A key signs only after it has been in the key set for {safe} seconds: the longest `max-age` of the key set, and a \
minute for clocks that differ.
  `credence keys roll` refuses to go faster.
- `max-age` is at most {max_age} seconds and never extends past the next change of any key.
- A retired key stays in the key set for {retention} seconds: the longest lifetime of an access token, and the same \
minute.
- The next key of each algorithm is always published in advance, so that it can replace a revoked key at once.
- If several processes publish the next key at once, the first wins; the keys of the others are never used.
- A thread generates keys, and no token request waits for it.
- The key set begins with the default algorithm: the key that signs, its successor, then its predecessors; the other \
algorithms follow in a fixed order. \
Some libraries always take the first key.
- Only algorithms that are used have keys: the default, RS256 (which signs ID tokens and introspection answers), and \
those of applications.

A key signs for `CREDENCE_KEY_AGE_DAYS` days and is published at least `CREDENCE_KEY_LEAD_DAYS` days before \
([settings](settings.md)).
`CREDENCE_ALGORITHMS` names the algorithms on offer; `ML-DSA-65` (RFC 9964) may be added for verifiers that support it.
The keys of another algorithm join the key set before the command or registration that names it is saved.
A verifier with a cached key set fetches it again when a token names an unknown key; one that does not do so refuses \
tokens of the new algorithm for up to {max_age} seconds.
When the last application has given up an algorithm, its waiting key is revoked, and the key that signed leaves after \
{retention} seconds.

## Which algorithm

A signature with RS256 or PS256 takes ten to twenty times as long as one with ES256 or EdDSA.
Microseconds of processor time for one, with OpenSSL 4.0:

| | RS256, PS256 | ES256 | EdDSA | ML-DSA-65 |
|---|---|---|---|---|
| Intel Xeon with AVX-512 | 258 | 27 | | |
| AMD EPYC | 701 | 30 | 37 | 1,183 |

So a refresh with RS256 costs three to five times as much as one with ES256, most of it the signature.
RS256 is the default for access tokens because the clients of the password grant check for it (D5), and for ID tokens \
because every OpenID client knows it.
If everything that verifies your access tokens takes the algorithm from the key set, as [verifying](verifying.md) shows, \
choose `--algorithm ES256` for an application, or `CREDENCE_ALGORITHM=ES256` for all that have none of their own.
Applications that developers make in the portal sign with ES256 already.

## Commands

```
credence keys list               state and dates of every key
credence keys export KID         its public half as PEM, or as JWK with --format jwk
credence keys roll RS256         let the next key sign now; earlier tokens stay valid
credence keys revoke KID         an emergency: see below
credence keys reseal             a new key-encryption key on one node, while the service runs
credence keys kek add            the same on nodes that share a store, in steps: add, switch, drop
credence keys kek status         which node has which key-encryption key, and the next step
```

**If a private key may have leaked**, revoke it ([incidents](incidents.md#a-signing-key-leaked)).
In this deployment the key leaves the key set with the next request, every access token that it signed is refused, \
and the next key signs.
Clients get a 401 and refresh or sign in again; these keys do not sign refresh tokens, which stay valid.
A verifier elsewhere with a cached key set accepts the leaked key for up to {max_age} seconds more, and longer if it \
ignores `max-age`.

## The key-encryption key

The store has private keys, the key of refresh tokens and the key for digests of client secrets in sealed form \
(AES-256-GCM, one key per purpose by HKDF).
The key-encryption key, which opens them, is outside the store: in a file (`CREDENCE_KEY_ENCRYPTION_KEY_FILE`) or a \
variable.
The sandbox creates a file in the data folder, readable by its owner only.
With a wrong or missing key the service refuses to start and prints the reason in one line.

The file may have several keys, one a line, the oldest first.
All of them open; the one that sealed the store's contents last seals what is new, so every node seals with the same key.
Keys are named by their ids: 8 hexadecimal digits of a keyed digest.

### On one node

`credence keys reseal` adds a new key to the file, seals everything with it, waits until the running server uses it, and \
removes the old key.
A server that cannot open a value reads the file again, so no request is refused.

### On nodes that share a store

Every node needs the new key before anything is sealed with it, and only you can copy it there.
Every process reads its file every {beat} seconds, uses the keys in it, and notes their ids in the store; \
`credence keys kek status` shows them.
No step refuses a request:

| Step | What you do | Refused until |
|---|---|---|
| add | `credence keys kek add` on one machine: a new key at the end of its file | no other node has a further key |
| distribute | copy the file to every node; `credence keys kek status` names those that lack the key | |
| switch | `credence keys kek switch`: the new key seals everything, on every node at once | every node has the new key |
| drop | `credence keys kek drop`: the old key leaves the file of this machine; copy it to every node | the new key has \
sealed everything, and every node has it |

- `credence keys kek switch --to ID` goes back, as long as every node has the earlier key.
- A node that was stopped is not waited for.
  One that was killed or cannot reach the database is named in the refusal, because it may come back with its old file: \
give it the key, or exclude it with `--without NODE`.
  After {gone} minutes of silence it is not waited for any more, and its row is deleted; if its node runs again, \
the row of the old process is deleted after {silent} seconds.
  A node that starts without the key prints that its key does not open the store.
- A node reads a mounted secret of Kubernetes within a minute of its change, as it is; with the overlay in `deploy/` a \
change starts a rolling update, which serves too.
- systemd copies a key given by `LoadCredential=` when the service starts, and `CREDENCE_KEY_ENCRYPTION_KEY` is fixed then \
too: restart one node at a time after each copy.
- Commands can write neither of these.
  In place of `credence keys kek add` append the line that `openssl rand -hex 32` prints; in place of \
`credence keys kek drop` remove the first line, when `credence keys kek status` names that step.
- Nodes of versions before this one note nothing: upgrade all of them first.

A backup made before the switch needs the old key: keep that key as long as the backup.
"""


def render() -> str:
    """Return the page."""
    arrows = "\n".join(f"    {step.before} --> {step.after}: {step.cause}" for step in schedule.TRANSITIONS)
    return _PAGE.format(
        arrows=arrows,
        leeway=PRIVATE_KEY_RETENTION_MS // 1000,
        safe=f"{schedule.SAFE_AFTER_MS // 1000:,}",
        max_age=f"{schedule.KEY_SET_MAX_AGE_SECONDS:,}",
        retention=f"{schedule.RETENTION_MS // 1000:,}",
        beat=f"{BEAT_SECONDS:.0f}",
        gone=GONE_AFTER_MS // 60_000,
        silent=SILENT_AFTER_MS // 1_000,
    )
