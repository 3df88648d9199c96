"""Tests that hang, run by pytest in a process of its own, with a limit of two seconds."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]

TESTS = """
import asyncio
import ctypes
import socket
import threading

import pytest
from playwright.sync_api import sync_playwright

@pytest.fixture(scope="session")
def anyio_backend():
    return "asyncio"

@pytest.fixture
def silent():
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()

@pytest.fixture
def hangs():
    threading.Event().wait()

@pytest.fixture
async def closed():
    yield
    print("the other fixture was closed")

@pytest.fixture
async def hangs_at_its_end(closed):
    yield
    await asyncio.Event().wait()

def test_socket(silent):
    with socket.create_connection(silent) as connection:
        connection.recv(1)

async def test_loop(closed):
    await asyncio.Event().wait()

def test_fixture(hangs):
    pass

async def test_end_of_fixture(hangs_at_its_end):
    pass

def test_that_catches_everything():
    try:
        threading.Event().wait()
    except BaseException:
        pass

def test_playwright(silent):
    with sync_playwright() as playwright:
        requests = playwright.request.new_context()
        try:
            requests.get("http://%s:%d" % silent, timeout=0)
        finally:
            requests.dispose()

async def test_after(closed):
    pass

def test_deadlock():
    mutex = ctypes.create_string_buffer(64)
    lock = ctypes.PyDLL(None).pthread_mutex_lock
    lock(mutex)
    lock(mutex)
"""


def test_a_test_that_hangs_fails_wherever_it_waits_and_the_run_goes_on_or_ends_with_its_name(tmp_path: Path) -> None:
    (tmp_path / "pytest.ini").write_text("[pytest]\nanyio_mode = auto\n")
    (tmp_path / "test_inner.py").write_text(TESTS)
    plugins = ("-p", "tests.time_limit", "-p", "no:cacheprovider", "-p", "no:schemathesis")
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", *plugins, "-n1", "--dist=loadfile", "--max-worker-restart=0", "-rA"],
        cwd=tmp_path,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
        | {"CREDENCE_TEST_LIMIT_SECONDS": "2", "PYTHONPATH": str(ROOT), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    for shown in (
        "FAILED test_inner.py::test_socket - tests.time_limit.TookTooLong: longer than 2 s",
        "connection.recv(1)",
        "FAILED test_inner.py::test_loop - tests.time_limit.TookTooLong: longer than 2 s",
        "ERROR test_inner.py::test_fixture - Failed: longer than 2 s",
        "ERROR test_inner.py::test_end_of_fixture - ",
        "FAILED test_inner.py::test_that_catches_everything - The test took longer than its limit",
        "FAILED test_inner.py::test_playwright - tests.time_limit.TookTooLong: longer than 2 s",
        "PASSED test_inner.py::test_after",
        "the other fixture was closed",
        "crashed while running 'test_inner.py::test_deadlock'",
    ):
        assert shown in ended.stdout, ended.stdout
    assert "in test_deadlock" in ended.stderr, "the stacks"
    assert ended.returncode == 3, "not that of a whole run with failed tests"
