"""Finds what accounts state about going concern, support, the audit, and events after the year (docs/accounts.md).

Almost every audited filing speaks of going concern, most of them only of what directors and auditors must do about it. A
finding is a sentence that asserts something of the company itself: "these circumstances represent a material uncertainty"
is one, "we have not identified any material uncertainties" and "whether a material uncertainty exists" are not.
"""

import re
from collections.abc import Iterator, Sequence

from credence.companies.facts.accounts import AccountsFinding, FindingKind
from credence.datasets.sources.accounts.document import Document, Fact

MAX_FINDINGS_OF_A_KIND = 3
_MAX_SENTENCE = 600
"""Maximum length of a quoted sentence in characters; a longer one is cut."""


def _words(pattern: str) -> re.Pattern[str]:
    """Compile a pattern whose spaces also match the end of a line, without regard to case."""
    return re.compile(pattern.replace(" ", r"\s"), re.IGNORECASE)


_UNCERTAINTY = r"(?:material|fundamental) uncertaint(?:y|ies)"
_ADVERB = r"(?:also |therefore |still |together |hence )?"
_ARTICLE = r"(?:an? |the |this |these |several |some )?(?:\w+ ){0,2}?"
_ASSERTED = _words(
    rf"\b(?:represents?|constitutes?|indicates?|indicating|creates?|creating|gives? rise to|results? in|resulting in"
    rf"|there (?:exists?|is|are|remains?)|amounts? to|cause[sd]?) {_ADVERB}(?:that )?(?:there (?:exists?|is|are) )?"
    rf"{_ARTICLE}{_UNCERTAINTY}"
    rf"|\b(?:that|as) (?:an? )?{_UNCERTAINTY} (?:exists?|remains?)"
    rf"|\b(?:the )?existence of (?:an? )?{_UNCERTAINTY}"
    rf"|\b{_UNCERTAINTY} (?:related|relating|in relation) to going concern"
    r"|\b(?:casts?|raises?) (?:significant|substantial|serious) doubts?",
)
_DENIED = _words(
    r"\b(?:no|not|nor|neither|never|without|whether|if|unless|where|any|cannot|may|might|could|would|should|must|to)\b"
    r"[^.;:]{0,45}$",
)
"""Words before an assertion that deny it or make it a general rule."""
_DENIED_CLAUSE = _words(r"\b(?:whether|if|unless|where|(?:not|nor|never) \w+(?: that)?) *$")
"""The same before "there is", which begins a new clause."""
_ABOUT_GOING_CONCERN = _words(r"going concern|continu|significant doubt|substantial doubt")
_OF_ANOTHER = _words(r"\b(?:subsidiar(?:y|ies)|associate|joint venture|customer|investee|tenant)'?s?'? ability")
_OTHER_BASIS = _words(
    r"\b(?:basis other than (?:that of )?(?:a |the )?going concern|break-?up basis"
    r"|not been prepared on (?:a|the) going concern|no longer (?:a |considered (?:to be )?a )going concern"
    r"|not (?:considered )?appropriate to (?:prepare|adopt)[^.]{0,60}going concern basis)",
)
_DENIED_WITHIN = _words(r"\b(?:no|not|any|without)\b")
_DENIED_OPINION = _words(r"\b(?:no|not|without)\b[^.;:]{0,30}$|\bappropriate to provide a basis for our $")
"""Words before an opinion that deny it.

The last are of a sentence in every report, where some auditors left a word of another client's. A report that is qualified
says so in its headings and in its opinion too.
"""
_HYPOTHESIS = _words(r"\b(?:if|unless|whether|would)\b[^.;:]{0,80}$")

