"""A network of regions with delay, on one machine: namespaces joined by packets that this process holds back.

The kernel's own delay (`tc netem`) is not in every kernel. Here each region has a TUN device whose other end is this
process: it reads a packet, waits for as long as the way takes, and writes it to the device of its destination.
"""

import fcntl
import heapq
import os
import selectors
import statistics
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Self

NETWORK = "10.92"
_SET_INTERFACE, _TUN, _NO_PACKET_INFORMATION = 0x400454CA, 0x0001, 0x1000
_LARGEST_PACKET = 65_536

_CONNECT = """
import socket, sys, time
for _ in range(20):
    began = time.perf_counter()
    socket.create_connection((sys.argv[1], int(sys.argv[2])), 5).close()
    print(time.perf_counter() - began)
"""


@dataclass(frozen=True)
class Region:
    """A region: its namespace, and its address `10.92.NUMBER.1`."""

    name: str
    number: int
    namespace: str

    @property
    def address(self) -> str:
        return f"{NETWORK}.{self.number}.1"

    @property
    def inside(self) -> list[str]:
        """What a command begins with that runs in the region."""
        return ["ip", "netns", "exec", self.namespace]


class WideNetwork:
    """Regions 1, 2 … with the same one-way delay between any two; this process is region 0, without delay to any."""

    def __init__(self, names: Sequence[str], one_way_ms: float) -> None:
        prefix = f"cr{os.getpid()}"
        self.regions = [Region(name, number, f"{prefix}-{name}") for number, name in enumerate(names, 1)]
        self._device = f"tun{os.getpid() % 1_000_000}"
        self._delay = one_way_ms / 1_000
        self._cut: int | None = None
        self._ends: dict[int, int] = {}
        self._over = threading.Event()
        self._carrying = threading.Thread(target=self._carry, daemon=True)

    def __enter__(self) -> Self:
        for region in self.regions:
            _run("ip", "netns", "add", region.namespace)
            self._ends[region.number] = self._opened(f"{self._device}{region.number}")
            _run("ip", "link", "set", f"{self._device}{region.number}", "netns", region.namespace)
            for words in (
                ("link", "set", "lo", "up"),
                ("address", "add", f"{region.address}/16", "dev", f"{self._device}{region.number}"),
                ("link", "set", f"{self._device}{region.number}", "up"),
            ):
                _run(*region.inside, "ip", *words)
        self._ends[0] = self._opened(f"{self._device}0")
        _run("ip", "address", "add", f"{NETWORK}.0.1/16", "dev", f"{self._device}0")
        _run("ip", "link", "set", f"{self._device}0", "up")
        self._carrying.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._carrying.join()
        for end in self._ends.values():
            os.close(end)
        for region in self.regions:
            _run("ip", "netns", "delete", region.namespace)

    def cut(self, region: Region) -> None:
        """Drop every packet between this region and the others, but not those of this process."""
        self._cut = region.number

    def join(self) -> None:
        """Let every packet pass again."""
        self._cut = None

    def measured_round_trip_ms(self, port: int) -> float:
        """Return the median time in which the first region opens a connection to a port of the second: one round trip."""
        first, second = self.regions[:2]
        words = [*first.inside, sys.executable, "-c", _CONNECT, second.address, str(port)]
        printed = subprocess.run(words, capture_output=True, text=True, check=True).stdout
        return round(statistics.median(map(float, printed.split())) * 1_000, 1)

    def _opened(self, name: str) -> int:
        end = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
        fcntl.ioctl(end, _SET_INTERFACE, struct.pack("16sH22x", name.encode(), _TUN | _NO_PACKET_INFORMATION))
        return end

    def _carry(self) -> None:
        under_way: list[tuple[float, int, int, bytes]] = []
        serial = 0
        with selectors.DefaultSelector() as ready:
            for number, end in self._ends.items():
                ready.register(end, selectors.EVENT_READ, number)
            while not self._over.is_set():
                wait = under_way[0][0] - time.monotonic() if under_way else 0.1
                for key, _ in ready.select(max(0.0, min(wait, 0.1))):
                    serial = self._read(key.fd, key.data, under_way, serial)
                while under_way and under_way[0][0] <= time.monotonic():
                    _, _, to, packet = heapq.heappop(under_way)
                    self._write(to, packet)

    def _read(self, end: int, of: int, under_way: list[tuple[float, int, int, bytes]], serial: int) -> int:
        while True:
            try:
                packet = os.read(end, _LARGEST_PACKET)
            except (BlockingIOError, OSError):
                return serial
            to = packet[18] if packet[0] >> 4 == 4 and packet[16:18] == bytes((10, 92)) else -1
            if to not in self._ends or to == of or (self._cut in (of, to) and 0 not in (of, to)):
                continue
            delay = self._delay if of and to else 0.0
            serial += 1
            heapq.heappush(under_way, (time.monotonic() + delay, serial, to, packet))

    def _write(self, to: int, packet: bytes) -> None:
        try:
            os.write(self._ends[to], packet)
        except OSError:  # a device whose queue is full drops, as a way does
            return


def _run(*command: str) -> None:
    subprocess.run(command, check=True, capture_output=True)
