"""`docs/keys.md`: the life of a signing key, its diagram and its figures drawn from `oauth/keys/schedule.py`."""

from credence.oauth.keys import schedule
from credence.oauth.keys.rotation import PRIVATE_KEY_RETENTION_MS

_PAGE = """\
# Keys

Made from `oauth/keys/schedule.py` by `python -m tools.generate`.

## Signing keys

Each algorithm has a line of keys, and each key the same life. Nobody has to do anything: every process computes the
state of every key from the rows and the clock, and whoever first sees that a key is due publishes it.

```mermaid
stateDiagram-v2
    [*] --> published
{arrows}
    removed --> [*]
```

| state | in the key set | signs | verifies | private half |
|---|---|---|---|---|
| published | yes | no | yes | sealed in the store |
| signing | yes | yes | yes | sealed in the store |
| retired | yes | no | yes | destroyed {leeway} seconds after it retired |
| removed | no | no | no | gone |

The laws, each held by a test in `tests/oauth/test_key_schedule.py`:

- A key never signs before it has been in the key set for {safe} seconds: the longest `max-age` of the key set and a
  minute for clocks that differ. `credence keys roll` refuses sooner.
- `max-age` is at most {max_age} seconds and never runs past the next change of any key.
- A retired key stays for {retention} seconds: the longest life of an access token and the same minute.
- The next key of each line is always published ahead, so that there is one to fall back on.
- Of many processes that publish the next key, the first wins; the others' keys are never used.
- Keys are made in a thread. No request waits for one.

A key signs for `CREDENCE_KEY_AGE_DAYS` days and is published at least `CREDENCE_KEY_LEAD_DAYS` days before; see
[settings](settings.md). `CREDENCE_ALGORITHMS` names the algorithms; `ML-DSA-65` (RFC 9964) may be added for
verifiers that know it.

## Commands

```
credence keys list               state and dates of every key
credence keys roll RS256         let the next key sign now; tokens of the last one stay good
credence keys revoke KID         an emergency: see below
credence keys reseal             a new key-encryption key, while the service runs
```

**When a private key may have leaked**, revoke it. In this deployment the key leaves the key set with the next
request, every access token it signed is refused, and the next key signs. Clients get a 401 and refresh or log in
again; refresh tokens are not signed by these keys and stay good. The cost: a verifier elsewhere that holds the key
set accepts the leaked key for up to {max_age} seconds more, and a verifier that caches longer than it was told, for
as long as it does.

## The key-encryption key

Private keys, the key that marks refresh tokens and the key that digests client secrets are sealed in the store
(AES-256-GCM, a key per purpose by HKDF). The key that opens them lies outside: in a file
(`CREDENCE_KEY_ENCRYPTION_KEY_FILE`) or a variable. The sandbox makes a file in the data folder, readable by its
owner alone. With a wrong or missing key the service refuses to start and says so in one line.

`credence keys reseal` writes a new key into the file beside the old one, seals everything with the new one, waits
until running servers have noticed, and takes the old one out. A server that meets a value it cannot open reads the
file again, so no request is refused. A backup of the store taken before needs the old key: keep it as long as the
backup.
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
    )
