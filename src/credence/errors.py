"""Errors with a message for the operator.

The command line prints the message of these and ends; any other error keeps its traceback.
"""


class OperatorError(Exception):
    """An error that only the operator can fix; the message is one line that says what to do."""


class UnknownName(OperatorError):
    """A value names an object, such as an application, that does not exist."""


class InvalidInput(OperatorError, ValueError):
    """A value from the command line or a file is invalid; the message says what is valid, and quotes no secret.

    `member` names the member of the body that is invalid, if one is.
    """

    def __init__(self, *message: object, member: str = "") -> None:
        super().__init__(*message)
        self.member = member


class UnusableContent(InvalidInput):
    """The content of a file or of standard input is unusable: damaged, of another kind, or invalid."""
