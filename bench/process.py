"""A server under measurement: started on its core, waited for, looked into, stopped."""

import os
import re
import signal
import socket
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from bench.pinning import SERVER_CORE, on_core

READY_WITHIN = 60.0
"""Seconds; a first start makes keys and loads the register."""

STOPPED_WITHIN = 20.0


@dataclass(frozen=True, slots=True)
class Server:
    """A process that answers. Its one worker is its child."""

    process: subprocess.Popen[bytes]
    port: int
    seconds_to_answer: float

    @property
    def address(self) -> str:
        """The base address, by number so that no resolver is measured."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def worker(self) -> int:
        """The process id of the worker."""
        children = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[-1])


@contextmanager
def served(command: Sequence[str], port: int, path: str, log: Path, **variables: str) -> Iterator[Server]:
    """Run a server on the server's core from its first 200 on `path` until the block ends."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("CREDENCE_")}
    with log.open("ab") as output:
        begun = time.monotonic()
        process = subprocess.Popen(
            on_core(SERVER_CORE, command),
            env={**environment, **variables},
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            start_new_session=True,
        )
    try:
        _wait(process, port, path, begun, log)
        yield Server(process, port, time.monotonic() - begun)
    finally:
        _stop(process)


def processor_seconds(server: Server) -> float:
    """Return the processor time of the workers so far, to a hundredth of a second."""
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children").read_text().split()
    ticks = 0
    for child in children:
        fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> Mapping[str, float]:
    """Return resident and proportional memory of a process in MB (10^6 bytes), and its peak."""
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    status = Path(f"/proc/{pid}/status").read_text()
    return {"rss": _kib(rollup, "Rss"), "pss": _kib(rollup, "Pss"), "peak": _kib(status, "VmHWM")}


def free_port() -> int:
    """Return a port on which nobody listens."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def _kib(text: str, name: str) -> float:
    found = re.search(rf"^{name}:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) * 1024 / 1e6 if found else 0.0


def _wait(process: subprocess.Popen[bytes], port: int, path: str, begun: float, log: Path) -> None:
    while process.poll() is None and time.monotonic() - begun < READY_WITHIN:
        if _answers(port, path):
            return
        time.sleep(0.005)
    raise RuntimeError(f"The server did not start:\n{log.read_text(errors='replace')[-2000:]}")


def _answers(port: int, path: str) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == 200
    except OSError:
        return False
    finally:
        connection.close()


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Stop it as an operator does; what does not go is killed with its worker."""
    if process.poll() is not None:
        return
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(timeout=STOPPED_WITHIN)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
