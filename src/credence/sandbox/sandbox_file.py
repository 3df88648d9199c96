"""The file `sandbox.json`: addresses, credentials and scenarios for a developer (D24)."""

import datetime as dt
from functools import lru_cache
from pathlib import Path

import msgspec

from credence.errors import UnusableContent
from credence.files import OWNER_ONLY, write_atomically
from credence.sandbox.scenarios import Credentials, Scenario


class SandboxFile(msgspec.Struct, frozen=True):
    """The content of the file. `ca_file` is None when clients need no further authority."""

    base_url: str
    ca_file: str | None
    client_id: str
    client_secret: str
    username: str
    password: str
    service_username: str
    service_password: str
    company_number: str
    """The invented company whose report the banner opens first."""
    scenarios: tuple[Scenario, ...]
    applications: dict[str, Credentials]
    """The other applications that scenarios use, by their key in `sandbox/roles.py`."""
    standard_client_id: str = ""
    """The client_id of the application for standard clients (`client_secret_post`). Empty in a file of version 0.2."""
    standard_client_secret: str = ""
    real_company_number: str = ""
    """A real company that is scored. Empty in an older file."""
    made: dt.date | None = None
    """The day from which the invented companies are dated; None in a file of version 0.2."""


class Damaged(UnusableContent):
    """The file is damaged; the message says what to do."""


def read(path: Path) -> SandboxFile | None:
    """Return the content of the file, None when it does not exist; raises Damaged when it is incomplete."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=SandboxFile)
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"{path} is damaged: move it away, and the next start writes a new one.") from error


def made(path: Path) -> dt.date | None:
    """Return the day from which the invented companies are dated; None before the sandbox is made.

    The file is read when it changes. Raises Damaged when it is incomplete.
    """
    try:
        return _made(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        return None


@lru_cache(maxsize=4)
def _made(path: Path, _changed: int) -> dt.date | None:
    contents = read(path)
    return contents.made if contents else None


def write(path: Path, contents: SandboxFile) -> None:
    """Replace the file atomically. It contains secrets, so only its owner may read it."""
    write_atomically(path, msgspec.json.format(msgspec.json.encode(contents), indent=2) + b"\n", OWNER_ONLY)
