"""The memory of the service has keys in clear: it is in no core dump, and open to no other process (threats A11)."""

import ctypes
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.running import RunningServer, run_command

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux has /proc and PR_SET_DUMPABLE")

PR_GET_DUMPABLE, PR_SET_DUMPABLE = 3, 4

AS_NO_ROOT = """
import ctypes, os, sys
PR_CAPBSET_DROP = 24
for capability in range(64):  # which root has, and the user of a service has not
    ctypes.CDLL(None).prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
os.execvp(sys.argv[1], sys.argv[1:])
"""

PROCESS = """
import sys
from credence.background.memory_dumps import forbid_dumps
if sys.argv[1] == "forbidden":
    forbid_dumps()
print(1, flush=True)
sys.stdin.read()
"""


@pytest.mark.parametrize("dumps", ["forbidden", "usual"])
def test_no_other_process_of_the_user_reads_the_memory(dumps: str) -> None:
    command = [sys.executable, "-c", AS_NO_ROOT, sys.executable, "-c", PROCESS, dumps]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        for kept in ("environ", "maps"):
            read = [sys.executable, "-c", AS_NO_ROOT, "cat", f"/proc/{process.pid}/{kept}"]
            done = subprocess.run(read, capture_output=True, timeout=60, check=False)
            assert (done.returncode == 0) is (dumps == "usual"), done.stderr
        process.communicate()


@pytest.mark.parametrize(
    ("copies", "dumpable"),
    [
        ("", 0),
        ("file:///var/log/credence.jsonl", 0),
        ("file:///proc/1/fd/1", 1),  # deploy/kubernetes: commands in the container write to the output of the server
    ],
)
def test_the_service_is_not_dumpable_unless_commands_write_to_its_output(
    tmp_path: Path, copies: str, dumpable: int
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        child = os.fork()
        if child == 0:
            ctypes.CDLL(None).prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)  # a test that ran `serve` in this process changed it
            port = str(taken.getsockname()[1])
            variables = {"CREDENCE_AUDIT_COPIES": copies} if copies else {}
            run_command("serve", "--port", port, CREDENCE_DATA_DIR=str(tmp_path / "data"), **variables)
            os._exit(ctypes.CDLL(None).prctl(PR_GET_DUMPABLE, 0, 0, 0, 0))
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == dumpable


def test_no_process_of_the_service_makes_a_core_dump(sandbox: RunningServer) -> None:
    for process in processes(sandbox.process.pid):
        lines = Path(f"/proc/{process}/limits").read_text().splitlines()
        (limit,) = (line.split()[4:6] for line in lines if line.startswith("Max core file size"))
        assert {int(each) for each in limit} <= {0, 1}


def processes(first: int) -> list[int]:
    """Return a process and all that it has started."""
    children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
    return [first, *(each for child in children for each in processes(int(child)))]
