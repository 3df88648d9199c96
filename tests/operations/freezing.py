"""Texts that change only on purpose: what the faces print, show and record, in the files of `frozen/`.

`TESTS_FREEZE=1 .venv/bin/pytest tests/operations/test_frozen.py` writes the files again. The commit says what changed in
them, and why.
"""

import difflib
import html
import json
import os
import re
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent / "frozen"

_CHANCE = (
    ("client", r"crd_sbx_app_[a-z2-7]+"),
    ("secret", r"crd_sbx_sec_[\w-]+|whsec_[\w+/=]+"),
    ("token", r"crd_sbx_(?:inv|act)_[\w.-]+"),
    ("key", r"whpk_[\w+/=]+"),
    ("id", r"\b(?:pf|wh|st|msg|bt)_[a-z0-9]{16,}"),
    ("time", r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z| UTC|\+00:00)?"),
    ("day", r"\b20\d\d-\d\d-\d\d\b"),
    ("request", r"\b[0-9a-f]{16}-\d+\b"),
    ("digest", r"\b[0-9a-f]{64}\b"),
    ("number", r"\b\d{13}\b"),
    ("kid", r"(?<![\w/.-])[\w-]{43}(?![\w-])"),
    ("beginning", r"(?<=[A-Z]S256 )[\w-]{8}\b"),
    ("password", r"(?<=\"password\": \")[^\"]+"),
    ("login", r"(?<=link=)[\w.-]+"),
    ("version", r"(?<![\d.])0\.\d+\.\d+(?:\.dev\d+)?\b"),
)


def steady(text: str) -> str:
    """Return a text with what chance and the clock put into it replaced: `<client 1>` is the same one everywhere."""
    for kind, pattern in _CHANCE:
        names: dict[str, str] = {}
        one = kind in {"time", "day", "request", "digest", "number", "version", "beginning"}

        def name(found: re.Match[str], kind: str = kind, names: dict[str, str] = names, one: bool = one) -> str:
            return f"<{kind}>" if one else names.setdefault(found[0], f"<{kind} {len(names) + 1}>")

        text = re.sub(pattern, name, text)
    return text


def require_unchanged(name: str, text: str) -> None:
    """Fail unless the file has this text."""
    file = FOLDER / f"{name}.txt"
    if os.environ.get("TESTS_FREEZE"):
        file.write_text(text, "utf-8")
    before = file.read_text("utf-8")
    changed = list(difflib.unified_diff(before.splitlines(), text.splitlines(), "frozen", "now", lineterm="", n=1))
    assert not changed, "\n".join(changed[:200])


def parts_of(document: dict[str, Any]) -> str:
    """Return a line for each part of an OpenAPI document, with the beginning of its digest."""
    lines = []
    for name, part in document.items():
        inner = part if isinstance(part, dict) else {"": part}
        for key, value in inner.items():
            deeper = value if name in {"paths", "components"} else {"": value}
            lines += [f"{name} {key} {last} {_digest(each)}" for last, each in deeper.items()]
    return "\n".join(lines) + "\n"


_LEFT_OUT = ("style", "script", "head", "header", "footer", "nav", "pre")


def page_text(page: bytes) -> str:
    """Return what a page shows and which forms it has, a line each, without its style and the marks of its session."""
    text = re.sub(rf"<({'|'.join(_LEFT_OUT)})\b.*?</\1>", "", page.decode(), flags=re.DOTALL)
    text = re.sub(r'<span class="unseen">(crd_[^<]*)</span>', r"\1", text)
    text = re.sub(r'<input type="hidden" name="(token|csrf)"[^>]*>', "", text)
    text = re.sub(
        r'<span class="unseen">(crd_\w+)</span>', r"\1", text
    )  # an id is one word, although its beginning is hidden
    text = re.sub(r"<(form|input|select|textarea|option|button|a)\b([^>]*)>", _mark, text)
    text = html.unescape(re.sub(r"<[^>]+>", "\n", text))
    return "\n".join(line for each in text.splitlines() if (line := " ".join(each.split())))


class Pages:
    """What was shown, page by page. Of the answer to an act only the lines that the page did not have before."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self._before: dict[str, set[str]] = {}

    def add(self, path: str, status: int, page: bytes, act: str = "", typed: Mapping[str, str] | None = None) -> None:
        text = page_text(page)
        self.shown.append(f"== {' '.join(filter(None, (path, act, json.dumps(typed) if typed else '')))} -> {status}")
        self.shown += [line for line in text.splitlines() if not act or line not in self._before.get(path, ())]
        self._before.setdefault(path, set()).update(text.splitlines())

    @property
    def text(self) -> str:
        return steady("\n".join(self.shown) + "\n")


def _mark(found: re.Match[str]) -> str:
    kept = re.findall(r'\b(name|value|href|action|type|class|required|selected|checked)(?:="([^"]*)")?', found[2])
    return f"\n[{found[1]} {' '.join(f'{name}={value}' if value else name for name, value in kept)}]\n"


def _digest(value: object) -> str:
    return sha256(json.dumps(value, sort_keys=False).encode()).hexdigest()[:12]