_OPINIONS: tuple[tuple[FindingKind, re.Pattern[str], tuple[str, ...]], ...] = (
    (
        FindingKind.QUALIFIED,
        _words(r"\bqualified (?:audit )?opinion\b|\breport was qualified\b"),
        ("qualified",),
    ),
    (FindingKind.ADVERSE, _words(r"\badverse opinion\b"), ("adverse opinion",)),
    (
        FindingKind.DISCLAIMER,
        _words(
            r"\bdisclaimer of opinion\b|\bdo not express an opinion on the (?:\w+ ){0,4}(?:financial statements|accounts)\b"
            r"|\bunable to (?:form|express) an (?:audit )?opinion\b",
        ),
        ("opinion",),
    ),
    (FindingKind.EMPHASIS, _words(r"\bemphasis of matter\b"), ("emphasis of matter",)),
)
"""Kind, its pattern, and words of which every match contains at least one."""
_WHO = (
    r"(?:owners?|shareholders?|directors?|parent(?: company| undertaking)?|holding company|members?|investors?|trustees?"
    r"|group|controlling party|lenders?|related part(?:y|ies))"
)
_ITSELF = r"(?:the |this |our )?(?:company|club|group|charity|partnership|llp|business|entity|association|it)\b"
_PART = r"[\w,'() -]"
_SUPPORT = _words(
    rf"\b(?:continu\w+|on-?going|financial|further)(?: financial)? (?:support|funding) (?:of|from|by) "
    rf"(?:the |its |their |our )?(?:\w+ ){{0,3}}?{_WHO}\b"
    rf"|\b{_WHO}(?:'s?|s')? (?:continu\w+|on-?going|financial)(?: financial)? (?:support|funding)\b"
    rf"|\b{_WHO}\b{_PART}{{0,80}}\b"
    r"(?:will|willing|agreed?|confirmed|undertaken|indicated|inten(?:ds?|tion)|committed|able)\b"
    rf"{_PART}{{0,60}}\bsupport(?:ing)? (?:of )?{_ITSELF}"
    rf"|\b(?:reliant|dependent|depends?|relies|rely) (?:up)?on {_PART}{{0,60}}?"
    r"\b(?:support|fund(?:s|ing)|injections?|loans?)\b"
    rf"{_PART}{{0,30}}?\b(?:of|from|by)\b{_PART}{{0,20}}?{_WHO}\b"
    rf"|\b{_WHO}\b{_PART}{{0,60}}\bnot (?:to )?(?:seek|demand|call(?: in| for)?|require|request)\b"
    rf"{_PART}{{0,30}}repayment\b"
    r"|\bassum\w+ (?:the|their|its) continu\w+ support\b"
)
"""An assertion that the company goes on with the support of others. Support of customers, of staff or of the government,
and support that the company gives, do not count."""
_EVENTS = re.compile(
    r"^(?:\d{1,2}[.)]?\d?\s*)?(?:non-adjusting |significant |important )?(?:post[- ]balance sheet events?"
    r"|(?:events?|matters) (?:occurring )?(?:after|since|subsequent to) the (?:end of the )?(?:balance sheet|reporting)"
    r"(?: date| period)?|subsequent events)\s*[:.]?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_NO_EVENTS = re.compile(
    r"^\W*(?:there (?:were|are|have been|has been|was) no|no |none|nil|not applicable|n/a|\[)"
    r"|^\d{1,2}[.)]? (?!jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]",
    re.IGNORECASE,
)
"""Text that denies events, or the heading of the next note, which follows if nothing was written."""
_SHORTEST_SENTENCE = 30
_REACH = 120
"""Characters before and after a word within which its pattern must match."""
_MAX_PLACES = 2_000
"""Places of a word at which its pattern is tried; the sample has 32 at most."""

_PARTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (words, re.compile(pattern, re.IGNORECASE | re.MULTILINE))
    for words, pattern in (
        (
            "auditor's report",
            r"^.{0,40}(?:independent )?auditor(?:s'?|'s)? report\b|report of the independent auditor",
        ),
        ("strategic report", r"^.{0,60}strategic report\b"),
        ("directors' report", r"^.{0,60}(?:directors?'?s?'? report\b|report of the directors?\b)"),
        (
            "notes to the accounts",
            r"^.{0,60}notes to (?:the|and forming part of the) [\w ]{0,30}(?:financial statements|accounts)",
        ),
        ("accounting policies", r"^\W*(?:\d{1,2}\.?\s*)?(?:principal |significant |summary of )?accounting policies\b"),
        (
            "balance sheet",
            r"^(?:[\w ,.()']{0,60} )?(?<!post )(?:balance sheet|statement of financial position)(?! event| date)\b.{0,60}$",
        ),
    )
)
"""Name of a part of a filing, and the beginning of its headings."""

