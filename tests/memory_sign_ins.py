"""The part of the memory store that is about people: sessions, the families opened in them, and consents."""

from collections.abc import Sequence

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.deliveries import Delivery
from credence.store.records import Account, Application, TokenFamily
from credence.store.sign_ins import Consent, Session, SignIn
from credence.store.sign_out_notices import KEPT_MS, KIND


class MemorySignIns(Store):
    """Keeps the promises of the contract about people."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}
        self._applications: dict[str, Application] = {}
        self._deliveries: dict[bytes, Delivery] = {}
        self._families: dict[bytes, TokenFamily] = {}
        self._sessions: dict[bytes, Session] = {}
        self._sign_ins: dict[bytes, SignIn] = {}
        self._consents: dict[tuple[str, str], Consent] = {}

    @override
    async def open_session(self, session: Session, account: Account, replaces: bytes | None = None) -> None:
        kept = self._accounts.get(account.username)
        if session.key in self._sessions or kept is None or standing(kept) != standing(account):
            raise Conflict("session")
        self._sessions[session.key] = session
        if replaces is not None:
            self._sessions.pop(replaces, None)
            for family_id, each in self._sign_ins.items():
                if each.session == replaces:
                    sid = each.sid or each.session[:16]
                    self._sign_ins[family_id] = msgspec.structs.replace(each, session=session.key, sid=sid)

    @override
    async def open_family(
        self, family: TokenFamily, account: Account, sign_in: SignIn | None = None, *, unless_enrolled: bool = False
    ) -> None:
        kept = self._accounts.get(account.username)
        if family.id in self._families or kept is None or standing(kept) != standing(account):
            raise Conflict("family")
        if unless_enrolled and any(each.kind != "recovery" for each in await self.factors_of(account.username)):
            raise Conflict("factor")
        if sign_in is not None:
            if not sign_in.offline and sign_in.session not in self._sessions:
                raise Conflict("session")
            self._sign_ins[family.id] = sign_in
        self._families[family.id] = family

    @override
    async def session(self, key: bytes) -> Session | None:
        return self._sessions.get(key)

    @override
    async def session_with_consents(self, key: bytes) -> tuple[Session, list[Consent]] | None:
        found = await self.session(key)
        return None if found is None else (found, await self.consents_of(found.username))

    @override
    async def sessions_of(self, username: str) -> list[Session]:
        found = [each for each in self._sessions.values() if each.username == username]
        return sorted(found, key=lambda each: (-each.signed_in_at, each.key))

    @override
    async def touch_session(self, key: bytes, last_seen_at: Milliseconds) -> None:
        if key in self._sessions:
            self._sessions[key] = msgspec.structs.replace(self._sessions[key], last_seen_at=last_seen_at)

    @override
    async def end_session(self, key: bytes, at: Milliseconds) -> bool:
        if self._sessions.pop(key, None) is None:
            return False
        self._add_notices([each for each in self._sign_ins.values() if each.session == key], at)
        for each in self._sign_ins.values():
            if each.session == key and not each.offline:
                await self.end_family(each.family_id, at, "session_ended")
        return True

    def _add_notices_of_account(self, earlier: Milliseconds, account: Account, at: Milliseconds) -> None:
        ended = {
            key
            for key, each in self._sessions.items()
            if each.username == account.username
            and earlier <= each.signed_in_at < account.not_before
            and each.expires_at > at
        }
        self._add_notices([each for each in self._sign_ins.values() if each.session in ended], at)

    def _add_notices(self, sign_ins: Sequence[SignIn], at: Milliseconds) -> None:
        """Add what `Store.end_session` and `Store.save_account` promise for these sign-ins."""
        first: dict[tuple[str, bytes], SignIn] = {}
        for each in sorted(sign_ins, key=lambda each: each.family_id):
            first.setdefault((each.client_id, each.sid or each.session[:16]), each)
        for (client_id, sid), each in first.items():
            application = self._applications.get(client_id)
            if application is not None and application.backchannel_logout_uri is not None:
                payload = f"{sid.hex()}:{each.username}".encode()
                made = Delivery(each.family_id, KIND, client_id, payload, at, at, at + KEPT_MS)
                self._deliveries.setdefault(made.id, made)

    @override
    async def sign_in(self, family_id: bytes) -> SignIn | None:
        return self._sign_ins.get(family_id)

    @override
    async def sign_ins_of(self, username: str) -> list[SignIn]:
        found = [each for each in self._sign_ins.values() if each.username == username]
        return sorted(found, key=lambda each: each.family_id)

    @override
    async def families_of(self, ids: Sequence[bytes]) -> list[TokenFamily]:
        return [self._families[each] for each in set(ids) if each in self._families]

    @override
    async def save_consent(self, consent: Consent) -> None:
        self._consents[consent.username, consent.client_id] = consent

    @override
    async def consents_of(self, username: str) -> list[Consent]:
        return [self._consents[key] for key in sorted(self._consents) if key[0] == username]

    @override
    async def consents_to(self, client_id: str, limit: int) -> list[Consent]:
        return [self._consents[key] for key in sorted(self._consents) if key[1] == client_id][:limit]

    @override
    async def withdraw_consent(self, username: str, client_id: str, at: Milliseconds) -> bool:
        gone = self._consents.pop((username, client_id), None) is not None
        for each in self._sign_ins.values():
            if (each.username, each.client_id) == (username, client_id):
                gone |= await self.end_family(each.family_id, at, "consent_withdrawn")
        return gone


def standing(account: Account) -> tuple[int, str, Milliseconds]:
    return account.password_version, account.status, account.not_before
