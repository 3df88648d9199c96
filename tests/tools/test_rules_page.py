"""The map of rules on a small made-up project: complete, incomplete, and wrong."""

from pathlib import Path

import pytest

from tools.generate import stale, write
from tools.rules_page import problems, read_rule_map, render
from tools.tags import Tag, find_tags

SPECIFICATION = (
    "## 1. Answers\n\n| Case | Said |\n|---|---|\n| one | yes |\n| two | no |\n\n## 2. Events\n\nNot shown.\n"
)
CODE = '''"""Answers (spec §1)."""

LIMIT = 3  # D1
"""More than this is refused."""


class Table:
    """Rows."""

    def look(self) -> None:
        """Find a row (D2)."""


# D2
@cached
def other() -> None:
    text = "D3 in a value is no tag"
'''
TESTS = '''"""Answers."""

def test_yes() -> None:
    """The first row (spec §1.1)."""

def test_no() -> None:  # spec §1.2
    ...

def test_limits() -> None:
    # D1, D2
    ...
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    contents = {
        "docs/specification.md": SPECIFICATION,
        "docs/spec-decisions.md": "- **D1 Limit.** Three.\n- **D2 Look.** Twice.\n",
        "docs/rules-without-code.toml": '"spec §2" = "no events"\n',
        "src/answers.py": CODE,
        "tests/test_answers.py": TESTS,
    }
    for name, text in contents.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


def test_a_complete_project_has_no_problem(project: Path) -> None:
    assert problems(read_rule_map(project)) == []


def test_tags_know_where_they_stand(project: Path) -> None:
    assert find_tags(project, "src") == [
        Tag("D1", "src/answers.py", "LIMIT"),
        Tag("D2", "src/answers.py", "Table.look"),
        Tag("D2", "src/answers.py", "other"),
        Tag("spec §1", "src/answers.py", ""),
    ]


def test_comments_of_tables_and_schemas_are_read_too(project: Path) -> None:
    (project / "src" / "rules.toml").write_text('key = "D1"  # D2\n')
    (project / "src" / "schema.sql").write_text("-- spec §1.1\nSELECT 1;\n")
    found = {(tag.rule, tag.path) for tag in find_tags(project, "src")}
    assert {("D2", "src/rules.toml"), ("spec §1.1", "src/schema.sql")} <= found
    assert ("D1", "src/rules.toml") not in found


def test_the_page_names_code_and_tests(project: Path) -> None:
    page = render(read_rule_map(project))
    assert "- Code of all rows (spec §1): [src/answers.py](../src/answers.py)" in page
    assert "| spec §1.1 | one · yes | *as all rows* | [test_answers.py::test_yes](../tests/test_answers.py) |" in page
    assert "| spec §2 | Events | *none: no events* | |" in page
    assert "**missing**" not in page


@pytest.mark.parametrize(
    ("file", "before", "after", "complaint"),
    [
        ("src/answers.py", "# D1", "", "D1 has no code: Limit"),
        ("src/answers.py", "(spec §1)", "(spec §1.2)", "spec §1.1 has no code: one · yes"),
        ("tests/test_answers.py", "(spec §1.1)", "", "spec §1.1 has no test: one · yes"),
        ("src/answers.py", "(D2)", "(D3)", "src/answers.py::Table.look names D3, which is no rule"),
        ("tests/test_answers.py", "spec §1.2", "spec §1.2, §1.3", "tests/test_answers.py::test_no names spec §1.3"),
        ("src/answers.py", "(spec §1)", "(spec §1, §2)", "spec §2 has code, yet"),
        ("docs/rules-without-code.toml", "spec §2", "spec §3", "names spec §3, which is no rule"),
        ("docs/rules-without-code.toml", '"spec §2"', '# "spec §2"', "spec §2 has no code: Events"),
    ],
)
def test_what_is_wrong_is_named(project: Path, file: str, before: str, after: str, complaint: str) -> None:
    text = (project / file).read_text()
    assert before in text
    (project / file).write_text(text.replace(before, after))
    assert any(complaint in line for line in problems(read_rule_map(project)))


def test_a_tag_outside_a_test_file_proves_nothing(project: Path) -> None:
    (project / "tests" / "test_answers.py").rename(project / "tests" / "answers.py")
    assert "D1 has no test: Limit" in problems(read_rule_map(project))


def test_a_stale_page_is_named_until_it_is_written(project: Path) -> None:
    pages = {"docs/rules.md": "new\n"}
    assert stale(project, pages) == ["docs/rules.md is stale: run python -m tools.generate"]
    write(project, pages)
    assert stale(project, pages) == []
    assert stale(project, {"docs/rules.md": "newer\n"}) != []
