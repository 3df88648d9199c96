"""`docs/verifying.md` shows lines that ran: each of its programs stands, word for word, in a file that the tests run."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "verifying.md").read_text(encoding="utf-8")
RUN = ("verify_with_pyjwt.py", "verify_with_joserfc.py", "node/verify.mjs", "status_with_pyjwt.py")


def test_every_program_on_the_page_is_one_that_the_tests_run() -> None:
    programs = re.findall(r"```(?:python|javascript)\n(.+?)```", PAGE, re.DOTALL)
    assert len(programs) == len(RUN)
    for program, file in zip(programs, RUN, strict=True):
        assert program in (ROOT / "tests" / "strangers" / file).read_text(encoding="utf-8")
