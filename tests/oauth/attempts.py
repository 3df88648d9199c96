"""A request to the token or revocation endpoint without its wire form, and the events that may precede it."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from credence.access.rules import AccessRules, Window
from tests.deployment import PASSWORD, REVOKE_PATH, Deployment

GRANT_OF = {"log in": "password", "refresh": "refresh_token", "own": "client_credentials"}


@dataclass(frozen=True)
class Attempt:
    """The act and its parameters. None leaves a parameter out."""

    deed: str
    client_id: str | None = "own"
    secret: str | None = "own"
    also_named: str | None = None
    """Another client_id, in a header, next to the right one."""
    grant_type: str | None = "own"
    username: str | None = "ada"
    password: str | None = PASSWORD
    token: str = "own"
    """Which token is presented, a key of `TOKENS`."""
    world: frozenset[str] = field(default_factory=frozenset)
    """The events before the request, keys of `WORLDS`."""


async def _own(_deployment: Deployment, tokens: dict[str, str]) -> str | None:
    return tokens["refresh_token"]


async def _access(_deployment: Deployment, tokens: dict[str, str]) -> str | None:
    return tokens["access_token"]


async def _missing(_deployment: Deployment, _tokens: dict[str, str]) -> str | None:
    return None


async def _unknown(_deployment: Deployment, tokens: dict[str, str]) -> str | None:
    return tokens["refresh_token"][:-1] + ("A" if tokens["refresh_token"][-1] != "A" else "B")


async def _foreign(deployment: Deployment, _tokens: dict[str, str]) -> str | None:
    return (await (await deployment.another_application()).tokens())["refresh_token"]


async def _just_used(deployment: Deployment, tokens: dict[str, str]) -> str | None:
    await deployment.refresh(tokens["refresh_token"])
    return tokens["refresh_token"]


async def _spent(deployment: Deployment, tokens: dict[str, str]) -> str | None:
    await deployment.refresh(tokens["refresh_token"])
    deployment.now += 31_000
    return tokens["refresh_token"]


async def _expired(deployment: Deployment, tokens: dict[str, str]) -> str | None:
    deployment.now += 86_400_000
    return tokens["refresh_token"]


async def _revoked(deployment: Deployment, tokens: dict[str, str]) -> str | None:
    await deployment.revoke(tokens["refresh_token"])
    return tokens["refresh_token"]


TOKENS = {
    "own": _own,
    "access token": _access,
    "missing": _missing,
    "unknown": _unknown,
    "foreign": _foreign,
    "just used": _just_used,
    "spent": _spent,
    "expired": _expired,
    "revoked": _revoked,
}


async def _not_allowed(deployment: Deployment, attempt: Attempt) -> None:
    grants = tuple(grant for deed, grant in GRANT_OF.items() if deed != attempt.deed)
    await deployment.change_application(grants=grants)


async def _disabled(deployment: Deployment, _attempt: Attempt) -> None:
    await deployment.change_application(disabled=True)


async def _application_elsewhere(deployment: Deployment, _attempt: Attempt) -> None:
    await deployment.change_application(rules=AccessRules(networks=("198.51.100.0/24",)))


async def _account_elsewhere(deployment: Deployment, _attempt: Attempt) -> None:
    await deployment.change_account(rules=AccessRules(networks=("198.51.100.0/24",)))


async def _after_hours(deployment: Deployment, _attempt: Attempt) -> None:
    never = tuple(Window((day,), 0, 1) for day in range(7))  # but for the first minute of a day
    await deployment.change_account(rules=AccessRules(windows=never))


async def _suspended(deployment: Deployment, _attempt: Attempt) -> None:
    await deployment.set_status("suspended")


async def _guessed(deployment: Deployment, _attempt: Attempt) -> None:
    """Use up the wrong passwords of one origin, slowly enough that no rate limit is reached."""
    for number in range(20):
        deployment.now += 2_000
        await deployment.login(password=f"wrong horse battery {number}")


async def _application_too_fast(deployment: Deployment, _attempt: Attempt) -> None:
    await deployment.change_application(spike_per_minute=1)
    deployment.now += 1
    await deployment.login(username="nobody")


async def _account_too_fast(deployment: Deployment, _attempt: Attempt) -> None:
    for _ in range(6):
        await deployment.login()


async def _address_too_fast(deployment: Deployment, _attempt: Attempt) -> None:
    for _ in range(25):
        await deployment.send("POST", REVOKE_PATH, [("client_id", "nobody"), ("client_secret", "x"), ("token", "x")])


WORLDS = {
    "grant not allowed": _not_allowed,
    "application disabled": _disabled,
    "application elsewhere": _application_elsewhere,
    "account elsewhere": _account_elsewhere,
    "after hours": _after_hours,
    "suspended": _suspended,
    "guessed": _guessed,
    "application too fast": _application_too_fast,
    "account too fast": _account_too_fast,
    "address too fast": _address_too_fast,
}


def in_the_world(what: str) -> Callable[[Attempt], Attempt]:
    """Return the fault that is an event before the request."""
    return lambda attempt: replace(attempt, world=attempt.world | {what})
