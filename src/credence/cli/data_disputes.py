"""`credence data dispute` and `disputes`: data that companies dispute (credit §10)."""

import asyncio
import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from credence.cli.data_publish import up_to_date
from credence.cli.deployment import AsJson, DataDir, operator, settings_of
from credence.cli.output import print_one
from credence.clock import london_day, system_clock
from credence.companies.facts.dispute import Dispute, DisputeStatus
from credence.companies.number import normalise
from credence.datasets import disputes
from credence.datasets.credit_data import CreditData
from credence.datasets.data_set import UnusableDataSet
from credence.datasets.publish import Publish
from credence.datasets.replication.changing import changed


def dispute(
    number: Annotated[str, typer.Argument(help="The company's number.")],
    status: Annotated[DisputeStatus, typer.Argument(help="Status of the dispute; corrected and upheld close it.")],
    field: Annotated[str, typer.Option(help="The disputed member of the report, or plain words.")],
    note: Annotated[
        str, typer.Option(help="Note for the report, without names of people.", show_default="unchanged")
    ] = "",
    by: Annotated[
        str, typer.Option(help="Who decides, as the API names them.", show_default="the user of the system")
    ] = "",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Open a dispute about one field of a company, or change its status. Reports show it until it is closed."""
    company = normalise(number)
    settings, today = settings_of(data_dir), london_day(system_clock())
    folder, decided_by = settings.credit_folder, (by or operator()) if status.closed else by

    def record(publish: Publish) -> Dispute:
        return disputes.record(folder, company, field, note, status, today, publish, by=decided_by)

    if settings.store:
        asyncio.run(up_to_date(settings))
    recorded = changed(folder, settings.store, disputes.DISPUTES, record)
    if not _held(folder, company):
        print(
            f"credence: There is no data on company {company} yet; its report will show the dispute.", file=sys.stderr
        )
    print_one(_row(company, recorded), as_json=as_json)


def _row(company: str, dispute: Dispute) -> dict[str, object]:
    due = None if dispute.status.closed else dispute.answer_due.isoformat()
    return {"company": company, **msgspec.to_builtins(dispute), "answer_due": due}


def _held(folder: Path, company: str) -> bool:
    with closing(CreditData(folder)) as credit_data:
        try:
            return credit_data.company(company) is not None
        except UnusableDataSet:
            return True  # unknown, so no warning
