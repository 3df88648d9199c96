"""The client of a remote management API, with the token of a login (D30)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec

from credence import paths
from credence.cli.failure import Failure, NotFound
from credence.cli.remote_logins import call, default_file, fresh, login_at, members, said, site_of
from credence.clock import system_clock
from credence.doctor.site import Reply

PATCH = "application/merge-patch+json"

UNREADABLE = "The answer is not one of a management API."

DONE: dict[str, Any] = {"done": True}
"""The answer to an act that has no content (204)."""

T = TypeVar("T")
ROWS = list[dict[str, Any]]


class Remote:
    """A client of the management API of one deployment, with the token of a stored login."""

    def __init__(self, url: str, file: Path | None = None) -> None:
        """Raises NotFound when the person is not signed in there for management."""
        self._file = file or default_file()
        self._login = login_at(self._file, url.rstrip("/"), paths.MANAGEMENT)

    def get(self, path: str, **query: object) -> dict[str, Any]:
        """Return a resource. Raises NotFound or Failure."""
        return _answered(self._ask("GET", path, query))

    def rows(self, path: str, name: str, **query: object) -> list[dict[str, Any]]:
        """Return the rows of a list that has one page. Raises NotFound, or Failure also for an answer without them."""
        return part(self.get(path, **query), name, ROWS)

    def all_of(self, path: str, name: str, **query: object) -> list[dict[str, Any]]:
        """Return the rows of every page of a list."""
        rows: list[dict[str, Any]] = []
        page = ""
        while True:
            found = self.get(path, **query, page_token=page)
            rows += part(found, name, ROWS)
            page = str(found.get("next_page_token") or "")
            if not page:
                return rows

    def send(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Send a request that changes something. Raises NotFound, or Failure with the error message of the deployment."""
        return _answered(self._ask(method, path, {}, body))

    def change(self, path: str, patch: Mapping[str, object]) -> dict[str, Any]:
        """Change a resource with PATCH, conditional on its present version.

        Raises Failure if it is changed by another caller meanwhile.
        """
        return self.act("PATCH", path, patch, of=path)

    def act(
        self, method: str, path: str, body: object = None, *, of: str = "", preview: bool = False
    ) -> dict[str, Any]:
        """Send a request that acts; with `of` conditional on the present version of the resource at that path.

        Raises NotFound, or Failure also if the resource is changed by another caller meanwhile.
        """
        headers = {}
        if of:
            found = self._ask("GET", of, {})
            _answered(found)
            headers["if-match"] = found.headers.get("etag", "")
        media_type = PATCH if method == "PATCH" else "application/json"
        query = {"preview": "true"} if preview else {}
        return _answered(self._ask(method, path, query, body, media_type, headers))

    def _ask(
        self,
        method: str,
        path: str,
        query: Mapping[str, object],
        body: object = None,
        media_type: str = "application/json",
        more: Mapping[str, str] | None = None,
    ) -> Reply:
        login = fresh(self._file, self._login, system_clock())
        site = site_of(login.reached_at or login.url, login.ca_file)
        text = urlencode({name: value for name, value in query.items() if value not in (None, "")})
        headers = {"authorization": f"Bearer {login.access_token}", **(more or {})}
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            headers["content-type"] = media_type
        return call(site, method, f"{paths.MANAGEMENT}{path}{'?' if text else ''}{text}", headers, content)


def part(found: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """Return one member of an answer. Raises Failure if it is missing or of another type."""
    try:
        return msgspec.convert(found.get(name), kind)
    except msgspec.ValidationError:
        raise Failure(UNREADABLE) from None


def _answered(reply: Reply) -> dict[str, Any]:
    """Return the members of an answer. Raises NotFound or Failure for a refusal."""
    if reply.status == 204:
        return DONE
    found = members(reply)
    if reply.status < 300 and found:
        return found
    if reply.status == 401:
        raise Failure(f"The deployment refuses the login: {said(reply)} Again: credence login URL --manage ADDRESS")
    text = str(found.get("detail") or found.get("title") or said(reply) or UNREADABLE)
    line = "".join(each for each in text if each.isprintable())[:500]
    raise NotFound(line) if reply.status == 404 else Failure(line)
