"""`credence data dispute` and `disputes`: what companies say is wrong about them (credit §10)."""

import sys
from contextlib import closing
from pathlib import Path
from typing import Annotated

import msgspec
import typer

from credence.cli.data_publish import publish_of
from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.output import print_many, print_one
from credence.clock import date_of, system_clock
from credence.companies.facts.dispute import DisputeStatus
from credence.companies.number import normalise
from credence.datasets import disputes
from credence.datasets.credit_data import CreditData
from credence.datasets.data_set import UnusableDataSet


def dispute(
    number: Annotated[str, typer.Argument(help="The company's number.")],
    status: Annotated[DisputeStatus, typer.Argument(help="How far it has come; corrected and upheld close it.")],
    field: Annotated[str, typer.Option(help="What is disputed: a member of the report, or plain words.")],
    note: Annotated[
        str, typer.Option(help="What is said about it. Reports show it, so it names nobody. Kept when left out.")
    ] = "",
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Open a dispute about one field of a company, or bring it further. Reports carry it until it is closed."""
    company = normalise(number)
    settings, today = settings_of(data_dir), date_of(system_clock())
    folder, publish = settings.credit_folder, publish_of(settings, [disputes.DISPUTES])
    recorded = disputes.record(folder, company, field, note, status, today, publish)
    if not _held(folder, company):
        print(f"credence: Nothing is held of {company}; a report shows the dispute once something is.", file=sys.stderr)
    print_one({"company": company, **msgspec.to_builtins(recorded)}, as_json=as_json)


def _held(folder: Path, company: str) -> bool:
    with closing(CreditData(folder)) as credit_data:
        try:
            return credit_data.company(company) is not None
        except UnusableDataSet:
            return True  # nobody can tell


def show(
    number: Annotated[str | None, typer.Argument(help="Of one company; else of all.")] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Show disputes, closed ones too."""
    held = disputes.read(settings_of(data_dir).credit_folder)
    companies = [normalise(number)] if number else sorted(held)
    rows = [
        {"company": company, **msgspec.to_builtins(each)} for company in companies for each in held.get(company, ())
    ]
    print_many(rows, as_json=as_json)
