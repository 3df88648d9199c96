"""How many times a second can the key set and the provider configuration be read (spec §4.3, §4.4)?"""

from collections.abc import Iterator
from functools import partial

from bench.loads import document, document_answer
from bench.measurement import Measurement, Target
from bench.rounds import Plan, beside_bare
from credence import paths

TARGET = Target(20_000)


def ask(plan: Plan) -> Iterator[Measurement]:
    """Yield answers per second of both documents."""
    for name, path in (("key set", paths.KEYS), ("discovery", paths.CONFIGURATION)):
        yield beside_bare(plan, name, partial(document, path), partial(document_answer, path), TARGET)
