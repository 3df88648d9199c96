"""The rules of monitoring whose events wait for the operator, and the operation that releases or drops them (D31)."""

from typing import Annotated, Final

from msgspec import Struct

from credence.clock import rfc3339
from credence.meanings import Input, meaning
from credence.monitoring.loaded import Mark, decide_held, read_mark
from credence.oauth.parameters.scopes import MANAGE_DATA
from credence.operations.acting import READ, Access, Acting
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.operations.reading import reading


class HeldRule(Struct):
    """A rule whose events wait, because a load would fire it for more companies than usual."""

    rule: Annotated[str, meaning("Its code.", example="band")]
    companies: Annotated[int, meaning("For how many companies it would make events.", example=30)]
    observed: Annotated[int, meaning("How many companies were compared.", example=100)]
    since: Annotated[str, meaning("Since when its events wait.")]
    events: Annotated[
        str,
        meaning(
            "What becomes of them with the next comparison.",
            values={"wait": "nothing yet", "released": "they are made", "dropped": "none is made"},
            example="wait",
        ),
    ]


class HeldRules(Struct):
    """The rules whose events wait."""

    rules: Annotated[list[HeldRule], meaning("The rules.")]


async def held_rules(by: Acting) -> list[HeldRule]:
    """Return the rules whose events wait."""
    _, mark = await read_mark(by.means.store)
    return [
        HeldRule(rule, each.companies, each.observed, rfc3339(each.since), _events(mark, rule))
        for rule, each in mark.held.items()
    ]


def _events(mark: Mark, rule: str) -> str:
    return "released" if rule in mark.released else "dropped" if rule in mark.dropped else "wait"


async def _find(by: Acting, rule: str) -> HeldRule | None:
    return next((each for each in await held_rules(by) if each.rule == rule), None)


async def _save(by: Acting, _found: HeldRule | None, after: HeldRule) -> None:
    await decide_held(by.means.store, after.rule, release=after.events == "released")


HELD_RULE: Final[Noun[HeldRule]] = Noun(
    name="held rule",
    path="held-rules/{rule}",
    help="The code of a held rule.",
    example="band",
    find=_find,
    save=_save,
    state=as_it_is(HeldRule),
    identity=lambda found: found.rule,
    member="rule",
)


@reading(
    "portfolio held", on=HELD_RULE, lists=True, access=READ, rows="rules", title="List the rules whose events wait"
)
async def list_held_rules(by: Acting, _found: None, _query: None) -> HeldRules:
    """List the rules whose events are held, because a load would fire one for more than 2 % of the watched companies."""
    return HeldRules(await held_rules(by))


class ReleaseBody(Struct, forbid_unknown_fields=True):
    """What becomes of the events of a held rule."""

    drop: Annotated[
        bool,
        meaning("Whether to make no events for what is already on record."),
        Input("Create no events for what is already on record.", flag="--drop", label="Make no events", hint=""),
    ] = False


@operation(
    "portfolio release",
    on=HELD_RULE,
    api=("POST", "release"),
    access=Access(MANAGE_DATA, "operator"),
    title="Release the events of a rule",
    button="Release them",
    id="release_held_rule",
)
async def release_rule(_by: Acting, found: HeldRule, body: ReleaseBody) -> Change[HeldRule]:
    """Release the events of a held rule, or drop them; a running server does so within seconds."""
    events = "dropped" if body.drop else "released"
    after = HeldRule(found.rule, found.companies, found.observed, found.since, events)
    return Change(after, said=f"The events of {found.rule} are {events}.")


@members_of.register
def _of_rule(found: HeldRule) -> dict[str, object]:
    return {"events": found.events}
