"""The operation on disputes about members of reports: one is opened, or its status changes (credit §10)."""

import asyncio
from contextlib import closing
from typing import Annotated, Final

from msgspec import Meta, Struct

from credence.clock import london_day
from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.companies.number import normalise
from credence.datasets import disputes
from credence.datasets.credit_data import CreditData
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.publish import Publish
from credence.datasets.replication.changing import changed
from credence.management.inventory import dispute_state
from credence.management.service_schema import Disputes, DisputeState
from credence.meanings import Input, meaning
from credence.oauth.parameters.scopes import MANAGE_DATA
from credence.operations.acting import Access, Acting
from credence.operations.audit_changes import changes, members_of
from credence.operations.operation import Change, Noun, operation
from credence.settings import Settings

Text = Annotated[str, Meta(max_length=disputes.MAX_CHARACTERS)]


class OfCompany(Struct):
    """A company, whose disputes change."""

    company: str


class DisputeBody(Struct, forbid_unknown_fields=True):
    """What becomes of a dispute about one field of a company."""

    status: Annotated[
        DisputeStatus,
        meaning("Its status; `corrected` and `upheld` close it.", example="open"),
        Input(
            "Status of the dispute; corrected and upheld close it.",
            argument=True,
            choices=[(each.value, each.value) for each in DisputeStatus],
        ),
    ]
    field: Annotated[
        Text, meaning("The disputed member of the report, or a description of it.", example="NumberOfEmployees")
    ]
    note: Annotated[
        Text,
        meaning("Note for the report, without names of people; empty keeps the earlier one.", example="It has 12."),
        Input("Note for the report, without names of people.", default="unchanged"),
    ] = ""
    by: Annotated[
        Text,
        meaning("Who decides, as the API names them; empty: who acts.", example="Credit team"),
        Input("Who decides, as the API names them.", default="who acts"),
    ] = ""


async def _find(_by: Acting, number: str) -> OfCompany:
    return OfCompany(normalise(number))


async def _state(by: Acting, found: OfCompany) -> Disputes:
    kept = await asyncio.to_thread(disputes.read, by.means.settings.credit_folder)
    return Disputes([dispute_state(found.company, each) for each in kept.get(found.company, ())])


DISPUTED: Final[Noun[OfCompany]] = Noun(
    name="company",
    path="disputes/{company}",
    help="The company's number.",
    example="99999901",
    find=_find,
    state=_state,
    identity=lambda found: found.company,
    needs_store=False,
)


@operation(
    "data dispute",
    on=DISPUTED,
    api=("POST", ""),
    access=Access(MANAGE_DATA, "operator"),
    title="Open or decide a dispute",
    button="Record it",
    id="record_dispute",
    answers=DisputeState,
)
async def record_dispute(by: Acting, found: OfCompany, body: DisputeBody) -> Change[OfCompany]:
    """Open a dispute about one field of a company, or change its status. Reports show it until it is closed."""
    settings, today = by.means.settings, london_day(by.now)
    who = (body.by or by.operator) if body.status.closed else body.by
    field, folder = disputes.single_spaced(body.field), settings.credit_folder
    # With a shared store, of the newest edition: this node's file may be older.
    kept = await asyncio.to_thread(
        changed, folder, settings.store, disputes.DISPUTES, lambda _publish: disputes.read(folder)
    )
    before = next((each for each in kept.get(found.company, ()) if each.field == field), None)
    after = disputes.changed_dispute(before, body.field, body.note, body.status, today, who)
    changed_members = changes(None if before is None else _members(before), _members(after))
    if not changed_members:
        return Change(found, unchanged=dispute_state(found.company, before or after))
    if body.status is DisputeStatus.RECEIVED:
        disputes.require_room(kept, before)

    def record(publish: Publish) -> Dispute:
        return disputes.record(folder, found.company, field, body.note, body.status, today, publish, by=who)

    async def store() -> DisputeState:
        recorded = await asyncio.to_thread(changed, folder, settings.store, disputes.DISPUTES, record)
        return dispute_state(found.company, recorded)

    known = await asyncio.to_thread(_is_known, settings, found.company)
    return Change(
        found,
        effect=store,
        effects=changed_members,
        named={"field": after.field},
        said=f"The dispute about {after.field} of company {found.company} is {after.status}."
        + ("" if known else f" There is no data on company {found.company} yet; its report will show the dispute."),
    )


def _members(dispute: Dispute) -> dict[str, object]:
    """Return what the audit line says; of the note only that it changed, because a claim may name a person."""
    return {"status": dispute.status.value, "note": dispute.note, "decided_by": dispute.decided_by}


def _is_known(settings: Settings, company: str) -> bool:
    with closing(CreditData(settings.credit_folder)) as credit_data:
        try:
            return credit_data.company(company) is not None
        except UnusableDataSet:
            return True  # unknown, so no warning


@members_of.register
def _of_company(_found: OfCompany) -> dict[str, object]:
    return {}
