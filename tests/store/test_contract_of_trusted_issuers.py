"""The contract of the store for trusted issuers: what belongs to one goes with it, and nodes learn of each change."""

import msgspec
import pytest

from credence.store.contract import Conflict, Store
from credence.store.trusted_issuers import ISSUERS, LINKS, IssuerLink, IssuerSession, TrustedIssuer, link_id
from tests.store.records import DAY, NOW, account

EXAMPLE = TrustedIssuer("example", "https://login.example.com", "Example Ltd", NOW, uses=("sign_in",))
LINK = IssuerLink(link_id("example", "s1"), "example", "s1", "ada", NOW)
BEGUN = IssuerSession(b"s" * 32, "example", "sid1", b"sealed", NOW + DAY)


async def test_links_and_sessions_go_with_their_issuer(store: Store) -> None:
    await store.save_account(account(), NOW)
    await store.save(ISSUERS, EXAMPLE, NOW)
    other = msgspec.structs.replace(LINK, id=link_id("other", "s1"), owner="other")
    for each in (LINK, other):
        await store.save(LINKS, each, NOW)
    await store.note_issuer_session(BEGUN)
    assert await store.links_of("ada") == sorted([LINK, other], key=lambda each: each.id)
    assert await store.issuer_session(BEGUN.session) == BEGUN
    assert await store.sessions_with_sid("example", "sid1") == [BEGUN.session]
    assert await store.sessions_with_sid("other", "sid1") == []
    await store.delete(ISSUERS, EXAMPLE, NOW)
    assert await store.links_of("ada") == [other]
    assert await store.issuer_session(BEGUN.session) is None


async def test_a_subject_has_one_link_at_an_issuer(store: Store) -> None:
    await store.save(LINKS, LINK, NOW)
    with pytest.raises(Conflict):
        await store.save(LINKS, msgspec.structs.replace(LINK, username="bob"), NOW)


async def test_a_new_and_a_removed_issuer_are_in_the_change_log(store: Store) -> None:
    await store.save(ISSUERS, EXAMPLE, NOW)
    await store.delete(ISSUERS, EXAMPLE, NOW)
    assert [(each.kind, each.subject) for each in await store.changes(0)] == [("key", "example"), ("key", "example")]


def test_the_names_of_two_links_never_meet() -> None:
    assert link_id("a", "bc") != link_id("ab", "c")
