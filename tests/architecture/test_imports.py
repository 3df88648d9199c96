"""The house keeps its direction: imports point downwards, and what is dangerous has one room."""

import ast
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.architecture.imports import FLOORS, ROOT, Module, circles, folder_imports, modules, room

FLOOR = {name: number for number, floor in enumerate(FLOORS) for name in floor}

KEEPERS = {
    "cryptography": {"crypto"},
    "argon2": {"crypto"},
    "secrets": {"crypto"},
    "random": {"crypto"},
    "uuid": {"crypto"},
    "psycopg": {"store"},
    "psycopg_pool": {"store"},
    "sqlite3": {"store", "datasets", "scoring", "backtest", "request_log"},
    "time": {"clock"},
}
"""Who may use what others must not: secrets and chance, databases, the clock."""

VISITORS: dict[tuple[str, str], str] = {
    (
        "credence.sandbox.certificates",
        "cryptography",
    ): "X.509 is needed for the sandbox's own authority and nowhere else",
}
"""Exceptions to `KEEPERS`, each with its reason."""

CLOCK_READERS = {
    "credence.clock": "the one clock",
    "credence.sandbox.certificates": "dates of certificates are judged by the machine's time, before there is a service",
}
NOW = {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "now", "utcnow", "today"}
"""Functions of `time` and `datetime` that read a clock."""

LONGEST_FILE = 350


def floor_of(name: str) -> int:
    return FLOOR[room(name)]


def test_every_room_has_its_floor() -> None:
    assert {room(name) for name in modules()} <= FLOOR.keys()


def test_imports_point_downwards() -> None:
    upwards = [
        f"{module.path} imports {name}"
        for module in modules().values()
        for name in module.ours
        if room(name) != room(module.name) and floor_of(name) <= floor_of(module.name)
    ]
    assert upwards == []


def test_modules_do_not_import_in_a_circle() -> None:
    assert circles({name: module.ours for name, module in modules().items()}) == []


def test_folders_do_not_import_in_a_circle() -> None:
    """At every depth: `oauth.grants` is one folder, `oauth` another, and a module of the root a folder of its own."""
    assert circles(folder_imports(modules())) == []


def test_a_circle_is_found() -> None:
    imports = {"a": {"b"}, "b": {"c"}, "c": {"b", "d"}, "d": set()}
    assert circles(imports) == [{"b", "c"}]
    assert circles(imports | {"d": {"a"}}) == [{"a", "b", "c", "d"}]
    assert circles({"a": {"b"}, "b": set()}) == []


CREDIT = ("companies", "datasets", "scoring", "report", "policy")
"""The rooms of the credit API, from the lowest."""


def test_companies_import_only_the_ground_floor() -> None:
    known = {room(name) for module in in_room("companies") for name in module.ours}
    assert known <= {"companies", "refusals", "clock", "errors", "files", "computed_once", "generational_cache"}


def test_the_token_service_and_the_credit_api_do_not_import_each_other() -> None:
    assert not {room(name) for module in in_room("oauth") for name in module.ours} & set(CREDIT)
    assert not {room(name) for each in CREDIT for module in in_room(each) for name in module.ours} & {"oauth", "web"}


def test_settings_are_read_only_where_parts_are_put_together_or_used() -> None:
    readers = {room(module.name) for module in modules().values() if "credence.settings" in module.ours}
    assert readers <= {
        "cli",
        "server",
        "deployment",
        "app",
        "service",
        "web",
        "web.dialects",
        "web.messages",
        "sites",
        "sign_in",
        "api",
        "background",
        "mail",
        "management",
        "operations",
        "oauth",
        "sandbox",
    }


def test_the_sandbox_is_put_in_at_the_top() -> None:
    """A request's path has no branch for the sandbox; the reference and its page take their examples from there (D24)."""
    users = {
        (room(module.name), name)
        for module in modules().values()
        for name in module.ours
        if room(name) == "sandbox" and room(module.name) not in {"sandbox", "app", "deployment", "cli"}
    }
    assert users == {("api", "credence.sandbox.examples"), ("sites", "credence.sandbox.examples")}


@pytest.mark.parametrize("library", KEEPERS)
def test_dangerous_libraries_have_their_keepers(library: str) -> None:
    strangers = [
        module.path
        for module in modules().values()
        if library in module.others
        and room(module.name) not in KEEPERS[library]
        and (module.name, library) not in VISITORS
    ]
    assert strangers == []


def test_a_service_without_a_shared_store_does_not_load_the_driver_of_postgresql() -> None:
    """It takes 6 MB of each process; what needs it imports it when a shared store is set."""
    program = "import credence.server, sys; print({'psycopg', 'psycopg_pool'} & sys.modules.keys())"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"


def test_the_clock_is_read_in_one_place() -> None:
    assert [name for name, module in modules().items() if name not in CLOCK_READERS and list(readings(module))] == []


def test_every_exception_is_still_needed() -> None:
    assert [each for each in VISITORS if each[1] not in modules()[each[0]].others] == []
    assert [name for name in CLOCK_READERS if not list(readings(modules()[name]))] == []


@pytest.mark.parametrize("folder", ["src", "tests", "tools", "bench"])
def test_files_stay_small(folder: str) -> None:
    lengths = {file: len(file.read_text(encoding="utf-8").splitlines()) for file in (ROOT / folder).rglob("*.py")}
    assert {str(file.relative_to(ROOT)): n for file, n in lengths.items() if n >= LONGEST_FILE} == {}


def in_room(name: str) -> list[Module]:
    found = [module for module in modules().values() if room(module.name) == name]
    assert found, name
    return found


def readings(module: Module) -> Iterator[int]:
    """Yield the lines on which a module asks `time` or `datetime` for the present."""
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and node.attr in NOW and owner(node.value) in {"time", "datetime", "date"}:
            yield node.lineno


def owner(node: ast.expr) -> str:
    """Return the last name before the dot: `datetime` for both `datetime.now` and `dt.datetime.now`."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case _:
            return ""
