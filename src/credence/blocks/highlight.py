"""Marks comments, strings and words of a program, so that a style sheet can colour them."""

import re
from functools import cache

from markupsafe import Markup, escape

_STRING = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`"
_HASH = r"(?<!\S)#[^\n]*"
_SLASHES = r"(?<!\S)//[^\n]*|/\*.*?\*/"
_MARKUP = r"<!--.*?-->"
_COMMENTS = (
    (("curl", "Shell", "Python", ".py", ".yaml"), _HASH),
    (("HTML", ".html", ".xml"), f"{_MARKUP}|{_SLASHES}"),
)
"""Languages and endings of files, and the comments of these; those of all others begin with slashes."""

_WITHOUT_WORDS = ("curl", "Shell", ".yaml", ".xml")

_WORDS = (
    "as|async|await|break|case|catch|class|const|continue|def|default|do|elif|else|except|export|extends|false|False|final"
    "|finally|for|from|function|if|implements|import|in|interface|is|lambda|let|new|None|null|package|private|public|raise"
    "|return|static|super|switch|this|throw|throws|true|True|try|using|var|void|while|with|yield"
)

_WORD = rf"(?<![\w.$-])(?:{_WORDS})(?![\w$-])"


def highlighted(text: str, language: str) -> Markup:
    """Return a program as HTML with spans of the classes `comment`, `string` and `word`; the text itself is unchanged.

    `language` begins with the name of a language, or it is the name of a file.
    """
    comments = next((rule for names, rule in _COMMENTS if _is_one(language, names)), _SLASHES)
    with_words = not _is_one(language, _WITHOUT_WORDS)
    parts, end = list[Markup](), 0
    for match in _pattern(comments).finditer(text):
        if match.lastgroup == "word" and not with_words:
            continue
        parts.append(escape(text[end : match.start()]))
        parts.append(Markup('<span class="{}">{}</span>').format(match.lastgroup, match.group()))
        end = match.end()
    return Markup("").join([*parts, escape(text[end:])])


def _is_one(language: str, names: tuple[str, ...]) -> bool:
    return language.startswith(names) or language.endswith(names)


@cache
def _pattern(comments: str) -> re.Pattern[str]:
    return re.compile(f"(?P<string>{_STRING})|(?P<comment>{comments})|(?P<word>{_WORD})", re.DOTALL)
