"""`docs/tokens-life.md`: the life cycle of a token family, generated from `oauth/family_life.py`."""

from credence.oauth.family_life import TRANSITIONS, WITHOUT_TOKEN, Action, Arrival, FamilyState, Transition
from credence.settings import Settings

_PAGE = """\
# The life of a login's tokens

Generated from `oauth/family_life.py` by `python -m tools.generate`.

A login opens a *token family*: one row in the store, from which every refresh issues the next pair of tokens.
The row counts the rotations in its generation, and every refresh token names its family and generation.
So which refresh token a request presents is known from one comparison:

| token | generation |
|---|---|
| newest | that of the family |
| previous | one less |
| older | two or more less |
| unissued | more than the family's: the store was restored to an earlier state |

The state of a family follows from its row and the time.
A family is *rotated* for {window} seconds after a rotation (`{setting}`), and *live* otherwise.

```mermaid
stateDiagram-v2
    [*] --> live: login
{arrows}
    expired --> [*]
```

## What a refresh token does

The refresh grant does what this table says.
Introspection reports a refresh token as active when the table says "{rotate}".

| family | {tokens} |
|---|{lines}|
{rows}

- **{rotate}**: one conditional write advances the generation and issues a new pair.
  Of any number of requests with the newest refresh token exactly one rotates the family; the others find it rotated.
- **{repeat}**: the pair is computed again from the row, byte for byte, for a client that lost the answer (D7).
- **{end}**: a client uses a token that was already exchanged, so the token was copied.
  Every token of the login is invalid from then on (threats L1).
- **{refuse}**: the request is answered with 401; `credence why` explains the reason code.

An access token is valid until it expires.
It becomes invalid earlier when it or its family is revoked, when its application is disabled, when its account is not
active, or when either of them changes in a way that cuts off older tokens (`oauth/liveness.py`).
"""


def render() -> str:
    """Return the page."""
    arrows = [f"    {_id(before)} --> {_id(after)}: {cause}" for (before, after), cause in WITHOUT_TOKEN.items()]
    for (state, token), step in TRANSITIONS.items():
        if step.next is not state or step.action is Action.ROTATE:
            arrows.append(f"    {_id(state)} --> {_id(step.next)}: {token} refresh token")
    rows = [
        f"| {state} | {' | '.join(_cell(TRANSITIONS[state, token]) for token in Arrival)} |" for state in FamilyState
    ]
    return _PAGE.format(
        window=Settings.model_fields["refresh_retry_window_seconds"].default,
        setting="CREDENCE_REFRESH_RETRY_WINDOW_SECONDS",
        arrows="\n".join(arrows),
        tokens=" | ".join(Arrival),
        lines="---|" * (len(Arrival) - 1) + "---",
        rows="\n".join(rows),
        rotate=Action.ROTATE,
        repeat=Action.REPEAT,
        refuse=Action.REFUSE,
        end=Action.END,
    )


def _id(state: FamilyState) -> str:
    return state.replace(" ", "_")


def _cell(step: Transition) -> str:
    return f"{step.action} (`{step.reason}`)" if step.reason else step.action
