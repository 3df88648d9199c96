"""Requests answers about single companies from the public register's API and saves them for a load (credit §4.1).

Only an operator with a key starts it. The published limit is 600 requests in five minutes; one request every half second
stays below it. If others use the same key and exceed it, the register's answer says when to continue. Addresses and days
of birth are not saved.
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
from credence.datasets.sources.public_register.profile import MEMBERS
from credence.datasets.sources.streams import NOT_JSON
from credence.files import OWNER_ONLY, write_atomically

BASE_URL = "https://api.company-information.service.gov.uk"

LISTS = {"officers": "items", "charges": "items", "insolvency": "cases", "filing-history": "items"}
"""The lists requested for each company, and the member with the entries."""

REQUEST_INTERVAL_MS: Milliseconds = 500
"""Milliseconds between two requests: 600 in five minutes."""

_MAX_WAIT_MS: Milliseconds = 300_000
_MAX_ATTEMPTS = 5
_PAGE_ENTRIES = 100
_MAX_PAGES = 200
_MAX_ANSWER_BYTES = 16 << 20
_TIMEOUT_SECONDS = 30
_PRIVATE = frozenset({"address", "principal_office_address", "contact_details", "day", "former_names", "practitioners"})
"""Members that are not saved, at any depth."""

Wait = Callable[[float], object]
"""Sleeps for a number of seconds."""


class FetchFailed(RuntimeError):
    """A request failed; the message is for the operator and contains neither key nor answer."""


class PublicRegister:
    """The API at `base`, over https, or over http on the same machine. Raises FetchFailed for another address."""

    def __init__(self, key: str, base: str, clock: Clock, wait: Wait) -> None:
        parts = urlsplit(base)
        if not parts.hostname or not (
            parts.scheme == "https" or (parts.scheme == "http" and _loopback(parts.hostname))
        ):
            raise FetchFailed("The register's address must begin with https.")
        self._encrypted, self._host, self._port = parts.scheme == "https", parts.hostname, parts.port
        self._authorization = "Basic " + base64.b64encode(f"{key}:".encode()).decode()
        self._clock, self._wait = clock, wait
        self._next: Milliseconds = 0

    def get(self, path: str) -> dict[str, Any] | None:
        """Return the answer to one request, None for status 404. Raises FetchFailed."""
        for attempt in range(_MAX_ATTEMPTS):
            self._wait_for_interval()
            try:
                status, headers, body = self._request(path)
            except (OSError, http.client.HTTPException) as error:
                if attempt + 1 == _MAX_ATTEMPTS:
                    raise FetchFailed(f"The register cannot be reached: {type(error).__name__}.") from error
                self._wait(2**attempt)
                continue
            if status == 429:
                self._wait(self._until_reset(headers) / 1000)
            elif status >= 500:
                self._wait(2**attempt)
            else:
                return self._answer(status, body)
        raise FetchFailed(
            "The register did not answer in time; the saved files are complete: give the command again for the rest."
        )

    def _wait_for_interval(self) -> None:
        now = self._clock()
        if self._next > now:
            self._wait((self._next - now) / 1000)
        self._next = max(now, self._next) + REQUEST_INTERVAL_MS

    def _request(self, path: str) -> tuple[int, http.client.HTTPMessage, bytes]:
        connection = (
            http.client.HTTPSConnection(
                self._host, self._port, timeout=_TIMEOUT_SECONDS, context=ssl.create_default_context()
            )
            if self._encrypted
            else http.client.HTTPConnection(self._host, self._port, timeout=_TIMEOUT_SECONDS)
        )
        try:
            headers = {"Authorization": self._authorization, "Accept": "application/json"}
            connection.request("GET", path, headers=headers)
            response = connection.getresponse()
            return response.status, response.headers, response.read(_MAX_ANSWER_BYTES)
        finally:
            connection.close()

    def _until_reset(self, headers: http.client.HTTPMessage) -> Milliseconds:
        reset, after = headers.get("X-Ratelimit-Reset", ""), headers.get("Retry-After", "")
        if reset.isdecimal():
            wait = int(reset) * 1000 - self._clock()
        elif after.isdecimal():
            wait = int(after) * 1000
        else:
            wait = _MAX_WAIT_MS
        return min(max(wait, REQUEST_INTERVAL_MS), _MAX_WAIT_MS)

    def _answer(self, status: int, body: bytes) -> dict[str, Any] | None:
        if status == 404:
            return None
        if status in {401, 403}:
            raise FetchFailed("The register does not accept the key (CREDENCE_COMPANIES_HOUSE_KEY).")
        if status != 200:
            raise FetchFailed(f"The register answered with the status {status}.")
        try:
            public: dict[str, Any] = _without_private(msgspec.json.decode(body, type=dict[str, Any]))
            return public
        except NOT_JSON as error:
            raise FetchFailed("The register's answer is not a JSON object.") from error


class Fetched(msgspec.Struct, frozen=True):
    """The files saved for one company."""

    company: str
    known: bool
    """Whether the company is in the register."""
    files: tuple[str, ...] = ()


def fetch(register: PublicRegister, numbers: Sequence[str], into: Path) -> Iterator[Fetched]:
    """Save the profile and the register's lists of each company, and yield the result for each.

    Files are complete or absent. Raises FetchFailed, OSError; the companies yielded before are saved.
    """
    into.mkdir(mode=0o700, parents=True, exist_ok=True)
    for number in numbers:
        profile = register.get(f"/company/{number}")
        if profile is None:
            yield Fetched(number, known=False)
            continue
        saved = [_save(into, f"{number}-profile-1.json", number, {name: profile.get(name) for name in MEMBERS})]
        saved += [file for what, member in LISTS.items() for file in _save_list(register, number, what, member, into)]
        yield Fetched(number, True, tuple(saved))


def _save_list(register: PublicRegister, number: str, what: str, member: str, into: Path) -> Iterator[str]:
    pages = list(_pages(register, f"/company/{number}/{what}", member))
    for old in into.glob(f"{number}-{what}-*.json"):
        old.unlink()
    for place, page in enumerate(pages, 1):
        yield _save(into, f"{number}-{what}-{place}.json", number, page)


def _save(into: Path, name: str, number: str, answer: dict[str, Any]) -> str:
    write_atomically(into / name, msgspec.json.encode(answer | {"company_number": number}), OWNER_ONLY)
    return name


def _pages(register: PublicRegister, path: str, member: str) -> Iterator[dict[str, Any]]:
    """Yield the pages of a list; one empty page if the register answers 404, which means that the list is empty."""
    start = 0
    for _ in range(_MAX_PAGES):
        answer = register.get(f"{path}?items_per_page={_PAGE_ENTRIES}&start_index={start}")
        if answer is None:
            if start == 0:
                yield {member: []}
            return
        yield answer
        entries = answer.get(member)
        received = len(entries) if isinstance(entries, list) else 0
        totals = [answer.get(name) for name in ("total_count", "total_results")]
        start += received
        if not received or start >= max((each for each in totals if isinstance(each, int)), default=0):
            return


def _without_private(value: Any) -> Any:
    """Return a value without private members. Raises RecursionError for one that nests too deeply."""
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
