"""Errors whose message is written for the operator.

The command line prints the message of these and ends; any other error keeps its traceback.
"""


class OperatorError(Exception):
    """Something that only the operator can put right; the message is one line that says what."""


class InvalidInput(OperatorError, ValueError):
    """A value from the command line or a file is not usable; the message says what would be, and quotes no secret."""


class UnusableContent(InvalidInput):
    """The content of a file or of standard input cannot be used: damaged, of another kind, or not valid."""
