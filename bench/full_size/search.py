"""How long does a search take in a register of full size (D23)?

Searches of many kinds for companies drawn by chance, as a caller types them and as one who means harm does. They run one
after the other in this process, without HTTP. Once right after the data set has left the page cache, then warm.
"""

import random
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from statistics import quantiles

from bench.full_size.page_cache import evict
from bench.measurement import Figure, Measurement, Target
from credence.companies.facts.register import RegisterEntry
from credence.datasets.register import RegisterReader
from credence.datasets.search.query import CompanyQuery
from credence.report.search.companies import encode, search

TARGET = Target(50, at="most")

_OF_EACH_KIND = 150

Spoil = Callable[[random.Random, RegisterEntry], CompanyQuery]


def ask(data_set: Path, numbers: Sequence[str]) -> Iterator[Measurement]:
    """Yield the 99th percentile in milliseconds: cold, warm, and of each kind."""
    chance = random.Random(2)  # noqa: S311 - the same searches at each run
    register = RegisterReader(data_set)
    known = [entry for number in numbers if (entry := register.entry(number))]
    register.close()
    evict(data_set)
    cold = [
        _timed(register, _KINDS[kind](chance, entry))[0] for entry in known[:200] for kind in ("as it is", "dropped")
    ]
    yield _measurement("search, after eviction", cold)
    warm: list[float] = []
    kinds = []
    for kind, spoil in _KINDS.items():
        drawn = chance.sample(known, _OF_EACH_KIND)
        for entry in drawn[:20]:
            _timed(register, spoil(chance, entry))
        runs = [_timed(register, spoil(chance, entry), entry.number) for entry in drawn]
        warm += (taken for taken, _ in runs)
        found = sum(found for _, found in runs) / len(runs)
        kinds.append(_measurement(f"search, {kind}", [taken for taken, _ in runs], found_in_first_ten=found))
    yield _measurement("search, every kind", warm, TARGET)
    yield from kinds
    register.close()


def _timed(register: RegisterReader, query: CompanyQuery, number: str = "") -> tuple[float, bool]:
    begun = time.perf_counter()
    answer = search(register, query)
    encode(answer)
    taken = (time.perf_counter() - begun) * 1000
    return taken, number in [result.BusinessRef for result in answer.SearchResults[:10]]


def _measurement(name: str, taken: Sequence[float], target: Target | None = None, **more: float) -> Measurement:
    percentiles = quantiles(taken, n=100)
    figure = Figure(percentiles[98], p50=percentiles[49], p99=percentiles[98])
    more = {"slowest_ms": max(taken), **more}
    return Measurement(name, "ms, 99th percentile", (figure,), target=target, more=more)


def _named(spoil: Callable[[random.Random, str], str]) -> Spoil:
    return lambda chance, entry: CompanyQuery(name=spoil(chance, entry.name.removesuffix(" LIMITED")))


def _dropped(chance: random.Random, name: str) -> str:
    at = chance.randrange(len(name))
    return name[:at] + name[at + 1 :]


def _swapped(chance: random.Random, name: str) -> str:
    at = chance.randrange(max(len(name) - 1, 1))
    return name[:at] + name[at : at + 2][::-1] + name[at + 2 :]


def _hostile(chance: random.Random, _: str) -> str:
    letters = "abcdefghijklmnopqrstuvwxyz"
    return chance.choice(
        (
            " ".join(chance.sample(_COMMON, 8)),
            " ".join(f"{chance.choice(letters)}{word}" for word in chance.sample(_COMMON, 8)),
            " ".join("".join(chance.choices(letters, k=8)) for _ in range(17)),
            "".join(chance.choices(letters, k=35)),
            " ".join(chance.choices(("con", "mar", "pro", "str", "cha", "tra"), k=6)),
        )
    )


_COMMON = (
    "services",
    "uk",
    "management",
    "the",
    "company",
    "solutions",
    "property",
    "consulting",
    "group",
    "and",
    "of",
)

_KINDS: dict[str, Spoil] = {
    "as it is": _named(lambda _, name: name),
    "beginning": _named(lambda _, name: name[: max(4, len(name) // 2)]),
    "without the first word": _named(lambda _, name: name.partition(" ")[2] or name),
    "dropped": _named(_dropped),
    "swapped": _named(_swapped),
    "two slips": _named(lambda chance, name: _swapped(chance, _dropped(chance, name))),
    "without spaces": _named(lambda _, name: name.replace(" ", "")),
    "name and town": lambda _, entry: CompanyQuery(name=entry.name, town=entry.office.town),
    "postcode": lambda _, entry: CompanyQuery(postcode=entry.office.postcode),
    "town": lambda _, entry: CompanyQuery(town=entry.office.town or "LONDON"),
    "company number": lambda _, entry: CompanyQuery(number=entry.number),
    "hostile": _named(_hostile),
}
