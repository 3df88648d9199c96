"""Browsers in which a person has signed in before (threats A5, A16).

Such a browser keeps a cookie, and an attempt at a password or code with it counts against this browser and this account
alone. So no attack from elsewhere keeps the person out, at any address. The protocol is that of the device cookies of OWASP.

The cookie cannot track a person: it contains a random number of its own, and for each person a keyed digest and an end. No
two cookies have anything in common, nothing of them is stored but counted failures under a keyed digest, and only the
sign-in pages read them. Its key is in no backup, so a thief of one cannot make cookies.
"""

import msgspec

from credence.clock import DAY_MS, Milliseconds
from credence.clock_tolerances import NODE_TOLERANCE_MS
from credence.crypto.digest import constant_time_equal, keyed_digest
from credence.crypto.randomness import random_bytes
from credence.crypto.tagged_text import TaggedText

MAX_PEOPLE = 8
"""The people of one browser; a further one takes the place of the one who signed in longest ago."""

_COOKIE = TaggedText("knb", "known browser", 16)
_PERSON_BYTES = 16


class _KnownBrowser(msgspec.Struct, frozen=True, array_like=True):
    id: bytes
    people: tuple[tuple[bytes, Milliseconds], ...] = ()
    """For each person a keyed digest of the login name, and the end; who signed in last is last."""


_decode = msgspec.msgpack.Decoder(_KnownBrowser).decode


def known_browser(
    environment: str, key: bytes, cookie: str | None, username: str, days: int, now: Milliseconds
) -> bytes:
    """Return the id of the browser with this cookie if the person signed in there in the last `days`; empty otherwise."""
    browser = _read(environment, key, cookie)
    person, latest = _person(key, browser, username), now + days * DAY_MS + NODE_TOLERANCE_MS
    known = [constant_time_equal(each, person) and now < until <= latest for each, until in browser.people]
    return browser.id if any(known) else b""


def with_person(environment: str, key: bytes, cookie: str | None, username: str, until: Milliseconds) -> str:
    """Return the cookie of a browser, new or with this one, in which the person has just signed in."""
    browser = _read(environment, key, cookie)
    person = _person(key, browser, username)
    others = [each for each in browser.people if each[0] != person]
    people = (*others[1 - MAX_PEOPLE :], (person, until))
    return _COOKIE.write(environment, key, msgspec.msgpack.encode(_KnownBrowser(browser.id, people)))


def _read(environment: str, key: bytes, cookie: str | None) -> _KnownBrowser:
    """Return the content of a cookie of this service; that of a new browser for any other text."""
    content = _COOKIE.read(environment, key, cookie or "")
    return _KnownBrowser(random_bytes(16)) if content is None else _decode(content)


def _person(key: bytes, browser: _KnownBrowser, username: str) -> bytes:
    return keyed_digest(key, "known person", browser.id, username.encode())[:_PERSON_BYTES]
