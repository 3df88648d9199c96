"""The exit codes of commands, for scripts and service managers."""

from enum import IntEnum


class ExitCode(IntEnum):
    """The exit codes. `docs/operating.md` has the same table, which a test compares with this one."""

    DONE = 0
    """The command succeeded."""
    NEGATIVE = 1
    """The command worked, and its result is negative: a check failed, or a call would be refused."""
    USAGE = 2
    """An argument, an option or a setting is wrong."""
    NOT_FOUND = 3
    """The object that the command names does not exist."""
    REFUSED = 4
    """The state of the deployment or the machine does not allow the command; nothing was changed."""
    STORE_AWAY = 5
    """The store does not respond; the same command may succeed later."""
    CONTENT = 6
    """A file or other input cannot be used: it is damaged, truncated, of another kind, or not valid."""
    DRIFT = 7
    """The deployment differs from the file that describes it (`credence apply --plan`); nothing was changed."""
    ABORTED = 130
    """The operator stopped the command (128 and SIGINT)."""
