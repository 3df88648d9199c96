"""The file `sandbox.json`: everything a developer needs to begin, as the sandbox wrote it (D24)."""

from pathlib import Path

import msgspec

from credence.errors import InvalidInput
from credence.files import FOR_ITS_OWNER, write_whole
from credence.sandbox.scenarios import Credentials, Scenario


class SandboxFile(msgspec.Struct, frozen=True):
    """What the file holds. `ca_file` is None where clients need no other authority than their own."""

    base_url: str
    ca_file: str | None
    client_id: str
    client_secret: str
    username: str
    password: str
    service_username: str
    service_password: str
    company_number: str
    scenarios: tuple[Scenario, ...]
    applications: dict[str, Credentials]
    """The further applications that scenarios need, by the key of `sandbox/cast.py`."""


class Damaged(InvalidInput):
    """The file is there and cannot be understood; the message says what to do."""


def read(path: Path) -> SandboxFile | None:
    """Return what the file holds, None when there is none yet; Damaged when it is not a whole sandbox file."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=SandboxFile)
    except FileNotFoundError:
        return None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Damaged(f"{path} is damaged: move it away, and the next start writes it anew.") from error


def write(path: Path, contents: SandboxFile) -> None:
    """Replace the file as a whole or not at all. It holds secrets, so that only its owner may read it."""
    write_whole(path, msgspec.json.format(msgspec.json.encode(contents), indent=2) + b"\n", FOR_ITS_OWNER)
