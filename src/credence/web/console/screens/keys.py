"""The screen of the signing keys: the life of each as a chart, and the acts that change it (D13, threats §5)."""

from collections.abc import Mapping

from credence.clock import Milliseconds
from credence.management.instants import instant
from credence.management.keys import algorithms_in_use, next_key
from credence.management.keys import roll as roll_to
from credence.oauth.keys.rotation import rotate_keys
from credence.oauth.keys.schedule import KEY_SET_MAX_AGE_SECONDS, SAFE_AFTER_MS, KeyState, PlannedKey, plan, state
from credence.operations.audit_changes import changes
from credence.web.screens.blocks import (
    Block,
    Cell,
    Field,
    Form,
    Line,
    Page,
    Span,
    Table,
    TimeLine,
    Tone,
    ago,
    moment,
)
from credence.web.screens.screen import Act, Done, Screen, Visit, Wrong
from credence.web.screens.trail import record

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
    blocks.append(
        Form(
            "revoke",
            "Revoke a key",
            "Revoke the key",
            "The key leaves the key set at once, and every token that it signed is refused here; clients refresh or log in "
            f"again. Other verifiers may accept them for up to {KEY_SET_MAX_AGE_SECONDS} seconds more.",
            "credence keys revoke KID",
            [
                Field("kid", "Key", options=revocable),
                Field("confirm", "Type REVOKE to confirm", required=True),
            ],
            dangerous=True,
        )
    )
    return Page("Keys", blocks, "credence keys list")


def _roll_form(keys: tuple[PlannedKey, ...], algorithm: str, now: Milliseconds) -> Form:
    waiting = next((e for e in keys if e.algorithm == algorithm and state(e, now) is KeyState.PUBLISHED), None)
    if waiting is None:
        text = "No key waits to sign: nothing can be rolled."
    elif now < waiting.published_at + SAFE_AFTER_MS:
        until = ago(waiting.published_at + SAFE_AFTER_MS, now)
        text = f"A roll now would hurt verifiers that keep the key set for an hour: the next key is safe {until}."
    else:
        text = "A roll now is safe: every verifier that keeps the key set for an hour has the next key."
    return Form(
        "roll",
        f"Roll {algorithm}",
        f"Let the next {algorithm} key sign now",
        text,
        f"credence keys roll {algorithm}",
        hidden=[("algorithm", algorithm)],
    )


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
        "Published (yellow), signing (green), retiring (grey)",
        lines,
        place(now),
        moment(first).text[:10],
        moment(last).text[:10],
    )


async def roll(visit: Visit, values: Mapping[str, str]) -> Done:
    """Make the next key of an algorithm the signing key now."""
    authority, now = visit.service.authority, visit.request.now
    key = await next_key(authority.store, values.get("algorithm", ""), now)
    await record(visit, "keys roll", changes({}, {"signs_from": instant(now)}), kid=key.kid)
    await roll_to(authority.store, authority.keks, visit.service.settings, key, now)
    return Done(f"The key {key.kid} signs from now on. Tokens of the last one stay valid.")


async def revoke(visit: Visit, values: Mapping[str, str]) -> Done:
    """Revoke a key, after the operator has typed the confirmation."""
    authority, now, kid = visit.service.authority, visit.request.now, values.get("kid", "")
    found = next((each for each in await authority.store.signing_keys() if each.kid == kid), None)
    if found is None:
        raise Wrong("There is no such key.", "kid")
    if values.get("confirm", "").strip() != "REVOKE":
        raise Wrong("Type REVOKE, in capitals, if you mean it.", "confirm")
    if found.revoked_at is not None:
        return Done("The key is revoked already. Nothing was changed.")
    await record(visit, "keys revoke", changes({}, {"revoked_at": instant(now)}), kid=kid)
    await authority.store.revoke_signing_key(kid, now)
    await rotate_keys(
        authority.store, authority.keks, visit.service.settings, await algorithms_in_use(authority.store), now
    )
    return Done(f"The key {kid} is revoked.")


KEYS = Screen(
    "/console/keys",
    "Keys",
    "reader",
    read,
    (Act("roll", "operator", roll, grave=True), Act("revoke", "owner", revoke, grave=True)),
)
