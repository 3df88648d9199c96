"""`credence data fetch`: downloads single companies from the public register's API."""

from pathlib import Path
from threading import Event
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import Failure, WrongUsage
from credence.cli.output import print_many
from credence.clock import system_clock
from credence.companies.number import normalise


def fetch(
    numbers: Annotated[list[str], typer.Argument(help="Company numbers.")],
    into: Annotated[
        Path | None, typer.Option(help="Folder to save to.", show_default="DATA_DIR/credit/downloads")
    ] = None,
    base: Annotated[str | None, typer.Option(hidden=True)] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Download profile, officers, charges, insolvency and filings of companies from the public register's API.

    Needs a key (CREDENCE_COMPANIES_HOUSE_KEY) and sends two requests per second. `credence data refresh` loads the files.
    """
    # Imported late: other commands start sooner without TLS and HTTP.
    from credence.datasets.sources.public_register.fetching import BASE_URL, FetchFailed, PublicRegister
    from credence.datasets.sources.public_register.fetching import fetch as fetch_all

    settings = settings_of(data_dir)
    if not settings.companies_house_key:
        raise WrongUsage("The register's API needs a key: set CREDENCE_COMPANIES_HOUSE_KEY.")
    chosen = list(dict.fromkeys(normalise(number) for number in numbers))
    saved = []
    try:
        register = PublicRegister(settings.companies_house_key, base or BASE_URL, system_clock, Event().wait)
        for each in fetch_all(register, chosen, into or settings.credit_folder / "downloads"):
            saved.append(each)  # noqa: PERF402 - a failure reports what was saved before
    except FetchFailed as error:
        raise Failure(str(error), *([f"Saved before that: {len(saved)} of {len(chosen)}."] if saved else ())) from error
    print_many(
        [{"company": each.company, "known": each.known, "files": len(each.files)} for each in saved], as_json=as_json
    )
