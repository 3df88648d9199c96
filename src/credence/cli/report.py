"""`credence report`: the report on one company, from the data folder, without a server (credit §9)."""

import datetime as dt
import sys
from contextlib import closing
from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from credence import paths
from credence.app import open_reports
from credence.cli.deployment import DataDir, settings_of
from credence.cli.failure import Failure, NotFound, WrongUsage
from credence.cli.output import say
from credence.clock import Milliseconds, london_day, system_clock
from credence.companies.number import normalise
from credence.datasets.credit_data import CreditData
from credence.files import OWNER_ONLY, write_atomically
from credence.report.build.group import Group
from credence.report.build.report import build, encode
from credence.report.page_cache import render
from credence.report.render.sections.sources import Contact
from credence.report.schema.report import LtdCompanyData
from credence.settings import Settings


class Format(Enum):
    """The formats of a report."""

    JSON = "json"
    HTML = "html"
    PDF = "pdf"


def report(
    number: Annotated[str, typer.Argument(help="The company's number, such as 01234567.")],
    form: Annotated[Format, typer.Option("--format", help="The form of the report.")] = Format.JSON,
    output: Annotated[Path | None, typer.Option(help="File to write it to.", show_default="standard output")] = None,
    known_on: Annotated[
        str, typer.Option(help="Make the report of this day from what was known then.", show_default="today")
    ] = "",
    data_dir: DataDir = None,
) -> None:
    """Write the report on a company as JSON, as an HTML page or as PDF."""
    settings, now = settings_of(data_dir), system_clock()
    found = _past_report(settings, number, _day(known_on, now)) if known_on else _report(settings, number, now)
    body = _written(found, form, settings)
    if output is not None:
        _write(output, body)
    elif form is Format.PDF and sys.stdout.isatty():
        raise WrongUsage("A terminal cannot show a PDF: name a file with --output.")
    elif form is Format.PDF:
        _print(body)
    else:
        say(body.decode())


def _report(settings: Settings, number: str, now: Milliseconds) -> LtdCompanyData:
    normal = normalise(number)
    with closing(CreditData(settings.credit_folder)) as credit_data:
        found = open_reports(settings, credit_data).report(normal, now)
    if found is None:
        raise NotFound(f"There is no data on company {normal}: `credence data status` shows the loaded sources.")
    return found


def _past_report(settings: Settings, number: str, day: dt.date) -> LtdCompanyData:
    normal = normalise(number)
    with closing(CreditData(settings.credit_folder)) as credit_data:
        company = credit_data.company(normal, day)
    if company is None:
        raise NotFound(f"The loaded sources have nothing on company {normal} that was known on {day}.")
    return build(company, Group(), day)


def _day(text: str, now: Milliseconds) -> dt.date:
    try:
        day = dt.date.fromisoformat(text)
    except ValueError:
        raise WrongUsage(f"{text!r} is no day: write it as 2026-11-21.") from None
    if day > london_day(now):
        raise WrongUsage(f"{day} is in the future.")
    return day


def _written(found: LtdCompanyData, form: Format, settings: Settings) -> bytes:
    contact = Contact(settings.support_email, f"{settings.issuer}{paths.MODEL_CARD}")
    match form:
        case Format.JSON:
            return encode(found)
        case Format.HTML:
            return render(found, "html", contact)
        case Format.PDF:
            return render(found, "pdf", contact)


def _print(body: bytes) -> None:
    try:
        sys.stdout.buffer.write(body)
        sys.stdout.buffer.flush()
    except OSError as error:
        raise Failure(f"Standard output cannot be written: {error.strerror}.") from error


def _write(output: Path, body: bytes) -> None:
    try:
        write_atomically(output, body, OWNER_ONLY)
    except OSError as error:
        raise Failure(f"{output} cannot be written: {error.strerror}.") from error
