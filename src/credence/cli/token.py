"""`credence token`: the claims and the state of a token, and its revocation (D6, D7, D11)."""

import asyncio
from typing import Annotated

import msgspec
import typer

from credence.cli.deployment import AsJson, DataDir, opened_authority, record, settings_of, time_of
from credence.cli.failure import Failure, NotFound, WrongContent
from credence.cli.output import instant, print_one, standard_input
from credence.clock import Milliseconds, system_clock
from credence.crypto.jws import InvalidSignature
from credence.oauth import bearer
from credence.oauth.authority import Authority
from credence.oauth.family_life import transition
from credence.oauth.liveness import liveness_error
from credence.oauth.revoke import revoke as revoke_token
from credence.oauth.tokens.access_token import Claims
from credence.oauth.tokens.refresh_token import RefreshTokenClaims
from credence.oauth.tokens.verified_tokens import genuine_claims
from credence.refusals import Refused
from credence.store.records import TokenFamily

commands = typer.Typer(help="Access and refresh tokens.")

Token = Annotated[str, typer.Argument(help="The token, or - to read it from standard input.")]


@commands.command()
def inspect(token: Token, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Show the claims of a token of this deployment and its state."""
    now = system_clock()

    async def act() -> dict[str, object]:
        async with opened_authority(settings_of(data_dir), now) as authority:
            text = _read(token)
            presented, family = await _refresh_token(authority, text)
            if presented is not None:
                return await _described_refresh(authority, presented, family, now)
            claims = _claims(authority, text)
            return {"state": await _state(authority, text, now), **msgspec.structs.asdict(claims)}

    print_one(asyncio.run(act()), as_json=as_json)


@commands.command()
def revoke(token: Token, data_dir: DataDir = None, as_json: AsJson = False) -> None:
    """Revoke a token: a refresh token with its family, an access token alone."""
    settings = settings_of(data_dir)

    async def act() -> str:
        async with opened_authority(settings, system_clock()) as authority:
            text, now = _read(token), time_of(authority.store)
            client_id = await _client_of(authority, text)
            application = await authority.store.application(client_id)
            if application is None:
                raise NotFound("The application of this token no longer exists.")
            record(settings, "token revoke", application=client_id)
            await revoke_token(authority, application, text, now)
            return client_id

    print_one({"revoked": True, "client_id": asyncio.run(act())}, as_json=as_json)


def _read(token: str) -> str:
    return standard_input().strip() if token == "-" else token  # noqa: S105 - the sign for standard input


async def _client_of(authority: Authority, token: str) -> str:
    presented, family = await _refresh_token(authority, token)
    if presented is None:
        return _claims(authority, token).client_id
    if family is None:
        raise Failure("This refresh token has expired.")
    return family.client_id


async def _refresh_token(authority: Authority, token: str) -> tuple[RefreshTokenClaims | None, TokenFamily | None]:
    """Return what a refresh token says and its family; no family when it has been swept away, nothing for other text."""
    presented = authority.refresh_tokens.unverified(token)
    family = await authority.store.family(presented.family_id) if presented else None
    if family is not None and authority.refresh_tokens.read(family.client_id, token) is None:
        raise WrongContent("This is not a token of this deployment.")
    return presented, family


def _claims(authority: Authority, token: str) -> Claims:
    try:
        return genuine_claims(authority.ring.verifying, token)
    except InvalidSignature:
        raise WrongContent("This is not a token of this deployment.") from None


async def _state(authority: Authority, token: str, now: Milliseconds) -> str:
    """Return `valid`, or the reason for which the API refuses the token."""
    try:
        await bearer.check(authority, token, now)
    except Refused as refused:
        return refused.reason.removeprefix("token.")
    return "valid"


async def _described_refresh(
    authority: Authority, presented: RefreshTokenClaims, family: TokenFamily | None, now: Milliseconds
) -> dict[str, object]:
    if family is None:
        return {"state": "expired"}
    application = await authority.revocation_cache.application(family.client_id)
    account = await authority.revocation_cache.account(family.username)
    lapsed = liveness_error(application, account, issued_at=family.created_at, logged_in_at=family.created_at)
    window = authority.settings.refresh_retry_window_seconds
    found = transition(
        family, presented.generation, now, retry_window_seconds=window, before_not_before=lapsed == "before_not_before"
    )
    state = lapsed if lapsed in {"application_disabled", "account_not_active"} else found.reason or "valid"
    return {
        "state": state,
        "client_id": family.client_id,
        "sub": family.username,
        "generation": presented.generation,
        "newest_generation": family.generation,
        "opened_at": instant(family.created_at),
        "expires_at": instant(family.expires_at),
        "ended_at": instant(family.ended_at),
    }
