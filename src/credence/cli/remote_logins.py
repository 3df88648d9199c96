"""The logins of one person at remote deployments, in one file; access tokens are refreshed when they expire."""

import fcntl
import os
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import msgspec

from credence import paths
from credence.cli.failure import Failure, NotFound, WrongContent, WrongUsage
from credence.clock import Milliseconds
from credence.doctor.site import Reply, Site, Unreachable
from credence.files import OWNER_ONLY, is_exposed, write_atomically
from credence.oauth.parameters.scopes import MONITOR

FORM = {"content-type": "application/x-www-form-urlencoded"}
EARLY_MS = 30_000
"""Milliseconds before its end from which a token is refreshed before it is used."""

_LOOPBACK = {"localhost", "127.0.0.1", "::1"}


class RemoteLogin(msgspec.Struct, frozen=True):
    """A token family at a deployment, for one resource."""

    url: str
    """The issuer of the deployment."""
    resource: str
    """The path of the resource: `/mcp` for agents, `/manage/v1` for operators, empty for the API."""
    client_id: str
    ca_file: str | None
    scope: str
    access_token: str
    refresh_token: str | None
    expires_at: Milliseconds
    reached_at: str = ""
    """The address of the management API, if it differs from the issuer."""


_decode = msgspec.json.Decoder(list[RemoteLogin]).decode


def default_file() -> Path:
    """Return the path of the file with the logins of this user (XDG Base Directory)."""
    folder = os.environ.get("XDG_CONFIG_HOME") or str(Path.home() / ".config")
    return Path(folder) / "credence" / "logins.json"


def read_logins(file: Path) -> list[RemoteLogin]:
    """Return the logins of the file, an empty list if it does not exist.

    Raises Failure when other users could have read or changed the file.
    """
    if is_exposed(file):
        raise Failure(f"Other users can read {file}: chmod 600 it, and sign in again if they may have read it.")
    try:
        return _decode(file.read_bytes())
    except FileNotFoundError:
        return []
    except msgspec.DecodeError:
        raise WrongContent(f"{file} holds no logins.") from None


def login_at(file: Path, url: str | None, resource: str, scope: str = "") -> RemoteLogin:
    """Return the login at a deployment; without `url` the only one. `scope` is what a person must ask for by name.

    Raises NotFound if there is no login, WrongUsage if there are several.
    """
    found = [each for each in read_logins(file) if each.resource == resource and url in (None, each.url)]
    if not found:
        raise NotFound(f"You are not signed in there. First: {sign_in_command(url or 'https://HOST', resource, scope)}")
    if len(found) > 1:
        raise WrongUsage(f"You are signed in at {', '.join(each.url for each in found)}: name one with --url.")
    return found[0]


def sign_in_command(url: str, resource: str, scope: str = "") -> str:
    """Return the command with which a person signs in for this resource, with scopes that are not among the usual ones."""
    option = {paths.MCP: " --agents", paths.MANAGEMENT: " --manage ADDRESS"}.get(resource, "")
    return f"credence login {url}{option}" + (f' --scope "{scope}"' if scope else "")


def keep(file: Path, login: RemoteLogin) -> None:
    """Store a login instead of an earlier one for the same deployment and resource; only this user can read the file."""
    file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    others = [each for each in read_logins(file) if (each.url, each.resource) != (login.url, login.resource)]
    write_atomically(file, msgspec.json.encode([*others, login]), OWNER_ONLY)


def forget(file: Path, login: RemoteLogin) -> None:
    """Delete a login from the file."""
    others = [each for each in read_logins(file) if (each.url, each.resource) != (login.url, login.resource)]
    write_atomically(file, msgspec.json.encode(others), OWNER_ONLY)


def site_of(url: str, ca_file: str | None) -> Site:
    """Return the connection data of a deployment.

    Raises WrongUsage for an address without TLS that is not this machine.
    """
    parts = urlsplit(url)
    if not (parts.hostname and (parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK))):
        raise WrongUsage("The address begins with https://, such as https://api.example.com.")
    try:
        return Site(url, ssl.create_default_context(cafile=ca_file))
    except ssl.SSLError as error:
        raise WrongContent(f"{ca_file} holds no certificate in PEM.") from error


def endpoints_of(site: Site) -> Mapping[str, str]:
    """Return the paths of the deployment's endpoints by their names in its metadata.

    Only endpoints under the issuer's address, which TLS has authenticated, are returned: tokens are sent to no other.
    Raises Failure if the metadata is missing or names another issuer.
    """
    document = call(site, "GET", paths.CONFIGURATION).document
    if not isinstance(document, dict) or document.get("issuer") != site.url:
        raise Failure(
            f"{site.url} is not the address of a deployment: its metadata names another issuer, or is missing."
        )
    return {
        name: str(address).removeprefix(site.url)
        for name, address in document.items()
        if name.endswith("_endpoint") and str(address).startswith(f"{site.url}/")
    }


def endpoint(site: Site, name: str) -> str:
    """Return the path of one endpoint. Raises Failure if the deployment has none."""
    found = endpoints_of(site).get(name)
    if found is None:
        raise Failure(f"{site.url} has no {name}: it is an older version.")
    return found


def call(
    site: Site, method: str, path: str, headers: Mapping[str, str] | None = None, body: bytes | None = None
) -> Reply:
    """Send one request. Raises Failure if there is no answer."""
    try:
        return site.request(method, path, headers, body)
    except Unreachable as error:
        raise Failure(f"{site.url} does not answer: {error}.") from error


def sent(site: Site, path: str, fields: Mapping[str, str | None]) -> Reply:
    """Send a form, without its empty fields. Raises Failure if there is no answer."""
    form = {name: value for name, value in fields.items() if value}
    return call(site, "POST", path, FORM, urlencode(form).encode())


def members(reply: Reply) -> dict[str, Any]:
    """Return the members of a JSON object in an answer; an empty mapping for any other body."""
    return reply.document if isinstance(reply.document, dict) else {}


def said(reply: Reply) -> str:
    """Return the reason of a refusal in one printable line."""
    text = str(members(reply).get("error_description") or reply.message or f"status {reply.status}")
    return "".join(each for each in text if each.isprintable())[:300]


def with_tokens(login: RemoteLogin, answer: Mapping[str, Any], now: Milliseconds) -> RemoteLogin:
    """Return the login with the tokens of a token response."""
    return msgspec.structs.replace(
        login,
        scope=str(answer.get("scope", login.scope)),
        access_token=str(answer["access_token"]),
        refresh_token=answer.get("refresh_token") or login.refresh_token,
        expires_at=now + int(answer["expires_in"]) * 1000,
    )


def fresh(file: Path, login: RemoteLogin, now: Milliseconds) -> RemoteLogin:
    """Return the login with a valid access token, refreshed and stored if needed.

    One command refreshes at a time, so that none uses a refresh token that another has spent.
    """
    if now < login.expires_at - EARLY_MS:
        return login
    with _alone(file):
        login = login_at(file, login.url, login.resource)
        if now < login.expires_at - EARLY_MS:
            return login
        site = site_of(login.url, login.ca_file)
        request = {"grant_type": "refresh_token", "refresh_token": login.refresh_token, "client_id": login.client_id}
        reply = sent(site, endpoint(site, "token_endpoint"), request)
        if reply.status != 200:
            scope = login.scope if MONITOR in login.scope.split(" ") else ""
            again = sign_in_command(login.url, login.resource, scope)
            raise Failure(f"You are signed out at {login.url} ({said(reply)}). Again: {again}")
        renewed = with_tokens(login, members(reply), now)
        keep(file, renewed)
        return renewed


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
