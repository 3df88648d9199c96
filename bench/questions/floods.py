"""Do attackers who try passwords keep others out (threats A5, A7)?

Each attacker has an address and a browser, and tries a wrong password four times a second, with the names of the people here
or with invented ones: twelve on the page of accounts, eighty each on the sign-in page of an application that it registered
itself. After 1,080 of these attempts people come who have the right password: twelve with a browser in which they have
signed in before and an address that is new, and twelve with a new browser at a new address, who try again for a minute. A
back end, which has a secret, logs in 24 more, once each.
"""

import asyncio
import itertools
import json
import time
from collections import Counter
from collections.abc import Awaitable, Iterator, Sequence
from urllib.parse import urlencode

from bench.deployment import Deployment, credence
from bench.load import Spoiled
from bench.measurement import Figure, Measurement, Target
from bench.questions.code_flow import CALLBACK
from bench.questions.enumeration import PASSWORD, save
from bench.rounds import Plan
from bench.visitor import Visitor
from credence import paths
from credence.crypto.passwords import hash_password
from credence.identity import accounts
from tests.sign_in.browsing import CHALLENGE, form_of_text

ON_ONE_PAGE, ON_THEIR_OWN = 12, 80
"""Attackers of the two floods."""
HEAD_START = 1_080
"""Wrong passwords before people come."""
PAUSE_SECONDS = 0.25
"""Between two attempts of a attacker."""

PEOPLE = 12
"""Of each kind."""
LOGINS = 24
WITHIN_SECONDS = 60.0

SESSION = "__Host-credence-session"

