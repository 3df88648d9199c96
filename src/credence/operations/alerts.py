"""Operations on alerts: what people make of the events of portfolios (D31)."""

from typing import Final

from credence import paths
from credence.monitoring.alerts import AlertBody, AlertView, changed, view_of
from credence.monitoring.envelope import envelope_of, number_in
from credence.operations.acting import OWNERS, Acting
from credence.operations.applications import APPLICATION
from credence.operations.operation import Change, Noun, operation
from credence.operations.reading import showing
from credence.refusals.refusal import Refused, because
from credence.refusals.resources import RESOURCE_MALFORMED
from credence.store.alerts import Alert, AlertFilter

_TEXT = because(RESOURCE_MALFORMED, "The name and the note must be text of one line.")


async def _find(by: Acting, text: str) -> Alert | None:
    number = number_in(text)
    found = await by.means.store.alerts(by.owns or "", number - 1, 1, AlertFilter()) if number else []
    return found[0] if found and found[0].event.number == number else None


async def _save(by: Acting, _found: Alert | None, after: Alert) -> None:
    await by.means.store.save_alert(after.state)


async def _state(_by: Acting, alert: Alert) -> AlertView:
    return view_of(envelope_of(alert.event), alert.state)


def _body_of(alert: Alert) -> AlertBody:
    return AlertBody(alert.state.read_at > 0, alert.state.assigned_to, alert.state.note, alert.state.snoozed_until)


ALERT: Final[Noun[Alert]] = Noun(
    name="alert",
    path="alerts/{number}",
    base=paths.MONITORING,
    help="The number of the event.",
    example="57",
    find=_find,
    save=_save,
    state=_state,
    identity=lambda alert: str(alert.event.number),
    body_of=_body_of,
    within=APPLICATION,
    is_found_by_owner=True,
    also_named=lambda alert: {"portfolio": alert.event.portfolio},
    reasons="alert",
)
read_alert = showing(
    ALERT,
    "alert show",
    id="read_alert",
    access=OWNERS,
    title="One alert",
    text="Show an alert: the event, whether it has been read, who works on it, and its note.",
)


@operation("alert set", on=ALERT, api=("PATCH", ""), access=OWNERS, title="Work on an alert", event="alert_changed")
async def change_alert(by: Acting, found: Alert, body: AlertBody) -> Change[Alert]:
    """Mark an alert as read or unread, assign it, or change its note. It keeps the time at which it was first read."""
    if not (body.assigned_to.isprintable() and body.note.isprintable()):
        raise Refused(_TEXT, "alert.text")
    return Change(found if body == _body_of(found) else Alert(found.event, changed(found.state, body, by.now)))
