"""Random histories of logins, refreshes, revocations and other ends of tokens, in a deployment of each store.

The expected answers follow from the specification alone: D4, D7, D11, D14 and the invariants of threats §2.7. So a
history fails when one deployment differs from the others, and when all of them are wrong.
"""

from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, multiple, precondition, rule

from credence.crypto.passwords import hash_password
from credence.identity import accounts, applications
from credence.store.records import Account, AccountStatus
from tests.deployment import NOW, PASSWORD
from tests.oauth.histories import APPLICATIONS, NODES, USERS, Answer, Tokens, World, Worlds

SECOND, HOUR, DAY = 1_000, 3_600_000, 86_400_000
ACCESS_LIFE, REFRESH_LIFE, RETRY_WINDOW = 10_800, DAY, 30_000
"""Seconds for the first (D4); the others in milliseconds (D4, D7)."""

PASSWORDS = (PASSWORD, f"{PASSWORD} and another")
HASHES = tuple(hash_password("testing", password) for password in PASSWORDS)
MOST_RESTARTS = 1
KEPT_EXPIRED_MS = 600_000
"""Less than the service keeps expired rows, so that histories of minutes delete some."""

users, parties = st.sampled_from(USERS), st.sampled_from(APPLICATIONS)
nodes = st.integers(0, NODES - 1)
statuses: st.SearchStrategy[AccountStatus] = st.sampled_from(["active", "suspended", "locked"])
steps = st.sampled_from([1, 499, SECOND, RETRY_WINDOW - 1, RETRY_WINDOW, HOUR, 3 * HOUR, DAY - 1])


@dataclass
class Login:
    """One login and the generation of its newest token."""

    user: str
    application: str
    opened_at: int
    leaf: int = 0
    leaf_at: int = 0
    ended: bool = False
    pairs: dict[int, "Pair"] = field(default_factory=dict)


@dataclass(eq=False)
class Pair:
    """The two tokens of each deployment."""

    login: Login
    generation: int
    issued: int
    """Seconds."""
    own: dict[str, Tokens]
    revoked: bool = False