SETTINGS = {
    "CREDENCE_REGISTRATION": "true",
    "CREDENCE_OPEN_REGISTRATION": "true",
    "CREDENCE_PASSWORD_CACHE_SECONDS": "0",
    "CREDENCE_SPIKE_ACCOUNT_PER_MINUTE": "60000",
    "CREDENCE_SPIKE_ADDRESS_PER_MINUTE": "120000",
}
"""The limits have their defaults; no login is answered from memory."""


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield how many got in during four floods, how long the slowest of them took, and why others did not."""
    hashed = hash_password("standard", PASSWORD)
    for number, (count, aimed) in enumerate(itertools.product((ON_ONE_PAGE, ON_THEIR_OWN), (True, False))):
        known, new, users = (
            [f"{kind}-{number}-{each}@measured.example" for each in range(size)]
            for kind, size in (("known", PEOPLE), ("new", PEOPLE), ("user", LOGINS))
        )
        registered = [accounts.register(name, "user", hashed, now=0) for name in (*known, *new, *users)]
        asyncio.run(save(plan.deployment.folder / "data" / "credence.sqlite", registered))
        with credence(plan.deployment.folder, **{**plan.deployment.variables, **SETTINGS}) as ours:
            flood = _Flood(ours.port, number, count, names=(*known, *new) if aimed else ())
            let_in = asyncio.run(flood.others(plan.deployment, known, new, users))
        counted = {"attempts": float(flood.attempts), "refused_429": float(flood.refused)}
        kept_out = {f"others, {reason}": float(count) for reason, count in flood.refusals_of_others.items()}
        said = f"{count} addresses, {'names of people' if aimed else 'invented names'}"
        targets = {"known browsers": PEOPLE, "new browsers": PEOPLE - 1, "logins of a back end": LOGINS}
        for (kind, target), seconds in zip(targets.items(), let_in, strict=True):
            done = [each for each in seconds if each is not None]
            figure, more = Figure(len(done)), {**counted, **kept_out, "slowest_seconds": max(done, default=0.0)}
            yield Measurement(f"{said}: {kind}", f"of {len(seconds)}", (figure,), target=Target(target), more=more)


Took = list[float | None]
"""For each person the seconds until they were in; None for one who was kept out."""


class _Flood:
    """Attackers who try wrong passwords, and the others who come meanwhile."""

    def __init__(self, port: int, number: int, count: int, names: Sequence[str]) -> None:
        self._port, self._number, self._count = port, number, count
        self._names = itertools.cycle(names) if names else (f"invented-{each}" for each in itertools.count())
        self._head_start = asyncio.Event()
        self.attempts = self.refused = 0
        self.refusals_of_others = Counter[str]()
        """By reason code."""

    async def others(
        self, deployment: Deployment, known: Sequence[str], new: Sequence[str], users: Sequence[str]
    ) -> tuple[Took, Took, Took]:
        """Return how long those of each kind took to get in during the flood."""
        before = [self._visitor(1, place) for place in range(len(known))]
        for visitor, name in zip(before, known, strict=True):
            if not await _signs_in(visitor, name):
                raise Spoiled("A person could not sign in before the flood.")
        attackers = [asyncio.create_task(self._guess(place)) for place in range(self._count)]
        head_start = asyncio.create_task(self._head_start.wait())
        await asyncio.wait((head_start, *attackers), return_when=asyncio.FIRST_COMPLETED)
        head_start.cancel()
        took = await asyncio.gather(
            asyncio.gather(*(self._returns(place, each, known[place]) for place, each in enumerate(before))),
            asyncio.gather(*(self._comes(place, name) for place, name in enumerate(new))),
            self._log_in(deployment, users),
        )
        for each in attackers:
            each.cancel()
        for ended in await asyncio.gather(*attackers, return_exceptions=True):
            if not isinstance(ended, asyncio.CancelledError):
                raise Spoiled(f"A attacker gave up: {ended}")
        return took[0], took[1], took[2]

    def _visitor(self, group: int, place: int) -> Visitor:
        refusals = self.refusals_of_others if group else Counter[str]()
        return Visitor(self._port, f"127.{10 + self._number}.{group}.{place + 1}", refusals=refusals)

    async def _guess(self, place: int) -> None:
        visitor = self._visitor(0, place)
        page = paths.ACCOUNT if self._count == ON_ONE_PAGE else await _own_page(visitor, place)
        action, hidden = form_of_text((await visitor.get(page)).text)
        while True:
            wrong = {**hidden, "username": next(self._names), "password": "wrong horse battery staple"}
            answered = await visitor.post(action, wrong)
            self.attempts += 1
            self.refused += answered.status == 429
            if self.attempts >= HEAD_START:
                self._head_start.set()
            if answered.status not in (200, 429):
                raise Spoiled(f"A attacker was answered with {answered.status}.")
            await asyncio.sleep(PAUSE_SECONDS)

    async def _returns(self, place: int, before: Visitor, name: str) -> float | None:
        visitor = self._visitor(2, place)
        visitor.cookies.update((key, value) for key, value in before.cookies.items() if key != SESSION)
        await asyncio.sleep(place * 2)
        return await _timed(_signs_in(visitor, name))

    async def _comes(self, place: int, name: str) -> float | None:
        visitor, begun = self._visitor(3, place), time.monotonic() + place
        await asyncio.sleep(place)
        while time.monotonic() < begun + WITHIN_SECONDS:
            if await _signs_in(visitor, name):
                return time.monotonic() - begun
            await asyncio.sleep(2)
        return None

    async def _log_in(self, deployment: Deployment, users: Sequence[str]) -> Took:
        visitor = self._visitor(4, 0)
        took: Took = []
        for name in users:
            took.append(await _timed(_logs_in(visitor, deployment, name)))
            await asyncio.sleep(0.5)
        return took


async def _timed(entering: Awaitable[bool]) -> float | None:
    begun = time.monotonic()
    return time.monotonic() - begun if await entering else None


async def _signs_in(visitor: Visitor, name: str) -> bool:
    action, hidden = form_of_text((await visitor.get(paths.ACCOUNT)).text)
    await visitor.post(action, {**hidden, "username": name, "password": PASSWORD})
    return SESSION in visitor.cookies


async def _logs_in(visitor: Visitor, deployment: Deployment, name: str) -> bool:
    login = {"username": name, "password": PASSWORD}
    return (await visitor.post_json(paths.TOKEN, login, deployment.clients["ES256"].headers)).status == 200


async def _own_page(visitor: Visitor, place: int) -> str:
    """Register an application, and return an authorization request of it."""
    registration = {
        "client_name": f"Attacker {place}",
        "redirect_uris": [CALLBACK],
        "token_endpoint_auth_method": "none",
    }
    registered = json.loads((await visitor.post_json(paths.REGISTRATION, registration, {})).text)
    request = {
        "response_type": "code",
        "client_id": registered["client_id"],
        "redirect_uri": CALLBACK,
        "scope": "openid",
        "state": "af0ifjsldkj",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
    }
    return f"{paths.AUTHORIZATION}?{urlencode(request)}"
