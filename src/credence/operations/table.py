"""Every operation and reading, in the order of the management API; its routes and the page of accesses follow."""

from collections.abc import Sequence
from typing import Final

from credence.operations import clocks, data_holds, signing_keys
from credence.operations.operation import Operation, Reading

OPERATIONS: Final[Sequence[Operation | Reading]] = (
    clocks.read_clock,
    clocks.advance_clock,
    clocks.reset_clock,
    data_holds.read_hold,
    data_holds.hold,
    data_holds.release,
    signing_keys.list_keys,
    signing_keys.roll,
    signing_keys.revoke,
)
