"""The screen of the signing keys: the life of each as a chart, and the acts that change it (D13, threats §5)."""

from collections.abc import Mapping
from dataclasses import replace

from credence import paths
from credence.blocks.forms import Form
from credence.blocks.text import ago
from credence.blocks.values import Block, Cell, Line, Span, Table, TimeLine, Tone, moment
from credence.clock import Milliseconds
from credence.oauth.keys.schedule import SAFE_AFTER_MS, KeyState, PlannedKey, plan, state
from credence.operations.signing_keys import ALGORITHM, revoke, roll
from credence.sites.kit.operation_forms import acts_of, form_of
from credence.sites.kit.screen import Page, Screen, Visit

PATH = f"{paths.CONSOLE}/keys"
ACTS = (roll, revoke)

_TONES: Mapping[KeyState, Tone] = {
    KeyState.PUBLISHED: "warn",
    KeyState.SIGNING: "good",
    KeyState.RETIRED: "soft",
    KeyState.REMOVED: "bad",
}


async def read(visit: Visit) -> Page:
    """Return the keys with their states, and the effect of a roll now."""
    now = visit.request.now
    keys = plan(await visit.service.authority.store.signing_keys())
    rows = [
        [
            Cell(each.kid, code=True),
            Cell(each.algorithm),
            Cell(str(state(each, now)), tone=_TONES[state(each, now)]),
            moment(each.published_at),
            moment(each.signs_from),
            moment(each.retires_at),
            moment(each.removed_at),
        ]
        for each in keys
    ]
    columns = ("Key", "Algorithm", "State", "Published", "Signs from", "Retires", "Removed")
    blocks: list[Block] = [_time_line(keys, now), Table("Keys", columns, rows, "There is no key.")]
    blocks += [_roll_form(keys, algorithm, now) for algorithm in dict.fromkeys(each.algorithm for each in keys)]
    revocable = [(each.kid, f"{each.algorithm} {each.kid}") for each in keys if each.revoked_at is None]
    blocks.append(form_of(revoke, choices=revocable))
    return Page("Keys", blocks, "credence keys list")


def _roll_form(keys: tuple[PlannedKey, ...], algorithm: str, now: Milliseconds) -> Form:
    waiting = next((e for e in keys if e.algorithm == algorithm and state(e, now) is KeyState.PUBLISHED), None)
    if waiting is None:
        text = "No key waits to sign: nothing can be rolled."
    elif now < waiting.published_at + SAFE_AFTER_MS:
        until = ago(waiting.published_at + SAFE_AFTER_MS, now)
        text = f"Verifiers that keep the key set for an hour do not know the next key yet: it is safe {until}."
    else:
        text = "You can rotate now: every verifier that caches the key set for an hour has the next key."
    form = form_of(roll, algorithm)
    return replace(form, title=f"Roll {algorithm}", text=text, hidden=[(ALGORITHM.key, algorithm)])


def _time_line(keys: tuple[PlannedKey, ...], now: Milliseconds) -> TimeLine:
    known = [at for each in keys for at in (each.published_at, each.signs_from, each.retires_at, each.removed_at) if at]
    first, last = min([*known, now - 86_400_000]), max([*known, now + 86_400_000])

    def place(at: Milliseconds | None) -> int:
        return 1000 if at is None else round(1000 * (min(max(at, first), last) - first) / (last - first))

    lines = []
    for each in keys:
        ends = each.revoked_at or each.retires_at
        spans = [Span(place(each.published_at), place(each.signs_from), "warn", "published")]
        if each.revoked_at is None or each.revoked_at > each.signs_from:
            spans.append(Span(place(each.signs_from), place(ends), "good", "signing"))
        if each.revoked_at is None and each.retires_at is not None:
            spans.append(Span(place(each.retires_at), place(each.removed_at), "soft", "retiring"))
        lines.append(Line(f"{each.algorithm} {each.kid[:8]}", [e for e in spans if e.end > e.start]))
    return TimeLine(
        "Schedule: published (amber), signing (green), retiring (grey)",
        lines,
        place(now),
        moment(first).text[:10],
        moment(last).text[:10],
    )


KEYS = Screen(PATH, "Keys", "reader", read, acts_of(PATH, *ACTS))
