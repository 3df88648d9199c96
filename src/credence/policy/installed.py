"""The policies of a deployment: files `NAME.toml` in one folder, which are read again when they change."""

import hashlib
import re
from contextlib import suppress
from pathlib import Path

from credence.errors import InvalidInput
from credence.policy.policy import Policy, read_policy
from credence.refusals.credit import POLICY_UNKNOWN
from credence.refusals.refusal import Refused
from credence.refusals.requests import INTERNAL

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,59}").fullmatch


class InstalledPolicies:
    """Finds a policy by the name of its file. Finding an unchanged one costs a `stat`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._read: dict[str, tuple[tuple[int, int, int], Policy]] = {}

    def names(self) -> list[str]:
        """Return the names by which policies are found, in order."""
        return sorted(each.stem for each in self._folder.glob("*.toml") if _NAME(each.stem))

    def edition(self) -> tuple[int, str]:
        """Return when the newest file was written, in milliseconds, and a digest of all readable files."""
        newest, found = 0, []
        for name in self.names():
            with suppress(Refused, OSError):
                found.append((name, self.find(name).hash))
                newest = max(newest, (self._folder / f"{name}.toml").stat().st_mtime_ns // 1_000_000)
        return newest, hashlib.sha256(repr(found).encode()).hexdigest() if found else ""

    def find(self, name: str) -> Policy:
        """Return the policy in `NAME.toml`.

        Raises Refused with 404 if the file does not exist, with 500 if it is not a valid policy: an earlier version is not
        used instead.
        """
        if not _NAME(name):
            raise Refused(POLICY_UNKNOWN, "policy.unknown")
        path = self._folder / f"{name}.toml"
        try:
            found = path.stat()
            version = (found.st_ino, found.st_mtime_ns, found.st_size)
            cached = self._read.get(name)
            if cached is None or cached[0] != version:
                cached = (version, read_policy(path.read_bytes()))
                self._read[name] = cached
        except FileNotFoundError:
            self._read.pop(name, None)
            raise Refused(POLICY_UNKNOWN, "policy.unknown") from None
        except (InvalidInput, OSError):
            raise Refused(INTERNAL, "policy.unreadable") from None
        return cached[1]

    def authority_of(self, username: str) -> int | None:
        """Return the limit in pounds up to which a person may approve alone; None if no policy says it.

        Of several policies that say it the lowest counts, so that choosing a policy never allows more. Raises Refused
        with 500 if a policy cannot be read: it might say it.
        """
        said = [each.authority.of(username) for each in map(self.find, self.names()) if each.authority is not None]
        return min(said, default=None)
