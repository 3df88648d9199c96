"""What does it cost to look at hostile input, and does the cost grow with its size alone (D16, threats P1, P4, P15)?

Every input repeats what was found to be worst of its kind, in sizes up to four times the body limit: longer than anything
that is let in, so that growth would show. Pattern by pattern the value is a near miss, repeated.
"""

import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial

from bench.linearity import SIZES, exponent, seconds_of
from bench.measurement import Figure, Measurement, Target
from bench.rounds import Plan
from credence.refusals.refusal import Refused
from credence.screening.json_shape import read_json
from credence.screening.limits import Limits
from credence.screening.patterns import compile_patterns, load_rules, screen
from credence.screening.xml_shape import read_xml

UNBOUNDED = Limits(body=1 << 20, string=1 << 20, members=1 << 20, elements=1 << 20, containers=1 << 20, name=1 << 20)
"""Every limit far away but depth, or the answer would be the limit's and not the reader's."""

VALUES = 2_000
"""Fields made of pieces."""

FIELD = 1_024
"""Characters in the longest field that is let in."""

Filled = Callable[[int], bytes]


def _repeated(start: bytes, piece: bytes, end: bytes) -> Filled:
    return lambda size: start + piece * ((size - len(start) - len(end)) // len(piece)) + end


def _numbered(start: bytes, piece: str, end: bytes) -> Filled:
    def fill(size: int) -> bytes:
        count = size // len(piece.format(10_000))
        return start + "".join(piece.format(10_000 + number) for number in range(count)).encode() + end

    return fill


JSON: Mapping[str, Filled] = {
    "one string": _repeated(b'{"a":"', b"x", b'"}'),
    "escapes": _repeated(b'{"a":"', b"\\u00e9", b'"}'),
    "backslashes and quotation marks": _repeated(b"", b'"\\', b""),
    "quotation marks": _repeated(b"{", b'"', b""),
    "commas": _repeated(b"[", b",", b""),
    "brackets": _repeated(b"", b"[", b""),
    "small members": _numbered(b"{", '"{}":0,', b'"z":0}'),
    "digits": _repeated(b'{"a":', b"9", b"}"),
    "blanks": _repeated(b"{", b" ", b"}"),
}
XML: Mapping[str, Filled] = {
    "one text": _repeated(b"<r><a>", b"x", b"</a></r>"),
    "references": _repeated(b"<r><a>", b"&#233;", b"</a></r>"),
    "open elements": _repeated(b"", b"<a>", b""),
    "small elements": _numbered(b"<r>", "<a{}/>", b"</r>"),
    "attributes": _numbered(b"<r ", "a{}='' ", b"/>"),
    "one endless name": _repeated(b"<", b"a", b""),
    "blanks in a tag": _repeated(b"<r", b" ", b"/></r>"),
    "entities declared": _numbered(b"<!DOCTYPE r [", "<!ENTITY a{} 'b'>", b"]><r/>"),
    "less-than signs": _repeated(b"<r>", b"<", b"</r>"),
}


def ask(_plan: Plan) -> Iterator[Measurement]:
    """Yield the steepest growth of each reader and of the patterns, and the dearest field."""
    yield _growth("JSON body, growth", JSON, lambda body: read_json(body, UNBOUNDED))
    yield _growth("XML body, growth", XML, lambda body: read_xml(body, UNBOUNDED))
    yield _growth("pattern, growth", _near_misses(), None)
    yield _field_of_pieces()
    dearest = {name: seconds_of(partial(_screened, _text(fill(FIELD)))) for name, fill in _near_misses().items()}
    worst = max(dearest, key=lambda name: dearest[name])
    yield Measurement(
        "all patterns, one near miss of 1,024",
        "microseconds",
        (Figure(dearest[worst] * 1e6),),
        target=Target(1_000, at="most"),
        note=f"dearest: {worst}",
        more={name: each * 1e6 for name, each in dearest.items()},
    )


def _field_of_pieces() -> Measurement:
    """Return the cost of fields made of cut attacks: each is new to the automaton, which builds states as it meets them."""
    chance = random.Random(1)  # noqa: S311 - repeatable on purpose
    examples = [example for rule in load_rules() for example in (*rule.refuses, *rule.spares)]
    seconds = []
    for _ in range(VALUES):
        value = ""
        while len(value) < FIELD:
            example = chance.choice(examples)
            value += example[: chance.randrange(len(example))]
        start = time.process_time()
        _screened(value[:FIELD])
        seconds.append((time.process_time() - start) * 1e6)
    seconds.sort()
    return Measurement(
        "all patterns, cut attacks of 1,024, p99",
        "microseconds",
        (Figure(seconds[VALUES * 99 // 100]),),
        target=Target(1_000, at="most"),
        more={"median_microseconds": seconds[VALUES // 2], "most_microseconds": seconds[-1]},
    )


def _growth(name: str, inputs: Mapping[str, Filled], read: Callable[[bytes], object] | None) -> Measurement:
    """Return the exponents of all inputs. Patterns, which have no reader, are each run alone on their own near miss."""
    found: dict[str, float] = {}
    for kind, fill in inputs.items():
        work = read or _alone(kind)
        seconds = [seconds_of(partial(_ended, work, fill(size))) for size in SIZES]
        found[kind] = exponent(SIZES, seconds)
    steepest = max(found, key=lambda kind: found[kind])
    return Measurement(
        name,
        "exponent",
        (Figure(found[steepest]),),
        target=Target(1.1, at="most"),
        note=f"steepest: {steepest}",
        more=found,
    )


def _near_misses() -> dict[str, Filled]:
    """Return a value for each rule: the first of its innocent examples over and over."""
    return {rule.name: _repeated(b"", f"{rule.spares[0]} ".encode(), b"") for rule in load_rules()}


def _alone(name: str) -> Callable[[bytes], object]:
    rule = next(rule for rule in load_rules() if rule.name == name)
    automaton = compile_patterns(rule.patterns)
    return lambda body: automaton.Match(_text(body))


def _text(body: bytes) -> str:
    return body.decode("utf-8", "ignore")


def _screened(value: str) -> None:
    with suppress(Refused):
        screen(value)


def _ended(work: Callable[[bytes], object], body: bytes) -> None:
    with suppress(Refused):
        work(body)
