"""The deployment as a caller reaches it: one request a connection, nothing followed, no proxy of the caller's between."""

import json
import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

WAIT = 15.0
"""Seconds for each answer."""


class Unreachable(Exception):
    """No HTTP answer came; the message says why in a few words."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer. Header names are in lower case; of a field that came twice the values are joined by a comma."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def document(self) -> Any:
        """The body as JSON; None when it is none."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    @property
    def message(self) -> str:
        """The first message of a refusal in the house dialect; empty when it is none (D9)."""
        document = self.document
        errors = document.get("errors") if isinstance(document, dict) else None
        first = errors[0] if isinstance(errors, list) and errors else None
        return str(first.get("message", "")) if isinstance(first, dict) else ""

    @property
    def ours(self) -> bool:
        """Whether the service answered and not something before it: each of its answers has an id (D9)."""
        return "x-request-id" in self.headers


@dataclass(frozen=True, slots=True)
class Site:
    """A public address and how its certificate is verified."""

    url: str
    """Base address without trailing slash."""
    trust: ssl.SSLContext

    @property
    def secure(self) -> bool:
        """Whether the address is an HTTPS one."""
        return self.url.startswith("https://")

    @property
    def host(self) -> str:
        """The name or address in it."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int:
        """The port in it, or the scheme's own."""
        return urlsplit(self.url).port or (443 if self.secure else 80)

    def ask(self, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None) -> Reply:
        """Send one request and return the answer; Unreachable when none comes."""
        connection = (
            HTTPSConnection(self.host, self.port, timeout=WAIT, context=self.trust)
            if self.secure
            else HTTPConnection(self.host, self.port, timeout=WAIT)
        )
        return asked(connection, method, urlsplit(self.url).path + path, headers or {}, body)


def asked(
    connection: HTTPConnection, method: str, target: str, headers: Mapping[str, str], body: bytes | None = None
) -> Reply:
    """Send one request on a new connection and return the answer; Unreachable when none comes."""
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
