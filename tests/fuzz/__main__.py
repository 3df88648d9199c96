"""Fuzzes one parser of foreign bytes, guided by coverage: `python -m tests.fuzz PARSER --seconds N`.

Atheris does the work; it is no locked dependency, because its wheels exist for few platforms: `pip install atheris`.
It starts from the corpus in the repository. What it adds is kept in the folder of `--grow`, if there is one; the bytes of a
finding are in that of `--findings`. A finding that is mended becomes a file of the corpus, which `make test` reads.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path

NAMES = (
    "json",
    "xml",
    "form",
    "basic",
    "jws",
    "dpop",
    "certificate",
    "access-rules",
    "ixbrl",
    "csv",
    "companies",
    "zip",
)
"""Of `parsers.PARSERS`, which is imported only where it is watched."""

WATCHED = ("credence", "json", "zipfile")
"""Packages whose branches guide the fuzzer."""

MAX_BYTES = 16_384
SLOW_SECONDS = 10
"""An input that takes longer is a finding."""
MEGABYTES = 1_024

FOUND = (70, 71, 77)
"""Exit codes of libFuzzer: an input that takes too long, one that takes too much memory, one that raises."""

RAISED = "Uncaught Python exception"
"""What Atheris prints of an input that raises, also when the process then ends otherwise."""


def main() -> int:
    options = _options()
    if find_spec("atheris") is None:
        print("Needs atheris: pip install atheris", file=sys.stderr)
        return 2
    if options.inside:
        _fuzz(options.parser, options.inside)
    options.findings.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as fresh:
        grown = options.grow or Path(fresh)
        grown.mkdir(parents=True, exist_ok=True)
        corpus = Path(__file__).parent / "corpus" / options.parser
        flags = [
            *(f"-max_total_time={options.seconds}", f"-max_len={MAX_BYTES}", f"-timeout={SLOW_SECONDS}"),
            *(f"-rss_limit_mb={MEGABYTES}", f"-artifact_prefix={options.findings}/{options.parser}-"),
            *("-print_final_stats=1", "-verbosity=1", str(grown), str(corpus)),
        ]
        run = subprocess.run(
            [sys.executable, "-m", "tests.fuzz", options.parser, "--inside", *flags],
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
        )
    executions = re.search(r"stat::number_of_executed_units:\s*(\d+)", run.stderr)
    covered = re.findall(r"cov: (\d+)", run.stderr)
    if run.returncode == 0:
        outcome = "no finding"
    elif run.returncode in FOUND or RAISED in run.stderr:
        outcome = "A FINDING"
    else:
        outcome = f"not run to its end, exit code {run.returncode}"
    print(
        f"{options.parser}: {options.seconds} s, {executions[1] if executions else 0} executions, "
        f"coverage {covered[-1] if covered else 0}, {outcome}"
    )
    if run.returncode:
        print(run.stdout[-4_000:], run.stderr[-4_000:], sep="\n")
    return run.returncode


def _fuzz(parser: str, flags: list[str]) -> None:
    """Run in this process, which ends with it."""
    import atheris

    with atheris.instrument_imports(include=list(WATCHED)):
        from tests.fuzz.parsers import PARSERS

    atheris.Setup([sys.argv[0], *flags], partial(_parse, PARSERS[parser]))
    atheris.Fuzz()


def _parse(read: Callable[[bytes], bool], data: bytes) -> None:
    """Read an input. Atheris takes no answer: an input fails if an exception comes out."""
    read(data)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parser", choices=NAMES)
    parser.add_argument("--seconds", type=int, default=60)
    parser.add_argument("--grow", type=Path, help="folder that keeps inputs with new coverage")
    parser.add_argument("--findings", type=Path, default=Path("fuzz-findings"))
    parser.add_argument("--inside", nargs=argparse.REMAINDER, help=argparse.SUPPRESS)
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
