"""Asks the public register's API about single companies and saves its answers for a load (credit §4.1).

Nothing is asked unless an operator says so and has a key. The published limit is 600 requests in five minutes: one goes
out every half second, which never meets it; when others share the key and it is met all the same, the answer says when
to go on. What is saved has no addresses and no day of birth, because nothing that is saved may have them.
"""

import base64
import http.client
import ssl
from collections.abc import Callable, Iterator, Sequence
from ipaddress import ip_address
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from credence.clock import Clock, Milliseconds
from credence.datasets.sources.streams import NOT_JSON
from credence.files import FOR_ITS_OWNER, write_whole

BASE_URL = "https://api.company-information.service.gov.uk"

LISTS = {"officers": "items", "charges": "items", "insolvency": "cases", "filing-history": "items"}
"""What is asked of each company, and the member that holds the list."""

REQUEST_INTERVAL_MS: Milliseconds = 500
"""Between two requests: 600 in five minutes."""

_WINDOW: Milliseconds = 300_000
_ATTEMPTS = 5
_A_PAGE = 100
_MOST_PAGES = 200
_LARGEST = 16 << 20
_TIMEOUT = 30
_PRIVATE = frozenset({"address", "principal_office_address", "contact_details", "day", "former_names", "practitioners"})
"""Members that are never saved, wherever they stand."""

Wait = Callable[[float], object]
"""Waits for so many seconds."""


class FetchFailed(RuntimeError):
    """The register did not answer as it should; the message is for the operator and holds neither key nor answer."""


class PublicRegister:
    """The API at `base`; https alone, but on the machine itself. FetchFailed for another address."""

    def __init__(self, key: str, base: str, clock: Clock, wait: Wait) -> None:
        parts = urlsplit(base)
        if not parts.hostname or not (
            parts.scheme == "https" or (parts.scheme == "http" and _loopback(parts.hostname))
        ):
            raise FetchFailed("The register is asked over https alone.")
        self._encrypted, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._authorization = "Basic " + base64.b64encode(f"{key}:".encode()).decode()
        self._clock, self._wait = clock, wait
        self._next: Milliseconds = 0

    def get(self, path: str) -> dict[str, Any] | None:
        """Return the answer to one request, None when there is no such thing. Raises FetchFailed."""
        for attempt in range(_ATTEMPTS):
            self._keep_pace()
            try:
                status, headers, body = self._ask(path)
            except (OSError, http.client.HTTPException) as error:
                if attempt + 1 == _ATTEMPTS:
                    raise FetchFailed(f"The register cannot be reached: {type(error).__name__}.") from error
                self._wait(2**attempt)
                continue
            if status == 429:
                self._wait(self._until_reset(headers) / 1000)
            elif status >= 500:
                self._wait(2**attempt)
            else:
                return self._understood(status, body)
        raise FetchFailed("The register did not answer in time; what was saved is whole, so begin again with the rest.")

    def _keep_pace(self) -> None:
        now = self._clock()
        if self._next > now:
            self._wait((self._next - now) / 1000)
        self._next = max(now, self._next) + REQUEST_INTERVAL_MS

    def _ask(self, path: str) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = (
            http.client.HTTPSConnection(self._host, self._port, timeout=_TIMEOUT, context=ssl.create_default_context())
            if self._encrypted
            else http.client.HTTPConnection(self._host, self._port, timeout=_TIMEOUT)
        )
        try:
            headers = {"Authorization": self._authorization, "Accept": "application/json"}
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read(_LARGEST)
        finally:
            connection.close()

    def _until_reset(self, headers: http.client.HTTPMessage) -> Milliseconds:
        reset, after = headers.get("X-Ratelimit-Reset", ""), headers.get("Retry-After", "")
        if reset.isdecimal():
            wait = int(reset) * 1000 - self._clock()
        elif after.isdecimal():
            wait = int(after) * 1000
        else:
            wait = _WINDOW
        return min(max(wait, REQUEST_INTERVAL_MS), _WINDOW)

    def _understood(self, status: int, body: bytes) -> dict[str, Any] | None:
        if status == 404:
            return None
        if status in {401, 403}:
            raise FetchFailed("The register does not accept the key (CREDENCE_COMPANIES_HOUSE_KEY).")
        if status != 200:
            raise FetchFailed(f"The register answered with the status {status}.")
        try:
            answer: dict[str, Any] = _without_private(msgspec.json.decode(body, type=dict[str, Any]))
            return answer
        except NOT_JSON as error:
            raise FetchFailed("The register's answer is no JSON object.") from error


class Fetched(msgspec.Struct, frozen=True):
    """What was saved of one company."""

    company: str
    known: bool
    """Whether the register has such a company."""
    files: tuple[str, ...] = ()


def fetch(register: PublicRegister, numbers: Sequence[str], into: Path) -> Iterator[Fetched]:
    """Save what the register says about each company, and yield it as it comes; files are whole or not there.

    Raises FetchFailed, OSError; what was yielded before is saved.
    """
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in numbers:
        if register.get(f"/company/{number}") is None:
            yield Fetched(number, known=False)
            continue
        saved = [file for what, member in LISTS.items() for file in _save_list(register, number, what, member, into)]
        yield Fetched(number, True, tuple(saved))


def _save_list(register: PublicRegister, number: str, what: str, member: str, into: Path) -> Iterator[str]:
    pages = list(_pages(register, f"/company/{number}/{what}", member))
    for old in into.glob(f"{number}-{what}-*.json"):
        old.unlink()
    for place, page in enumerate(pages, 1):
        name = f"{number}-{what}-{place}.json"
        write_whole(into / name, msgspec.json.encode({"company_number": number, **page}), FOR_ITS_OWNER)
        yield name


def _pages(register: PublicRegister, path: str, member: str) -> Iterator[dict[str, Any]]:
    """Yield a list page by page; one empty page where the register has no such list, which means that there is none."""
    start = 0
    for _ in range(_MOST_PAGES):
        answer = register.get(f"{path}?items_per_page={_A_PAGE}&start_index={start}")
        if answer is None:
            if start == 0:
                yield {member: []}
            return
        yield answer
        entries = answer.get(member)
        came = len(entries) if isinstance(entries, list) else 0
        totals = [answer.get(name) for name in ("total_count", "total_results")]
        start += came
        if not came or start >= max((each for each in totals if isinstance(each, int)), default=0):
            return


def _without_private(value: Any) -> Any:
    """Return a value without the members that are never saved. RecursionError for one that nests too deeply."""
    if isinstance(value, dict):
        return {name: _without_private(each) for name, each in value.items() if name not in _PRIVATE}
    if isinstance(value, list):
        return [_without_private(each) for each in value]
    return value


def _loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
