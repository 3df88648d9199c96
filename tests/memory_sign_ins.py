"""The part of the memory store that is about people: sessions, the families opened in them, and consents."""

import msgspec
from typing_extensions import override

from credence.clock import Milliseconds
from credence.store.contract import Conflict, Store
from credence.store.records import Account, Consent, Session, SignIn


class MemorySignIns(Store):
    """Keeps the promises of the contract about people."""

    def __init__(self) -> None:
        self._accounts: dict[str, Account] = {}
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
                    self._sign_ins[family_id] = msgspec.structs.replace(each, session=session.key)

    @override
    async def session(self, key: bytes) -> Session | None:
        return self._sessions.get(key)

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
        for each in self._sign_ins.values():
            if each.session == key and not each.offline:
                await self.end_family(each.family_id, at, "session_ended")
        return True

    @override
    async def sign_in(self, family_id: bytes) -> SignIn | None:
        return self._sign_ins.get(family_id)

    @override
    async def sign_ins_of(self, username: str) -> list[SignIn]:
        found = [each for each in self._sign_ins.values() if each.username == username]
        return sorted(found, key=lambda each: each.family_id)

    @override
    async def save_consent(self, consent: Consent) -> None:
        self._consents[consent.username, consent.client_id] = consent

    @override
    async def consents_of(self, username: str) -> list[Consent]:
        return [self._consents[key] for key in sorted(self._consents) if key[0] == username]

    @override
    async def withdraw_consent(self, username: str, client_id: str, at: Milliseconds) -> bool:
        gone = self._consents.pop((username, client_id), None) is not None
        for each in self._sign_ins.values():
            if (each.username, each.client_id) == (username, client_id):
                gone |= await self.end_family(each.family_id, at, "consent_withdrawn")
        return gone


def standing(account: Account) -> tuple[int, str, Milliseconds]:
    return account.password_version, account.status, account.not_before