_HEADING = re.compile(
    r"^(?:\d{1,2}(?:\.\d{1,2})?[.)]? ?)?(?:going concern|(?:conclusions|material uncertainty) rel[^.\n]{0,40}"
    r"|(?:basis for )?(?:\w+ )?opinion|(?:basis for )?disclaimer of opinion|emphasis of matter[^.\n]{0,40}"
    r"|(?:principal |significant )?accounting policies|post[- ]balance[^.\n]{0,30}"
    r"|(?:non-adjusting )?events? after[^.\n]{0,40}"
    r"|subsequent events)(?: - continued| ?\(continued\)|:)?$",
    re.IGNORECASE | re.MULTILINE,
)
_SENTENCE_END = re.compile(r"[.!?;](?=\s+[A-Z(\"]|\n|$)")

TRIGGERS: dict[bytes, tuple[bytes, ...]] = {
    **{word: (word,) for word in (b"uncertaint", b"qualified", b"going concern", b"emphasis of matter", b"doubt")},
    b" opinion": (b"adverse opinion", b"disclaimer of opinion"),
    b"balance sheet event": (b"balance sheet event",),
    b"after the ": (b"after the reporting", b"after the balance sheet", b"after the end of the reporting"),
    b"subsequent events": (b"subsequent events",),
    b"break-up basis": (b"break-up basis",),
}
"""A document without any of these words, in lower case, has no finding except the exemption from audit."""


def findings_of(document: Document) -> tuple[AccountsFinding, ...]:
    """Return the findings in a document, the gravest kinds first, at most three of each kind."""
    text, lowered = document.text, document.text.lower()
    found = [
        *_uncertainties(text, lowered),
        *_opinions(text, lowered),
        *_support(text, lowered),
        *_events(text, lowered),
        *_exemptions(document.facts),
    ]
    kept: list[AccountsFinding] = []
    for kind in FindingKind:
        each_once = dict.fromkeys(each for each in found if each.kind is kind)
        kept += list(each_once)[:MAX_FINDINGS_OF_A_KIND]
    return tuple(kept)


def _uncertainties(text: str, lowered: str) -> Iterator[AccountsFinding]:
    for match in _near(_ASSERTED, ("uncertaint", "doubt"), text, lowered):
        sentence, before = _sentence(text, match)
        clause = match.group()[:5].lower() == "there"
        denied = (_DENIED_CLAUSE if clause else _DENIED).search(before) or _DENIED_WITHIN.search(match.group())
        if not denied and not _OF_ANOTHER.search(sentence) and _ABOUT_GOING_CONCERN.search(match.group() + sentence):
            yield AccountsFinding(FindingKind.GOING_CONCERN, sentence, _where(text, match.start()))
    for match in _near(_OTHER_BASIS, ("going concern", "break-up basis"), text, lowered):
        sentence, before = _sentence(text, match)
        if not _HYPOTHESIS.search(before) and "unless" not in sentence.lower():
            yield AccountsFinding(FindingKind.GOING_CONCERN, sentence, _where(text, match.start()))


def _opinions(text: str, lowered: str) -> Iterator[AccountsFinding]:
    for kind, pattern, words in _OPINIONS:
        for match in _near(pattern, words, text, lowered):
            sentence, before = _sentence(text, match)
            if _HYPOTHESIS.search(before) or _DENIED_OPINION.search(before):
                continue
            where = _where(text, match.start())
            if kind is FindingKind.DISCLAIMER and "auditor" not in where:
                continue  # an accountant who compiles unaudited accounts expresses no opinion either
            yield AccountsFinding(kind, sentence, where)


def _support(text: str, lowered: str) -> Iterator[AccountsFinding]:
    if "going concern" not in lowered:  # the assertion is about it
        return
    for match in _near(_SUPPORT, ("support", "reliant", "depend", "relies", "rely", "repayment"), text, lowered):
        sentence, before = _sentence(text, match)
        if not _HYPOTHESIS.search(before) and not _DENIED_OPINION.search(before):
            yield AccountsFinding(FindingKind.OWNER_SUPPORT, sentence, _where(text, match.start()))


