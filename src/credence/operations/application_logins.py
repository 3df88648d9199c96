"""Operations that end the logins of one application, or of every one (threats L5, L6)."""

from dataclasses import replace
from typing import Annotated, Final

from msgspec import Struct

from credence.identity.applications import with_every_login_ended
from credence.management.logins import changed, end_logins_of
from credence.meanings import meaning
from credence.operations.acting import Access, Acting
from credence.operations.applications import APPLICATION, OPERATOR
from credence.operations.audit_changes import members_of
from credence.operations.operation import Change, Noun, as_it_is, operation
from credence.store.records import Application


@operation(
    "app end-logins",
    on=APPLICATION,
    api=("POST", "end-logins"),
    access=replace(OPERATOR, recent=True),
    title="End the logins of an application",
    button="End its logins",
    dangerous=True,
)
async def end_logins(by: Acting, found: Application, _body: None) -> Change[Application]:
    """Make every token of an application invalid. It stays enabled; people have to sign in again."""
    return Change(with_every_login_ended(found, by.now), said=f"Every token of {found.name} is invalid.")


class Ended(Struct):
    """What ending every login has done."""

    applications: Annotated[int, meaning("How many applications have no valid token.")]


EVERY: Final[Noun[Ended]] = Noun(name="login", path="logins", state=as_it_is(Ended))


@operation(
    "app end-every-login",
    on=EVERY,
    api=("POST", "end-all"),
    access=Access(OPERATOR.scope, "owner", recent=True),
    title="End every login",
    button="End every login of every application",
    makes=True,
    dangerous=True,
    confirm="END ALL",
)
async def end_every_login(by: Acting, _found: None, _body: None) -> Change[Ended]:
    """Make every token of this deployment invalid. All people and clients have to sign in again at the same time."""
    store = by.means.store
    found = await store.applications()

    async def end() -> None:
        kept = [each.client_id for each in found if not await end_logins_of(store, each, by.now)]
        if kept:
            raise changed(
                f"The tokens of {len(kept)} of {len(found)} applications are still valid, because others changed them "
                f"at the same time: {', '.join(kept)}. Every token of the others is invalid. Try again."
            )

    return Change(Ended(len(found)), effect=end, said=f"Every token of {len(found)} applications is invalid.")


@members_of.register
def _of_ended(ended: Ended) -> dict[str, object]:
    return {"applications": ended.applications}
