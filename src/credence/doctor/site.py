"""HTTP requests to the deployment as a client sends them: one per connection, no redirects followed, no client proxy."""

import json
import socket
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTP_PORT, HTTPS_PORT, HTTPConnection, HTTPException
from typing import Any
from urllib.parse import urlsplit

from typing_extensions import override

TIMEOUT_SECONDS = 15.0
"""The timeout of each response."""


class Unreachable(Exception):
    """There was no HTTP response; the message gives the cause."""


@dataclass(frozen=True, slots=True)
class Reply:
    """A response. Header names are in lower case; the values of a repeated field are joined by a comma."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        """The body as JSON; None for any other body."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def message(self) -> str:
        """The first message of a refusal in the house dialect; empty for any other body (D9)."""
        document = self.document
        errors = document.get("errors") if isinstance(document, dict) else None
        first = errors[0] if isinstance(errors, list) and errors else None
        return str(first.get("message", "")) if isinstance(first, dict) else ""

    @property
    def is_from_service(self) -> bool:
        """Whether the service responded and not a proxy: each of its responses has X-Request-ID (D9)."""
        return "x-request-id" in self.headers


@dataclass(frozen=True, slots=True)
class Site:
    """A public address and how its certificate is verified."""

    url: str
    """Base address without trailing slash."""
    trust: ssl.SSLContext
    node: tuple[str, int] | None = None
    """The address and port to connect to instead of those in the URL, whose host stays the name in TLS and Host field."""

    @property
    def secure(self) -> bool:
        """Whether the scheme is HTTPS."""
        return self.url.startswith("https://")

    @property
    def host(self) -> str:
        """The host name or address."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        """The port, or the default of the scheme."""
        return urlsplit(self.url).port or (443 if self.secure else 80)

    @property
    def address(self) -> tuple[str, int]:
        """The address and port to connect to."""
        return self.node or (self.host, self.port)

    def request(
        self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
    ) -> Reply:
        """Send one request and return the response; Unreachable without a response."""
        return send(_Connection(self), method, urlsplit(self.url).path + path, headers or {}, body)


class _Connection(HTTPConnection):
    """A connection to the address of a site under the site's name."""

    def __init__(self, site: Site) -> None:
        super().__init__(site.host, site.port, timeout=TIMEOUT_SECONDS)
        self.default_port = HTTPS_PORT if site.secure else HTTP_PORT
        self._site = site

    @override
    def connect(self) -> None:
        self.sock = socket.create_connection(self._site.address, TIMEOUT_SECONDS)
        if self._site.secure:
            self.sock = self._site.trust.wrap_socket(self.sock, server_hostname=self.host)


def send(
    connection: HTTPConnection, method: str, target: str, headers: Mapping[str, str], body: bytes | None = None
) -> Reply:
    """Send one request on a new connection and return the response; Unreachable without a response."""
    try:
        connection.request(method, target, body, dict(headers))
        answer = connection.getresponse()
        fields: dict[str, str] = {}
        for name, value in answer.getheaders():
            fields[name.lower()] = f"{fields[name.lower()]}, {value}" if name.lower() in fields else value
        return Reply(answer.status, fields, answer.read())
    except ssl.SSLCertVerificationError as error:
        raise Unreachable(f"the certificate does not verify: {error.verify_message}") from error
    except (OSError, HTTPException) as error:
        raise Unreachable(str(error) or type(error).__name__) from error
    finally:
        connection.close()
