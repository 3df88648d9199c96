"""`credence login`, `whoami` and `logout`: an operator signs in to a remote deployment with a browser (RFC 8628)."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from credence import paths
from credence.cli.deployment import AsJson
from credence.cli.failure import Failure, WrongUsage
from credence.cli.output import instant, print_one, say
from credence.cli.remote_logins import (
    RemoteLogin,
    call,
    default_file,
    endpoint,
    endpoints_of,
    forget,
    fresh,
    keep,
    login_at,
    members,
    read_logins,
    said,
    sent,
    site_of,
    with_tokens,
)
from credence.clock import sleep, system_clock
from credence.doctor.site import Site
from credence.oauth.parameters.scopes import MANAGE_SCOPES

GRANT = "urn:ietf:params:oauth:grant-type:device_code"

LoginFile = Annotated[
    Path | None, typer.Option("--login-file", help="File of the logins.", show_default="~/.config/credence/logins.json")
]
Url = Annotated[
    str | None, typer.Option("--url", help="Address of the deployment.", show_default="the only one in the file")
]
Agents = Annotated[bool, typer.Option("--agents", help="The login for agents: it opens /mcp and not the API.")]
Manage = Annotated[bool, typer.Option("--manage", help="The login for management.")]


def login(
    url: Annotated[str, typer.Argument(help="Address of the deployment, such as https://api.example.com.")],
    client_id: Annotated[
        str | None, typer.Option("--client", help="client_id of the command line there.", show_default="as last time")
    ] = None,
    agents: Agents = False,
    manage: Annotated[
        str | None,
        typer.Option(
            metavar="ADDRESS",
            help="The login for --at: it opens the management API, which is served at this address.",
            show_default="a login for the API",
        ),
    ] = None,
    scope: Annotated[str | None, typer.Option(help="Scopes.", show_default="openid and those of the API")] = None,
    ca_file: Annotated[
        Path | None, typer.Option(help="Certificates to trust, PEM.", show_default="the machine's")
    ] = None,
    login_file: LoginFile = None,
) -> None:
    """Sign in to a remote deployment: open the printed page in a browser anywhere, and compare the code."""
    file, address = login_file or default_file(), url.rstrip("/")
    earlier = [each for each in read_logins(file) if each.url == address]
    client = client_id or next((each.client_id for each in earlier), None)
    if client is None:
        raise WrongUsage("Name the application of the command line there with --client; docs/operating.md makes one.")
    trusted = str(ca_file.absolute()) if ca_file else next((each.ca_file for each in earlier), None)
    site = site_of(address, trusted)
    if agents and manage:
        raise WrongUsage("A login is for agents or for management: choose --agents or --manage.")
    resource = paths.MCP if agents else paths.MANAGEMENT if manage else ""
    reached_at = (manage or "").rstrip("/")
    if reached_at:
        site_of(reached_at, trusted)
    usual = " ".join(MANAGE_SCOPES) if manage else "credit:report credit:search credit:directors"
    request = {
        "client_id": client,
        "scope": scope or f"openid {usual}",
        "resource": f"{address}{resource}" if resource else None,
    }
    reply = sent(site, endpoint(site, "device_authorization_endpoint"), request)
    if reply.status != 200:
        raise Failure(f"{address} refuses: {said(reply)}")
    answer = _connected(site, client, members(reply))
    made = RemoteLogin(address, resource, client, trusted, "", "", None, 0, reached_at)
    keep(file, with_tokens(made, answer, system_clock()))
    further = "credence whoami shows as whom."
    if resource:
        further = f"credence --at {address} app list" if manage else f"credence mcp --url {address} serves an agent."
    say(f"You are signed in. {further}")


def whoami(url: Url = None, login_file: LoginFile = None, as_json: AsJson = False) -> None:
    """Print who you are signed in as at a remote deployment, as the deployment sees it."""
    file, now = login_file or default_file(), system_clock()
    used = fresh(file, login_at(file, url, ""), now)
    site = site_of(used.url, used.ca_file)
    headers = {"authorization": f"Bearer {used.access_token}"}
    reply = call(site, "GET", endpoint(site, "userinfo_endpoint"), headers)
    if reply.status != 200:
        raise Failure(f"{used.url} refuses: {said(reply)} Again: credence login {used.url}")
    fields = {
        "account": members(reply).get("sub"),
        "deployment": used.url,
        "scope": used.scope,
        "token_until": instant(used.expires_at),
    }
    print_one(fields, as_json=as_json)


def logout(
    url: Url = None,
    agents: Agents = False,
    manage: Manage = False,
    here_only: Annotated[
        bool, typer.Option("--here-only", help="Delete the login here even if the deployment does not answer.")
    ] = False,
    login_file: LoginFile = None,
) -> None:
    """Revoke a login at a remote deployment and delete it here."""
    file = login_file or default_file()
    used = login_at(file, url, paths.MANAGEMENT if manage else paths.MCP if agents else "")
    try:
        site = site_of(used.url, used.ca_file)
        token = used.refresh_token or used.access_token
        reply = sent(site, endpoint(site, "revocation_endpoint"), {"token": token, "client_id": used.client_id})
        if reply.status != 200:
            raise Failure(f"{used.url} refuses: {said(reply)} The login stays; --here-only deletes it here.")
    except Failure:
        if not here_only:
            raise
    forget(file, used)
    say(f"You are signed out of {used.url}.")


def _connected(site: Site, client_id: str, codes: Mapping[str, Any]) -> dict[str, Any]:
    """Show the user code, and return the token response once the person has approved it (RFC 8628 §3.3 to §3.5)."""
    say(f"Open {codes['verification_uri']} and enter the code {codes['user_code']}")
    say(f"Or open {codes['verification_uri_complete']} and compare it.")
    path, pause = endpoints_of(site)["token_endpoint"], int(codes.get("interval", 5))
    end = system_clock() + int(codes["expires_in"]) * 1000
    while system_clock() < end:
        sleep(pause)
        request = {"grant_type": GRANT, "device_code": str(codes["device_code"]), "client_id": client_id}
        reply = sent(site, path, request)
        if reply.status == 200:
            return members(reply)
        match members(reply).get("error"):
            case "authorization_pending":
                pass
            case "slow_down":
                pause += 5
            case "access_denied":
                raise Failure("You did not allow it. Nothing was stored.")
            case "expired_token":
                break
            case _:
                raise Failure(f"{site.url} refuses: {said(reply)}")
    raise Failure("The code was not entered in time. Nothing was stored.")
