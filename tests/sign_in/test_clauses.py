"""Every clause about signing people in has tests (`clauses.py`): each exists, and no file of this folder is left out."""

import ast
import re
from functools import cache
from pathlib import Path

from tests.sign_in.clauses import CLAUSES, NOT_HERE

TESTS = Path(__file__).parents[1]
ABOUT_OTHERS = {
    "test_clauses.py",
    "test_client_document_rules.py",  # the next four: registration without registering (mcp/musts.py)
    "test_client_document_records.py",
    "test_open_registration.py",
    "test_unverified_clients.py",
    "test_attacks_on_the_gate.py",  # threats E11, E12
    "test_factors_at_once.py",  # threats L1
    "test_floods_of_fetches.py",  # threats A5, A12
    "test_floods_of_guesses.py",  # threats A4, A5
    "test_changing_a_mail_address.py",  # threats A18
    "test_forgotten_password.py",  # threats A17
    "test_known_browsers.py",  # threats A5, A16
    "test_colours.py",  # the look of the operator
    "test_logo.py",
    "test_factors_after_an_issuer.py",  # threats E14
    "test_from_issuer.py",  # threats E14
    "test_home_realm.py",  # threats E14
    "test_leavers.py",  # threats E14
    "test_two_issuers.py",  # threats E14
    "test_what_issuers_send.py",  # threats E14
    "test_sign_out_there.py",  # the service as a client of RP-Initiated Logout
}


@cache
def _names_of_tests(file: str) -> set[str]:
    tree = ast.parse((TESTS / file).read_text(encoding="utf-8"))
    return {node.name for node in tree.body if isinstance(node, ast.AsyncFunctionDef | ast.FunctionDef)}


def test_every_clause_names_tests_that_exist() -> None:
    named = {each for tests in CLAUSES.values() for each in tests}
    split = [each.partition("::") for each in sorted(named)]
    assert [file for file, _, _ in split if not (TESTS / file).is_file()] == []
    assert [f"{file} {name}" for file, _, name in split if name and name not in _names_of_tests(file)] == []
    assert all(CLAUSES.values())


def test_every_file_of_this_folder_serves_a_clause() -> None:
    named = {each.partition("::")[0] for tests in CLAUSES.values() for each in tests}
    here = {path.name for path in Path(__file__).parent.glob("test_*.py")} - ABOUT_OTHERS
    assert sorted(here - {Path(each).name for each in named if each.startswith("sign_in/")}) == []


def test_no_row_of_the_authorization_endpoint_is_left_out() -> None:
    numbers = {int(found[1]) for clause in CLAUSES if (found := re.match(r"1\.(\d+) ", clause))}
    assert numbers == set(range(1, 23))
    assert not NOT_HERE.keys() & CLAUSES.keys()