@dataclass(frozen=True)
class Party:
    """The state of a user or an application."""

    state: str = "active"
    not_before: int = 0

    @property
    def good(self) -> bool:
        return self.state == "active"

    def cut(self, now: int, state: str) -> "Party":
        """End all earlier tokens, also those dated forward to the second after the last `not_before` (threats L5)."""
        return Party(state, max(now, -(-self.not_before // SECOND) * SECOND) + 1)


class TokenHistory(RuleBasedStateMachine):
    """One history; everything in it happens in two deployments."""

    pairs = Bundle("pairs")

    def __init__(self, worlds: Worlds) -> None:
        super().__init__()
        self.worlds = worlds
        self.worlds.begin()
        self.now = NOW
        self.parties = {name: Party() for name in (*USERS, *APPLICATIONS)}
        self.passwords = dict.fromkeys(USERS, 0)
        self.guessed: set[str] = set()
        self.newest_login = NOW
        self.logins: list[Login] = []
        self.restarts = 0

    @initialize(target=pairs, node=nodes)
    def everybody_logs_in(self, node: int) -> Any:
        logins = [self.log_in(user, application, node) for user, application in zip(USERS, APPLICATIONS, strict=True)]
        return multiple(*logins, self.log_in(USERS[0], APPLICATIONS[0], node))

    @rule(by=steps)
    def time_passes(self, by: int) -> None:
        self.now += by
        self.worlds.each(partial(_set_time, self.now))

    @rule(target=pairs, user=users, application=parties, node=nodes)
    def log_in(self, user: str, application: str, node: int) -> Any:
        answer, own = self.ask_login(user, application, node, PASSWORDS[self.passwords[user]])
        if answer.claims is None:
            assert user in self.guessed or not self.is_good(user, application)
            return multiple()
        assert self.is_good(user, application)
        # In the second of a cut-off it is dated to the next (threats L5).
        opened_at = max(self.now, -(-self.not_before(user, application) // SECOND) * SECOND)
        self.newest_login = max(self.newest_login, opened_at)
        login = Login(user, application, opened_at, leaf_at=opened_at)
        self.logins.append(login)
        return self.got(login, answer.claims, own)

    @rule(user=users, application=parties, node=nodes)
    def attempt(self, user: str, application: str, node: int) -> None:
        """Log in with a former, present or future password."""
        answer, _ = self.ask_login(user, application, node, PASSWORDS[1 - self.passwords[user]])
        self.guessed.add(user)
        assert answer.claims is None, "I3: a password that was changed opened a login"

    @rule(target=pairs, pair=pairs, application=st.none() | parties, node=nodes)
    def refresh(self, pair: Pair, application: str | None, node: int) -> Any:
        """Refresh by the application of the token, or by any other."""
        login, asks = pair.login, application or pair.login.application
        answer, own = self.worlds.ask(partial(_refresh, pair, asks, node))
        if answer.claims is None:
            assert not self.is_refreshable(pair, asks), "I4: what was acknowledged is good no more"
            # Whoever shows a token that was used up ends the login (D7); only its own application can.
            login.ended = login.ended or (asks == login.application and self.is_spent(pair))
            return multiple()
        assert self.is_refreshable(pair, asks), "threats I1, I2, I3: refreshed with what is good no more"
        if pair.generation == login.leaf:
            login.leaf, login.leaf_at = login.leaf + 1, max(login.leaf_at, self.now)
            return self.got(login, answer.claims, own)
        assert login.pairs[login.leaf].own == own, "I1: a retry got another pair"
        return multiple()

    @rule(target=pairs, user=users, node=nodes)
    def go_on(self, user: str, node: int) -> Any:
        """Refresh with the newest token of the user's newest login, as a client does."""
        newest = [login for login in self.logins if login.user == user][-1]
        return self.refresh(newest.pairs[newest.leaf], None, node)

    @rule(target=pairs, pair=pairs, later=st.sampled_from([0, RETRY_WINDOW - 1, RETRY_WINDOW]), one=nodes, other=nodes)
    def refresh_and_retry(self, pair: Pair, later: int, one: int, other: int) -> Any:
        """Refresh and retry, also at the edges of the retry window (D7)."""
        first = self.refresh(pair, None, one)
        if later:
            self.time_passes(later)
        self.refresh(pair, None, other)
        return first

    @rule(pair=pairs, refresh=st.booleans(), application=st.none() | parties, node=nodes)
    def revoke(self, pair: Pair, application: str | None, node: int, *, refresh: bool) -> None:
        """A revocation by another application has no effect and gets the same answer (D11)."""
        asks = application or pair.login.application
        answer, _ = self.worlds.ask(partial(_revoke, pair, refresh, asks, node))
        assert (answer.said[0] == 200) is self.parties[asks].good
        if answer.said[0] == 200 and asks == pair.login.application:
            pair.login.ended = pair.login.ended or refresh
            pair.revoked = pair.revoked or not refresh

    @rule(pair=pairs, node=nodes)
    def use(self, pair: Pair, node: int) -> None:
        answer, _ = self.worlds.ask(partial(_use, pair, node))
        assert (answer.said[0] == 200) is self.is_usable(pair), "threats I2, I3, I4, I5"

    @rule(user=users, status=statuses)
    def set_status(self, user: str, status: AccountStatus) -> None:
        now = self.later()
        self.worlds.each(partial(World.change_account, name=user, change=lambda kept: _status(kept, status, now)))
        if status != self.parties[user].state:
            self.parties[user] = self.parties[user].cut(now, status)

    @rule(user=users)
    def change_password(self, user: str) -> None:
        now, new = self.later(), 1 - self.passwords[user]
        change = partial(_with_password, HASHES[new], now)
        self.worlds.each(partial(World.change_account, name=user, change=change))
        self.passwords[user] = new
        self.parties[user] = self.parties[user].cut(now, self.parties[user].state)

    @rule(application=parties, disabled=st.booleans())
    def disable(self, application: str, *, disabled: bool) -> None:
        now, kept, state = self.later(), self.parties[application], "disabled" if disabled else "active"
        change = partial(applications.with_disabled, now=now, disabled=disabled)
        self.worlds.each(partial(World.change_application, name=application, change=change))
        if state != kept.state:
            self.parties[application] = kept.cut(now, state)

    @rule()
    def sweep(self) -> None:
        self.worlds.each(partial(World.sweep, until=self.now - KEPT_EXPIRED_MS))

    @precondition(lambda self: self.restarts < MOST_RESTARTS)
    @rule(node=nodes)
    def restart(self, node: int) -> None:
        self.restarts += 1
        self.worlds.each(partial(World.restart, node=node))

    def ask_login(self, user: str, application: str, node: int, password: str) -> tuple[Answer, dict[str, Tokens]]:
        return self.worlds.ask(partial(_log_in, user, password, application, node))

    def got(self, login: Login, claims: dict[str, Any], own: dict[str, Tokens]) -> Pair:
        assert claims["iat"] == login.leaf_at // SECOND
        assert claims["exp"] == claims["iat"] + ACCESS_LIFE
        assert claims["auth_time"] == login.opened_at // SECOND
        pair = Pair(login, login.leaf, claims["iat"], own)
        login.pairs[login.leaf] = pair
        return pair

    def later(self) -> int:
        """Advance to an instant after every login; the newest may be dated to the next second (threats L5)."""
        self.time_passes(max(1, self.newest_login - self.now + 1))
        return self.now

    def not_before(self, user: str, application: str) -> int:
        return max(self.parties[user].not_before, self.parties[application].not_before)

    def is_good(self, user: str, application: str) -> bool:
        return self.parties[user].good and self.parties[application].good

    def is_spent(self, pair: Pair) -> bool:
        login = pair.login
        may_be_retry = pair.generation == login.leaf - 1 and self.now - login.leaf_at < RETRY_WINDOW
        return pair.generation != login.leaf and not may_be_retry

    def is_refreshable(self, pair: Pair, asks: str) -> bool:
        login = pair.login
        stands = self.is_good(login.user, asks) and login.opened_at >= self.not_before(login.user, asks)
        in_time = self.now < login.opened_at + REFRESH_LIFE
        return asks == login.application and stands and in_time and not login.ended and not self.is_spent(pair)

    def is_usable(self, pair: Pair) -> bool:
        login = pair.login
        stands = self.is_good(login.user, login.application)
        of_login = login.opened_at // SECOND * SECOND
        not_before = of_login < self.parties[login.user].not_before or (
            pair.issued * SECOND < self.parties[login.application].not_before
        )
        expired = self.now >= (pair.issued + ACCESS_LIFE) * SECOND
        return stands and not (not_before or expired or pair.revoked or login.ended)


async def _set_time(now: int, world: World) -> None:
    world.set_time(now)


async def _log_in(user: str, password: str, application: str, node: int, world: World) -> tuple[Answer, Tokens]:
    return world.told(await world.seen_by(application, node).login(world.user(user), password))


async def _refresh(pair: Pair, application: str, node: int, world: World) -> tuple[Answer, Tokens]:
    return world.told(await world.seen_by(application, node).refresh(pair.own[world.name].refresh))


async def _revoke(pair: Pair, refresh: bool, application: str, node: int, world: World) -> tuple[Answer, None]:
    own = pair.own[world.name]
    reply = await world.seen_by(application, node).revoke(own.refresh if refresh else own.access)
    return Answer((reply.status, reply.body)), None


async def _use(pair: Pair, node: int, world: World) -> tuple[Answer, None]:
    reply = await world.seen_by(pair.login.application, node).report(pair.own[world.name].access)
    return Answer((reply.status,) if reply.status == 200 else reply.said), None


def _status(kept: Account, status: AccountStatus, now: int) -> Account:
    return accounts.with_status(kept, status, now)


def _with_password(password_hash: str, now: int, kept: Account) -> Account:
    return accounts.with_password(kept, password_hash, now)
