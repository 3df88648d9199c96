"""The colours of programs change nothing of their text."""

import html
import re

import pytest

from credence.blocks.highlight import highlighted

PROGRAMS = {
    "JavaScript (Express)": "// start\nconst url = 'https://a.example' // end\nreturn `${url}` /* 1 */ + x.return\n",
    "curl": "curl 'https://a.example/#x' # for the report\n",
    "app.py": "import secrets  # random\nprint(\"it's\", '\\'')\n",
    "pom.xml": "<!-- a -->\n<version>1</version>\n",
    "HTML": "<script>alert(\"</script>\")</script> it's <!-- don't -->",
}


@pytest.mark.parametrize(("language", "text"), PROGRAMS.items())
def test_the_text_is_unchanged_and_escaped(language: str, text: str) -> None:
    found = str(highlighted(text, language))
    assert html.unescape(re.sub(r"</?span[^>]*>", "", found)) == text
    assert set(re.findall(r"<(?!/?span)[^>]*>", found)) == set()


def test_comments_strings_and_words_are_told_apart() -> None:
    found = re.findall(
        r'<span class="(\w+)">(.*?)</span>', str(highlighted(PROGRAMS["JavaScript (Express)"], "JavaScript"))
    )
    assert [(kind, html.unescape(text)) for kind, text in found] == [
        ("comment", "// start"),
        ("word", "const"),
        ("string", "'https://a.example'"),
        ("comment", "// end"),
        ("word", "return"),
        ("string", "`${url}`"),
        ("comment", "/* 1 */"),
    ]
