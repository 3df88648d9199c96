"""The client of the APIs of a remote deployment, with the tokens of a person's logins (D30)."""

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urlencode

import msgspec

from credence import paths
from credence.cli.failure import Failure, refusal_of
from credence.cli.remote_logins import (
    RemoteLogin,
    call,
    default_file,
    fresh,
    login_at,
    members,
    said,
    sign_in_command,
    site_of,
)
from credence.clock import system_clock
from credence.doctor.site import Reply
from credence.oauth.parameters.scopes import MONITOR

PATCH = "application/merge-patch+json"

UNREADABLE = "The answer is not one of this API."

DONE: dict[str, Any] = {"done": True}
"""The answer to an act that has no content (204)."""

T = TypeVar("T")
ROWS = list[dict[str, Any]]


class Remote:
    """A client of one API of a deployment, with the token of the stored login that opens it."""

    def __init__(self, url: str, base: str = paths.MANAGEMENT, file: Path | None = None) -> None:
        self._url = url.rstrip("/")
        self._base = base
        self._file = file or default_file()

    def api(self, base: str) -> "Remote":
        """Return a client of another API of the deployment: that of operators, or one in which applications act."""
        return Remote(self._url, base, self._file)

    @property
    def client_id(self) -> str:
        """The application that the login acts for. Raises NotFound when the person is not signed in there for this API."""
        return self._login.client_id

    @cached_property
    def _login(self) -> RemoteLogin:
        return login_at(self._file, self._url, *self._needs)

    @property
    def _needs(self) -> tuple[str, str]:
        """The resource of the login, and the scopes that a person must ask for by name."""
        return (paths.MANAGEMENT, "") if self._base == paths.MANAGEMENT else ("", f"openid {MONITOR}")

    def get(self, path: str, **query: object) -> dict[str, Any]:
        """Return a resource. Raises NotFound or Failure."""
        return self._answered(self._ask("GET", path, query))

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

    def act(
        self,
        method: str,
        path: str,
        body: object = None,
        *,
        of: str = "",
        query: Mapping[str, object] | None = None,
        media_type: str = "",
    ) -> dict[str, Any]:
        """Send a request that acts; with `of` conditional on the present version of the resource at that path.

        `body` is JSON, or the octets of a file with their media type. Raises NotFound, or Failure also if the resource is
        changed by another caller meanwhile.
        """
        headers = {}
        if of:
            found = self._ask("GET", of, {})
            self._answered(found)
            headers["if-match"] = found.headers.get("etag", "")
        media_type = media_type or (PATCH if method == "PATCH" else "application/json")
        return self._answered(self._ask(method, path, query or {}, body, media_type, headers))

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
        text = urlencode({name: _text(value) for name, value in query.items() if value not in (None, "")})
        headers = {"authorization": f"Bearer {login.access_token}", **(more or {})}
        content = body if body is None or isinstance(body, bytes) else msgspec.json.encode(body)
        if content is not None:
            headers["content-type"] = media_type
        return call(site, method, f"{self._base}{path}{'?' if text else ''}{text}", headers, content)

    def _answered(self, reply: Reply) -> dict[str, Any]:
        """Return the members of an answer. Raises NotFound or Failure for a refusal."""
        if reply.status == 204:
            return DONE
        found = members(reply)
        if reply.status < 300 and found:
            return found
        text = str(found.get("detail") or found.get("title") or said(reply) or UNREADABLE)
        line = "".join(each for each in text if each.isprintable())[:500]
        again = sign_in_command(self._url, *self._needs)
        if reply.status == 401:
            raise Failure(f"The deployment refuses the login: {line} Again: {again}")
        if reply.status == 403 and self._base != paths.MANAGEMENT and MONITOR not in self._login.scope.split(" "):
            raise Failure(f"{line} The login lacks the scope {MONITOR}. Again: {again}")
        raise refusal_of(reply.status, line)


def part(found: Mapping[str, Any], name: str, kind: type[T]) -> T:
    """Return one member of an answer. Raises Failure if it is missing or of another type."""
    return converted(found.get(name), kind)


def converted(found: object, kind: type[T]) -> T:
    """Return an answer, or a part of one, as this type. Raises Failure if it is of another."""
    try:
        return msgspec.convert(found, kind)
    except msgspec.ValidationError:
        raise Failure(UNREADABLE) from None


def _text(value: object) -> object:
    """Return a value as a query has it: JSON's words for a flag."""
    return msgspec.json.encode(value).decode() if isinstance(value, bool) else value
