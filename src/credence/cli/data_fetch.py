"""`credence data fetch`: asks the public register about single companies; the only call the program makes outwards."""

from pathlib import Path
from threading import Event
from typing import Annotated

import typer

from credence.cli.deployment import AsJson, DataDir, settings_of
from credence.cli.failure import Failure
from credence.cli.output import print_many
from credence.clock import system_clock
from credence.companies.number import normalise


def fetch(
    numbers: Annotated[list[str], typer.Argument(help="Company numbers.")],
    into: Annotated[Path | None, typer.Option(help="Folder to save to. [DATA_DIR/credit/downloads]")] = None,
    base: Annotated[str | None, typer.Option(hidden=True)] = None,
    data_dir: DataDir = None,
    as_json: AsJson = False,
) -> None:
    """Save what the public register's API says of companies: officers, charges, insolvency, filings.

    Needs a key (CREDENCE_COMPANIES_HOUSE_KEY) and keeps to two requests a second. `credence data refresh` loads what
    was saved.
    """
    # Imported late: every other command starts sooner without TLS and HTTP.
    from credence.datasets.sources.public_register.fetching import BASE_URL, FetchFailed, PublicRegister
    from credence.datasets.sources.public_register.fetching import fetch as fetch_all

    settings = settings_of(data_dir)
    if not settings.companies_house_key:
        raise Failure("The register's API needs a key: set CREDENCE_COMPANIES_HOUSE_KEY.")
    wanted = list(dict.fromkeys(normalise(number) for number in numbers))
    saved = []
    try:
        register = PublicRegister(settings.companies_house_key, base or BASE_URL, system_clock, Event().wait)
        for each in fetch_all(register, wanted, into or settings.credit_folder / "downloads"):
            saved.append(each)  # noqa: PERF402 - what came before a failure counts
    except FetchFailed as error:
        raise Failure(str(error), *([f"Saved before that: {len(saved)} of {len(wanted)}."] if saved else ())) from error
    print_many(
        [{"company": each.company, "known": each.known, "files": len(each.files)} for each in saved], as_json=as_json
    )