def _events(text: str, lowered: str) -> Iterator[AccountsFinding]:
    for match in _near(_EVENTS, ("balance sheet", "reporting", "subsequent events"), text, lowered):
        said = _first_sentence(text, match.end())
        if said and not _NO_EVENTS.search(said):
            yield AccountsFinding(FindingKind.EVENTS_AFTER, said, _where(text, match.start()))


def _near(pattern: re.Pattern[str], words: tuple[str, ...], text: str, lowered: str) -> Iterator[re.Match[str]]:
    """Yield the matches that contain one of these words: searching words is much faster than matching a pattern."""
    seen: set[int] = set()
    for word in words:
        at, places = lowered.find(word), 0
        while at >= 0 and places < _MAX_PLACES:
            places += 1
            start, end = max(0, at - _REACH), min(len(text), at + _REACH)
            for match in pattern.finditer(text, start, end):
                if match.start() <= at < match.end() and match.start() not in seen:
                    seen.add(match.start())
                    yield match
            at = lowered.find(word, at + len(word))


def _exemptions(facts: Sequence[Fact]) -> Iterator[AccountsFinding]:
    for fact in facts:
        if fact.name.startswith(_EXEMPTIONS) and fact.text.lower() != "false":
            section = fact.name.partition("UnderSection")[2].partition("Companies")[0]
            said = fact.text if len(fact.text) > len("true") else f"Tagged as exempt under section {section}."
            yield AccountsFinding(FindingKind.AUDIT_EXEMPT, said[:_MAX_SENTENCE], "statement of the directors")
            return


_EXEMPTIONS = ("StatementThatCompanyEntitledToExemptionFromAudit", "CompanyEntitledToExemptionUnderSection")
"""Beginnings of the tags of the statement on exemption from audit."""


def _sentence(text: str, match: re.Match[str]) -> tuple[str, str]:
    """Return the sentence around a match and the part of it before the match; of a heading, the sentence that follows."""
    line_start, line_end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    line = text[line_start : line_end if line_end >= 0 else len(text)]
    if _HEADING.fullmatch(line) and line_end >= 0:
        return _first_sentence(text, line_end), ""
    window = max(0, match.start() - _MAX_SENTENCE)
    ends = [each.end() for each in _SENTENCE_END.finditer(text, window, match.start())]
    ends += [each.end() for each in _HEADING.finditer(text, window, match.start())]
    start = max(ends, default=window)
    stop = _end_of_sentence(text, match.end())
    return _plain(text[start:stop]), " ".join(text[start : match.start()].split()) + " "


def _first_sentence(text: str, position: int) -> str:
    """Return the sentence after a heading; empty if another heading follows."""
    following = (text[position : position + 2].strip() and position) or position + 1
    found = _plain(text[following : _end_of_sentence(text, following)])
    return found if len(found) > _SHORTEST_SENTENCE else ""


def _end_of_sentence(text: str, position: int) -> int:
    end = _SENTENCE_END.search(text, position, position + _MAX_SENTENCE)
    return end.end() if end else min(len(text), position + _MAX_SENTENCE)


def _plain(text: str) -> str:
    return " ".join(text.split())[:_MAX_SENTENCE]


def _where(text: str, position: int) -> str:
    """Return the part of the filing that contains a position, and the nearest heading above it."""
    end = text.find("\n", position)
    end = len(text) if end < 0 else end
    starts = {words: _last(pattern, text, 0, end) for words, pattern in _PARTS}
    name, latest = max(
        ((words, at.start()) for words, at in starts.items() if at), key=lambda each: each[1], default=("", 0)
    )
    heading = _last(_HEADING, text, latest, end)
    parts = (name or "accounts", _plain(heading.group()) if heading else "")
    return ", ".join(each for each in parts if each)


def _last(pattern: re.Pattern[str], text: str, start: int, end: int) -> re.Match[str] | None:
    """Return the last match before `end`; found in growing windows from the end, because it is usually near."""
    for window in (4_000, 40_000, len(text)):
        found = list(pattern.finditer(text, max(start, end - window), end))
        if found:
            return found[-1]
    return None
